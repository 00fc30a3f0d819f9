import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '#src/http/base/language.js';
import { prepareErrorReply } from '#src/http/base/problem.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { showPage } from '#src/http/pages/page-frame.js';
import type { AppError } from '#src/platform/errors.js';
import { texts } from '../texts/texts.js';
import { type ErrorLookDeps, errorLook } from './error-look.js';
import { loginErrors } from './errors.js';
import { lockedText } from './locked.js';

/** Answers every error of this scope with a page that says what to do and links back. */
export function answerWithPages(scope: FastifyInstance, deps: ErrorLookDeps): void {
  const { baseUrl } = deps.config;
  scope.setErrorHandler(async (thrown, request, reply) => {
    const error = prepareErrorReply(request, reply, thrown);
    reply.removeHeader('www-authenticate');
    const look = await errorLook(deps, request, reply.statusCode >= 500);
    const { language } = look;
    const { title, text } = wordsOf(language, error, reply);
    // If the flow has ended, trying the same address again cannot help.
    const isOver = error.definition === loginErrors.flowEnded;
    const href = isOver ? `${baseUrl}/account` : wayBack(baseUrl, request);
    const label = isOver ? texts[language].account : texts[language].tryAgain;
    const content = html`<p><a class="button full" href="${href}">${label}</a></p>`;
    return showPage(reply, look, { title, subtitle: text, content });
  });
}

function wordsOf(
  language: Language,
  error: AppError,
  { statusCode }: FastifyReply,
): { title: string; text?: string } {
  const t = texts[language];
  if (error.definition === loginErrors.flowEnded) return { title: t.flowEnded, text: t.flowEndedText };
  if (statusCode === 429) {
    return { title: t.tooMany, text: lockedText(language, error.retryAfterSeconds ?? 60) };
  }
  if (statusCode === 503) return { title: t.unavailable, text: t.unavailableText };
  if (statusCode === 404) return { title: t.notFound };
  if (statusCode >= 500) return { title: t.fault, text: t.faultText };
  return { title: t.formExpired, text: t.formExpiredText };
}

/** The page that has the form, for the same waiting request. */
function wayBack(baseUrl: string, request: FastifyRequest): string {
  const path = request.url.split('?', 1)[0] ?? '/login';
  const page = path.startsWith('/account') ? '/account' : path;
  const names = ['request', 'token', 'session'];
  const parameters = names.flatMap((name): [string, string][] => {
    const value = formText(request.query, name) || formText(request.body, name);
    return value === '' ? [] : [[name, value]];
  });
  const query = new URLSearchParams(parameters).toString();
  return `${baseUrl}${page}${query === '' ? '' : `?${query}`}`;
}
