import { hasManyMarks } from '../characters.js';
import type { MultiValue, UserProfile } from './user.js';

/** A searchable value and its reversed text. An index on the reversed text serves "ends with". */
type Twins<Name extends string, Value> = { [Key in Name | `${Name}Reversed`]: Value };

/**
 * The values that MongoDB compares and sorts instead of the attributes. They are folded, so that letter case does not
 * matter, and also stored reversed. Absent attributes have no values here.
 */
export type SearchKeys = {
  idReversed: string;
  primaryEmail: string;
  /** The names with which the user can sign in, in any organization. */
  loginNames: string[];
} & Twins<'userName' | 'familyName' | 'givenName' | 'displayName' | 'preferredLanguage', string> &
  Partial<Twins<'nickName' | 'title' | 'userType', string>> &
  Twins<'emails', string[]> &
  Partial<Twins<'emailsByType' | 'phoneNumbers', string[]>>;

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

/** Returns the `search` part of the document of a user. Telephone numbers are already normalized. */
export function searchKeys(profile: UserProfile, id: string): SearchKeys {
  const primary = profile.emails.find((email) => email.primary) ?? profile.emails[0];
  return {
    idReversed: reverse(id),
    primaryEmail: foldCase(primary?.value ?? ''),
    loginNames: loginNames(profile.userName, primary),
    ...twins('userName', profile.userName),
    ...twins('familyName', profile.name.familyName),
    ...twins('givenName', profile.name.givenName),
    ...twins('displayName', profile.displayName),
    ...twins('preferredLanguage', profile.preferredLanguage),
    ...(profile.nickName !== undefined && twins('nickName', profile.nickName)),
    ...(profile.title !== undefined && twins('title', profile.title)),
    ...(profile.userType !== undefined && twins('userType', profile.userType)),
    ...listTwins('emails', profile.emails),
    ...typedTwins(profile.emails),
    ...(profile.phoneNumbers && listTwins('phoneNumbers', profile.phoneNumbers)),
  };
}

/**
 * Returns the login names of a user. An address with `verified: false` is not a login name. Otherwise a false claim
 * would make the name of the owner ambiguous.
 */
function loginNames(userName: string, primary: MultiValue | undefined): string[] {
  const names = primary === undefined || primary.verified === false ? [userName] : [userName, primary.value];
  return [...new Set(names.map(foldCase))];
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
