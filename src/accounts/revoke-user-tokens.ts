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
export async function revokeUserTokens(
  { revocations, refreshTokens, clock, config }: RevokeUserTokensDeps,
  userId: string,
  transaction: Transaction,
): Promise<void> {
  // Remove these first. Otherwise a refresh could issue a token between the noted time and its publication.
  await refreshTokens.removeAllOf(userId, transaction);
  const now = clock.now();
  const longestLife = Math.max(config.accessTokenSeconds, config.sessionAbsoluteSeconds);
  const revocation = {
    kind: 'user',
    id: userId,
    sub: userId,
    issuedUntil: preciseSeconds(now),
    expires: new Date(now.getTime() + longestLife * 1000),
  } as const;
  await revocations.publish(revocation);
  await revocations.record(revocation, transaction);
}
