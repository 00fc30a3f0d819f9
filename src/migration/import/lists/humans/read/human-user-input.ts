import { fromBase32, mayBePassword } from '#src/accounts/index.js';
import {
  type Organization,
  type PersonName,
  passwordsAreOff,
  policyOf,
  type UserProfile,
  type UserProfileInput,
} from '#src/directory/index.js';
import { clearPasswordIn } from '#src/keys/password-hashes/clear-password.js';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { assumedLanguage, madeDisplayName, normalizeProfile } from '#src/people/users/index.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { createShapeCheck } from '../../../../format/check-shape.js';
import {
  type HumanUserRecord,
  humanUserRecord,
  plainAttributes,
} from '../../../../format/human-user.record.js';
import { importedGender } from '../../../../format/imported-gender.js';
import { RecordFailure } from '../../section/record-failure.js';
import type { CredentialRules, SectionContext } from '../../section/section.js';
import { type ImportedDates, importedDates } from '../../shared/imported-dates.js';
import { importedValues, requireAllValues } from '../../shared/imported-extensions.js';
import { withoutUnassigned } from '../../shared/without-unassigned.js';

/** A record of `humanUsers`, checked and in the form of the directory. */
export interface HumanUserInput {
  /** Undefined if the import generates it. */
  readonly id: string | undefined;
  readonly profile: UserProfile;
  /** What the record gives of the profile, before the rules of the directory. */
  readonly given: UserProfileInput;
  /** The record as it is in the file. It tells unassigned attributes from those that the file does not mention. */
  readonly record: unknown;
  /** Whether the record says that somebody chose its language `en`. Undefined if it does not say, or has another language. */
  readonly languageGiven?: boolean | undefined;
  /** In plain text. */
  readonly password?: string;
  /** In a form that `readPasswordHash` reads. */
  readonly hash?: string;
  /** What the record has and is left out: a hash that cannot be read, or a password that no sign-in takes. */
  readonly dropped?: 'hashedPassword' | 'password';
  /** Absent if the record does not say. */
  readonly passwordChangeRequired?: boolean;
  readonly totpSecret?: Buffer;
  /** Hashes of the recovery codes of the second factor. */
  readonly recovery?: readonly string[];
  readonly dates: ImportedDates;
}

/** What an organization says about its users. */
export type RulesOfUsers = Pick<
  Organization,
  'passwordPolicy' | 'signInPolicy' | 'extensionSchemas' | 'uniqueExternalId' | 'migrationHook'
> &
  Partial<Pick<Organization, 'domains'>>;

const check = createShapeCheck(humanUserRecord);

/**
 * Reads one record as strictly as SCIM reads a user. It does not check the password policy, and not what only a new user needs:
 * see {@link requireComplete}.
 * @param organization whose attributes and rules count; undefined if it does not exist
 * @throws RecordFailure, and AppError of the directory's rules
 */
export function readHumanUser(
  given: unknown,
  {
    now,
    unreadableHashes,
    isConfined = false,
    compared,
  }: Pick<SectionContext, 'now' | 'unreadableHashes'> &
    Partial<Pick<SectionContext, 'isConfined' | 'compared'>>,
  organization: RulesOfUsers | undefined,
): HumanUserInput {
  const checked = check(withoutUnassigned(given));
  // An empty hash is unassigned, so the shape does not find it.
  const drops = unreadableHashes === 'drop';
  const isEmptyHash = hasEmptyHash(given);
  if (isEmptyHash && !drops) throw new RecordFailure('HASH-MISSING', 'hashedPassword has no value');
  if ('fault' in checked) throw new RecordFailure('RECORD-INVALID', checked.fault);
  const { userId, user } = checked.record;
  const { otpCode, otpRecoveryCodes, passwordChangeRequired } = user;
  const stated = passwordOf(user, { isEmptyHash, drops });
  // A verification compares what there is.
  const isRefused =
    compared === undefined && passwordsAreOff(policyOf(organization?.signInPolicy, userId ?? ''), now);
  const credential = isRefused ? withoutPassword(stated, drops) : stated;
  const profile = toProfile(user, organization);
  if (isConfined) {
    if (profile.emails) profile.emails = withoutProofs(profile.emails, organization?.domains);
    // Nobody verifies numbers here, so there is no number of which an organization could know.
    if (profile.phoneNumbers) profile.phoneNumbers = withoutProofs(profile.phoneNumbers);
  }
  const isAssumable = user.profile?.preferredLanguage === assumedLanguage;
  const languageGiven = isAssumable ? user.scim?.preferredLanguageGiven : undefined;
  return {
    id: userId,
    profile: normalizeProfile(profile, organization),
    given: profile,
    record: given,
    dates: importedDates(user, now),
    languageGiven,
    ...(passwordChangeRequired !== undefined && { passwordChangeRequired }),
    ...credential,
    ...(otpCode !== undefined && { totpSecret: requireTotpSecret(otpCode) }),
    // The hashes are of the identifier. Under another one, no code would work.
    ...(userId !== undefined && otpRecoveryCodes !== undefined && { recovery: otpRecoveryCodes }),
  };
}

