import type { SignedIn } from '#src/http/auth/signed-in.js';
import type { Sessions } from '#src/sessions/sessions.js';
import { addQuery } from '../authorize/authorization-response.js';
import type { LogoutRequest } from './logout-request.js';

/**
 * The sessions that have ended, or those that the person is asked about first, and the address to go to
 * afterwards.
 */
export type LogoutOutcome =
  | { readonly ended: readonly SignedIn[]; readonly redirectTo: string | undefined }
  | { readonly ask: readonly SignedIn[]; readonly redirectTo: string | undefined };

interface Deps {
  readonly sessions: Pick<Sessions, 'end'>;
  /** The sessions of a browser. */
  readonly signedInAt: (agentHash: string) => Promise<SignedIn[]>;
}

/**
 * Signs a person out (RP-Initiated Logout section 2). It asks first, unless the client shows an ID token of a
 * live session of this very agent. Any site can send the browser here with everything else.
 */
export async function endSession(
  { sessions, signedInAt }: Deps,
  request: LogoutRequest,
  agentHash: string | undefined,
): Promise<LogoutOutcome> {
  const redirectTo = addressAfter(request);
  const live = agentHash === undefined ? [] : await signedInAt(agentHash);
  const named = live.find((session) => isNamed(request, session));
  if (named === undefined) return { ask: meant(request, live), redirectTo };
  await sessions.end(named.userId, named.id);
  return { ended: [named], redirectTo };
}

/** Ends the sessions after the person has confirmed. */
export async function endConfirmed(
  { sessions, signedInAt }: Deps,
  request: LogoutRequest,
  agentHash: string,
): Promise<Extract<LogoutOutcome, { ended: unknown }>> {
  const ended = meant(request, await signedInAt(agentHash));
  for (const { userId, id } of ended) await sessions.end(userId, id);
  return { ended, redirectTo: addressAfter(request) };
}

function isNamed({ hint }: LogoutRequest, { id, userId }: SignedIn): boolean {
  return (
    hint !== undefined && hint.userId === userId && (hint.sessionId === undefined || hint.sessionId === id)
  );
}

/** The sessions of the person that the request hints at, or all sessions of the agent. */
function meant({ hint, loginName }: LogoutRequest, live: readonly SignedIn[]): readonly SignedIn[] {
  const name = loginName?.toLowerCase();
  const hinted = live.filter(
    ({ userId, userName }) => userId === hint?.userId || userName.toLowerCase() === name,
  );
  return hinted.length > 0 ? hinted : live;
}

function addressAfter({ redirectUri, state }: LogoutRequest): string | undefined {
  if (redirectUri === undefined) return undefined;
  return addQuery(redirectUri, state === undefined ? {} : { state });
}
