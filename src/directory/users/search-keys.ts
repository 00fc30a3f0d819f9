import { hasManyMarks } from '../characters.js';
import { findingOf } from '../extension-schemas/extension-schema.js';
import type { LoginNamesSince, MultiValue, User, UserProfile } from './user.js';

/** A searchable value and its reversed text. An index on the reversed text serves "ends with". */
type Twins<Name extends string, Value> = { [Key in Name | `${Name}Reversed`]: Value };

/**
 * The values that MongoDB compares and sorts instead of the attributes. They are folded, so that letter case does not
 * matter, and also stored reversed. Absent attributes have no values here.
 */
export type SearchKeys = {
  idReversed: string;
  primaryEmail?: string;
  /** The names with which the user can sign in, in any organization. */
  loginNames: string[];
  /** When the user last got a login name. Absent if it has all of them since its creation. */
  loginNamesChanged?: Date;
  /**
   * Keys that join the name and the value of each {@link EmploymentField}, and of each registered attribute that is searchable. One
   * index serves them all.
   */
  attributes?: string[];
  /** The keys of the values that no other user of the organization may have. */
  unique?: string[];
} & Twins<'userName' | 'displayName' | 'preferredLanguage', string> &
  Partial<Twins<'familyName' | 'givenName' | 'nickName' | 'title' | 'userType', string>> &
  Partial<Twins<'emails' | 'emailsByType' | 'phoneNumbers', string[]>>;

/** Attributes of the employment by which clients find one user, or the users of one manager. */
export type EmploymentField = 'employeeNumber' | 'manager';

/**
 * Returns the form in which strings that are not case-exact are compared: lower case in Unicode normalization form C.
 * The final sigma becomes a plain one. Its form depends on the next character, and a prefix has no end. A text with too
 * many combining marks in a row stays unnormalized, because that would take too long.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase().replaceAll('ς', 'σ');
  return hasManyMarks(lower) ? lower : lower.normalize('NFC');
}

/** Reverses by code points, so that surrogate pairs stay whole. */
export function reverse(text: string): string {
  return Array.from(text).reverse().join('');
}

/**
 * Joins a folded type and a value to one key. The value is folded, and may be reversed. No address contains the
 * separator. A pattern that begins with the separator is a range of the index.
 */
export function typedKey(foldedType: string, value: string): string {
  return `${foldedType}\u001f${value}`;
}

/** Returns the key of an employee number, in any letter case, or of the identifier of a manager. */
export function employmentKey(field: EmploymentField, value: string): string {
  return typedKey(field, field === 'manager' ? value : foldCase(value));
}

/** Returns the `search` part of the document of a user. Telephone numbers are already normalized. */
export function searchKeys(profile: UserProfile & Pick<User, 'loginNamesSince'>, id: string): SearchKeys {
  const { emails, name } = profile;
  const primary = emails.find((email) => email.primary) ?? emails[0];
  return {
    idReversed: reverse(id),
    ...(primary && { primaryEmail: foldCase(primary.value) }),
    loginNames: loginNames(profile),
    ...latest(profile.loginNamesSince),
    ...twins('userName', profile.userName),
    ...(name.familyName !== undefined && twins('familyName', name.familyName)),
    ...(name.givenName !== undefined && twins('givenName', name.givenName)),
    ...twins('displayName', profile.displayName),
    ...twins('preferredLanguage', profile.preferredLanguage),
    ...(profile.nickName !== undefined && twins('nickName', profile.nickName)),
    ...(profile.title !== undefined && twins('title', profile.title)),
    ...(profile.userType !== undefined && twins('userType', profile.userType)),
    ...(emails.length > 0 && listTwins('emails', emails)),
    ...typedTwins(emails),
    ...(profile.phoneNumbers && listTwins('phoneNumbers', profile.phoneNumbers)),
    ...attributeKeys(profile),
  };
}

/**
 * Returns the primary address, if it is a login name. An address with `verified: false` is none. Otherwise everybody who
 * registers could claim the address of another person.
 */
export function loginAddress({ emails }: Pick<UserProfile, 'emails'>): MultiValue | undefined {
  const primary = emails.find((email) => email.primary) ?? emails[0];
  return primary?.verified === false ? undefined : primary;
}

/** Returns the login names of a user. */
function loginNames(profile: UserProfile): string[] {
  const address = loginAddress(profile);
  const names = address === undefined ? [profile.userName] : [profile.userName, address.value];
  return [...new Set(names.map(foldCase))];
}

/** Returns the key of a value of a registered attribute, in any letter case. */
export function extensionKey(key: string, value: string | number): string {
  return typedKey(key, foldCase(String(value)));
}

/** Returns the keys of the values that no other user of the organization may have, besides the userName. */
export function uniqueValueKeys({ externalId, externalIdUnique, extensions }: UserProfile): string[] {
  const unique: string[] = [];
  if (externalId !== undefined && externalIdUnique) unique.push(typedKey('externalId', externalId));
  if (extensions === undefined) return unique;
  for (const [key, value] of Object.entries(extensions)) {
    if (findingOf(key).unique) unique.push(extensionKey(key, value as string | number));
  }
  return unique;
}

function attributeKeys(profile: UserProfile): Pick<SearchKeys, 'attributes' | 'unique'> {
  const { employeeNumber, manager, extensions = {} } = profile;
  const attributes: string[] = [];
  const unique = uniqueValueKeys(profile);
  if (employeeNumber !== undefined) attributes.push(employmentKey('employeeNumber', employeeNumber));
  if (manager !== undefined) attributes.push(employmentKey('manager', manager));
  for (const [key, value] of Object.entries(extensions)) {
    if (!findingOf(key).searchable) continue;
    for (const one of [value].flat()) attributes.push(extensionKey(key, one as string | number));
  }
  return { ...(attributes.length > 0 && { attributes }), ...(unique.length > 0 && { unique }) };
}

function latest({ userName, email }: LoginNamesSince = {}): Pick<SearchKeys, 'loginNamesChanged'> {
  const times = [userName, email].filter((time) => time !== undefined).map((time) => time.getTime());
  return times.length === 0 ? {} : { loginNamesChanged: new Date(Math.max(...times)) };
}

function twins<Name extends string>(name: Name, text: string): Twins<Name, string> {
  const folded = foldCase(text);
  return { [name]: folded, [`${name}Reversed`]: reverse(folded) } as Twins<Name, string>;
}

function listTwins<Name extends string>(name: Name, values: MultiValue[]): Twins<Name, string[]> {
  const folded = values.map(({ value }) => foldCase(value));
  return { [name]: folded, [`${name}Reversed`]: folded.map(reverse) } as Twins<Name, string[]>;
}

function typedTwins(emails: MultiValue[]): Partial<Twins<'emailsByType', string[]>> {
  const typed = emails.flatMap(({ type, value }) =>
    type === undefined ? [] : [{ type: foldCase(type), value: foldCase(value) }],
  );
  if (typed.length === 0) return {};
  return {
    emailsByType: typed.map(({ type, value }) => typedKey(type, value)),
    emailsByTypeReversed: typed.map(({ type, value }) => typedKey(type, reverse(value))),
  };
}
