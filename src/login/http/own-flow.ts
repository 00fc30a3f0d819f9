import type { WaitingRequest } from '#src/authorization/authorization-requests.store.js';
import type { Agent } from '#src/http/auth/agent-cookie.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { AppError } from '#src/platform/errors.js';
import type { LoginNeeds } from '../needs/needs.js';
import { loginErrors } from './errors.js';
import { GoesOn } from './goes-on.js';

type Deps = Pick<LoginNeeds, 'config' | 'sessions' | 'authorizationRequests'>;

/** A request that waits at this browser, and the flow that stands for it. */
interface OwnFlow {
  readonly flow: string;
  readonly waiting: WaitingRequest;
}

/** The address at which the authorization endpoint decides what comes next in a sign-in. */
export function callbackAddress(
  deps: Pick<Deps, 'config'>,
  flow: string,
  query: Readonly<Record<string, string>> = {},
): string {
  return pageAddress(deps, '/oauth/v2/authorize/callback', { request: flow, ...query });
}

/** Who asks for the request of a flow, and for what. */
interface FlowQuestion {
  readonly method: string;
  /** Undefined for a browser without a cookie. */
  readonly agent: Agent | undefined;
  /** Whether the page lets people who are signed in choose. */
  readonly isChoice: boolean;
}

/**
 * The request of a flow at the browser that began it. A request that was answered or is too old begins anew, with a new flow. If
 * the browser is signed in, only a page with a choice is of use. Instead of others, the authorization endpoint goes on.
 * @throws AppError `login.flowEnded` if there is no such request, or it waits or was answered at another browser
 * @throws GoesOn to the authorization endpoint, also if the request is too old and another browser began it: the application gets an error
 */
export async function readOwnFlow(
  deps: Deps,
  { method, agent, isChoice }: FlowQuestion,
  flow: string,
): Promise<OwnFlow> {
  const found = await deps.authorizationRequests.find(flow);
  const isOwn =
    found !== undefined &&
    agent !== undefined &&
    (await deps.sessions.isSameAgent(agent.hash, found.agentHash));
  if (!isOwn) {
    if (found?.stage === 'expired') throw new GoesOn(callbackAddress(deps, flow));
    throw new AppError(loginErrors.flowEnded);
  }
  if (found.stage === 'waiting') return { flow, waiting: found };
  if (method === 'GET' && !isChoice && (await deps.sessions.ofAgent(agent.hash)).length > 0) {
    throw new GoesOn(callbackAddress(deps, flow));
  }
  const waiting = { ...deps.authorizationRequests.renew(found), agentHash: agent.hash };
  return { flow: deps.authorizationRequests.seal(waiting), waiting };
}
