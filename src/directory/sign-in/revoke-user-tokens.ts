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
 * Revokes every access token that the user has by now, and removes every refresh token: those of the user, and
 * those with which the user acts for others. The revocation is published before the commit: should the commit fail,
 * tokens were refused that need not have been; the other way round, tokens could be accepted that must not be.
 */
export async function revokeUserTokens(
  { revocations, refreshTokens, clock, config }: RevokeUserTokensDeps,
  userId: string,
  transaction: Transaction,
): Promise<void> {
  // First, so that no refresh comes between the time that is noted and its publication.
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
