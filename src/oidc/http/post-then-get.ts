import type { FastifyInstance, FastifyRequest } from 'fastify';
import { httpErrors } from '#src/http/base/errors.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { withoutTraces } from '#src/http/pages/html.js';
import { AppError } from '#src/platform/errors.js';
import { ShownError } from '../authorize/request/errors.js';
import type { OidcNeeds } from '../needs/needs.js';
import type { FormParameters } from '../protocol/parameters.js';
import { requestedLanguage } from './answer-error-pages.js';
import { sendAgainPage } from './send-again-page.js';

type PostThenGetDeps = Pick<OidcNeeds, 'config' | 'postedSealer'>;

/** No form of a client is longer, in characters of its names and values. */
const maxLength = 32_768;

/** Longest sealed form in an address, in characters. Load balancers accept addresses of 8 KiB. */
const maxSealedLength = 6_000;

/** The field by which {@link sendAgainPage} marks the form that it sends. */
const againField = 'again';

/**
 * Takes a POST of a browser as a GET of the same address. When another site makes the browser post, the browser sends no
 * cookie (SameSite=Lax). It sends one when it follows a redirect, or when a page of this service posts. The parameters
 * travel sealed in the address, so that no log or history shows them, and this service stores nothing. The address is valid as long as
 * one with open parameters would be, so that a person may reload its page. A form that is too
 * long for an address is sent again by a page. Repeated parameters stay repeated, so that the GET reports the same errors.
 * @param answer answers the parameters of a form that such a page has sent
 * @throws AppError `http.mediaTypeUnsupported`, `http.bodyTooLarge`
 * @throws ShownError for a form that says that our page has sent it, and comes from elsewhere
 */
export async function postThenGet(
  deps: PostThenGetDeps,
  { request, reply }: HttpExchange,
  {
    path,
    names,
    answer,
  }: { path: string; names: readonly string[]; answer: (given: FormParameters) => unknown },
): Promise<unknown> {
  const parameters = readForm(request, names);
  const address = `${deps.config.baseUrl}${path}`;
  if ((request.body as Record<string, unknown>)[againField] !== undefined) {
    if (request.headers.origin !== new URL(deps.config.baseUrl).origin)
      throw new ShownError('invalid_request', 'The form does not come from this service');
    return answer(parameters);
  }
  const sealed = deps.postedSealer.seal(Buffer.from(JSON.stringify({ parameters })));
  const posted = sealed.toString('base64url');
  if (posted.length > maxSealedLength) {
    const fields = { ...parameters, [againField]: '1' };
    const look = { baseUrl: deps.config.baseUrl, language: requestedLanguage(request) };
    return sendAgainPage(reply, look, { address, fields });
  }
  return withoutTraces(reply).redirect(`${address}?posted=${posted}`, 303);
}

/** Gives the posted parameters to the GET requests of the scope that {@link postThenGet} caused. */
export function readPosted(scope: FastifyInstance, deps: PostThenGetDeps): void {
  scope.addHook('onRequest', async (request) => {
    const { posted } = request.query as { posted?: unknown };
    if (request.method !== 'GET' || typeof posted !== 'string') return;
    const text = deps.postedSealer.unseal(Buffer.from(posted, 'base64url'))?.toString();
    // No key of this service unseals it any more.
    if (text === undefined) throw new ShownError('invalid_request', 'The request has expired');
    request.query = JSON.parse(text).parameters;
  });
}

function readForm({ headers, body }: FastifyRequest, names: readonly string[]): FormParameters {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';', 1);
  if (mediaType.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new AppError(httpErrors.mediaTypeUnsupported);
  }
  const given = (body ?? {}) as Record<string, string | string[]>;
  const entries = names.flatMap((name): [string, string | string[]][] => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  if (entries.flat(2).join('').length > maxLength) {
    throw new AppError(httpErrors.bodyTooLarge, { detail: `The form has more than ${maxLength} characters` });
  }
  return Object.fromEntries(entries);
}
