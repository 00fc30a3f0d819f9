import type { HashFormat } from './hash-format.js';

/** LDAP's `{CRYPT}` before a hash of crypt(3) or bcrypt, and `{ARGON2}` before argon2. */
export const ldapWrapped: HashFormat = (text, readInner) => {
  const [, inner = ''] = /^\{(?:CRYPT|ARGON2|BCRYPT)\}(\$.+)$/i.exec(text) ?? [];
  return inner === '' ? undefined : readInner(inner);
};

/** Django's `argon2$` before argon2. */
export const djangoArgon2: HashFormat = (text, readInner) =>
  text.startsWith('argon2$argon2') ? readInner(text.slice('argon2'.length)) : undefined;
