import { type Clock, unixSeconds } from '#src/platform/clock.js';
import type { AccessTokenClaims, AccessTokens } from '#src/tokens/access-token.js';
import { isAnyRevoked, type RevocationList } from '#src/tokens/revocation.js';
import { type FindApplicationDeps, findApplication } from '../clients/find-application.js';
import { findSubject, type Subject, type SubjectDeps } from './subject.js';

export type LiveTokenDeps = SubjectDeps & FindApplicationDeps & TokenDeps;

interface TokenDeps {
  readonly accessTokens: Pick<AccessTokens, 'read'>;
  readonly revocations: Pick<RevocationList, 'check' | 'isRevoked'>;
  readonly clock: Clock;
}

/** An access token that can be relied on, and whom it stands for. */
export interface LiveToken {
  readonly claims: AccessTokenClaims;
  readonly subject: Subject;
}

/**
 * An access token that is ours, has not expired, is not revoked, and whose user and client are active: one round trip
 * to Redis. Persons and clients are held in memory. A token of an exchange ends with every token that it came of, those of who acts included.
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
  const [{ revoked, stamp }, originRevoked, clientActive] = await Promise.all([
    deps.revocations.check(claims),
    isAnyRevoked(deps.revocations, claims.origins),
    isActiveClient(deps, claims),
  ]);
  if (revoked || originRevoked || !clientActive) return undefined;
  const { sub, org, clientId } = claims;
  const subject = await findSubject(deps, { sub, org, clientId, stamp });
  return subject && { claims, subject };
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
