import type { RefreshTokens } from '#src/tokens/refresh-tokens.js';
import type { Sessions } from './sessions.js';

export interface SignOutDeps {
  readonly sessions: Sessions;
  readonly refreshTokens: Pick<RefreshTokens, 'endAllOf' | 'endAllOfConnection' | 'sessionsBehind'>;
}

/**
 * Revokes what names sessions that ended long ago, in which refresh families began. A family outlives its session. Its ID tokens name that session
 * alone, and so do the tokens for which a client exchanged them (RFC 8693). Call it before the families end.
 */
async function revokeFormer(
  { sessions, refreshTokens }: SignOutDeps,
  of: Parameters<SignOutDeps['refreshTokens']['sessionsBehind']>[0],
): Promise<void> {
  for (const { userId, sessionId } of await refreshTokens.sessionsBehind(of))
    if ((await sessions.find(userId, sessionId)) === undefined) await sessions.end(userId, sessionId);
}

/**
 * Ends one or all sessions of a user, and the refresh families that began in them. It is for those who take a
 * sign-in away. A person who signs out at a client keeps its offline access. It may be repeated.
 */
export async function signOut(
  deps: SignOutDeps,
  { userId, sessionId }: { userId: string; sessionId?: string },
): Promise<void> {
  const { sessions, refreshTokens } = deps;
  const begun = sessionId === undefined ? {} : { sessionId };
  // Sessions end first: a request that begins a family at the same time then sees that its session has ended.
  if (sessionId === undefined) await sessions.endAllOf(userId);
  // The store finds a session only under its own user.
  else if ((await sessions.find(userId, sessionId)) !== undefined) await sessions.end(userId, sessionId);
  await revokeFormer(deps, { userId, ...begun });
  await refreshTokens.endAllOf(userId, begun);
}

/** Ends everything that began by a connection of an organization, for all its people. It may be repeated. */
export async function signOutOfConnection(
  deps: SignOutDeps,
  { orgId, connectionId }: { orgId: string; connectionId: string },
): Promise<void> {
  const { sessions, refreshTokens } = deps;
  await sessions.endAllOfConnection(connectionId);
  await revokeFormer(deps, { orgId, connectionIds: connectionId });
  await refreshTokens.endAllOfConnection(orgId, connectionId);
}

/**
 * Ends what a person began by one connection. It may be repeated.
 * @param of `sid`: only what began in this session at the provider
 * @returns how many sessions ended
 */
export async function signOutOfIdentity(
  deps: SignOutDeps,
  { userId, connectionId, sid }: { userId: string; connectionId: string; sid?: string | undefined },
): Promise<number> {
  const { sessions, refreshTokens } = deps;
  let ended = 0;
  for (const session of await sessions.ofUser(userId)) {
    const isOf = session.proofs.some(
      (proof) =>
        proof.kind === 'connection' &&
        proof.connectionId === connectionId &&
        (sid === undefined || proof.sid === sid),
    );
    if (!isOf) continue;
    await sessions.end(userId, session.id);
    ended++;
    if (sid !== undefined) await refreshTokens.endAllOf(userId, { sessionId: session.id });
  }
  if (sid === undefined) {
    await revokeFormer(deps, { userId, connectionIds: connectionId });
    await refreshTokens.endAllOf(userId, { connectionIds: connectionId });
  }
  return ended;
}
