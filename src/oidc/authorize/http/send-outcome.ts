import type { FastifyReply } from 'fastify';
import type { AuthorizationRequest } from '#src/authorization/authorization-request.js';
import { ensureAgent } from '#src/http/auth/agent-cookie.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { pageLanguage } from '#src/http/base/language.js';
import { withoutTraces } from '#src/http/pages/html.js';
import { rememberFlow } from '#src/http/pages/latest-flow.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { requestedLanguage } from '../../http/answer-error-pages.js';
import { type OrganizationOfClientDeps, organizationOfClient } from '../../http/organization-of-client.js';
import type { OidcNeeds } from '../../needs/needs.js';
import { responseAddress } from '../authorization-response.js';
import type { AuthorizationOutcome } from '../authorize.js';
import { sendFormPost } from './form-post-page.js';
import { sendNotAllowedPage } from './not-allowed-page.js';
import { sendRefusedPage } from './refused-page.js';

const pages = {
  login: '/login',
  code: '/login/code',
  passkey: '/login/second-passkey',
  mailCode: '/login/mail-code',
  select: '/login/select',
  register: '/login/register',
  consent: '/login/consent',
} as const;

type SendOutcomeDeps = Pick<OidcNeeds, 'config' | 'authorizationRequests'> & OrganizationOfClientDeps;

/**
 * Sends the response to the client, or sends the person to a page with the request in its address.
 */
export async function sendOutcome(
  deps: SendOutcomeDeps,
  { request, reply }: HttpExchange,
  outcome: AuthorizationOutcome,
): Promise<FastifyReply> {
  const { baseUrl } = deps.config;
  if ('ask' in outcome) {
    const { ask, since, flow = begin(deps, { request, reply }, outcome.request) } = outcome;
    const address = pageAddress(deps, pages[ask], {
      request: flow,
      since: ask === 'login' ? since?.getTime().toString() : undefined,
    });
    return goTo(reply, address);
  }
  if ('notAllowed' in outcome) {
    const { notAllowed: response, application, userName, request: waiting } = outcome;
    const { flow = begin(deps, { request, reply }, waiting) } = outcome;
    const language = requestedLanguage(request);
    const organization = await organizationOfClient(deps, application.id);
    const otherAccount = pageAddress(deps, pages.select, { request: flow });
    const shown = { response, otherAccount, userName, name: application.name };
    return sendNotAllowedPage(reply, { baseUrl, language, organization }, shown);
  }
  if ('refused' in outcome) {
    const language = requestedLanguage(request);
    const refused = { response: outcome.refused, name: outcome.application.name };
    return sendRefusedPage(reply, { baseUrl, language }, refused);
  }
  if (outcome.target.responseMode === 'form_post') {
    const language = pageLanguage(request);
    const organization = await organizationOfClient(deps, outcome.target.clientId);
    return sendFormPost(reply, outcome, { baseUrl, language, organization });
  }
  return withoutTraces(reply).redirect(responseAddress(outcome), 303);
}

/** Seals a new request for the browser, which remembers it. @returns the flow */
function begin(
  deps: Pick<SendOutcomeDeps, 'config' | 'authorizationRequests'>,
  { request, reply }: HttpExchange,
  waiting: AuthorizationRequest,
): string {
  const { hash: agentHash } = ensureAgent(deps, request, reply);
  const flow = deps.authorizationRequests.seal({ ...waiting, agentHash });
  rememberFlow(deps, reply, flow);
  return flow;
}
