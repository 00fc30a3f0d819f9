import { type Clock, unixSeconds } from '#src/platform/clock.js';
import type { AccessTokenClaims, AccessTokens } from '#src/tokens/access-token.js';
import { actorsOf } from '#src/tokens/refresh-tokens.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import { type FindApplicationDeps, findApplication } from '../clients/find-application.js';
import { findSubject, type Subject, type SubjectDeps } from './subject.js';

export type LiveTokenDeps = SubjectDeps & FindApplicationDeps & TokenDeps;

interface TokenDeps {
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
 * An access token that is ours, has not expired, is not revoked, and whose user and client are active: one round trip
 * to Redis and one read of the person, at the same time; clients are cached. Tokens of an impersonation end with either of the two.
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
  const [revoked, subject, clientActive, ...actorsRevoked] = await Promise.all([
    deps.revocations.isRevoked(claims),
    findSubject(deps, claims),
    isActiveClient(deps, claims),
    ...actorsOf(claims.act).map((sub) =>
      deps.revocations.isRevoked({ jti: claims.jti, sub, issuedAt: claims.issuedAt }),
    ),
  ]);
  if (revoked || subject === undefined || !clientActive || actorsRevoked.includes(true)) return undefined;
  return { claims, subject };
}

/** Whether the client that got the token is there and active. */
async function isActiveClient(
  deps: LiveTokenDeps,
  { clientId, sub }: Pick<AccessTokenClaims, 'clientId' | 'sub'>,
): Promise<boolean> {
  // A service user is then both, and looked at as the subject.
  if (clientId === sub || (await findApplication(deps, clientId)) !== undefined) return true;
  const { serviceUsers, caches } = deps;
  return (await caches.serviceUsers.get(clientId, () => serviceUsers.findById(clientId)))?.active === true;
}
