import { createHash } from 'node:crypto';
import { cryptAlphabet, isSame, toPhpassText } from './bytes.js';
import type { HashFormat, HashReading } from './hash-format.js';

const leastLog2 = 7;
const mostLog2 = 20;

/** phpass (WordPress, phpBB): `$P$` or `$H$`, then one character for the rounds, 8 of salt and 22 of the MD5 digest. */
export const phpass: HashFormat = (text) => {
  const found = /^\$[PH]\$(.)([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/.exec(text);
  return found === null ? undefined : readRounds(text, found, 'md5', (password) => password);
};

/** Drupal 7: `$S$` like phpass, with SHA-512. `U$S$` is of a password that had been hashed by MD5 before. */
export const drupal: HashFormat = (text) => {
  const found = /^U?\$S\$(.)([./0-9A-Za-z]{8})([./0-9A-Za-z]{43})$/.exec(text);
  const prepare = text.startsWith('U')
    ? (password: string) => createHash('md5').update(password).digest('hex')
    : (password: string) => password;
  return found === null ? undefined : readRounds(text, found, 'sha512', prepare);
};

function readRounds(
  text: string,
  [, rounds = '', salt = '', tag = '']: RegExpExecArray,
  digest: 'md5' | 'sha512',
  prepare: (password: string) => string,
): HashReading {
  const log2 = cryptAlphabet.indexOf(rounds);
  if (log2 < 0) return undefined;
  if (log2 < leastLog2 || log2 > mostLog2) return 'costOutOfBounds';
  return {
    text,
    milliseconds: 2 ** log2 * 0.002,
    matches(password) {
      const given = Buffer.from(prepare(password));
      let state = createHash(digest).update(salt).update(given).digest();
      for (let round = 0; round < 2 ** log2; round++) {
        state = createHash(digest).update(state).update(given).digest();
      }
      return isSame(toPhpassText(state).slice(0, tag.length), tag);
    },
  };
}
