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
  const expected = Buffer.from(digits, 'hex');
  return {
    text: `${digits.toLowerCase()}:${salt}`,
    milliseconds: 1,
    matches(password) {
      const after = isSame(hash(name, `${password}${salt}`, 'buffer'), expected);
      const before = isSame(hash(name, `${salt}${password}`, 'buffer'), expected);
      return after || before;
    },
  };
};
