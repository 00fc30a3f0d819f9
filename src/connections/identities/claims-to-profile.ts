import {
  hasInvisibleCharacters,
  hasUnusableCharacters,
  type Organization,
  requireUserName,
  type UserProfileInput,
} from '#src/directory/index.js';
import { normalizeProfile } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import { newSecret } from '#src/platform/ids.js';
import {
  boundedClaim,
  type Claims,
  mappedText,
  mappedTexts,
  overageClaims,
  type ReadsClaims,
} from '../mapping/claim-values.js';
import type { Connection } from '../registry/connection.js';
import { type MappedAttribute, mappedLists } from '../registry/mapping.js';

/**
 * Returns the profile of a person who is new here. The values are texts of a stranger: one that the rules of the directory refuse is left out.
 * An address is trusted only in a domain of the connection, and only if the provider says that it has verified it. Only such an address, or
 * a name without `@`, becomes a login name: nobody takes the name that somebody else types.
 */
export function profileOf(
  connection: ReadsAddresses,
  organization: Organization,
  claims: Claims,
): UserProfileInput {
  const trusted = trustedAddress(connection, organization, claims);
  const email = mappedText(connection, 'email', claims);
  const emails =
    email === undefined
      ? []
      : [{ value: email, primary: true, ...(email !== trusted && { verified: false }) }];
  const claimed = mappedText(connection, 'userName', claims);
  const userName = loginNameOf(claimed, { connection, organization, trusted });
  const usable = usableParts([...claimedParts(connection, claims), { emails }], { userName, organization });
  return Object.assign({ userName }, ...usable) as UserProfileInput;
}

/** The parts of a profile that claims give, without the login name and the address. */
export function claimedParts(connection: ReadsClaims, claims: Claims): Partial<UserProfileInput>[] {
  const value = (attribute: MappedAttribute) => mappedText(connection, attribute, claims);
  return [
    { name: withoutAbsent({ givenName: value('givenName'), familyName: value('familyName') }) },
    { displayName: value('displayName') },
    { phoneNumbers: listOf(value('phoneNumber')) },
    ...(['preferredLanguage', 'locale', 'timezone', 'title', 'department'] as const).map((name) => ({
      [name]: value(name),
    })),
    ...mappedLists.map((name) => ({
      [name]: mappedTexts(connection, name, claims)?.map((text) => ({ value: text })),
    })),
  ].map(withoutAbsent);
}

/** Those parts that the rules of the directory accept. */
export function usableParts(
  parts: readonly Partial<UserProfileInput>[],
  { userName, organization }: { userName: string; organization: Organization },
): Partial<UserProfileInput>[] {
  return parts.filter((part) => isUsable({ userName, ...part }, organization));
}

type ReadsAddresses = ReadsClaims & Pick<Connection, 'domains' | 'protocol'>;

/**
 * The address of the person, if the provider has verified it and it is in a domain that the organization has proved and given to the
 * connection. `email_verified` is said of the claim `email` (OpenID Connect Core section 5.1). An address from another claim, such as a name that
 * people choose, is not trusted by it. By SAML, the rule `byDomain` of the connection stands for the flag.
 */
export function trustedAddress(
  { domains, protocol, ...connection }: ReadsAddresses,
  organization: Pick<Organization, 'domains'>,
  claims: Claims,
): string | undefined {
  const email = mappedText(connection, 'email', claims);
  if (email === undefined || claims['email_verified'] !== true) return undefined;
  if (protocol === 'oidc' && !isSameAddress(email, claims['email'])) return undefined;
  return isInDomain(email, { domains, organization }) ? email : undefined;
}

/** Whether the address is this claim, however the table of the connection changes letters. */
function isSameAddress(email: string, claim: unknown): boolean {
  return typeof claim === 'string' && claim.trim().toLowerCase() === email.toLowerCase();
}

/** The claims that the connection reads, with texts within their bounds. Whatever else a provider sends is left out. */
export function readableClaims({ claims: names, mapping }: ReadsClaims, claims: Claims): Claims {
  const { values, groups } = mapping;
  const mapped = [...values.flatMap(({ from }) => from), ...groups.map(({ claim }) => claim)];
  const read = new Set([
    ...Object.values(names),
    ...mapped,
    ...whoClaims,
    'email_verified',
    ...overageClaims,
  ]);
  return Object.fromEntries(
    Object.entries(claims)
      .filter(([name]) => read.has(name))
      .flatMap(([name, value]) => {
        const bounded = boundedClaim(value);
        return bounded === undefined ? [] : [[name, bounded]];
      }),
  );
}

/** Claims by which people know their account at a provider, the best first. */
const whoClaims = ['email', 'preferred_username', 'name'];
/** The longest name of an account at a provider that a page shows, in characters. */
const longestShown = 100;

/**
 * What a person knows an account at a provider by, for a page of this person alone. It is the text of a stranger. '' if the provider says
 * nothing that can be shown.
 */
export function nameAtProvider(claims: Claims): string {
  const texts = whoClaims.flatMap((name) => (typeof claims[name] === 'string' ? [claims[name].trim()] : []));
  return (
    texts.find(
      (text) =>
        text !== '' &&
        text.length <= longestShown &&
        !hasUnusableCharacters(text) &&
        !hasInvisibleCharacters(text),
    ) ?? ''
  );
}

/** Whether the text ends in a domain of the connection. A domain that the organization has lost since counts no more. */
function isInDomain(
  text: string,
  { domains, organization }: { domains: readonly string[]; organization: Pick<Organization, 'domains'> },
): boolean {
  const domain = text.slice(text.lastIndexOf('@') + 1).toLowerCase();
  return text.includes('@') && domains.includes(domain) && organization.domains.includes(domain);
}

function loginNameOf(
  claimed: string | undefined,
  {
    connection: { domains },
    organization,
    trusted,
  }: {
    connection: Pick<Connection, 'domains'>;
    organization: Organization;
    trusted: string | undefined;
  },
): string {
  const isFree =
    claimed !== undefined && (!claimed.includes('@') || isInDomain(claimed, { domains, organization }));
  for (const name of [isFree ? claimed : undefined, trusted]) {
    if (name !== undefined && isLoginName(name)) return name;
  }
  return `user-${newSecret().slice(0, 12)}`;
}

function isLoginName(name: string): boolean {
  try {
    return requireUserName(name) === name;
  } catch {
    return false;
  }
}

function listOf(value: string | undefined) {
  return value === undefined ? undefined : [{ value, primary: true }];
}

function withoutAbsent<T extends object>(part: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as never;
}

function isUsable(profile: UserProfileInput, organization: Organization): boolean {
  try {
    normalizeProfile(profile, organization);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