/**
 * Requires what a new user needs and a stored user has already: the required attributes of the organization and, from another identity
 * provider, a way to sign in.
 * @throws RecordFailure
 */
export function requireComplete(
  { profile, password, hash }: HumanUserInput,
  context: Pick<SectionContext, 'form' | keyof CredentialRules>,
  organization: RulesOfUsers | undefined,
): void {
  requireAllValues(profile.extensions, organization?.extensionSchemas);
  const hasPassword = password !== undefined || hash !== undefined;
  if (context.form !== 'external' || hasPassword || isReachable(profile) || !profile.active) return;
  if (!allowsWithoutCredentials(context, organization)) throw new RecordFailure('HASH-MISSING');
}

/** Whether a link may go to the first address. */
export function isReachable({ emails }: Pick<UserProfile, 'emails'>): boolean {
  return emails.some(({ primary, verified }) => primary && verified !== false);
}

/** Whether active people may have neither a password nor a verified address. */
function allowsWithoutCredentials(
  { unreadableHashes, withoutCredentials }: CredentialRules,
  organization: RulesOfUsers | undefined,
): boolean {
  if (withoutCredentials !== undefined) return withoutCredentials === 'allow';
  return unreadableHashes === 'drop' || Boolean(organization?.migrationHook);
}

/** The identifier of a record that cannot be read; empty if it has none. */
export function idOfHumanUser(given: unknown): string {
  const id = isJsonObject(given) ? given['userId'] : undefined;
  return typeof id === 'string' ? id.slice(0, 200) : '';
}

function hasEmptyHash(given: unknown): boolean {
  const user = isJsonObject(given) ? given['user'] : undefined;
  const hashed = isJsonObject(user) ? user['hashedPassword'] : undefined;
  return isJsonObject(hashed) && (hashed['value'] ?? '') === '';
}

/** What a record says of the password. A credential that no sign-in could compare is left out on request. @throws RecordFailure */
function passwordOf(
  { password, hashedPassword }: Pick<HumanUserRecord['user'], 'password' | 'hashedPassword'>,
  { isEmptyHash, drops }: { isEmptyHash: boolean; drops: boolean },
): Pick<HumanUserInput, 'password' | 'hash' | 'dropped'> {
  const isTooLong = drops && password !== undefined && !mayBePassword(password);
  if (password !== undefined && !isTooLong && hashedPassword !== undefined)
    throw new RecordFailure('PASSWORD-TWICE');
  // `{noop}secret` of Spring Security is a password in plain text like any other.
  const clear = hashedPassword && clearPasswordIn(hashedPassword.value);
  const plain = clear ?? (isTooLong ? undefined : password);
  if (plain !== undefined)
    return drops && !mayBePassword(plain) ? { dropped: 'password' } : { password: plain };
  const hash = hashedPassword && usableHash(hashedPassword.value, drops);
  if (isTooLong) return { ...(hash !== undefined && { hash }), dropped: 'password' };
  if (hash !== undefined) return { hash };
  return isEmptyHash || hashedPassword !== undefined ? { dropped: 'hashedPassword' } : {};
}

/** What is left of a password where none signs in. @throws RecordFailure unless passwords are dropped */
function withoutPassword(
  stated: ReturnType<typeof passwordOf>,
  drops: boolean,
): Pick<HumanUserInput, 'dropped'> {
  if (stated.password === undefined && stated.hash === undefined) return stated;
  if (!drops) throw new RecordFailure('PASSWORDS-OFF');
  return { dropped: stated.password === undefined ? 'hashedPassword' : 'password' };
}

