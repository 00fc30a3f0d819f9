import type { RefreshTokens } from '#src/tokens/refresh-tokens.js';
import type { Sessions } from './sessions.js';

export interface SignOutDeps {
  readonly sessions: Sessions;
  readonly refreshTokens: Pick<RefreshTokens, 'endAllOf' | 'endAllOfConnection'>;
}

/**
 * Ends one or all sessions of a user, and the refresh families that began in them. It is for those who take a
 * sign-in away. A person who signs out at a client keeps its offline access. It may be repeated.
 */
export async function signOut(
  { sessions, refreshTokens }: SignOutDeps,
  { userId, sessionId }: { userId: string; sessionId?: string },
): Promise<void> {
  // Sessions end first: a request that begins a family at the same time then sees that its session has ended.
  if (sessionId === undefined) await sessions.endAllOf(userId);
  // The store finds a session only under its own user.
  else if ((await sessions.find(userId, sessionId)) !== undefined) await sessions.end(userId, sessionId);
  await refreshTokens.endAllOf(userId, sessionId === undefined ? {} : { sessionId });
}

/** Ends everything that began by a connection of an organization, for all its people. It may be repeated. */
export async function signOutOfConnection(
  { sessions, refreshTokens }: SignOutDeps,
  { orgId, connectionId }: { orgId: string; connectionId: string },
): Promise<void> {
  await sessions.endAllOfConnection(connectionId);
  await refreshTokens.endAllOfConnection(orgId, connectionId);
}

/**
 * Ends what a person began by one connection. It may be repeated.
 * @param of `sid`: only what began in this session at the provider
 * @returns how many sessions ended
 */
export async function signOutOfIdentity(
  { sessions, refreshTokens }: SignOutDeps,
  { userId, connectionId, sid }: { userId: string; connectionId: string; sid?: string | undefined },
): Promise<number> {
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
  if (sid === undefined) await refreshTokens.endAllOf(userId, { connectionIds: connectionId });
  return ended;
}
