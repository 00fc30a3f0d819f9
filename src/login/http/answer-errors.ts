import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '#src/http/base/language.js';
import { prepareErrorReply } from '#src/http/base/problem.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { showPage } from '#src/http/pages/page-frame.js';
import type { AppError } from '#src/platform/errors.js';
import { texts } from '../texts/texts.js';
import { type ErrorLookDeps, errorLook } from './error-look.js';
import { loginErrors } from './errors.js';
import { GoesOn } from './goes-on.js';
import { lockedText } from './locked.js';
import { flowOf } from './visit.js';

/** Answers every error of this scope with a page that says what to do and links back. */
export function answerWithPages(scope: FastifyInstance, deps: ErrorLookDeps): void {
  scope.setErrorHandler(async (thrown, request, reply) => {
    if (thrown instanceof GoesOn) return goTo(reply, thrown.address);
    const error = prepareErrorReply(request, reply, thrown);
    reply.removeHeader('www-authenticate');
    const look = await errorLook(deps, request, reply.statusCode >= 500);
    const { language } = look;
    const { title, text } = wordsOf(language, error, reply);
    // If the flow has ended, trying the same address again cannot help.
    const isOver = error.definition === loginErrors.flowEnded;
    const href = isOver ? pageAddress(deps, '/account') : wayBack(deps, request);
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
  if (error.definition === loginErrors.factorMissing)
    return { title: t.factorMissing, text: t.factorMissingText };
  if (statusCode === 429) {
    return { title: t.tooMany, text: lockedText(language, error.retryAfterSeconds ?? 60) };
  }
  if (statusCode === 503) return { title: t.unavailable, text: t.unavailableText };
  if (statusCode === 404) return { title: t.notFound };
  if (statusCode >= 500) return { title: t.fault, text: t.faultText };
  return { title: t.formExpired, text: t.formExpiredText };
}

/** The page that has the form, for the same waiting request. A person without one may be signed in: see the account page. */
function wayBack(deps: ErrorLookDeps, { url, query, body }: FastifyRequest): string {
  const path = url.split('?', 1)[0] ?? '/login';
  const flow = flowOf(query) || flowOf(body);
  const isAccount = path.startsWith('/account') || (path === '/login' && flow === '');
  const textOf = (name: string) => formText(query, name) || formText(body, name);
  const named = { request: flow, token: textOf('token'), session: textOf('session') };
  return pageAddress(deps, isAccount ? '/account' : path, named);
}
