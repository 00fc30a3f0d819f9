import { type Account, unsealTotpSecret } from '#src/accounts/index.js';
import type { ExtensionSchemas, MultiValue, UserProfile } from '#src/directory/index.js';
import type { Fingerprints } from '#src/keys/fingerprints.js';
import type { Sealer } from '#src/keys/sealer.js';
import { changedAttributes, onlyOneChoseLanguage } from '#src/people/users/index.js';
import { differingNames } from '../../shared/other-content.js';
import type { HumanUserInput } from '../read/human-user-input.js';
import { isSameTime } from './imported-credentials.js';

/** What compares the credentials of a record with stored ones. */
export interface CompareDeps {
  readonly totpSealer: Sealer;
  readonly hashFingerprints: Fingerprints;
}

/**
 * Names the attributes in which a record differs from a stored user. If there are none, an import that is sent again skips the
 * record. It ignores what a login can change: a verified address, a used one-time code, a password change that was required, and
 * the algorithm or cost of the password hash. It ignores credentials that the record does not have, and who chose the language, if the
 * record does not say it. A password in plain text is never compared with the stored hash: a file could test as many guesses as it has
 * records (docs/decisions/0041).
 * @param compared `registered`: the attributes of the organization
 */
export function userDifferences(
  deps: CompareDeps,
  compared: {
    readonly known: Account;
    readonly input: HumanUserInput;
    readonly registered: ExtensionSchemas | undefined;
  },
): string[] {
  const { known, input, registered } = compared;
  const names = recordDifferences(known.user, input, registered);
  if (input.hash !== undefined && !hasHash(deps, known, input.hash)) names.push('hashedPassword');
  if (input.totpSecret !== undefined && !hasSecret(deps, known, input.totpSecret)) names.push('otpCode');
  return names;
}

/**
 * Names the attributes in which the profile of a record differs from a stored one, and `preferredLanguageGiven`, if the record says
 * otherwise than the stored user whether somebody chose the language.
 */
export function recordDifferences(
  known: UserProfile,
  { profile, languageGiven }: Pick<HumanUserInput, 'profile' | 'languageGiven'>,
  registered: ExtensionSchemas | undefined,
): string[] {
  const names = profileDifferences(known, profile, registered);
  if (languageGiven !== undefined && onlyOneChoseLanguage(known, profile))
    names.push('preferredLanguageGiven');
  return names;
}

/** The names as clients of SCIM see them: `name.familyName`, and attributes of an extension behind the URN of their schema. */
function profileDifferences(
  known: UserProfile,
  given: UserProfile,
  registered: ExtensionSchemas | undefined,
): string[] {
  return changedAttributes(known, withVerified(known, given)).flatMap((name) => {
    if (name === 'name') return differingNames(known.name, given.name).map((part) => `name.${part}`);
    if (name !== 'extensions') return [name];
    const keys = new Set(differingNames(known.extensions ?? {}, given.extensions ?? {}));
    const named = registered?.schemas.flatMap(({ id, attributes }) =>
      attributes.filter(({ key }) => keys.has(key)).map((attribute) => `${id}:${attribute.name}`),
    );
    // Values of attributes that were removed have no name.
    return named?.length ? named : [name];
  });
}

/**
 * The profile of the record, with addresses and numbers verified where the stored ones are. Where the record does not say `verified`, the
 * stored flag stays.
 */
export function withVerified(known: UserProfile, profile: UserProfile): UserProfile {
  return {
    ...profile,
    emails: verifiedAs(known.emails, profile.emails),
    ...(profile.phoneNumbers && {
      phoneNumbers: verifiedAs(known.phoneNumbers ?? [], profile.phoneNumbers),
    }),
  };
}

function verifiedAs(known: readonly MultiValue[], values: readonly MultiValue[]): MultiValue[] {
  return values.map((value) => {
    if (value.verified === true) return value;
    const twin = known.find((candidate) => candidate.value === value.value);
    if (twin === undefined) return value;
    const { verified: _said, ...rest } = value;
    return twin.verified === undefined ? rest : { ...rest, verified: twin.verified };
  });
}

/**
 * Whether the user has this hash, or the import that gave the user its password had it: a login may have replaced it since. Without a
 * note about that import, any hash of this service may have replaced it.
 */
export function hasHash(
  { hashFingerprints }: Pick<CompareDeps, 'hashFingerprints'>,
  account: Account,
  given: string,
): boolean {
  const { user, password, importedCredentials } = account;
  if (password === undefined) return false;
  if (password.hash === given) return true;
  const imported = importedCredentials?.password;
  if (imported !== undefined && isSameTime(imported, password.changed)) {
    const passwordHash = importedCredentials?.passwordHash;
    const isOfImport = passwordHash !== undefined && hashFingerprints.matches(passwordHash, user.id, given);
    if (isOfImport !== undefined) return isOfImport;
  }
  return password.hash.startsWith('$argon2id$') && costOf(password.hash) !== costOf(given);
}

/** The algorithm and the cost of argon2: the part of the hash before the salt. */
function costOf(hash: string): string {
  return hash.split('$').slice(0, 4).join('$');
}

/** Whether the second factor of the user has this secret. */
export function hasSecret(
  { totpSealer }: Pick<CompareDeps, 'totpSealer'>,
  { user, totp }: Account,
  secret: Buffer,
): boolean {
  return totp !== undefined && unsealTotpSecret(totpSealer, user.id, totp.sealed)?.equals(secret) === true;
}
