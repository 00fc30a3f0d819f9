import { requireEmail, requireText, requireUserName } from '#src/directory/users/value-rules.js';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { AppError } from '#src/platform/errors.js';
import type { HumanUserRecord } from '../format/human-user.record.js';
import { importCodes } from '../import/sections/import-codes.js';
import { ConversionError } from './read-fields.js';

/**
 * Checks a user by those rules of the import that inputs often break, so that the conversion reports the problem.
 * @throws ConversionError
 */
export function checkItem({ user }: HumanUserRecord): void {
  const { profile = {}, email, phone } = user;
  try {
    requireUserName(user.userName);
    if (email?.email !== undefined) requireEmail(email.email);
    if (profile.firstName !== undefined) requireText('name.givenName', profile.firstName);
    if (profile.lastName !== undefined) requireText('name.familyName', profile.lastName);
    if (phone?.phone !== undefined) requireText('phoneNumbers.value', phone.phone);
    if (profile.nickName !== undefined) requireText('nickName', profile.nickName);
    if (profile.displayName !== undefined) requireText('displayName', profile.displayName);
  } catch (error) {
    throw error instanceof AppError ? new ConversionError(error.message) : error;
  }
}

/** @throws ConversionError when it cannot be the identifier of a user */
export function requireId(id: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(id)) return id;
  throw new ConversionError('the identifier is not 1 to 200 visible ASCII characters');
}

/** Returns the hash in the form that is stored, if an import accepts it. @throws ConversionError */
export function requireHash(text: string): string {
  const found = readPasswordHash(text);
  if (found === undefined) throw new ConversionError(toldByImport('HASH-UNREADABLE'));
  if (found === 'costOutOfBounds') throw new ConversionError(toldByImport('HASH-COST'));
  return found.text;
}

/** Returns the text with which an import reports the same problem. */
export function toldByImport(code: keyof typeof importCodes): string {
  return `${code}: ${importCodes[code]}`;
}

/** @throws ConversionError when the import would refuse the person */
export function checkPerson(record: HumanUserRecord): void {
  checkItem(record);
  const { password, hashedPassword, email } = record.user;
  if (password === undefined && hashedPassword === undefined && email?.isEmailVerified !== true) {
    throw new ConversionError(toldByImport('HASH-MISSING'));
  }
}
