import { type Clock, unixSeconds } from '#src/platform/clock.js';
import type { AccessTokenClaims, AccessTokens } from '#src/tokens/access-token.js';
import { actorsOf } from '#src/tokens/refresh-tokens.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import { findSubject, type Subject, type SubjectDeps } from './subject.js';

export interface LiveTokenDeps extends SubjectDeps {
  readonly accessTokens: Pick<AccessTokens, 'read'>;
  readonly revocations: Pick<RevocationList, 'isRevoked'>;
  readonly clock: Clock;
}

/** An access token that can be relied on, and whom it stands for. */
export interface LiveToken {
  readonly claims: AccessTokenClaims;
  readonly subject: Subject;
}

/**
 * An access token that is ours, has not expired, is not revoked, and whose user is active: one round trip to Redis
 * and at most one read of a person, at the same time. Tokens of an impersonation end with either of the two.
 * @param accept what else must hold of the claims; looked at before any store
 */
export async function readLiveToken(
  deps: LiveTokenDeps,
  token: string,
  accept: (claims: AccessTokenClaims) => boolean = () => true,
): Promise<LiveToken | undefined> {
  const claims = await deps.accessTokens.read(token);
  if (claims === undefined || claims.expiresAt <= unixSeconds(deps.clock.now()) || !accept(claims)) {
    return undefined;
  }
  const [revoked, subject, ...actorsRevoked] = await Promise.all([
    deps.revocations.isRevoked(claims),
    findSubject(deps, claims),
    ...actorsOf(claims.act).map((sub) =>
      deps.revocations.isRevoked({ jti: claims.jti, sub, issuedAt: claims.issuedAt }),
    ),
  ]);
  if (revoked || subject === undefined || actorsRevoked.includes(true)) return undefined;
  return { claims, subject };
}
