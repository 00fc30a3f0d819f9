import { createHash, createHmac } from 'node:crypto';
import { compareSync } from 'bcryptjs';
import type { HashFormat, HashReading } from './hash-format.js';

const pattern = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** bcrypt, with a cost of 4 to 15: `$2b$12$...`, also `$2a$` and `$2y$`. */
export const bcrypt: HashFormat = (text) => readBcrypt(text, text, (password) => password);

/**
 * passlib's form for passwords of any length: bcrypt of a digest. Version 2 is `$bcrypt-sha256$v=2,t=2b,r=12$SALT$TAG`,
 * version 1 is `$bcrypt-sha256$2b,12$SALT$TAG`.
 */
export const bcryptSha256: HashFormat = (text) => {
  const found =
    /^\$bcrypt-sha256\$(?:(v=2),t=(2b),r=(\d{1,2})|(2[ab]),(\d{1,2}))\$([./A-Za-z0-9]{22})\$([./A-Za-z0-9]{31})$/.exec(
      text,
    );
  if (found === null) return undefined;
  const [, second, prefix = found[4], rounds = found[5] ?? '', , , salt = '', tag = ''] = found;
  const digest = (password: string) =>
    second === undefined
      ? createHash('sha256').update(password).digest('base64')
      : createHmac('sha256', salt).update(password).digest('base64');
  return readBcrypt(text, `$${prefix}$${rounds.padStart(2, '0')}$${salt}${tag}`, digest);
};

/** The key of WordPress, which every installation has (`wp_hash_password` since 6.8). */
const wordPressKey = 'wp-sha384';

/** WordPress since 6.8: `$wp$2y$10$...`, bcrypt of the base64 of an HMAC (RFC 2104) of the password with SHA-384. */
export const wordPressBcrypt: HashFormat = (text) => {
  if (!text.startsWith('$wp$2')) return undefined;
  return readBcrypt(text, text.slice('$wp'.length), (password) =>
    createHmac('sha384', wordPressKey).update(password).digest('base64'),
  );
};

/** Django's: `bcrypt$` before bcrypt, and `bcrypt_sha256$` before bcrypt of a hexadecimal digest. */
export const djangoBcrypt: HashFormat = (text, readInner) => {
  const found = /^(bcrypt|bcrypt_sha256)\$(\$2[aby]\$.{56})$/.exec(text);
  if (found === null) return undefined;
  const [, wrapper, inner = ''] = found;
  if (wrapper === 'bcrypt') return readInner(inner);
  return readBcrypt(text, inner, (password) => createHash('sha256').update(password).digest('hex'));
};

/**
 * `bcrypt_peppered` of Clerk: `$2a$12$…$PEPPER`. The pepper stands after the password, as Devise has it. It is in the hash, so the organization
 * needs none.
 */
export const clerkPepperedBcrypt: HashFormat = (text) => {
  const [, hash = '', pepper = ''] =
    /^(\$2[aby]\$\d\d\$[./A-Za-z0-9]{53})\$(\P{Cc}{1,256})$/u.exec(text) ?? [];
  return hash === '' ? undefined : readBcrypt(text, hash, (password) => `${password}${pepper}`);
};

function readBcrypt(text: string, hash: string, prepare: (password: string) => string): HashReading {
  const cost = Number(pattern.exec(hash)?.[1] ?? Number.NaN);
  if (Number.isNaN(cost)) return undefined;
  if (cost < 4 || cost > 15) return 'costOutOfBounds';
  return {
    text,
    milliseconds: 2 ** cost * 0.07,
    matches: (password) => compareSync(prepare(password), hash),
  };
}
