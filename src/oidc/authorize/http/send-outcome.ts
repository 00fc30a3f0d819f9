import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import { ensureAgent } from '#src/http/agent-cookie.js';
import { addressOf } from '#src/http/caller-address.js';
import { httpErrors } from '#src/http/errors.js';
import { withoutTraces } from '#src/http/html.js';
import { chooseLanguage } from '#src/http/language.js';
import { AppError } from '#src/platform/errors.js';
import { type OrganizationOfClientDeps, organizationOfClient } from '../../http/organization-of-client.js';
import { responseAddress } from '../authorization-response.js';
import { type Outcome, waitingSubject } from '../authorize.js';
import { sendFormPost } from './form-post-page.js';

const pages = { login: '/login', select: '/login/select', register: '/login/register' } as const;

export type SendOutcomeDeps = Pick<
  Container,
  'config' | 'authorizationRequests' | 'loginSteps' | 'waitingLogins'
> &
  OrganizationOfClientDeps;

/**
 * Sends the answer to the client, or the person to a page that the request waits for.
 * @throws AppError `http.rateLimited` when too many requests of the address wait
 */
export async function sendOutcome(
  deps: SendOutcomeDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  outcome: Outcome,
): Promise<FastifyReply> {
  if ('ask' in outcome) {
    const { request: waiting, isWaiting } = outcome;
    if (!isWaiting) {
      const address = addressOf(request);
      await requireRoom(deps, address);
      const { hash } = ensureAgent(deps, request, reply);
      await Promise.all([
        deps.authorizationRequests.put({ ...waiting, agentHash: hash, address }),
        deps.loginSteps.rememberRequest(hash, waiting.id),
      ]);
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

/** Whoever asks needs not prove anything for a request to be kept, so their number has a bound. */
async function requireRoom({ config, waitingLogins }: SendOutcomeDeps, address: string): Promise<void> {
  const { allowed, retryAfterSeconds } = await waitingLogins.begin(
    waitingSubject(address),
    config.waitingLoginsPerAddress,
  );
  if (!allowed) throw new AppError(httpErrors.rateLimited, { retryAfterSeconds });
}
