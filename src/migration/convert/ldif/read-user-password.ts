import { clearPasswordIn, hashText } from '#src/keys/password-hashes/clear-password.js';
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

/**
 * Forms of hashes without a scheme. In LDAP, a text without one is a password in plain text (RFC 4519 section 2.41), also if it looks like
 * a digest.
 */
const bareHash = /^(?:[./\w]{13}|_[./\w]{19}|[\da-f]{32,128}(?::.*)?)$/i;
/** Another server has the password, or nobody has one. */
const elsewhere = /^\{(?:SASL|KERBEROS|X-FIPS|UNIX)\}/i;
/** What crypt(3) can never return locks the password. */
const locked = /^(?:\{CRYPT\}(?:[!*].*|x)?|!+\{.*)$/is;
/** `usermod -L` puts a mark before the hash. Administrators do the same to hashes of other schemes. */
const lockedHash = /^(?:\{CRYPT\}!+[^!]|!+\{)/i;

function isHash(text: string): boolean {
  return !bareHash.test(text) && typeof readPasswordHash(text) === 'object';
}

/** A hash has no spaces at its ends. Those of a password in plain text belong to it. */
function textOfPassword(given: string): string {
  const text = given.trim();
  return /^\{[^}]+\}|^!+\{/.test(text) || isHash(text) ? hashText(given) : given;
}

/**
 * Takes `userPassword` (RFC 2307 section 5.3). If it has several values, the first hash that an import takes counts.
 */
export function readUserPassword(source: SourceRecord): UserPassword {
  const given = readAttributes(source).exact('userpassword').map(textOfPassword);
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
  const hash = values.find(isHash);
  if (hash !== undefined) return { hash, isLocked, notes: [] };
  const clear = clearPasswordIn(first) ?? (/^\{[^}]+\}/.test(first) ? undefined : first);
  // The mapping refuses the hash, or leaves it out.
  if (clear === undefined) return { hash: first, isLocked, notes: [] };
  return { clear, isLocked, notes: [] };
}
