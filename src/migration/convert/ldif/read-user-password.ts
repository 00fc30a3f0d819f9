import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import type { SourceRecord } from '../reading/source-record.js';
import { readAttributes } from './read-attributes.js';

interface UserPassword {
  readonly hash?: string;
  /** In plain text. */
  readonly clear?: string;
  /** Whether an administrator locked the account, and kept its hash for later. */
  readonly isLocked: boolean;
  readonly notes: readonly string[];
}

const clearScheme = /^\{(?:CLEAR|CLEARTEXT|PLAIN)\}/i;
/** Another server has the password, or nobody has one. */
const elsewhere = /^\{(?:SASL|KERBEROS|X-FIPS|UNIX)\}/i;
/** What crypt(3) can never return locks the password. */
const locked = /^(?:\{CRYPT\}(?:[!*].*|x)?|!+\{.*)$/is;
/** `usermod -L` puts a mark before the hash. Administrators do the same to hashes of other schemes. */
const lockedHash = /^(?:\{CRYPT\}!+[^!]|!+\{)/i;

/**
 * Takes `userPassword` (RFC 2307 section 5.3). If it has several values, the first hash that an import takes counts.
 */
export function readUserPassword(source: SourceRecord): UserPassword {
  const given = readAttributes(source).all('userpassword');
  const values = given.filter((value) => !locked.test(value) && !elsewhere.test(value));
  const isLocked = given.some((value) => lockedHash.test(value));
  const [first] = values;
  if (first === undefined) {
    if (given.length === 0) return { isLocked, notes: [] };
    source.loseAlso('userpassword');
    const why = given.some((value) => locked.test(value)) ? 'is locked' : 'is on another server';
    return { isLocked, notes: [`the password ${why}; the user sets one at the first login`] };
  }
  if (given.length > 1) source.loseAlso('userpassword');
  const hash = values.find((value) => typeof readPasswordHash(value) === 'object');
  if (hash !== undefined) return { hash, isLocked, notes: [] };
  const isClear = !/^\{[^}]+\}/.test(first) || clearScheme.test(first);
  // The mapping refuses the hash, or leaves it out.
  if (!isClear) return { hash: first, isLocked, notes: [] };
  return { clear: first.replace(clearScheme, ''), isLocked, notes: [] };
}
