import type { Organization, User } from '#src/directory/index.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { loginNameKey } from './find-account.js';
import type { LoginAttempts } from './login-attempts.store.js';

/**
 * Returns the name under which failures of a login name are counted, whether a user has it or not. What a person is told
 * depends on it alone. Otherwise a lock would show that two login names mean the same user.
 * @param organization as it was typed. A name in an organization counts like `name@organization`
 */
export function nameSubject(loginName: string, organization = ''): string {
  const name = loginNameKey(loginName) ?? '';
  const domain = loginNameKey(organization);
  return `name:${hashSecret(domain === undefined ? name : `${name}@${domain}`)}`;
}

/**
 * Forgets the wrong passwords of a user: those of the account, and those of its login names. Wrong codes still count.
 * @param organization of the user
 */
export async function forgetAttempts(
  { loginAttempts }: { readonly loginAttempts: Pick<LoginAttempts, 'forget'> },
  user: NamedUser,
  organization: NamedOrganization | undefined,
): Promise<void> {
  const subjects = new Set([passwordSubject(user.id), ...loginNamesOf(user, organization).keys()]);
  await Promise.all([...subjects].map((subject) => loginAttempts.forget(subject)));
}

type NamedUser = Pick<User, 'id' | 'orgId' | 'userName' | 'emails'>;
type NamedOrganization = Pick<Organization, 'name' | 'domains'>;

/**
 * Returns the login names that can mean a user, by the name under which their failures are counted. The name and the domains of the
 * organization may be typed with a login name.
 */
export function loginNamesOf(
  { orgId, userName, emails }: NamedUser,
  organization: NamedOrganization | undefined,
): Map<string, string> {
  const primary = emails.filter((email) => email.primary);
  const organizations = [
    orgId,
    ...(organization === undefined ? [] : [organization.name, ...organization.domains]),
  ];
  const names = [userName, ...primary.map(({ value }) => value)];
  return new Map([
    ...names.flatMap((name) =>
      organizations.map((typed) => [nameSubject(name, typed), `${name}@${typed}`] as const),
    ),
    ...emails.map(({ value }) => [nameSubject(value), value] as const),
    [nameSubject(userName), userName],
  ]);
}

/** Returns the name under which failures of a user's password are counted. */
export function passwordSubject(userId: string): string {
  return `password:${userId}`;
}

/** Returns the name under which wrong one-time codes of a user count. A right password does not reset this count, and neither does a link for a new password. */
export function codeSubject(userId: string): string {
  return `code:${userId}`;
}

/**
 * Returns the name under which wrong passkeys of a user count after another proof.
 * @param place the address, or the hash of a browser where the user has signed in
 */
export function secondPasskeySubject(userId: string, place: string): string {
  return `second-passkey:${userId}:${place}`;
}
