import { fromBase32 } from '#src/directory/sign-in/second-factor/totp.js';
import { requireLanguageTag } from '#src/directory/users/value-rules.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { requireHash, requireId, toldByImport } from '../check-item.js';
import type { ConvertedPerson } from '../people-format.js';
import { type KnownNames, personNames } from '../person-names.js';
import { ConversionError } from '../read-fields.js';
import { datesOf, type SourceDates } from './dates.js';

type User = HumanUserRecord['user'];

/** What a system says about a person. Absent values stay absent. */
export interface PersonParts extends SourceDates {
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
  /** In any form of docs/password-hashes.md. */
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
export function makePerson(system: string, parts: PersonParts): ConvertedPerson {
  const { id, names, email, phone, hash, otpSecret } = parts;
  const userName = parts.userNames.find((name) => name !== undefined);
  if (userName === undefined)
    throw new ConversionError(`not a user of ${system}: it has no name to sign in with`);
  const notes = [...(parts.notes ?? [])];
  const dates = datesOf(parts, notes);
  const { passwordChangeRequired } = parts;
  const scim = present({ ...parts.scim, active: parts.active });
  const user: User = {
    userName,
    ...dates,
    profile: { ...personNames(names), ...languageOf(parts.language, notes) },
    ...(email !== undefined && { email: { email, isEmailVerified: parts.emailVerified === true } }),
    ...(phone !== undefined && { phone: { phone, isPhoneVerified: parts.phoneVerified === true } }),
    ...(hash !== undefined && { hashedPassword: { value: requireHash(hash) } }),
    ...(hash !== undefined && passwordChangeRequired !== undefined && { passwordChangeRequired }),
    ...(otpSecret !== undefined && otpCode(otpSecret, notes)),
    ...(Object.keys(scim).length > 0 && { scim }),
  };
  return { record: { ...(id !== undefined && { userId: requireId(id) }), user }, notes };
}

/** The members that have a value. */
export function present(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

function languageOf(tag: string | undefined, notes: string[]): { preferredLanguage?: string } {
  if (tag === undefined) return {};
  try {
    return { preferredLanguage: requireLanguageTag('preferredLanguage', tag.replaceAll('_', '-')) };
  } catch {
    notes.push('the language is not a language tag; left out');
    return {};
  }
}

function otpCode(secret: string, notes: string[]): { otpCode?: string } {
  const text = secret.replaceAll(/[\s=]/g, '').toUpperCase();
  if (fromBase32(text) !== undefined) return { otpCode: text };
  notes.push(`the authenticator app is left out; ${toldByImport('OTP-UNREADABLE')}`);
  return {};
}
