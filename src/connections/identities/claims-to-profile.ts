import { type Organization, requireUserName, type UserProfileInput } from '#src/directory/index.js';
import { normalizeProfile } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import { newSecret } from '#src/platform/ids.js';
import type { ClaimNames, Connection, MappedAttribute } from '../registry/connection.js';

type Claims = Readonly<Record<string, unknown>>;

/** The longest value that is read of a claim, in characters. */
const longestValue = 500;

/**
 * Returns the profile of a person who is new here. The values are texts of a stranger: one that the rules of the directory refuse is left out.
 * An address is trusted only in a domain of the connection, and only if the provider says that it has verified it. Only such an address, or
 * a name without `@`, becomes a login name: nobody takes the name that somebody else types.
 */
export function profileOf(
  connection: Pick<Connection, 'claims' | 'domains'>,
  organization: Organization,
  claims: Claims,
): UserProfileInput {
  const value = (attribute: MappedAttribute) => textOf(connection.claims, attribute, claims);
  const trusted = trustedAddress(connection, organization, claims);
  const email = value('email');
  const candidates: Partial<UserProfileInput>[] = [
    { name: nameOf(value('givenName'), value('familyName')) },
    { displayName: value('displayName') },
    {
      emails:
        email === undefined
          ? []
          : [{ value: email, primary: true, ...(trusted === undefined && { verified: false }) }],
    },
    { phoneNumbers: listOf(value('phoneNumber')) },
    ...(['preferredLanguage', 'locale', 'timezone', 'title', 'department'] as const).map((name) => ({
      [name]: value(name),
    })),
  ].map(withoutAbsent);
  const userName = loginNameOf(value('userName'), { connection, organization, trusted });
  const usable = candidates.filter((part) => isUsable({ userName, ...part }, organization));
  return Object.assign({ userName }, ...usable) as UserProfileInput;
}

/**
 * The address of the person, if the provider has verified it and it is in a domain that the organization has proved and given to the
 * connection.
 */
export function trustedAddress(
  { claims: names, domains }: Pick<Connection, 'claims' | 'domains'>,
  organization: Pick<Organization, 'domains'>,
  claims: Claims,
): string | undefined {
  const email = textOf(names, 'email', claims);
  if (email === undefined || claims['email_verified'] !== true) return undefined;
  return isInDomain(email, { domains, organization }) ? email : undefined;
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

function textOf(names: ClaimNames, attribute: MappedAttribute, claims: Claims): string | undefined {
  const name = names[attribute];
  const given = name !== undefined && Object.hasOwn(claims, name) ? claims[name] : undefined;
  const text = typeof given === 'string' ? given.trim() : '';
  return text === '' || text.length > longestValue ? undefined : text;
}

function nameOf(givenName: string | undefined, familyName: string | undefined) {
  return withoutAbsent({ givenName, familyName });
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
