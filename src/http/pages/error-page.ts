import type { FastifyReply } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { guidesPath } from '../base/guides-path.js';
import type { HttpExchange } from '../base/http-exchange.js';
import { pageLanguage } from '../base/language.js';
import { prepareErrorReply } from '../base/problem.js';
import { html } from './html.js';
import { type PageLook, showPage } from './page-frame.js';
import type { PageErrorKind } from './texts/shape.js';
import { errorTexts } from './texts/texts.js';

interface ErrorPage {
  readonly kind: PageErrorKind;
  /** What exactly was wrong, untranslated, for the developer of the application. */
  readonly detail?: string;
  /** The wrong parameter, as the application sent it. */
  readonly sent?: { readonly name: string; readonly value: string } | undefined;
}

/** Longest value of a parameter that a page repeats, in characters. */
const maxSent = 300;

/** Errors that may be over when the person tries again. */
const passing: ReadonlySet<PageErrorKind> = new Set(['tooMany', 'unavailable', 'fault']);

/** Sends a page that says what went wrong, and leads onward. The caller sets the status. */
export function sendErrorPage(
  reply: FastifyReply,
  look: PageLook,
  { kind, detail, sent }: ErrorPage,
): FastifyReply {
  const t = errorTexts[look.language];
  const { title, text } = t.kinds[kind];
  const { method, url } = reply.request;
  const canRepeat = passing.has(kind) && method === 'GET' && url.startsWith('/');
  const [address, label] = canRepeat
    ? [`${look.baseUrl}${url}`, t.again]
    : [`${look.baseUrl}/account`, t.account];
  const developer =
    detail !== undefined &&
    html`<div class="developer"><h2>${t.developer}</h2>
<dl><dt>${t.problem}</dt><dd lang="en"><code>${detail}</code></dd>
${sent && html`<dt lang="en">${sent.name}</dt><dd><code>${shorten(sent.value)}</code></dd>`}</dl>
<p><a href="${look.baseUrl}${guidesPath}/sign-in-problems" hreflang="en">${t.guide}</a></p></div>`;
  const content = html`<p><a class="button full" href="${address}">${label}</a></p>
${developer}`;
  return showPage(reply, look, { title, subtitle: text, content });
}

function shorten(value: string): string {
  const characters = Array.from(value.slice(0, 2 * maxSent));
  return characters.length <= maxSent ? value : `${characters.slice(0, maxSent).join('')}…`;
}

/** Answers any thrown error with a page, for scopes whose responses people see. */
export function answerErrorPage(
  thrown: unknown,
  { request, reply }: HttpExchange,
  look: Omit<PageLook, 'language'>,
): FastifyReply {
  const error = prepareErrorReply(request, reply, thrown);
  const kind = kindOf(reply.statusCode);
  const isOurs = thrown instanceof AppError && kind === 'request';
  const page = { kind, ...(isOurs && { detail: error.message }) };
  return sendErrorPage(reply, { ...look, language: pageLanguage(request) }, page);
}

function kindOf(status: number): PageErrorKind {
  if (status === 404) return 'notFound';
  if (status === 429) return 'tooMany';
  if (status === 503) return 'unavailable';
  return status >= 500 ? 'fault' : 'request';
}
