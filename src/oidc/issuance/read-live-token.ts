import { type FindApplicationDeps, findApplication } from '#src/authorization/find-application.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import type { AccessTokenClaims, AccessTokens } from '#src/tokens/access-token.js';
import { isAnyRevoked, type RevocationList } from '#src/tokens/revocation.js';
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
  /** Organization of the client that got it. */
  readonly clientOrgId: string;
}

/**
 * An access token that is ours, has not expired, is not revoked, and whose user and client are active: one round trip
 * to Redis. Persons and clients are held in memory. A token of an exchange ends with every token that it came of,
 * those of who acts included.
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
  const [{ revoked, stamp }, originRevoked, clientOrgId] = await Promise.all([
    deps.revocations.check(claims),
    isAnyRevoked(deps.revocations, claims.origins),
    organizationOfClient(deps, claims),
  ]);
  if (revoked || originRevoked || clientOrgId === undefined) return undefined;
  const { sub, org, clientId } = claims;
  const subject = await findSubject(deps, { sub, org, clientId, stamp });
  return subject && { claims, subject, clientOrgId };
}

/** The organization of the client that got the token, where it is there and active. */
async function organizationOfClient(
  deps: LiveTokenDeps,
  { clientId, sub, org }: Pick<AccessTokenClaims, 'clientId' | 'sub' | 'org'>,
): Promise<string | undefined> {
  // A service user is then both, and looked at as the subject.
  if (clientId === sub) return org;
  const application = await findApplication(deps, clientId);
  if (application !== undefined) return application.orgId;
  const found = await deps.caches.serviceUsers.get(clientId);
  return found?.active ? found.orgId : undefined;
}
