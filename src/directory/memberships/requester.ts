import { type Clock, unixSeconds } from '#src/platform/clock.js';
import type { TokenOrigin } from '#src/tokens/access-token.js';
import { isAnyRevoked, type RevocationList } from '#src/tokens/revocation.js';
import type { PersonalAccessTokensStore } from '../service-users/personal-access-tokens.store.js';
import type { ServiceUsersStore } from '../service-users/service-users.store.js';
import type { MembershipsStore } from './memberships.store.js';
import { type Permission, permittedOnInstance } from './roles.js';

/** What a service user proved itself by, so that it can be seen whether that was taken back. It proves nothing itself. */
export type Credential =
  /** Seconds since 1970. */
  | { readonly personalAccessToken: string; readonly expiresAt: number }
  /** The access token and what it came of. */
  | { readonly accessToken: readonly TokenOrigin[] };

/** Who asked for work that goes on after the request. */
export interface Requester {
  readonly userId: string;
  /** Absent in jobs of earlier versions. */
  readonly credential?: Credential | undefined;
}

export interface RequesterDeps {
  readonly serviceUsers: Pick<ServiceUsersStore, 'findById'>;
  readonly memberships: Pick<MembershipsStore, 'ofUser'>;
  readonly personalAccessTokens: Pick<PersonalAccessTokensStore, 'findById'>;
  readonly revocations: Pick<RevocationList, 'isRevoked'>;
  readonly clock: Clock;
}

/**
 * Whether who asked for work may have it done still: the service user is there and active, has the permission for the
 * whole instance, and nobody took back the token of the request. That a token ended in time takes nothing back.
 */
export async function isStillPermitted(
  deps: RequesterDeps,
  { userId, credential }: Requester,
  permission: Permission,
): Promise<boolean> {
  const [serviceUser, memberships, isBack] = await Promise.all([
    deps.serviceUsers.findById(userId),
    deps.memberships.ofUser(userId),
    credential !== undefined && isTakenBack(deps, credential),
  ]);
  return serviceUser?.active === true && permittedOnInstance(memberships, permission) && !isBack;
}

async function isTakenBack(
  { personalAccessTokens, revocations, clock }: RequesterDeps,
  credential: Credential,
): Promise<boolean> {
  if ('accessToken' in credential) return isAnyRevoked(revocations, credential.accessToken);
  if (credential.expiresAt <= unixSeconds(clock.now())) return false;
  return (await personalAccessTokens.findById(credential.personalAccessToken)) === undefined;
}
