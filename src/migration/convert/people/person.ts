import { fromBase32 } from '#src/accounts/index.js';
import { AppError } from '#src/platform/errors.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import type { ConvertedPerson } from '../mapping/people-format.js';
import { importMessage, requireId, valueRules } from '../reading/check-item.js';
import { ConversionError } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';
import { datesOf, type SourceDates } from '../values/dates.js';
import { isLanguage, languageGiven, tagOf } from '../values/language.js';
import { type KnownNames, personNames } from '../values/person-names.js';

type User = HumanUserRecord['user'];

/** What a system says about a person. Absent values stay absent. */
interface PersonFields extends SourceDates {
  readonly id?: string | undefined;
  /** The first that is there becomes the userName. */
  readonly userNames: readonly (string | undefined)[];
  readonly names: KnownNames;
  readonly language?: string | undefined;
  readonly email?: string | undefined;
  readonly emailVerified?: boolean | undefined;
  readonly phone?: string | undefined;
  readonly phoneVerified?: boolean | undefined;
  /** Whether the person may sign in. Absent if the system does not say. An import that updates then changes nothing of it. */
  readonly active?: boolean | undefined;
  /** In any form of docs/password-hashes.md, or in plain text with a scheme such as `{noop}`. */
  readonly hash?: string | undefined;
  /** Absent if the system does not say. Counts only with a hash. */
  readonly passwordChangeRequired?: boolean | undefined;
  /** The secret of an authenticator app, in base32. */
  readonly otpSecret?: string | undefined;
  readonly scim?: Readonly<Record<string, unknown>>;
  readonly notes?: readonly string[];
}

/**
 * Puts the parts of a person into a record of an import.
 * @param system whose users are read, for the text of the error
 * @throws ConversionError
 */
export function makePerson(system: string, found: PersonFields): ConvertedPerson {
  const { id, names, email, phone, hash, otpSecret } = found;
  const userName = found.userNames.find((name) => name !== undefined);
  if (userName === undefined)
    throw new ConversionError('notPerson', { system, lacks: 'it has no name to sign in with' });
  const notes = [...(found.notes ?? [])];
  const dates = datesOf(found, notes);
  const { passwordChangeRequired } = found;
  const language = found.language === undefined ? undefined : tagOf(found.language);
  if (found.language !== undefined && language === undefined)
    notes.push('the language is not a language tag; left out');
  const scim = present({ ...found.scim, active: found.active, ...languageGiven(language) });
  const user: User = {
    userName,
    ...dates,
    profile: { ...personNames(names), ...(language !== undefined && { preferredLanguage: language }) },
    ...(email !== undefined && { email: { email, isEmailVerified: found.emailVerified === true } }),
    ...(phone !== undefined && { phone: { phone, isPhoneVerified: found.phoneVerified === true } }),
    ...(hash !== undefined && { hashedPassword: { value: hash } }),
    ...(hash !== undefined && passwordChangeRequired !== undefined && { passwordChangeRequired }),
    ...(otpSecret !== undefined && otpCode(otpSecret, notes)),
    ...(Object.keys(scim).length > 0 && { scim }),
  };
  return {
    record: { ...(id !== undefined && { userId: requireId(id) }), user },
    notes,
    fullName: names.full,
  };
}

/** Takes a language, and returns it. What is no language tag stays, so that it is lost. */
export function takeLanguage(source: SourceRecord, ...path: readonly string[]): string | undefined {
  const given = source.look(...path);
  const tag = typeof given === 'string' ? given.trim() : '';
  if (tag === '') return undefined;
  if (isLanguage(tag)) source.take(...path);
  return tag;
}

/**
 * Takes a value by a rule of the import, and returns it as it is stored. What breaks the rule stays, so that it is lost, and gets a note: the
 * person must not be lost for it.
 */
export function takeChecked(
  source: SourceRecord,
  { rule, path, notes }: { rule: keyof typeof valueRules; path: readonly string[]; notes: string[] },
): string | undefined {
  const given = source.look(...path);
  if (!isText(given)) return undefined;
  try {
    const value = valueRules[rule](given.trim());
    source.take(...path);
    return value;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    notes.push(`${error.message}; left out`);
    return undefined;
  }
}

/** Whether an item of a list says something. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** The members that have a value. */
export function present(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** Whether an import takes the secret of an authenticator app. */
export function isOtpSecret(secret: string): boolean {
  return fromBase32(plainBase32(secret)) !== undefined;
}

function plainBase32(secret: string): string {
  return secret.replaceAll(/[\s=]/g, '').toUpperCase();
}

function otpCode(secret: string, notes: string[]): { otpCode?: string } {
  if (isOtpSecret(secret)) return { otpCode: plainBase32(secret) };
  notes.push(`the authenticator app is left out; ${importMessage('OTP-UNREADABLE')}`);
  return {};
}
