import type { FastifyRequest } from 'fastify';
import { readAgent } from '#src/http/auth/agent-cookie.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { LoginNeeds } from '../needs/needs.js';
import { flowOf, requireOwnForm } from './visit.js';

type Deps = Pick<LoginNeeds, 'config' | 'sessions' | 'authorizationRequests'>;

/**
 * Checks a form of a sign-in as `requireOwnForm` does. If the person signed in at another tab since the page was shown, the
 * browser has a new secret, and the form is out of date. The sign-in then goes on with the session that exists now. Nothing that
 * the form says is done.
 * @returns the address at which the sign-in goes on. Undefined if the form is right
 * @throws AppError `login.formExpired`
 */
export async function addressAfterOtherTab(
  deps: Deps,
  request: FastifyRequest,
  purpose: string,
): Promise<string | undefined> {
  try {
    requireOwnForm(deps, request, purpose);
    return undefined;
  } catch (error) {
    const flow = flowOf(request.body);
    if (!(await isSignedInSince(deps, request, flow))) throw error;
    return pageAddress(deps, '/oauth/v2/authorize/callback', { request: flow });
  }
}

/** Whether this browser has a session, and had another secret when the flow began. */
async function isSignedInSince(deps: Deps, request: FastifyRequest, flow: string): Promise<boolean> {
  const agent = readAgent(deps, request);
  const waiting = flow === '' ? undefined : await deps.authorizationRequests.find(flow);
  if (agent === undefined || waiting === undefined || waiting.agentHash === agent.hash) return false;
  if (!(await deps.sessions.isSameAgent(agent.hash, waiting.agentHash))) return false;
  return (await deps.sessions.ofAgent(agent.hash)).length > 0;
}
