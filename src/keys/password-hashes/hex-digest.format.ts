import { hash } from 'node:crypto';
import { fromHex, isSame } from './bytes.js';
import { readDigest } from './digest.format.js';
import type { HashFormat } from './hash-format.js';

/** The digest with so many hexadecimal digits. */
const namesByDigits: Readonly<Record<number, string>> = {
  32: 'md5',
  40: 'sha1',
  56: 'sha224',
  64: 'sha256',
  96: 'sha384',
  128: 'sha512',
};

/**
 * A digest in hexadecimal alone, as old applications and ZITADEL's `md5plain` have it. Its length says which digest it is. MySQL and
 * others write capital letters.
 */
export const hexDigest: HashFormat = (text) => {
  const name = namesByDigits[text.length];
  return name === undefined ? undefined : readDigest({ name, tag: fromHex(text) });
};

/**
 * A digest in hexadecimal, a colon and the salt. Joomla hashes the password and then the salt, osCommerce and Magento the salt and then
 * the password. The text does not say which, so both are compared. Magento 2 adds `:0` for MD5 and `:1` for SHA-256.
 */
export const saltedHexDigest: HashFormat = (text) => {
  const found = /^([0-9a-f]{32,128}):([^:\s]{1,128})(?::[01])?$/i.exec(text);
  const [, digits = '', salt = ''] = found ?? [];
  const name = namesByDigits[digits.length];
  if (found === null || name === undefined) return undefined;
  const matches = saltedMatch(digits, salt);
  return { text: `${digits.toLowerCase()}:${salt}`, milliseconds: 1, matches };
};

/**
 * `md5_salted` and `sha256_salted` of Clerk: the salt, a dollar sign and the digest in hexadecimal. Its older clients describe SHA-256 with the
 * digest first. No page says where the salt is hashed, so both places are compared.
 */
export const clerkSaltedDigest: HashFormat = (text) => {
  const [, first = '', second = ''] = /^([^$:\s]{1,128})\$([^$:\s]{1,128})$/.exec(text) ?? [];
  const isMd5 = /^[0-9a-f]{32}$/i.test(second);
  const isSha256 = (part: string) => /^[0-9a-f]{64}$/i.test(part);
  const roles = [
    ...(isMd5 || isSha256(second) ? [saltedMatch(second, first)] : []),
    ...(isSha256(first) ? [saltedMatch(first, second)] : []),
  ];
  if (roles.length === 0) return undefined;
  return {
    text,
    milliseconds: 1,
    matches: (password) => roles.map((role) => role(password)).includes(true),
  };
};

/** Compares a digest with those of the password and the salt in both orders. The digits say by their number which digest it is. */
function saltedMatch(digits: string, salt: string): (password: string) => boolean {
  const name = namesByDigits[digits.length] ?? '';
  const expected = Buffer.from(digits, 'hex');
  return (password) => {
    const after = isSame(hash(name, `${password}${salt}`, 'buffer'), expected);
    const before = isSame(hash(name, `${salt}${password}`, 'buffer'), expected);
    return after || before;
  };
}
