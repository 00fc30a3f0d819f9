import { hasManyMarks } from './characters.js';
import { findingOf } from './extension-schema.js';
import type { LoginNamesSince, MultiValue, User, UserProfile } from './user.js';

/**
 * The values that MongoDB compares and sorts instead of the attributes. They are folded, so that letter case does not
 * matter. Absent attributes have no values here. `user-indexes.ts` says which of them have an index.
 */
export type SearchKeys = {
  /** {@link searchKeysVersion} of the process that wrote the keys. Absent for the first one. */
  version: number;
  userName: string;
  displayName: string;
  preferredLanguage: string;
  familyName?: string;
  givenName?: string;
  nickName?: string;
  title?: string;
  userType?: string;
  emails?: string[];
  phoneNumbers?: string[];
  primaryEmail?: string;
  /** The names with which the user can sign in, in any organization. */
  loginNames: string[];
  /** When the user last got a login name. Absent if it has all of them since its creation. */
  loginNamesChanged?: Date;
  /**
   * Keys that join a name and a value: the ends of the userName and of the addresses, each {@link EmploymentField}, the externalIds that
   * clients gave as their own, and each registered attribute that is searchable. One index serves them all.
   */
  attributes: string[];
  /** The keys of the values that no other user of the organization may have. */
  unique?: string[];
  /** The {@link looseKey} of each name that differs from the name itself by more than the hyphens of its numbers. Few names have one. */
  loose?: { [N in LooseName]?: string };
};

/** The names that a person finds however they are written. */
export type LooseName = 'userName' | 'familyName' | 'givenName';

/** Changes with the keys. `muster upgrade` gives users of an earlier version theirs. */
export const searchKeysVersion = 2;

/** Attributes whose ends an index finds. */
export type EndingField = 'userName' | 'emails';

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

/** Names without any of these are their own loose keys. Most names are. */
const looseParts = /[^a-z0-9 .@_]|a[ae]|oe|ue/;
/** Hyphens of numbers, such as of `emp-0042`. Nobody writes them in another way. */
const numberHyphens = /(?<=[0-9])-|-(?=[0-9])/g;
/** Letters that have no decomposition, or stand for two. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'a', œ: 'o', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
  ...{ aa: 'a', ae: 'a', oe: 'o', ue: 'u' },
};

/**
 * The form in which a person finds a name: Müller, Mueller and Muller have the same one, as have O'Brien and O’Brien, and Anne-Marie and
 * Annemarie. The key of a beginning of a name is a beginning of the key of the name.
 * @param folded as {@link foldCase} returns it
 */
export function looseKey(folded: string): string {
  if (!looseParts.test(folded) || hasManyMarks(folded)) return folded;
  return folded
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'\u2018\u2019\u02bc\u2010-\u2015-]+/g, '')
    .replace(
      /[\u00df\u00e6\u0153\u00f8\u0142\u0111\u00f0\u00fe\u0131]|a[ae]|oe|ue/g,
      (letter) => plainLetters[letter] ?? letter,
    )
    .normalize('NFC');
}

/**
 * The key under which a person finds an object by the beginning of its name, however the name is written. Lists by name are in the order
 * of these keys.
 */
export function nameSearchKey(name: string): string {
  return looseKey(foldCase(name));
}

