import { hash } from 'node:crypto';
import { fromBase64, fromHex, isSame } from './bytes.js';
import type { HashFormat, HashReading } from './hash-format.js';
import { readPbkdf2 } from './pbkdf2.format.js';

/**
 * MediaWiki's `user_password`: `:pbkdf2:sha512:30000:64:SALT:KEY`, `:argon2:$argon2id$…`, `:bcrypt:9$SALT$TAG`, and of old versions `:B:SALT:DIGEST` and
 * `:A:DIGEST`. Hashes in layers (`:pbkdf2-legacyB:`) are not taken.
 */
export const mediaWiki: HashFormat = (text, readInner) => {
  const [, name = '', rest = ''] = /^:(pbkdf2|argon2|bcrypt|A|B):(.+)$/s.exec(text) ?? [];
  if (name === 'pbkdf2') return readKey(rest);
  if (name === 'argon2') return rest.startsWith('$argon2') ? readInner(rest) : undefined;
  if (name === 'bcrypt') return readBcrypt(rest, readInner);
  if (name === 'A' && fromHex(rest)?.length === 16) return readInner(rest);
  // A text of the second form under the name of the first one is taken there too (`MWOldPassword`).
  return name === '' ? undefined : readTwofold(rest);
};

function readKey(text: string): HashReading {
  const found =
    /^(sha1|sha224|sha256|sha384|sha512):(\d{1,9}):(\d{1,3}):([A-Za-z0-9+/]*=*):([A-Za-z0-9+/]+=*)$/.exec(
      text,
    );
  const [, digest = '', iterations, length, salt = '', encoded = ''] = found ?? [];
  const key = fromBase64(encoded);
  if (found === null || key?.length !== Number(length)) return undefined;
  return readPbkdf2({ digest, iterations: Number(iterations), salt: fromBase64(salt), key });
}

function readBcrypt(text: string, readInner: (text: string) => HashReading): HashReading {
  const found = /^(\d{1,2})\$([./A-Za-z0-9]{22})\$([./A-Za-z0-9]{31})$/.exec(text);
  const [, cost = '', salt, tag] = found ?? [];
  return found === null ? undefined : readInner(`$2y$${cost.padStart(2, '0')}$${salt}${tag}`);
}

/** MD5 of the salt, a hyphen, and the MD5 of the password in hexadecimal. */
function readTwofold(text: string): HashReading {
  const found = /^([^:\s]{1,128}):([0-9a-f]{32})$/.exec(text);
  const [, salt = '', digits = ''] = found ?? [];
  const expected = fromHex(digits);
  if (found === null || expected === undefined) return undefined;
  return {
    text: `:B:${salt}:${digits}`,
    milliseconds: 1,
    matches: (password) => isSame(hash('md5', `${salt}-${hash('md5', password)}`, 'buffer'), expected),
  };
}
