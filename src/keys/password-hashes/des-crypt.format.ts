import { cryptAlphabet, isSame } from './bytes.js';
import type { HashFormat } from './hash-format.js';
import { encrypt, roundKeys } from './primitives/des.js';

const mostRounds = 20_000;
/** The rounds of the oldest form. */
const usualRounds = 25;
/** The last of 11 characters has only 4 bits. */
const tag = '[./0-9A-Za-z]{10}[.26AEIMQUYcgkosw]';
/** LDAP servers and Dovecot put it before the hash. */
const scheme = /^\{(?:CRYPT|DES|DES-CRYPT)\}/i;
const plain = new RegExp(`^([./0-9A-Za-z]{2})(${tag})$`);
const extended = new RegExp(`^_([./0-9A-Za-z]{4})([./0-9A-Za-z]{4})(${tag})$`);

/** DES of crypt(3): 2 characters of salt, 11 of the result. It sees 7 bits of each of the first 8 bytes. */
export const desCrypt: HashFormat = (text) => {
  const found = plain.exec(text.replace(scheme, ''));
  if (found === null) return undefined;
  const [, salt = '', expected = ''] = found;
  return {
    text: `{CRYPT}${salt}${expected}`,
    milliseconds: 2,
    matches: (password) =>
      isSame(compute(keyOf(Buffer.from(password)), { salt: numberOf(salt), times: usualRounds }), expected),
  };
};

/** The extended form of BSDi: `_`, 4 characters for the rounds, 4 of salt, 11 of the result. It sees the whole password. */
export const bsdiCrypt: HashFormat = (text) => {
  const found = extended.exec(text.replace(scheme, ''));
  if (found === null) return undefined;
  const [, rounds = '', salt = '', expected = ''] = found;
  const times = numberOf(rounds);
  if (times < 1 || times > mostRounds) return 'costOutOfBounds';
  return {
    text: `{CRYPT}_${rounds}${salt}${expected}`,
    milliseconds: 1 + times * 0.12,
    matches(password) {
      const bytes = Buffer.from(password);
      let key = keyOf(bytes.subarray(0, 8));
      for (let at = 8; at < bytes.length; at += 8) {
        const mixed = encrypt(key, roundKeys(key), { salt: 0, times: 1 });
        const next = keyOf(bytes.subarray(at, at + 8));
        key = mixed.map((bit, index) => bit ^ (next[index] as number));
      }
      return isSame(compute(key, { salt: numberOf(salt), times }), expected);
    },
  };
};

function compute(key: Uint8Array, work: { salt: number; times: number }): string {
  const bits = [...encrypt(new Uint8Array(64), roundKeys(key), work), 0, 0];
  let text = '';
  for (let at = 0; at < bits.length; at += 6) {
    text += cryptAlphabet[bits.slice(at, at + 6).reduce((value, bit) => 2 * value + bit, 0)];
  }
  return text;
}

/** The 7 lowest bits of each of 8 bytes, each with a bit that counts for nothing. */
function keyOf(bytes: Uint8Array): Uint8Array {
  const bits = new Uint8Array(64);
  for (let index = 0; index < 64; index++) {
    bits[index] = index % 8 === 7 ? 0 : ((bytes[index >>> 3] ?? 0) >>> (6 - (index & 7))) & 1;
  }
  return bits;
}

/** Reads a number of which the first character has the lowest bits. */
function numberOf(text: string): number {
  return [...text].reduce((sum, one, index) => sum + cryptAlphabet.indexOf(one) * 64 ** index, 0);
}
