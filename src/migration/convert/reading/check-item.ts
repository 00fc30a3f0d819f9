import {
  attributeRules,
  requireEmail,
  requireText,
  requireUrl,
  requireUserName,
  ruledAttributes,
} from '#src/directory/index.js';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { AppError } from '#src/platform/errors.js';
import { isDotSegment } from '#src/platform/path-segment.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { importCodes } from '../../import/lists/section/import-codes.js';
import { ConversionError, refusedBy } from './read-fields.js';

/** The rules of attributes whose values an import does not take as they are. Each returns the value as it is stored. */
export const valueRules = {
  ...attributeRules,
  photo: (text: string) => requireUrl('photos.value', text),
} as const;

/**
 * Checks a user by those rules of the import that inputs often break, so that the conversion reports the problem.
 * @throws ConversionError
 */
function checkItem({ user }: HumanUserRecord): void {
  const { profile = {}, email, phone, scim = {} } = user;
  try {
    requireUserName(user.userName);
    if (email?.email !== undefined) requireEmail(email.email);
    if (profile.firstName !== undefined) requireText('name.givenName', profile.firstName);
    if (profile.lastName !== undefined) requireText('name.familyName', profile.lastName);
    if (phone?.phone !== undefined) requireText('phoneNumbers.value', phone.phone);
    if (profile.nickName !== undefined) requireText('nickName', profile.nickName);
    if (profile.displayName !== undefined) requireText('displayName', profile.displayName);
    for (const name of ruledAttributes) if (scim[name] !== undefined) attributeRules[name](scim[name]);
  } catch (error) {
    throw error instanceof AppError ? refusedBy(error) : error;
  }
}

/** @throws ConversionError when it cannot be the identifier of a user */
export function requireId(id: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(id) && !isDotSegment(id)) return id;
  throw new ConversionError('identifier');
}

/** Returns the hash in the form that is stored, if an import accepts it. @throws ConversionError */
export function requireHash(text: string): string {
  const found = readPasswordHash(text);
  if (found === undefined)
    throw new ConversionError('hashUnreadable', { detail: importMessage('HASH-UNREADABLE') });
  if (found === 'costOutOfBounds')
    throw new ConversionError('hashCost', { detail: importMessage('HASH-COST') });
  return found.text;
}

/** Returns the text with which an import reports the same problem. */
export function importMessage(code: keyof typeof importCodes): string {
  return `${code}: ${importCodes[code]}`;
}

/** @throws ConversionError when the import would refuse the person */
export function checkPerson(record: HumanUserRecord, isAllowedWithoutCredentials: boolean): void {
  checkItem(record);
  if (!isAllowedWithoutCredentials && !canSignIn(record))
    throw new ConversionError('credentialsMissing', { detail: hashMissingMessage(record) });
}

/**
 * Whether the user of a record can sign in, or can set a password because the address is verified. Whoever is disabled needs neither.
 */
export function canSignIn({ user }: HumanUserRecord): boolean {
  const { email, password, hashedPassword, scim } = user;
  const hasPassword = password !== undefined || hashedPassword !== undefined;
  return hasPassword || email?.isEmailVerified === true || scim?.active === false;
}

/** Returns the text of `HASH-MISSING` with what a person can do about it. */
function hashMissingMessage({ user: { email } }: Pick<HumanUserRecord, 'user'>): string {
  const cure =
    email?.email === undefined
      ? 'Give the person an address for the link that sets a password, or take the person as it is with --without-credentials allow'
      : 'If the address is right, say so with --email-verified: the person then sets a password by a link. Otherwise --without-credentials allow takes the person as it is';
  return `${importMessage('HASH-MISSING')}. ${cure}`;
}
