import { randomBytes, scryptSync } from 'node:crypto';
import { mayBePassword } from '#src/accounts/index.js';
import { normalizedPassword } from '#src/keys/password-forms.js';
import { clearPasswordIn, isMask, saysNoPassword } from '#src/keys/password-hashes/clear-password.js';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { requireHash } from '../reading/check-item.js';
import { ConversionError } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';
import type { MappingRules } from './mapping-schema.js';
import type { DraftUser } from './targets.js';

/** The parameters of RFC 7914 section 2 that take about 16 MiB. A sign-in replaces the hash by argon2id. */
const [cost, blockSize] = [14, 8];

/** The path of a password in plain text that is left out. */
export const clearPath = '(password)';
/** The path of a password hash that is left out. */
export const hashPath = '(password hash)';

/**
 * Applies the rules for passwords and hashes to a user that is being made. What a rule leaves out is lost.
 * @throws ConversionError for a password or a hash that the rules refuse
 */
export function applyPasswordRules(user: DraftUser, rules: MappingRules, source: SourceRecord): void {
  leaveMasksOut(user, source);
  takeHashAsHash(user);
  if (user.hashedPassword !== undefined) applyToHash(user, rules, source);
  if (user.password !== undefined) applyToPassword(user, rules, source);
}

/** `****` is neither a password nor a hash. */
function leaveMasksOut(user: DraftUser, source: SourceRecord): void {
  if (isMask(user.password ?? '')) {
    source.loseAlso(clearPath);
    user.password = undefined;
  }
  if (isMask(user.hashedPassword?.value ?? '')) {
    source.loseAlso(hashPath);
    user.hashedPassword = undefined;
  }
  if (user.password === undefined && user.hashedPassword === undefined)
    user.passwordChangeRequired = undefined;
}

/**
 * A hash that names its form, such as `$2y$10$…`, is a hash also where a column has passwords in plain text. Whoever has the file could sign in
 * with it otherwise.
 */
function takeHashAsHash(user: DraftUser): void {
  const { password = '', hashedPassword } = user;
  if (hashedPassword !== undefined || !/^[${]/.test(password) || readPasswordHash(password) === undefined)
    return;
  user.password = undefined;
  user.hashedPassword = { value: password };
}

/** The hash as it is stored. Undefined for one that cannot be read, if a rule leaves it out. @throws ConversionError if none does */
export function usableHash(
  text: string,
  { unreadableHashes }: Pick<MappingRules, 'unreadableHashes'>,
): string | undefined {
  try {
    return requireHash(text);
  } catch (error) {
    if (unreadableHashes === 'drop' && error instanceof ConversionError) return undefined;
    throw error;
  }
}

function applyToHash(user: DraftUser, rules: MappingRules, source: SourceRecord): void {
  const given = user.hashedPassword?.value ?? '';
  if (saysNoPassword(given)) {
    user.hashedPassword = undefined;
    if (user.password === undefined) user.passwordChangeRequired = undefined;
    return;
  }
  // `{noop}secret` of Spring Security is a password in plain text like any other.
  const clear = clearPasswordIn(given);
  const value = clear === undefined ? usableHash(given, rules) : undefined;
  if (value === given) return;
  user.hashedPassword = value === undefined ? undefined : { value };
  if (clear !== undefined) {
    if (user.password !== undefined) throw new ConversionError('hashAndPassword');
    user.password = clear;
  } else if (value === undefined) {
    source.loseAlso(hashPath);
    if (user.password === undefined) user.passwordChangeRequired = undefined;
  }
}

function applyToPassword(user: DraftUser, rules: MappingRules, source: SourceRecord): void {
  const { password = '', hashedPassword } = user;
  const { clearPasswords: rule = 'check', unreadableHashes } = rules;
  if (rule === 'refuse') throw new ConversionError('clearPassword');
  if (hashedPassword !== undefined) throw new ConversionError('hashAndPassword');
  if (!mayBePassword(password)) {
    if (unreadableHashes !== 'drop') throw new ConversionError('longPassword');
    source.loseAlso(clearPath);
    user.password = undefined;
  } else if (rule === 'exempt') {
    user.password = undefined;
    user.hashedPassword = { value: hashOf(password) };
  }
}

function hashOf(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(normalizedPassword(password), salt, 32, { N: 2 ** cost, r: blockSize, p: 1 });
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$scrypt$ln=${cost},r=${blockSize},p=1$${text(salt)}$${text(key)}`;
}
