import { addressTargets } from './list-targets.js';

/**
 * An attribute that the source says of every person, by its path in a record: see `statableAttributes`. With a place, only those files say it
 * that have the place in a record, also with an empty value.
 */
export interface StatedAttribute {
  readonly path: string;
  readonly place?: readonly string[];
}

/** Attributes that every file of a system says. */
export function statedAlways(...paths: readonly string[]): StatedAttribute[] {
  return paths.map((path) => ({ path }));
}

/** The paths of attributes in `user.scim`. */
export function scimPaths(names: readonly string[]): string[] {
  return names.map((name) => `scim.${name}`);
}

export const statedNames = ['profile.firstName', 'profile.lastName'] as const;

/** The paths of the attributes that a mapping brings, by its target. Absent for targets that are no such attribute. */
export function statedBy(target: string): string | undefined {
  const paths = ofTargets.get(target);
  if (paths !== undefined) return paths;
  if (addressTargets.includes(target)) return 'scim.addresses';
  return others.has(target) || target.startsWith('metadata:') ? undefined : `scim.${target}`;
}

const ofTargets = new Map([
  ['name.givenName', 'profile.firstName'],
  ['name.familyName', 'profile.lastName'],
  ['name.formatted', 'scim.formatted'],
  ['name.middleName', 'scim.middleName'],
  ['name.honorificPrefix', 'scim.honorificPrefix'],
  ['name.honorificSuffix', 'scim.honorificSuffix'],
  ['nickName', 'profile.nickName'],
  ['displayName', 'profile.displayName'],
  ['preferredLanguage', 'profile.preferredLanguage'],
  ['gender', 'profile.gender'],
  ['email', 'email'],
  ['phone', 'phone'],
]);
/** Targets that name the person, or that an update empties in no way. */
const others = new Set([
  ...['id', 'userName', 'emailVerified', 'phoneVerified', 'active', 'created', 'lastModified', 'group'],
  ...['password', 'passwordHash', 'passwordChangeRequired', 'otpSecret'],
]);
