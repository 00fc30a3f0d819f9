import { setTimeout } from 'node:timers/promises';
import type { Proof } from '#src/authentication/proofs/index.js';
import { renewAgent } from '#src/http/auth/agent-cookie.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { deviceOf } from '#src/http/device.js';
import type { Session } from '#src/sessions/session.js';
import type { LoginNeeds } from '../needs/needs.js';

/**
 * Waits until a change of credentials no longer ends what begins. The change ends everything of the user up to and
 * including its own millisecond. A sign-in must begin in a later millisecond, or it would count as ended. The wait is 2
 * ms, because a timer of Node.js can end up to 1 ms early.
 */
export async function afterRevocation(): Promise<void> {
  await setTimeout(2);
}

/**
 * Begins the session of this browser anew after a change of credentials, which ended every session of the person. The
 * person has just proved who they are. The browser gets a new secret. Under the former one nobody is this person any more.
 */
export async function beginAnew(
  deps: Pick<LoginNeeds, 'config' | 'sessions'>,
  { request, reply }: HttpExchange,
  { session, proofs }: { session: Session; proofs: readonly Proof[] },
): Promise<Session> {
  await deps.sessions.endAllOf(session.userId);
  await afterRevocation();
  const { agent, before } = renewAgent(deps, request, reply);
  return deps.sessions.signIn(agent.hash, { ...session, proofs, device: deviceOf(request) }, { before });
}
