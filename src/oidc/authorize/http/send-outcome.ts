import type { FastifyReply } from 'fastify';
import { waitingSeconds } from '#src/authorization/authorization-requests.store.js';
import type { Container } from '#src/container.js';
import { ensureAgent } from '#src/http/auth/agent-cookie.js';
import type { HttpExchange } from '#src/http/http-exchange.js';
import { addressOf } from '#src/http/limits/caller-address.js';
import { withoutTraces } from '#src/http/pages/html.js';
import { chooseLanguage } from '#src/http/pages/language.js';
import { limitPending } from '../../http/limit-pending.js';
import { type OrganizationOfClientDeps, organizationOfClient } from '../../http/organization-of-client.js';
import { responseAddress } from '../authorization-response.js';
import { type AuthorizationOutcome, pendingLogins } from '../authorize.js';
import { sendFormPost } from './form-post-page.js';

const pages = { login: '/login', select: '/login/select', register: '/login/register' } as const;

export type SendOutcomeDeps = Pick<Container, 'config' | 'authorizationRequests' | 'pendingLimits'> &
  OrganizationOfClientDeps;

/**
 * Sends the response to the client, or stores the request and sends the person to a page.
 * @throws AppError `http.rateLimited` when too many requests of the address are pending
 */
export async function sendOutcome(
  deps: SendOutcomeDeps,
  { request, reply }: HttpExchange,
  outcome: AuthorizationOutcome,
): Promise<FastifyReply> {
  if ('ask' in outcome) {
    const { request: waiting, isWaiting } = outcome;
    if (!isWaiting) {
      const address = addressOf(request);
      await limitPending(deps, { holder: pendingLogins(address), id: waiting.id, seconds: waitingSeconds });
      const { hash } = ensureAgent(deps, request, reply);
      await deps.authorizationRequests.put({ ...waiting, agentHash: hash, address });
    }
    const query = new URLSearchParams({ request: waiting.id });
    return withoutTraces(reply).redirect(`${deps.config.baseUrl}${pages[outcome.ask]}?${query}`, 303);
  }
  if (outcome.target.responseMode === 'form_post') {
    const language = chooseLanguage([], request.headers['accept-language']);
    const organization = await organizationOfClient(deps, outcome.target.clientId);
    return sendFormPost(reply, outcome, { language, organization });
  }
  return withoutTraces(reply).redirect(responseAddress(outcome), 303);
}