/** Compares two folded texts as MongoDB sorts them: in the order of their code points. */
export function compareFolded(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Reverses by code points, so that surrogate pairs stay whole. */
export function reverse(text: string): string {
  return Array.from(text).reverse().join('');
}

/** Joins a name and a folded value to one key. A pattern that begins with the name and the separator is a range of the index. */
export function typedKey(name: string, value: string): string {
  return `${name}\u001f${value}`;
}

/** Returns the key by which texts are found that end with a folded text. It is stored for the whole text. */
export function endingKey(field: EndingField, folded: string): string {
  return typedKey(`${field}.end`, reverse(folded));
}

/** Returns the key of an employee number, in any letter case, or of the identifier of a manager. */
export function employmentKey(field: EmploymentField, value: string): string {
  return typedKey(field, field === 'manager' ? value : foldCase(value));
}

/** Returns the `search` part of the document of a user. Telephone numbers are already normalized. */
export function searchKeys(profile: UserProfile & Pick<User, 'loginNamesSince'>): SearchKeys {
  const { emails, name } = profile;
  const primary = emails.find((email) => email.primary) ?? emails[0];
  const userName = foldCase(profile.userName);
  const familyName = name.familyName === undefined ? undefined : foldCase(name.familyName);
  const givenName = name.givenName === undefined ? undefined : foldCase(name.givenName);
  return {
    version: searchKeysVersion,
    ...(primary && { primaryEmail: foldCase(primary.value) }),
    loginNames: loginNames(profile),
    ...latest(profile.loginNamesSince),
    userName,
    displayName: foldCase(profile.displayName),
    preferredLanguage: foldCase(profile.preferredLanguage),
    ...(familyName !== undefined && { familyName }),
    ...(givenName !== undefined && { givenName }),
    ...looseNames({ userName, familyName, givenName }),
    ...(profile.nickName !== undefined && { nickName: foldCase(profile.nickName) }),
    ...(profile.title !== undefined && { title: foldCase(profile.title) }),
    ...(profile.userType !== undefined && { userType: foldCase(profile.userType) }),
    ...(emails.length > 0 && { emails: emails.map(foldValue) }),
    ...(profile.phoneNumbers && { phoneNumbers: profile.phoneNumbers.map(foldValue) }),
    ...attributeKeys(profile),
  };
}

function looseNames(names: Readonly<Record<LooseName, string | undefined>>): Pick<SearchKeys, 'loose'> {
  let loose: SearchKeys['loose'];
  for (const [name, folded = ''] of Object.entries(names) as [LooseName, string | undefined][]) {
    const key = looseKey(folded);
    if (key === folded || key === folded.replace(numberHyphens, '')) continue;
    loose ??= {};
    loose[name] = key;
  }
  return loose === undefined ? {} : { loose };
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

/** What begins the name of every key of {@link clientExternalIdKey}. No attribute has such a name. */
export const clientExternalIdPrefix = 'externalId@';

/** Returns the key of the externalId that a client gave a user as its own. Letter case counts. */
export function clientExternalIdKey(serviceUserId: string, value: string): string {
  return typedKey(`${clientExternalIdPrefix}${serviceUserId}`, value);
}

/** Returns the keys of the externalIds that clients gave a user as their own. */
export function clientExternalIdKeys({
  clientExternalIds = [],
}: Pick<UserProfile, 'clientExternalIds'>): string[] {
  return clientExternalIds.flatMap(({ serviceUserId, value }) =>
    value === undefined ? [] : clientExternalIdKey(serviceUserId, value),
  );
}

/** Returns the keys of the values that no other user of the organization may have, besides the userName. */
export function uniqueValueKeys(profile: UserProfile): string[] {
  const { externalId, externalIdUnique, extensions } = profile;
  const unique: string[] = externalIdUnique ? clientExternalIdKeys(profile) : [];
  if (externalId !== undefined && externalIdUnique) unique.push(typedKey('externalId', externalId));
  if (extensions === undefined) return unique;
  for (const [key, value] of Object.entries(extensions)) {
    if (findingOf(key).unique) unique.push(extensionKey(key, value as string | number));
  }
  return unique;
}

function attributeKeys(profile: UserProfile): Pick<SearchKeys, 'attributes' | 'unique'> {
  const { userName, emails, employeeNumber, manager, extensions = {} } = profile;
  const attributes = [endingKey('userName', foldCase(userName))];
  for (const address of emails) attributes.push(endingKey('emails', foldValue(address)));
  const unique = uniqueValueKeys(profile);
  if (employeeNumber !== undefined) attributes.push(employmentKey('employeeNumber', employeeNumber));
  if (manager !== undefined) attributes.push(employmentKey('manager', manager));
  if (profile.clientExternalIds !== undefined) attributes.push(...clientExternalIdKeys(profile));
  for (const [key, value] of Object.entries(extensions)) {
    if (!findingOf(key).searchable) continue;
    for (const one of [value].flat()) attributes.push(extensionKey(key, one as string | number));
  }
  return { attributes, ...(unique.length > 0 && { unique }) };
}

function latest({ userName, email }: LoginNamesSince = {}): Pick<SearchKeys, 'loginNamesChanged'> {
  const times = [userName, email].filter((time) => time !== undefined).map((time) => time.getTime());
  return times.length === 0 ? {} : { loginNamesChanged: new Date(Math.max(...times)) };
}

function foldValue({ value }: MultiValue): string {
  return foldCase(value);
}
