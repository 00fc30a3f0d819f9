import type { Config } from '#src/config.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import type { Transaction } from '#src/platform/mongo.js';
import type { RevocationList } from '#src/tokens/revocation.js';

export interface RevokeUserTokensDeps {
  readonly revocations: RevocationList;
  readonly clock: Clock;
  readonly config: Pick<Config, 'accessTokenSeconds'>;
}

/**
 * Revokes every access token that the user has by now. It is published before the commit: should the commit fail,
 * tokens were refused that need not have been; the other way round, tokens could be accepted that must not be.
 */
export async function revokeUserTokens(
  { revocations, clock, config }: RevokeUserTokensDeps,
  userId: string,
  transaction: Transaction,
): Promise<void> {
  const now = clock.now();
  const revocation = {
    kind: 'user',
    id: userId,
    sub: userId,
    issuedUntil: unixSeconds(now),
    expires: new Date(now.getTime() + config.accessTokenSeconds * 1000),
  } as const;
  await revocations.record(revocation, transaction);
  await revocations.publish(revocation);
}
