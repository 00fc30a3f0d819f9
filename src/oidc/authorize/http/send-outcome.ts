import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import { ensureAgent } from '#src/http/agent-cookie.js';
import { withoutTraces } from '#src/http/html.js';
import { chooseLanguage } from '#src/http/language.js';
import { responseAddress } from '../authorization-response.js';
import type { Outcome } from '../authorize.js';
import { sendFormPost } from './form-post-page.js';

const pages = { login: '/login', select: '/login/select', register: '/login/register' } as const;

export type SendOutcomeDeps = Pick<Container, 'config' | 'authorizationRequests'>;

/** Sends the answer to the client, or the person to a page that the request waits for. */
export async function sendOutcome(
  deps: SendOutcomeDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  outcome: Outcome,
): Promise<FastifyReply> {
  if ('ask' in outcome) {
    const { request: waiting, isWaiting } = outcome;
    if (!isWaiting) {
      const { hash } = ensureAgent(deps, request, reply);
      await deps.authorizationRequests.put({ ...waiting, agentHash: hash });
    }
    const query = new URLSearchParams({ request: waiting.id });
    return withoutTraces(reply).redirect(`${deps.config.baseUrl}${pages[outcome.ask]}?${query}`, 303);
  }
  if (outcome.target.responseMode === 'form_post') {
    return sendFormPost(reply, outcome, chooseLanguage([], request.headers['accept-language']));
  }
  return withoutTraces(reply).redirect(responseAddress(outcome), 303);
}
