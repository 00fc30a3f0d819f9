import type { Credential } from '#src/directory/memberships/requester.js';
import type { Membership } from '#src/directory/memberships/roles.js';
import type { Organization } from '#src/directory/organizations/organization.js';
import { organizationStands } from '#src/directory/organizations/organization-stands.js';
import type { PersonalAccessToken, ServiceUser } from '#src/directory/service-users/service-user.js';
import { matchesSecretHash } from '#src/keys/secret-hash.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { AccessTokens, TokenOrigin } from '#src/tokens/access-token.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { parsePersonalAccessToken } from '#src/tokens/personal-access-token.js';
import { isAnyRevoked, type RevocationList } from '#src/tokens/revocation.js';

/** The caller that a bearer token proves. */
export interface Principal {
  readonly userId: string;
  /** The organization of the service user. Its roles may reach further. */
  readonly orgId: string;
  readonly serviceUser: ServiceUser;
  readonly memberships: readonly Membership[];
  readonly credential: Credential;
}

export interface AuthenticateDeps {
  readonly accessTokens: AccessTokens;
  readonly revocations: RevocationList;
  readonly caches: PrincipalCaches;
  readonly clock: Clock;
  readonly issuer: string;
}

/** Every change of a service user, a token or a membership invalidates its entry. Keys are identifiers. */
export interface PrincipalCaches {
  readonly serviceUsers: Cache<ServiceUser | undefined>;
  readonly personalAccessTokens: Cache<PersonalAccessToken | undefined>;
  /** Keyed by the identifier of the service user. */
  readonly ownMemberships: Cache<Membership[]>;
  readonly organizations: Cache<Organization | undefined>;
}

/** Finds the caller that a bearer token stands for. */
export type Authenticate = (token: string) => Promise<Principal>;

/**
 * Accepts the access tokens whose audience is this service, and the personal access tokens, of active service
 * users.
 * @throws AppError `tokens.tokenInvalid` without saying why
 */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const { caches, clock } = deps;

  return async function authenticate(token) {
    const pat = parsePersonalAccessToken(token);
    const proven = pat === undefined ? await readAccessToken(token) : await findToken(pat);
    if (proven === undefined) throw new AppError(tokenErrors.tokenInvalid);
    const { userId, credential, issuedAt } = proven;
    const serviceUser = await caches.serviceUsers.get(userId);
    if (serviceUser === undefined || !serviceUser.active) throw new AppError(tokenErrors.tokenInvalid);
    const { id, orgId } = serviceUser;
    // Another organization may have imported the identifier since.
    if ((proven.orgId ?? orgId) !== orgId) throw new AppError(tokenErrors.tokenInvalid);
    if (!(await organizationStands(deps, orgId, issuedAt))) throw new AppError(tokenErrors.tokenInvalid);
    const memberships = await caches.ownMemberships.get(id);
    return { userId: id, orgId, serviceUser, memberships, credential };
  };

  async function readAccessToken(token: string): Promise<Proven | undefined> {
    const claims = await deps.accessTokens.read(token);
    if (claims === undefined || claims.expiresAt <= unixSeconds(clock.now())) return undefined;
    // Only people are impersonated, and only service users call these APIs.
    if (!claims.audience.includes(deps.issuer) || claims.act !== undefined) return undefined;
    const cameOf = [claims, ...(claims.origins ?? [])];
    if (await isAnyRevoked(deps.revocations, cameOf)) return undefined;
    return {
      userId: claims.sub,
      credential: { accessToken: cameOf.map(originOf) },
      orgId: claims.org,
      issuedAt: claims.issuedAt,
    };
  }

  async function findToken({ id, secret }: { id: string; secret: string }): Promise<Proven | undefined> {
    const stored = await caches.personalAccessTokens.get(id);
    if (stored === undefined || !matchesSecretHash(secret, stored.hash)) return undefined;
    if (stored.expires <= clock.now()) return undefined;
    const credential = { personalAccessToken: id, expiresAt: unixSeconds(stored.expires) };
    return { userId: stored.userId, credential };
  }
}

/** The service user that a token stands for. */
interface Proven {
  readonly userId: string;
  readonly credential: Credential;
  /** When an access token was issued, in seconds since 1970. Personal access tokens are removed with their organization. */
  readonly issuedAt?: number;
  /** The organization that an access token names. */
  readonly orgId?: string;
}

/** The claims by which a token is revoked. */
function originOf({ jti, sub, family, session, issuedAt }: TokenOrigin): TokenOrigin {
  return {
    jti,
    sub,
    ...(family !== undefined && { family }),
    ...(session !== undefined && { session }),
    issuedAt,
  };
}
