import type { FastifyRequest } from 'fastify';
import type { FoundRequest } from '#src/authorization/authorization-requests.store.js';
import { type Agent, readAgent } from '#src/http/auth/agent-cookie.js';
import type { Session } from '#src/sessions/session.js';
import type { LoginNeeds } from '../needs/needs.js';
import { GoesOn } from './goes-on.js';
import { callbackAddress } from './own-flow.js';
import { flowOf, requireOwnForm, type Visit } from './visit.js';

type Deps = Pick<LoginNeeds, 'config' | 'sessions' | 'authorizationRequests'>;

/**
 * Checks a form of a sign-in as `requireOwnForm` does. If the person signed in at another tab since the page was shown, the
 * browser has a new secret, and the form is out of date. The sign-in then goes on with the session that exists at this moment.
 * If the browser has lost its cookie and the request is too old, the application gets an error. Nothing that the form says is done.
 * @throws GoesOn to the authorization endpoint
 * @throws AppError `login.formExpired`
 */
export async function requireFlowForm(deps: Deps, request: FastifyRequest, purpose: string): Promise<void> {
  try {
    requireOwnForm(deps, request, purpose);
  } catch (error) {
    const flow = flowOf(request.body);
    const found = flow === '' ? undefined : await deps.authorizationRequests.find(flow);
    if (found === undefined || !(await isOutOfDate(deps, readAgent(deps, request), found))) throw error;
    throw new GoesOn(callbackAddress(deps, flow));
  }
}

/**
 * Whether a form without the right token may be one of this browser that is out of date: the browser has a session, and had another secret
 * when the flow began. Also whether it is a form of a request that is too old, and the browser is not the one that began it.
 */
async function isOutOfDate(
  { sessions }: Pick<Deps, 'sessions'>,
  agent: Agent | undefined,
  { agentHash, stage }: FoundRequest,
): Promise<boolean> {
  if (agent === undefined || !(await sessions.isSameAgent(agent.hash, agentHash))) return stage === 'expired';
  return agentHash !== agent.hash && (await sessions.ofAgent(agent.hash)).length > 0;
}

/**
 * Whether somebody has signed in at this browser since the request arrived, or since the time that the address of the page names. The
 * authorization endpoint then decides whether the session suits the request. A request that demands a page waits for that page.
 * @param sessions those at this browser
 */
export function isTabOvertaken(
  { query }: Pick<FastifyRequest, 'query'>,
  { waiting }: Pick<Visit, 'waiting'>,
  sessions: readonly Pick<Session, 'authTime'>[],
): boolean {
  if (waiting === undefined || waiting.prompts.some((prompt) => prompt !== 'consent')) return false;
  const { since } = (query ?? {}) as { since?: unknown };
  const known = typeof since === 'string' && /^\d{1,15}$/.test(since) ? Number(since) + 1 : 0;
  const from = Math.max(known, waiting.created.getTime());
  return sessions.some(({ authTime }) => authTime.getTime() >= from);
}

/**
 * The parameter `since` of a link to the login page for another account: the latest sign-in of which the person knows, in milliseconds.
 * Undefined without one.
 */
export function sinceLatest(sessions: readonly { readonly authTime: Date }[]): string | undefined {
  const times = sessions.map(({ authTime }) => authTime.getTime());
  return times.length === 0 ? undefined : String(Math.max(...times));
}
