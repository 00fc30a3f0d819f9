import { isPermitted, type Membership, type Permission } from '#src/directory/index.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { TokenOrigin } from '#src/tokens/access-token-claims.js';
import { isAnyRevoked, type RevocationList } from '#src/tokens/revocation.js';
import { type FindActivePersonDeps, findActivePerson } from '../memberships/find-active-person.js';
import type { MembershipsStore } from '../memberships/memberships.store.js';

/**
 * Names the credential with which the caller authenticated, so that a worker can check whether it was revoked. It
 * is not a secret.
 */
export type Credential =
  /** `expiresAt` is in seconds since 1970. */
  | { readonly personalAccessToken: string; readonly expiresAt: number }
  /** The access token, and the tokens from which it was derived. */
  | { readonly accessToken: readonly TokenOrigin[] };

/** The service user or the person that requested work, which continues after the request. */
export interface Requester {
  readonly userId: string;
  /** Absent in jobs of earlier versions. */
  readonly credential?: Credential | undefined;
}

export interface RequesterDeps {
  readonly serviceUsers: { findById(id: string): Promise<{ readonly active: boolean } | undefined> };
  readonly users: FindActivePersonDeps['users'];
  readonly memberships: Pick<MembershipsStore, 'ofUser'>;
  readonly personalAccessTokens: { findById(id: string): Promise<object | undefined> };
  readonly revocations: Pick<RevocationList, 'isRevoked'>;
  readonly clock: Clock;
}

/** The caches with what {@link RequesterDeps} reads. */
export interface RequesterCaches {
  readonly serviceUsers: Cache<{ readonly active: boolean } | undefined>;
  /** The roles of a user by itself. */
  readonly ownMemberships: Cache<Membership[]>;
  readonly personalAccessTokens: Cache<object | undefined>;
}

/** {@link RequesterDeps} that ask the caches, as each request does. A change of any of it empties them. */
export function cachedRequester({
  users,
  revocations,
  clock,
  caches,
}: Pick<RequesterDeps, 'users' | 'revocations' | 'clock'> & {
  readonly caches: RequesterCaches;
}): RequesterDeps {
  return {
    serviceUsers: { findById: (id) => caches.serviceUsers.get(id) },
    memberships: { ofUser: (id) => caches.ownMemberships.get(id) },
    personalAccessTokens: { findById: (id) => caches.personalAccessTokens.get(id) },
    ...{ users, revocations, clock },
  };
}

/**
 * Returns whether the requester may have its work done. It must exist and be active. It must have the permission in the organization,
 * or for the whole instance if no organization is named. The token of the request must not be revoked. A token that expired is not a
 * revoked token.
 */
export async function isStillPermitted(
  deps: RequesterDeps,
  { userId, credential }: Requester,
  needed: { readonly permission: Permission; readonly orgId?: string | undefined },
): Promise<boolean> {
  const [active, memberships, isBack] = await Promise.all([
    isActive(deps, userId),
    deps.memberships.ofUser(userId),
    credential !== undefined && isTakenBack(deps, credential),
  ]);
  return active && isPermitted(memberships, needed) && !isBack;
}

async function isActive(deps: RequesterDeps, userId: string): Promise<boolean> {
  const serviceUser = await deps.serviceUsers.findById(userId);
  return serviceUser?.active ?? (await findActivePerson(deps, userId)) !== undefined;
}

async function isTakenBack(
  { personalAccessTokens, revocations, clock }: RequesterDeps,
  credential: Credential,
): Promise<boolean> {
  if ('accessToken' in credential) return isAnyRevoked(revocations, credential.accessToken);
  if (credential.expiresAt <= unixSeconds(clock.now())) return false;
  return (await personalAccessTokens.findById(credential.personalAccessToken)) === undefined;
}
