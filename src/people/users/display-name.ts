import type { UserProfile, UserProfileInput } from '#src/directory/index.js';
import { givenLanguage } from './preferred-language.js';

/**
 * Returns the displayName of a user to whom no client gave one: `name.formatted`, or else given and family name, or else the
 * userName.
 */
export function madeDisplayName({
  name = {},
  userName,
}: Pick<UserProfileInput, 'name' | 'userName'>): string {
  const { formatted, givenName, familyName } = name;
  const isWhole = givenName !== undefined && familyName !== undefined;
  const joined = isWhole ? `${givenName} ${familyName}` : (givenName ?? familyName ?? '');
  const made = formatted ?? joined;
  return made.trim() === '' ? userName : made;
}

/**
 * Whether a client gave the displayName. Documents of earlier versions do not say so. There, a displayName that differs
 * from the names was given.
 */
export function isDisplayNameGiven(
  profile: Pick<UserProfile, 'userName' | 'name' | 'displayName' | 'displayNameGiven'>,
): boolean {
  return profile.displayNameGiven === true || profile.displayName !== madeDisplayName(profile);
}

/** What the directory may have filled in. */
type Made = 'displayName' | 'displayNameGiven' | 'preferredLanguage' | 'preferredLanguageGiven';

/** Returns the profile as clients gave it, without a displayName that was made of other attributes, and without an assumed language. */
export function asInput<Profile extends UserProfile>(
  profile: Profile,
): Omit<Profile, Made> & { displayName?: string; preferredLanguage?: string } {
  const {
    displayName,
    displayNameGiven: _name,
    preferredLanguage: _language,
    preferredLanguageGiven: _given,
    ...others
  } = profile;
  const language = givenLanguage(profile);
  return {
    ...others,
    ...(isDisplayNameGiven(profile) && { displayName }),
    ...(language !== undefined && { preferredLanguage: language }),
  };
}

/**
 * Returns `name.formatted` as clients see it. If none was given, it is the displayName. Undefined for a user who has no part of
 * a name.
 */
export function shownFormatted({
  name,
  displayName,
}: Pick<UserProfile, 'name' | 'displayName'>): string | undefined {
  return name.formatted ?? (Object.keys(name).length === 0 ? undefined : displayName);
}

/** Whether both profiles remember the same about what a client gave. Clients may see no difference between them. */
export function rememberSame(a: UserProfile, b: UserProfile): boolean {
  return (
    a.displayNameGiven === b.displayNameGiven &&
    a.preferredLanguageGiven === b.preferredLanguageGiven &&
    a.name.formatted === b.name.formatted
  );
}
