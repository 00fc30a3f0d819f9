import { hash } from 'node:crypto';
import { fromHex, isSame } from './bytes.js';
import type { HashFormat } from './hash-format.js';
import { md5StateAfter } from './primitives/md5-block.js';

const blockBytes = 64;

/**
 * Dovecot's `{CRAM-MD5}`: the states of an HMAC (RFC 2104) with MD5 after its outer and its inner key, in hexadecimal. They let a server
 * check answers of CRAM-MD5 (RFC 2195) without the password.
 */
export const cramMd5: HashFormat = (text) => {
  const [, digits = ''] = /^\{(?:HMAC-MD5|CRAM-MD5)\}([0-9a-f]{64})$/i.exec(text) ?? [];
  const expected = fromHex(digits);
  if (expected === undefined) return undefined;
  return {
    text: `{CRAM-MD5}${digits.toLowerCase()}`,
    milliseconds: 1,
    matches(password) {
      const given = Buffer.from(password);
      const key = Buffer.alloc(blockBytes);
      (given.length > blockBytes ? hash('md5', given, 'buffer') : given).copy(key);
      const states = [0x5c, 0x36].map((pad) => md5StateAfter(Buffer.from(key.map((byte) => byte ^ pad))));
      return isSame(Buffer.concat(states), expected);
    },
  };
};
