import { type AdmissionDeps, isForStrangers } from '#src/authorization/admission.js';
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

interface Deps extends Pick<AdmissionDeps, 'caches'> {
  readonly sessions: Pick<Sessions, 'end'>;
  /** The sessions of a browser. */
  readonly signedInAt: (agentHash: string) => Promise<SignedIn[]>;
}

/**
 * Signs a person out (RP-Initiated Logout section 2). It asks first, unless the client shows an ID token of a
 * live session of this very agent, or of a person who is not signed in at this agent: then another application has signed the person out
 * already. Any site can send the browser here with everything else.
 */
export async function endSession(
  deps: Deps,
  request: LogoutRequest,
  agentHash: string | undefined,
): Promise<LogoutOutcome> {
  const { sessions, signedInAt } = deps;
  const redirectTo = addressAfter(request);
  const live = agentHash === undefined ? [] : await signedInAt(agentHash);
  const named = live.find((session) => isNamed(request, session));
  if (named === undefined) {
    return (await isDone(deps, request, live))
      ? { ended: [], redirectTo }
      : { ask: meant(request, live), redirectTo };
  }
  await sessions.end(named.userId, named.id);
  return { ended: [named], redirectTo };
}

/**
 * Whether nothing is left to end and to ask: the ID token is valid, and nobody whom the request names is signed in. If other people are
 * signed in, the browser must have an address to go to, of an application that is admitted to their organization.
 */
async function isDone(deps: Deps, request: LogoutRequest, live: readonly SignedIn[]): Promise<boolean> {
  const { hint, target } = request;
  if (hint === undefined || hinted(request, live).length > 0) return false;
  if (live.length === 0) return true;
  return target !== undefined && !(await isForStrangers(deps, target.application, live));
}

/** Ends the sessions after the person has confirmed. */
export async function endConfirmed(
  { sessions, signedInAt }: Pick<Deps, 'sessions' | 'signedInAt'>,
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

/** The sessions of the people that the request names. */
function hinted({ hint, loginName }: LogoutRequest, live: readonly SignedIn[]): readonly SignedIn[] {
  const name = loginName?.toLowerCase();
  return live.filter(({ userId, userName }) => userId === hint?.userId || userName.toLowerCase() === name);
}

/** The sessions of the people that the request names, or all sessions of the agent. */
function meant(request: LogoutRequest, live: readonly SignedIn[]): readonly SignedIn[] {
  const named = hinted(request, live);
  return named.length > 0 ? named : live;
}

function addressAfter({ target, state }: LogoutRequest): string | undefined {
  if (target === undefined) return undefined;
  return addQuery(target.redirectUri, state === undefined ? {} : { state });
}
