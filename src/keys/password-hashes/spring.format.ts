import { hash } from 'node:crypto';
import { fromBase64, fromHex, isSame } from './bytes.js';
import { readDigest } from './digest.format.js';
import type { HashFormat } from './hash-format.js';
import { readPbkdf2 } from './pbkdf2.format.js';
import { readScrypt } from './scrypt.format.js';

/** What the encoders of Spring Security do not write into their hashes (`PasswordEncoderFactories`). */
const pbkdf2Kinds: Readonly<Record<string, { digest: string; iterations: number; saltBytes: number }>> = {
  '': { digest: 'sha1', iterations: 185_000, saltBytes: 8 },
  '@SpringSecurity_v5_8': { digest: 'sha256', iterations: 310_000, saltBytes: 16 },
};

/** Spring Security's `{pbkdf2}` and `{pbkdf2@SpringSecurity_v5_8}`: the salt and 32 bytes of key in hexadecimal. */
export const springPbkdf2: HashFormat = (text) => {
  const found = /^\{pbkdf2(@SpringSecurity_v5_8)?\}([0-9a-f]{80,96})$/i.exec(text);
  if (found === null) return undefined;
  const [, version = '', digits = ''] = found;
  const { digest, iterations, saltBytes } = pbkdf2Kinds[
    version && '@SpringSecurity_v5_8'
  ] as (typeof pbkdf2Kinds)[''];
  const bytes = fromHex(digits);
  if (bytes?.length !== saltBytes + 32) return undefined;
  return readPbkdf2({
    digest,
    iterations,
    salt: bytes.subarray(0, saltBytes),
    key: bytes.subarray(saltBytes),
  });
};

/** Spring Security's `{scrypt}` and `{scrypt@SpringSecurity_v5_8}`: `$e0801$SALT$KEY`, with log2 of N, r and p in hexadecimal. */
export const springScrypt: HashFormat = (text) => {
  const found =
    /^(?:\{scrypt(?:@SpringSecurity_v\d{1,2}_\d{1,2})?\})?\$([0-9a-f]{1,2})([0-9a-f]{2})([0-9a-f]{2})\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/i.exec(
      text,
    );
  if (found === null) return undefined;
  const [ln = 0, r = 0, p = 0] = found.slice(1, 4).map((digits) => Number.parseInt(digits, 16));
  return readScrypt({ ln, r, p }, fromBase64(found[4] ?? ''), fromBase64(found[5] ?? ''));
};

const standardRounds = 1_024;

/** Spring Security's `{sha256}` (`StandardPasswordEncoder`): 8 bytes of salt and 1,024 rounds of SHA-256, in hexadecimal. */
export const springSha256: HashFormat = (text) => {
  const [, digits = ''] = /^\{sha256\}([0-9a-f]{80})$/i.exec(text) ?? [];
  const bytes = fromHex(digits);
  if (bytes === undefined) return undefined;
  const [salt, expected] = [bytes.subarray(0, 8), bytes.subarray(8)];
  return {
    text: `{sha256}${digits.toLowerCase()}`,
    milliseconds: 2,
    matches(password) {
      let state = Buffer.concat([salt, Buffer.from(password)]);
      for (let round = 0; round < standardRounds; round++) state = hash('sha256', state, 'buffer');
      return isSame(state, expected);
    },
  };
};

const digestNames: Readonly<Record<string, string>> = {
  MD4: 'md4',
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
};

/** Spring Security's `{MD5}{SALT}DIGEST` and so on, in hexadecimal. The salt is hashed after the password, with its braces. */
export const springDigest: HashFormat = (text) => {
  const found = /^\{(MD4|MD5|SHA-1|SHA-256)\}(\{[^{}]{0,256}\})?([0-9a-f]{32,64})$/i.exec(text);
  if (found === null) return undefined;
  const [, scheme = '', salt, digits = ''] = found;
  const name = digestNames[scheme.toUpperCase()] ?? '';
  const tag = fromHex(digits);
  if (salt === undefined) return readDigest({ name, tag });
  return readDigest({ name, template: '{PASSWORD}{SALT}', salt: Buffer.from(salt), tag });
};
