import type { MultiValue, UserProfile } from './user.js';

/** A searchable value and its mirror image: an index on the mirror serves "ends with". */
type Twins<Name extends string, Value> = { [Key in Name | `${Name}Reversed`]: Value };

/**
 * What the database compares and sorts instead of the attributes themselves: folded, so that letter case does
 * not matter, and reversed. Twins of absent attributes are absent.
 */
export type SearchKeys = {
  idReversed: string;
  primaryEmail: string;
  /** What the person may type to sign in, whatever the organization. */
  loginNames: string[];
} & Twins<'userName' | 'familyName' | 'givenName' | 'displayName' | 'preferredLanguage', string> &
  Partial<Twins<'nickName' | 'title' | 'userType', string>> &
  Twins<'emails', string[]> &
  Partial<Twins<'emailsByType' | 'phoneNumbers', string[]>>;

/**
 * The form in which strings that are not case-exact are compared: lower case in Unicode normalization form C.
 * The final sigma becomes a plain one, because its form depends on what follows and a prefix has no end.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** Reverses by code points, so that surrogate pairs stay whole. */
export function reverse(text: string): string {
  return Array.from(text).reverse().join('');
}

/**
 * Joins a folded type and a value (folded, perhaps reversed) to one key. No address contains the separator, and a
 * pattern that begins with it is still a range of the index.
 */
export function typedKey(foldedType: string, value: string): string {
  return `${foldedType}\u001f${value}`;
}

/** Makes the `search` part of a user's document. Telephone numbers are kept normalized already. */
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

/** An address that somebody merely claims is no name to sign in by: its owner would become ambiguous. */
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
