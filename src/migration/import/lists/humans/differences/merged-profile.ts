import type { PersonName, User, UserProfileInput } from '#src/directory/index.js';
import { asInput, madeDisplayName } from '#src/people/users/index.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { scimAttributeNames } from '../../../../format/human-user.record.js';
import type { HumanUserInput } from '../read/human-user-input.js';

/** Where a record has an attribute: the path from `user`. */
type Path = readonly string[];

const namePaths: Readonly<Record<keyof PersonName, Path>> = {
  givenName: ['profile', 'firstName'],
  familyName: ['profile', 'lastName'],
  formatted: ['scim', 'formatted'],
  middleName: ['scim', 'middleName'],
  honorificPrefix: ['scim', 'honorificPrefix'],
  honorificSuffix: ['scim', 'honorificSuffix'],
};

/** Attributes whose places have other names, or that have two. */
const otherPaths: Readonly<Record<string, readonly Path[]>> = {
  nickName: [['profile', 'nickName']],
  preferredLanguage: [['profile', 'preferredLanguage']],
  gender: [
    ['profile', 'gender'],
    ['scim', 'gender'],
  ],
  emails: [
    ['email', 'email'],
    ['scim', 'emails'],
  ],
  phoneNumbers: [
    ['phone', 'phone'],
    ['scim', 'phoneNumbers'],
  ],
};

/** Names in `scim` that are no attribute of their own, or have a rule of their own. */
const otherNames = new Set([
  ...Object.keys(namePaths),
  ...Object.keys(otherPaths),
  'displayNameGiven',
  'preferredLanguageGiven',
  'active',
  'extensions',
]);
const attributePaths: readonly (readonly [name: string, paths: readonly Path[]])[] = [
  ...Object.entries(otherPaths),
  ...scimAttributeNames
    .filter((name) => !otherNames.has(name))
    .map((name) => [name, [['scim', name]]] as const),
];

/**
 * Returns a stored profile with the attributes that a record mentions. An attribute that the record has as null, '' or an empty list
 * becomes unassigned (RFC 7643 section 2.5), but `active` cannot be unassigned. A list is one attribute. The values of registered
 * attributes are taken one by one.
 * @param emptied stated attributes that count as mentioned: see {@link unmentioned}
 */
export function mergedProfile(
  current: User,
  {
    record,
    given,
    profile,
    languageGiven,
  }: Pick<HumanUserInput, 'record' | 'given' | 'profile' | 'languageGiven'>,
  emptied: ReadonlySet<string> = new Set(),
): UserProfileInput {
  const user = userOf(record);
  const mentions = (path: Path) => isMentioned(user, path) || emptied.has(statedPath(path));
  const names = Object.entries(namePaths).filter(([, path]) => mentions(path));
  // A record with the stored language that does not say whether somebody chose it leaves that as it is.
  const leavesLanguage =
    languageGiven === undefined && profile.preferredLanguage === current.preferredLanguage;
  const attributes = attributePaths.filter(
    ([name, paths]) => paths.some(mentions) && !(name === 'preferredLanguage' && leavesLanguage),
  );
  const known = asInput(current);
  const merged: UserProfileInput = {
    ...taken(
      known,
      given,
      attributes.map(([key]) => key),
    ),
    userName: given.userName,
    name: taken(
      known.name,
      given.name ?? {},
      names.map(([key]) => key),
    ),
    ...(given.active !== undefined && { active: given.active }),
    ...(given.extensions && { extensions: { ...known.extensions, ...given.extensions } }),
  };
  return mentions(['profile', 'displayName']) ? withDisplayName(merged, user) : merged;
}

/**
 * The stated attributes that a stored profile has and a record does not mention.
 * @returns the path of each in a record, and the name of its attribute in events
 */
export function unmentioned(
  current: User,
  { record }: Pick<HumanUserInput, 'record'>,
  stated: ReadonlySet<string>,
): { readonly path: string; readonly attribute: string }[] {
  const user = userOf(record);
  const known = asInput(current);
  const isLost = (paths: readonly Path[]) => paths.every((path) => !isMentioned(user, path));
  const ofNames = Object.entries(namePaths)
    .filter(([part, path]) => known.name?.[part as keyof PersonName] !== undefined && isLost([path]))
    .map(([, path]) => ({ path: statedPath(path), attribute: 'name' }));
  const all = [...attributePaths, ['displayName', [['profile', 'displayName']]] as const];
  const others = all
    .filter(([name, paths]) => hasValue(known[name as keyof UserProfileInput]) && isLost(paths))
    .flatMap(([attribute, paths]) => paths.map((path) => ({ path: statedPath(path), attribute })));
  return [...ofNames, ...others].filter(({ path }) => stated.has(path));
}

function hasValue(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** The name of a path in `statableAttributes`. */
function statedPath([section = '', name = '']: Path): string {
  return section === name ? section : `${section}.${name}`;
}

function userOf(record: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(record) && isJsonObject(record['user']) ? record['user'] : {};
}

/**
 * The profile with the displayName of the record. One that equals the names is made of them, unless the record says that a client gave it:
 * exports of all providers have a displayName.
 */
function withDisplayName(
  { displayName: _, ...merged }: UserProfileInput,
  user: Readonly<Record<string, unknown>>,
): UserProfileInput {
  const { displayName } = objectIn(user, 'profile');
  if (typeof displayName !== 'string' || displayName === '') return merged;
  const isGiven = objectIn(user, 'scim')['displayNameGiven'] === true;
  return isGiven || displayName !== madeDisplayName(merged) ? { ...merged, displayName } : merged;
}

/** Returns the known values with those of the given values that have these keys. A key without a given value is gone. */
function taken<T extends object>(known: T, given: object, keys: readonly string[]): T {
  const values = { ...known } as Record<string, unknown>;
  for (const key of keys) {
    const value = (given as Record<string, unknown>)[key];
    if (value === undefined) delete values[key];
    else values[key] = value;
  }
  return values as T;
}

function isMentioned(user: Readonly<Record<string, unknown>>, [section = '', key = '']: Path): boolean {
  // `email` and `phone` as null have no value. `profile` and `scim` as null say nothing.
  if (user[section] === null) return section === key;
  return Object.hasOwn(objectIn(user, section), key);
}

function objectIn(user: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  const value = Object.hasOwn(user, key) ? user[key] : undefined;
  return isJsonObject(value) ? value : {};
}
