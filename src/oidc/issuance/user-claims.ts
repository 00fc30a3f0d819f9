import { parseScope, projectRolesScope } from '#src/authorization/scope.js';
import type { ServiceUser } from '#src/clients/service-users/index.js';
import type { Address, MultiValue, Organization, User } from '#src/directory/index.js';
import { chosenLanguage } from '#src/people/users/index.js';
import { unixSeconds } from '#src/platform/clock.js';
import { userOrganizationClaim } from '#src/tokens/access-token-claims.js';
import { extensionClaims, extensionsClaim } from './extension-claims.js';
import type { GroupsClaim } from './group-claims.js';

/** Claims about a user by their names (OpenID Connect Core section 5.1). Unknown ones are absent. */
export type UserClaims = Readonly<Record<string, unknown>>;

/** The client that gets the claims. */
export interface ClaimsReader {
  /** Space-delimited. It decides which claims the client gets. */
  readonly scope: string;
  /** Single claims that the client asked for besides. */
  readonly claims?: readonly string[] | undefined;
  /** The organization of the client. */
  readonly clientOrgId: string;
  /** What the claim `groups` has. */
  readonly groupsClaim?: GroupsClaim | undefined;
  /** The project of the client. */
  readonly projectId?: string | undefined;
  /** The audience of the token. Some of it are identifiers of projects. */
  readonly audience: readonly string[];
}

/**
 * The claims about a person that the scope contains (OpenID Connect Core section 5.4).
 * @param organization of the person; used only if the scope asks for it
 */
export function userClaims(
  user: User,
  organization: Organization | undefined,
  { scope, clientOrgId }: Pick<ClaimsReader, 'scope' | 'clientOrgId'>,
): UserClaims {
  const { known } = parseScope(scope);
  // A value without a proof is an assertion of the organization, which counts only for the organization's own
  // clients.
  const isVerified = ({ verified = clientOrgId === user.orgId }: MultiValue) => verified;
  const has = (name: string) => known.includes(name);
  const email = user.emails.find(({ primary }) => primary);
  const phone = user.phoneNumbers?.find(({ primary }) => primary) ?? user.phoneNumbers?.[0];
  const address = user.addresses?.find(({ primary }) => primary) ?? user.addresses?.[0];
  return withoutUndefined({
    ...(has('profile') && {
      name: user.displayName,
      given_name: user.name.givenName,
      family_name: user.name.familyName,
      middle_name: user.name.middleName,
      nickname: user.nickName,
      preferred_username: user.userName,
      picture: user.photos?.[0]?.value,
      profile: user.profileUrl,
      website: user.website,
      gender: user.gender,
      birthdate: user.birthdate,
      // An assumed language is no claim. An application that gets none follows the browser.
      locale: user.locale ?? chosenLanguage(user),
      zoneinfo: user.timezone,
      updated_at: unixSeconds(user.lastModified),
    }),
    ...(has('email') && email && { email: email.value, email_verified: isVerified(email) }),
    ...(has('phone') && phone && { phone_number: phone.value, phone_number_verified: isVerified(phone) }),
    ...(has('address') && address && { address: addressClaim(address) }),
    // Apart from `profile`, so that applications get employment data only if they ask for it.
    ...(has('urn:service:iam:user:enterprise') && {
      employee_number: user.employeeNumber,
      cost_center: user.costCenter,
      organization: user.organization,
      division: user.division,
      department: user.department,
      manager: user.manager,
    }),
    ...(has(extensionsClaim) && extensionClaims(user, organization?.extensionSchemas)),
    ...organizationClaims(organization, scope),
  });
}

/** The claims about a service user that the scope contains. */
export function serviceUserClaims(
  user: ServiceUser,
  organization: Organization | undefined,
  scope: string,
): UserClaims {
  return {
    ...(parseScope(scope).known.includes('profile') && {
      name: user.name,
      preferred_username: user.userName,
      updated_at: unixSeconds(user.lastModified),
    }),
    ...organizationClaims(organization, scope),
  };
}

/** Whether claims of the scope depend on the organization of the user. */
export function needsOrganization(scope: string): boolean {
  const { known } = parseScope(scope);
  return asksForOrganization(scope) || known.includes(extensionsClaim) || known.includes(projectRolesScope);
}

/** Whether the scope asks for claims about the user's organization. */
export function asksForOrganization(scope: string): boolean {
  const { known, organizations } = parseScope(scope);
  return organizations.length > 0 || known.includes('urn:service:iam:user:resourceowner');
}

/** Claims about the user's organization, for either of the two scopes that ask for them. */
function organizationClaims(organization: Organization | undefined, scope: string): UserClaims {
  if (organization === undefined || !asksForOrganization(scope)) return {};
  return withoutUndefined({
    [userOrganizationClaim]: organization.id,
    'urn:service:iam:user:resourceowner:name': organization.name,
    'urn:service:iam:user:resourceowner:primary_domain': organization.domains[0],
  });
}

/** OpenID Connect Core section 5.1.1. */
function addressClaim(address: Address): UserClaims {
  return withoutUndefined({
    formatted: address.formatted,
    street_address: address.streetAddress,
    locality: address.locality,
    region: address.region,
    postal_code: address.postalCode,
    country: address.country,
  });
}

function withoutUndefined(claims: Record<string, unknown>): UserClaims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}