/** The hash as it is stored. Undefined for one that cannot be read, if it is dropped. @throws RecordFailure otherwise */
function usableHash(text: string, drops: boolean): string | undefined {
  const found = readPasswordHash(text);
  if (typeof found !== 'object' && drops) return undefined;
  if (found === undefined) throw new RecordFailure('HASH-UNREADABLE');
  if (found === 'costOutOfBounds') throw new RecordFailure('HASH-COST');
  return found.text;
}

function requireTotpSecret(text: string): Buffer {
  const secret = fromBase32(text);
  if (secret === undefined) throw new RecordFailure('OTP-UNREADABLE', undefined, 'human_user_otp');
  return secret;
}

function toProfile(
  { userName, profile = {}, email, phone, scim = {} }: HumanUserRecord['user'],
  organization: RulesOfUsers | undefined,
): UserProfileInput {
  const { firstName, lastName, nickName, displayName, preferredLanguage } = profile;
  const gender = importedGender(profile.gender) ?? scim.gender;
  const { displayNameGiven, formatted, middleName, honorificPrefix, honorificSuffix, ...others } = scim;
  const { emails, phoneNumbers, extensions = [], preferredLanguageGiven } = others;
  const ownValues = importedValues(extensions, organization?.extensionSchemas);
  // Filled step by step, because properties behind a spread cost a microsecond each.
  const name: PersonName = {};
  if (firstName !== undefined) name.givenName = firstName;
  if (lastName !== undefined) name.familyName = lastName;
  if (formatted !== undefined) name.formatted = formatted;
  if (middleName !== undefined) name.middleName = middleName;
  if (honorificPrefix !== undefined) name.honorificPrefix = honorificPrefix;
  if (honorificSuffix !== undefined) name.honorificSuffix = honorificSuffix;
  const given: UserProfileInput = { userName, name };
  const attributes: Record<string, unknown> = given;
  // What else a file has there must not become an attribute.
  for (const attribute of plainAttributes)
    if (others[attribute] !== undefined) attributes[attribute] = others[attribute];
  if (ownValues) given.extensions = ownValues;
  // Exports of all providers contain a displayName, also one that was made of the names.
  const isGiven = displayNameGiven === true || displayName !== madeDisplayName({ name, userName });
  if (displayName !== undefined && isGiven) given.displayName = displayName;
  if (nickName !== undefined) given.nickName = nickName;
  if (gender !== undefined) given.gender = gender;
  // Exports of this service contain the language, also one that was assumed.
  const isChosen = preferredLanguage !== assumedLanguage || preferredLanguageGiven;
  const language = isChosen ? preferredLanguage : undefined;
  if (language !== undefined) given.preferredLanguage = language;
  const allEmails = wholeOrOne(emails, email?.email, email?.isEmailVerified);
  if (allEmails !== undefined) given.emails = allEmails;
  const allNumbers = wholeOrOne(phoneNumbers, phone?.phone, phone?.isPhoneVerified);
  if (allNumbers !== undefined) given.phoneNumbers = allNumbers;
  return given;
}

/**
 * The addresses as an owner of the organization may say them. An address that somebody proved to own means this person in every
 * organization (docs/decisions/0016-whose-login-name.md). So only those in a verified domain of the organization count as proved. The others
 * are trusted as those of a provisioning client.
 */
function withoutProofs(
  values: NonNullable<UserProfileInput['emails']>,
  domains: readonly string[] = [],
): NonNullable<UserProfileInput['emails']> {
  return values.map((given) => {
    const domain = given.value.slice(given.value.lastIndexOf('@') + 1).toLowerCase();
    if (given.verified !== true || domains.includes(domain)) return given;
    const { verified: _said, ...others } = given;
    return others;
  });
}

/** The whole list of the record, or its single value. Undefined if it has neither. */
function wholeOrOne(
  whole: UserProfileInput['emails'],
  value: string | undefined,
  verified = false,
): UserProfileInput['emails'] {
  if (whole !== undefined) return whole;
  return value === undefined ? undefined : [{ value, primary: true, verified }];
}
