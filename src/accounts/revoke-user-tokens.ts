import type { Config } from '#src/config.js';
import { type Clock, preciseSeconds } from '#src/platform/clock.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { RefreshTokens } from '#src/tokens/refresh-tokens.js';
import type { RevocationList } from '#src/tokens/revocation.js';

export interface RevokeUserTokensDeps {
  readonly revocations: RevocationList;
  readonly refreshTokens: Pick<RefreshTokens, 'removeAllOf'>;
  readonly clock: Clock;
  readonly config: Pick<Config, 'accessTokenSeconds' | 'sessionAbsoluteSeconds'>;
}

/**
 * Revokes all present access tokens of the user and removes all its refresh tokens. This includes tokens with which the
 * user acts for others. The revocation reaches Redis before the commit. If the commit fails, valid tokens are refused.
 * In the other order, revoked tokens could be accepted.
 */
export function revokeUserTokens(
  deps: RevokeUserTokensDeps,
  userId: string,
  transaction: Transaction,
): Promise<void> {
  return revokeTokensOf(deps, [userId], transaction);
}

/** {@link revokeUserTokens} for several users, by as many commands as for one. */
export async function revokeTokensOf(
  { revocations, refreshTokens, clock, config }: RevokeUserTokensDeps,
  userIds: readonly string[],
  transaction: Transaction,
): Promise<void> {
  if (userIds.length === 0) return;
  // Remove these first. Otherwise a refresh could issue a token between the noted time and its publication.
  await refreshTokens.removeAllOf(userIds, transaction);
  const now = clock.now();
  const longestLife = Math.max(config.accessTokenSeconds, config.sessionAbsoluteSeconds);
  const ended = userIds.map(
    (userId) =>
      ({
        kind: 'user',
        id: userId,
        sub: userId,
        issuedUntil: preciseSeconds(now),
        expires: new Date(now.getTime() + longestLife * 1000),
      }) as const,
  );
  // Each is awaited: none may be published after the transaction has begun anew or ended.
  const published = await Promise.allSettled(ended.map((one) => revocations.publish(one)));
  for (const one of published) if (one.status === 'rejected') throw one.reason;
  await revocations.recordAll(ended, transaction);
}
