import { parseScope } from '#src/authorization/scope.js';
import type { Organization } from '#src/directory/organizations/organization.js';
import type { ServiceUser } from '#src/directory/service-users/service-user.js';
import type { Address, MultiValue, User } from '#src/directory/users/user.js';
import { unixSeconds } from '#src/platform/clock.js';

/** Claims about a user by their names (OpenID Connect Core section 5.1); what is not known is absent. */
export type UserClaims = Readonly<Record<string, unknown>>;

/** Who is told about a user. */
export interface ClaimsReader {
  /** Space-delimited: what it may know. */
  readonly scope: string;
  /** Organization of the client. */
  readonly clientOrgId: string;
}

/**
 * What the scope lets a client know about a person (OpenID Connect Core section 5.4).
 * @param organization of the person; only looked at where the scope asks for it
 */
export function userClaims(
  user: User,
  organization: Organization | undefined,
  { scope, clientOrgId }: ClaimsReader,
): UserClaims {
  const { known } = parseScope(scope);
  // What nobody proved the organization asserts, for its own clients alone.
  const isVerified = ({ verified = clientOrgId === user.orgId }: MultiValue) => verified;
  const has = (name: string) => known.includes(name);
  const email = user.emails.find(({ primary }) => primary);
  const phone = user.phoneNumbers?.find(({ primary }) => primary) ?? user.phoneNumbers?.[0];
  const address = user.addresses?.find(({ primary }) => primary) ?? user.addresses?.[0];
  return present({
    ...(has('profile') && {
      name: user.displayName,
      given_name: user.name.givenName,
      family_name: user.name.familyName,
      middle_name: user.name.middleName,
      nickname: user.nickName,
      preferred_username: user.userName,
      picture: user.photos?.[0]?.value,
      profile: user.profileUrl,
      locale: user.locale ?? user.preferredLanguage,
      zoneinfo: user.timezone,
      updated_at: unixSeconds(user.lastModified),
    }),
    ...(has('email') && email && { email: email.value, email_verified: isVerified(email) }),
    ...(has('phone') && phone && { phone_number: phone.value, phone_number_verified: isVerified(phone) }),
    ...(has('address') && address && { address: addressClaim(address) }),
    ...organizationClaims(organization, scope),
  });
}

/** What the scope lets a client know about a service user. */
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

/** Whether the scope asks for claims about the user's organization. */
export function asksForOrganization(scope: string): boolean {
  const { known, organizations } = parseScope(scope);
  return organizations.length > 0 || known.includes('urn:service:iam:user:resourceowner');
}

/** Claims about the user's organization, whichever of the two scopes asks for them. */
function organizationClaims(organization: Organization | undefined, scope: string): UserClaims {
  if (organization === undefined || !asksForOrganization(scope)) return {};
  return present({
    'urn:service:iam:user:resourceowner:id': organization.id,
    'urn:service:iam:user:resourceowner:name': organization.name,
    'urn:service:iam:user:resourceowner:primary_domain': organization.domains[0],
  });
}

/** OpenID Connect Core section 5.1.1. */
function addressClaim(address: Address): UserClaims {
  return present({
    formatted: address.formatted,
    street_address: address.streetAddress,
    locality: address.locality,
    region: address.region,
    postal_code: address.postalCode,
    country: address.country,
  });
}

function present(claims: Record<string, unknown>): UserClaims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}
