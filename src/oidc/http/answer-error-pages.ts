import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import { chooseLanguage, type Language } from '#src/http/base/language.js';
import { errorIdHeader } from '#src/http/base/problem.js';
import { answerErrorPage, sendErrorPage } from '#src/http/pages/error-page.js';
import { ShownError } from '../authorize/request/errors.js';
import { oauthErrorId } from '../protocol/oauth-error.js';
import { type OrganizationOfClientDeps, organizationOfClient } from './organization-of-client.js';

/**
 * Answers every error of this scope with a page, for endpoints that people open in their browser.
 * @param kind what the requests of this scope ask for
 */
export function answerWithErrorPages(
  scope: FastifyInstance,
  deps: OrganizationOfClientDeps & { readonly config: Pick<Config, 'baseUrl'> },
  kind: 'signIn' | 'signOut',
): void {
  scope.setErrorHandler(async (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const given = { ...(request.query as object), ...(request.body as object) } as { client_id?: unknown };
    const organization = await organizationOfClient(deps, given.client_id);
    const look = { baseUrl: deps.config.baseUrl, organization };
    if (!(thrown instanceof ShownError)) return answerErrorPage(thrown, { request, reply }, look);
    const detail = `${thrown.code}: ${thrown.message}`;
    reply.header(errorIdHeader, oauthErrorId(thrown));
    const language = requestedLanguage(request);
    return sendErrorPage(reply.code(400), { ...look, language }, { kind, detail, sent: thrown.sent });
  });
}

/**
 * The language of a page: of the `ui_locales` of the request, or else of the person, or else of the browser.
 * @param ofPerson a BCP 47 tag, if the person is known and chose a language
 */
export function requestedLanguage({ query, body, headers }: FastifyRequest, ofPerson?: string): Language {
  const { ui_locales: asked } = { ...(query as object), ...(body as object) } as { ui_locales?: unknown };
  const preferred = typeof asked === 'string' ? asked.slice(0, 200).split(' ') : [];
  const locales = ofPerson === undefined ? preferred : [...preferred, ofPerson];
  return chooseLanguage(locales, headers['accept-language']);
}
