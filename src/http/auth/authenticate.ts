import type { Credential } from '#src/access/authority/index.js';
import type { Application } from '#src/clients/applications/index.js';
import {
  isForScimAlone,
  type PersonalAccessToken,
  type ServiceUser,
} from '#src/clients/service-users/index.js';
import { administersFor, adminScope, type Membership, type Organization } from '#src/directory/index.js';
import { matchesSecretHash } from '#src/keys/secret-hash.js';
import { organizationStands } from '#src/organizations/index.js';
import type { People } from '#src/people/users/index.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { AccessTokens } from '#src/tokens/access-token.js';
import type { AccessTokenClaims, TokenOrigin } from '#src/tokens/access-token-claims.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { parsePersonalAccessToken } from '#src/tokens/personal-access-token.js';
import { isAnyRevoked, type RevocationList } from '#src/tokens/revocation.js';

/** The caller that a bearer token proves: a service user, or a person. */
export interface Principal {
  readonly userId: string;
  /** The organization of the caller. Its roles may reach further. */
  readonly orgId: string;
  /** Absent for a person. */
  readonly serviceUser?: ServiceUser;
  /** When the person authenticated, in seconds since 1970. Absent for a service user, which has no sign-in. */
  readonly signedInAt?: number;
  /** How long the sign-in counts as fresh, in seconds, if the organization of the person says so. */
  readonly freshSignInSeconds?: number;
  readonly memberships: readonly Membership[];
  readonly credential: Credential;
  /** The token permits SCIM and nothing else, because a service user asked for that. */
  readonly scimAlone: boolean;
}

export interface AuthenticateDeps {
  readonly accessTokens: AccessTokens;
  readonly revocations: Pick<RevocationList, 'check' | 'isRevoked'>;
  readonly people: People;
  readonly caches: PrincipalCaches;
  readonly clock: Clock;
  readonly issuer: string;
}

/** Every change of a service user, a token or a membership invalidates its entry. Keys are identifiers. */
interface PrincipalCaches {
  readonly serviceUsers: Cache<ServiceUser | undefined>;
  readonly personalAccessTokens: Cache<PersonalAccessToken | undefined>;
  /** The roles of a service user, which is in no group. Keyed by its identifier. */
  readonly ownMemberships: Cache<Membership[]>;
  /** Every role of a person, those of its groups included. Keyed by the identifier of the person. */
  readonly memberships: Cache<Membership[]>;
  readonly applications: Cache<Application | undefined>;
  readonly organizations: Cache<Organization | undefined>;
}

/** Finds the caller that a bearer token stands for. */
export type Authenticate = (token: string) => Promise<Principal>;

/**
 * Accepts the access tokens whose audience is this service: of active service users, and of active people, with the scope of
 * administration. Accepts personal access tokens of active service users too.
 * @throws AppError `tokens.tokenInvalid` without saying why; `tokens.adminScopeMissing` for a valid token of a person without
 * the scope
 */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const { caches, clock } = deps;

  return async function authenticate(token) {
    const pat = parsePersonalAccessToken(token);
    const principal = pat === undefined ? await byAccessToken(token) : await byPersonalAccessToken(pat);
    if (principal === undefined) throw new AppError(tokenErrors.tokenInvalid);
    return principal;
  };

  async function byAccessToken(token: string): Promise<Principal | undefined> {
    const claims = await deps.accessTokens.read(token);
    if (claims === undefined || claims.expiresAt <= unixSeconds(clock.now())) return undefined;
    // Whoever acts for another administers with its own roles alone.
    if (claims.act !== undefined) return undefined;
    const origins = claims.origins ?? [];
    const [{ revoked, stamp }, originRevoked] = await Promise.all([
      deps.revocations.check(claims),
      isAnyRevoked(deps.revocations, origins),
    ]);
    if (revoked || originRevoked) return undefined;
    const credential = { accessToken: [claims, ...origins].map(originOf) };
    const serviceUser = await caches.serviceUsers.get(claims.sub);
    if (serviceUser === undefined) return asPerson(claims, { credential, stamp });
    if (!claims.audience.includes(deps.issuer)) return undefined;
    return asServiceUser(serviceUser, {
      credential,
      orgId: claims.org,
      issuedAt: claims.issuedAt,
      scope: claims.scope,
    });
  }

  async function byPersonalAccessToken({
    id,
    secret,
  }: {
    id: string;
    secret: string;
  }): Promise<Principal | undefined> {
    const stored = await caches.personalAccessTokens.get(id);
    if (stored === undefined || !matchesSecretHash(secret, stored.hash)) return undefined;
    if (stored.expires <= clock.now()) return undefined;
    const serviceUser = await caches.serviceUsers.get(stored.userId);
    const credential = { personalAccessToken: id, expiresAt: unixSeconds(stored.expires) };
    // Personal access tokens are removed with their organization, so their age does not matter.
    return serviceUser && asServiceUser(serviceUser, { credential, orgId: serviceUser.orgId });
  }

  async function asServiceUser(
    serviceUser: ServiceUser,
    proof: { credential: Credential; orgId: string; issuedAt?: number; scope?: string },
  ): Promise<Principal | undefined> {
    const { id, orgId, active } = serviceUser;
    // Another organization may have imported the identifier since.
    if (!active || proof.orgId !== orgId) return undefined;
    if (!(await organizationStands(deps, orgId, proof.issuedAt))) return undefined;
    const memberships = await caches.ownMemberships.get(id);
    const scimAlone = isForScimAlone(proof.scope ?? '');
    return { userId: id, orgId, serviceUser, memberships, credential: proof.credential, scimAlone };
  }

  async function asPerson(
    { sub, org: orgId, clientId, scope, audience, issuedAt, authTime: signedInAt }: AccessTokenClaims,
    { credential, stamp }: { credential: Credential; stamp: string | undefined },
  ): Promise<Principal | undefined> {
    const user = await deps.people.find(orgId, sub, stamp);
    if (!user?.active || !(await organizationStands(deps, orgId, issuedAt))) return undefined;
    if (!scope.split(' ').includes(adminScope))
      throw new AppError(tokenErrors.adminScopeMissing, { challenge: scopeChallenge });
    const application = await caches.applications.get(clientId);
    // The mark may have been taken back since. A client that got the token by exchange never had it.
    if (!application?.active || !administersFor(application, orgId)) return undefined;
    if (!audience.includes(deps.issuer) || signedInAt === undefined) return undefined;
    const memberships = await caches.memberships.get(sub);
    const fresh = (await deps.caches.organizations.get(orgId))?.signInPolicy?.freshSignInSeconds;
    return {
      ...{ userId: sub, orgId, signedInAt, memberships, credential, scimAlone: false },
      ...(fresh !== undefined && { freshSignInSeconds: fresh }),
    };
  }
}

/** RFC 6750 section 3.1. */
const scopeChallenge = `Bearer error="insufficient_scope", scope="${adminScope}"`;

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
