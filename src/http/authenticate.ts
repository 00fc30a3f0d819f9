import type { Membership } from '#src/directory/roles.js';
import type { PersonalAccessToken, ServiceUser } from '#src/directory/service-user.js';
import { matchesSecretHash } from '#src/keys/secret-hash.js';
import type { Cache } from '#src/platform/cache.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { AccessTokens } from '#src/tokens/access-token.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { parsePersonalAccessToken } from '#src/tokens/personal-access-token.js';
import { isAnyRevoked, type RevocationList } from '#src/tokens/revocation.js';

/** Who calls, as a bearer token proves it. */
export interface Principal {
  readonly userId: string;
  /** Organization of the service user, not the reach of its roles. */
  readonly orgId: string;
  readonly serviceUser: ServiceUser;
  readonly memberships: readonly Membership[];
}

export interface AuthenticateDeps {
  readonly accessTokens: AccessTokens;
  readonly revocations: RevocationList;
  readonly serviceUsers: { findById(id: string): Promise<ServiceUser | undefined> };
  readonly personalAccessTokens: { findById(id: string): Promise<PersonalAccessToken | undefined> };
  readonly memberships: { ofUser(userId: string): Promise<Membership[]> };
  readonly caches: PrincipalCaches;
  readonly clock: Clock;
  readonly issuer: string;
}

/** Who invalidates: whatever changes a service user, a token or a membership. Keys are identifiers. */
export interface PrincipalCaches {
  readonly serviceUsers: Cache<ServiceUser>;
  readonly personalAccessTokens: Cache<PersonalAccessToken>;
  /** By user. */
  readonly memberships: Cache<Membership[]>;
}

/** Finds out who shows a bearer token. */
export type Authenticate = (token: string) => Promise<Principal>;

/**
 * Accepts access tokens whose audience is this service, and personal access tokens, of active service users.
 * @throws AppError `tokens.tokenInvalid` without saying why
 */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const { caches, clock } = deps;

  return async function authenticate(token) {
    const pat = parsePersonalAccessToken(token);
    const userId = pat === undefined ? await subjectOfAccessToken(token) : await ownerOf(pat);
    const serviceUser =
      userId === undefined
        ? undefined
        : await caches.serviceUsers.get(userId, () => deps.serviceUsers.findById(userId));
    if (serviceUser === undefined || !serviceUser.active) throw new AppError(tokenErrors.tokenInvalid);
    const { id, orgId } = serviceUser;
    const memberships = (await caches.memberships.get(id, () => deps.memberships.ofUser(id))) ?? [];
    return { userId: id, orgId, serviceUser, memberships };
  };

  async function subjectOfAccessToken(token: string): Promise<string | undefined> {
    const claims = await deps.accessTokens.read(token);
    if (claims === undefined || claims.expiresAt <= unixSeconds(clock.now())) return undefined;
    if (!claims.audience.includes(deps.issuer)) return undefined;
    const cameOf = [claims, ...(claims.origins ?? [])];
    return (await isAnyRevoked(deps.revocations, cameOf)) ? undefined : claims.sub;
  }

  async function ownerOf({ id, secret }: { id: string; secret: string }): Promise<string | undefined> {
    const stored = await caches.personalAccessTokens.get(id, () => deps.personalAccessTokens.findById(id));
    if (stored === undefined || !matchesSecretHash(secret, stored.hash)) return undefined;
    return stored.expires > clock.now() ? stored.userId : undefined;
  }
}
