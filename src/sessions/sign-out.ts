import type { RefreshTokens } from '#src/tokens/refresh-tokens.js';
import type { Sessions } from './sessions.js';

/**
 * Ends a session of a user, or all of them, and what goes on without it: the refresh families that began in it. For
 * whoever takes a sign-in away; a person who just signs out at a client keeps its offline access. Harmless when the
 * session has ended, so that it can be repeated.
 */
export async function signOut(
  { sessions, refreshTokens }: { sessions: Sessions; refreshTokens: Pick<RefreshTokens, 'endAllOf'> },
  { userId, sessionId }: { userId: string; sessionId?: string },
): Promise<void> {
  // The sessions first: who begins a family at this moment looks whether its session has ended.
  if (sessionId === undefined) await sessions.endAllOf(userId);
  // Only sessions of the user are found under the user.
  else if ((await sessions.find(userId, sessionId)) !== undefined) await sessions.end(userId, sessionId);
  await refreshTokens.endAllOf(userId, sessionId);
}
