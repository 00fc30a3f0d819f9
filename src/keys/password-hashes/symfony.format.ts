import { hash } from 'node:crypto';
import { fromBase64, fromHexOrBase64, isSame, toBase64 } from './bytes.js';
import type { HashFormat } from './hash-format.js';

/** The bytes of a digest. */
const digestBytes: Readonly<Record<string, number>> = {
  md5: 16,
  sha1: 20,
  sha256: 32,
  sha384: 48,
  sha512: 64,
};
const mostRounds = 1_000_000;

/**
 * Symfony's message digest, which FOSUserBundle uses: `$symfony-sha512$i=5000$SALT$TAG`. Symfony keeps the salt in a column of its own, as
 * plain text, and the number of rounds in its configuration. The form is our own. The salt is in base64 here, and the tag in base64 or
 * hexadecimal. Each round hashes the previous digest, the password and the salt in braces.
 */
export const symfonyDigest: HashFormat = (text) => {
  const found =
    /^\$symfony-(md5|sha1|sha256|sha384|sha512)\$i=(\d{1,9})\$([A-Za-z0-9+/]*=*)\$([A-Za-z0-9+/]+=*)$/.exec(
      text,
    );
  if (found === null) return undefined;
  const [, name = '', given, encoded = '', tag = ''] = found;
  const length = digestBytes[name] ?? 0;
  const expected = fromHexOrBase64(tag, { least: length, most: length });
  const salt = encoded === '' ? Buffer.alloc(0) : fromBase64(encoded);
  if (expected === undefined || salt === undefined) return undefined;
  const rounds = Number(given);
  if (rounds < 1 || rounds > mostRounds) return 'costOutOfBounds';
  return {
    text: `$symfony-${name}$i=${rounds}$${toBase64(salt)}$${toBase64(expected)}`,
    milliseconds: 1 + rounds * 0.002,
    matches(password) {
      const salted = Buffer.from(salt.length === 0 ? password : `${password}{${salt}}`);
      let state = hash(name, salted, 'buffer');
      for (let round = 1; round < rounds; round++)
        state = hash(name, Buffer.concat([state, salted]), 'buffer');
      return isSame(state, expected);
    },
  };
};

/** `sha512_symfony` of Clerk: `sha512_symfony$ITERATIONS$SALT$TAG`, with the salt as plain text. */
export const clerkSymfony: HashFormat = (text, readInner) => {
  const found = /^sha512_symfony\$(\d{1,9})\$([^$]{0,256})\$([A-Za-z0-9+/]+=*)$/.exec(text);
  const [, rounds, salt = '', tag] = found ?? [];
  return found === null ? undefined : readInner(`$symfony-sha512$i=${rounds}$${toBase64(salt)}$${tag}`);
};
