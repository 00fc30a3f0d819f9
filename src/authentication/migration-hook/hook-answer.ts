import { foldCase, type Organization, type UserProfileInput } from '#src/directory/index.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { loginNameKey } from '../find-account.js';

/** What a hook answered. */
export type HookAnswer =
  | { readonly kind: 'confirmed'; readonly profile: UserProfileInput }
  | { readonly kind: 'refused' };

/** An answer that is none. Its message is for the owner of the organization. It has no value of the answer. */
export class WrongAnswer extends Error {}

const texts = [
  'userName',
  'externalId',
  'givenName',
  'familyName',
  'displayName',
  'email',
  'phoneNumber',
  'preferredLanguage',
  'locale',
  'timezone',
] as const;
type HookUser = Partial<Record<(typeof texts)[number], string>> & { emailVerified?: boolean };

/**
 * Reads the answer of a hook. Attributes outside of the list are refused: a hook gives no identifiers, roles or groups.
 * @throws WrongAnswer
 */
export function readHookAnswer(answer: unknown): HookAnswer {
  if (!isJsonObject(answer)) throw new WrongAnswer('The answer is not a JSON object');
  requireKeys(answer, ['confirmed', 'user'], '');
  if (answer['confirmed'] === false) return { kind: 'refused' };
  if (answer['confirmed'] !== true) throw new WrongAnswer('confirmed is neither true nor false');
  return { kind: 'confirmed', profile: toProfile(readUser(answer['user'])) };
}

/**
 * Whether a sign-in of this organization with the login name finds the profile. A hook could otherwise add a person under
 * a name that nobody typed.
 */
export function hasLoginName(
  { userName, emails = [] }: Pick<UserProfileInput, 'userName' | 'emails'>,
  { id, domains }: Pick<Organization, 'id' | 'domains'>,
  loginName: string,
): boolean {
  const places = [id, ...domains.slice(0, 1)];
  const addresses = emails.filter(({ primary, verified }) => primary && verified !== false);
  const names = [
    userName,
    ...places.map((place) => `${userName}@${place}`),
    ...addresses.map(({ value }) => value),
  ];
  const key = loginNameKey(loginName);
  return key !== undefined && names.some((name) => foldCase(name) === key);
}

function readUser(user: unknown): HookUser & { userName: string } {
  if (!isJsonObject(user)) throw new WrongAnswer('user is not a JSON object');
  requireKeys(user, [...texts, 'emailVerified'], 'user.');
  for (const name of texts) {
    if (user[name] !== undefined && typeof user[name] !== 'string')
      throw new WrongAnswer(`user.${name} is not a string`);
  }
  const { emailVerified, userName } = user;
  if (emailVerified !== undefined && typeof emailVerified !== 'boolean')
    throw new WrongAnswer('user.emailVerified is not a boolean');
  if (typeof userName !== 'string') throw new WrongAnswer('user.userName is missing');
  return { ...(user as HookUser), userName };
}

function requireKeys(object: JsonObject, known: readonly string[], path: string): void {
  const unknown = Object.keys(object).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new WrongAnswer(`${path === '' ? 'The answer' : 'user'} may only have ${known.join(', ')}`);
}

/**
 * An address is trusted like that of a SCIM client: it proves nothing to other organizations. One that the hook calls unverified
 * is no login name.
 */
function toProfile(user: HookUser & { userName: string }): UserProfileInput {
  const { userName, givenName, familyName, email, emailVerified, phoneNumber, ...others } = user;
  const rest = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''));
  return {
    ...rest,
    userName,
    name: { ...(givenName && { givenName }), ...(familyName && { familyName }) },
    ...(email && {
      emails: [{ value: email, primary: true, ...(emailVerified === false && { verified: false }) }],
    }),
    ...(phoneNumber && { phoneNumbers: [{ value: phoneNumber, primary: true }] }),
  };
}
