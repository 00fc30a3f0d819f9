import { fromHex } from './bytes.js';
import type { HashFormat } from './hash-format.js';
import { saltedHexDigest } from './hex-digest.format.js';
import { nodeCost, readScrypt } from './scrypt.format.js';

/** The hexadecimal digits of keys, and of salts, that applications make. */
const keyDigits = [64, 128];
const saltDigits = [16, 32, 64];

/**
 * `crypto.scrypt` of Node.js with its defaults, as applications write it: `KEY.SALT` or `SALT.KEY`, in hexadecimal. The longer part is the key.
 * The salt is hashed as it is written.
 */
export const nodeScrypt: HashFormat = (text) => {
  const [, first = '', second = ''] = /^([0-9a-f]{16,128})\.([0-9a-f]{16,128})$/i.exec(text) ?? [];
  return readPair(first, second);
};

/**
 * The same with a colon. A key is as long as a digest of SHA-256 or SHA-512, so `KEY:SALT` may also be a digest and its salt. The text does
 * not say which, so all are compared. Better Auth's `SALT:KEY` is read before.
 */
export const nodeScryptPair: HashFormat = (text, readInner) => {
  const [, first = '', second = ''] = /^([0-9a-f]{16,128}):([0-9a-f]{16,128})$/i.exec(text) ?? [];
  const scrypt = readPair(first, second);
  const digest = saltedHexDigest(text, readInner);
  if (typeof scrypt !== 'object' || typeof digest !== 'object') return scrypt;
  return {
    ...scrypt,
    text: digest.text,
    milliseconds: scrypt.milliseconds + digest.milliseconds,
    matches: (password) => [scrypt, digest].map((one) => one.matches?.(password)).includes(true),
  };
};

function readPair(first: string, second: string) {
  const [key, salt] = first.length > second.length ? [first, second] : [second, first];
  if (first.length === second.length || !keyDigits.includes(key.length) || !saltDigits.includes(salt.length))
    return undefined;
  return readScrypt(nodeCost, Buffer.from(salt), fromHex(key));
}
