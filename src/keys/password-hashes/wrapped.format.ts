import type { HashFormat } from './hash-format.js';

/** Schemes whose text is a whole hash of crypt(3), bcrypt, argon2 or scrypt. */
const schemes = [
  'CRYPT',
  'BCRYPT',
  'ARGON2',
  // Dovecot
  'ARGON2I',
  'ARGON2ID',
  'BLF-CRYPT',
  'MD5',
  'MD5-CRYPT',
  'SHA256-CRYPT',
  'SHA512-CRYPT',
  // Spring Security
  'argon2@SpringSecurity_v\\d_\\d',
];
const wrapped = new RegExp(`^\\{(?:${schemes.join('|')})\\}(\\$.+)$`, 'i');

/** The schemes of LDAP servers, Dovecot and Spring Security before a whole hash: `{CRYPT}$6$...`, `{ARGON2}$argon2id$...`. */
export const schemeWrapped: HashFormat = (text, readInner) => {
  const [, inner = ''] = wrapped.exec(text) ?? [];
  return inner === '' ? undefined : readInner(inner);
};

/** Spring Security's `{ldap}` before a hash of LDAP. */
export const springLdap: HashFormat = (text, readInner) =>
  /^\{ldap\}\{/i.test(text) ? readInner(text.slice('{ldap}'.length)) : undefined;

/** Django's `argon2$` before argon2. */
export const djangoArgon2: HashFormat = (text, readInner) =>
  text.startsWith('argon2$argon2') ? readInner(text.slice('argon2'.length)) : undefined;

/** Nextcloud's and ownCloud's `1|` before bcrypt, `2|` before argon2i and `3|` before argon2id. */
export const nextcloudWrapped: HashFormat = (text, readInner) =>
  /^[123]\|\$(?:2[aby]|argon2id?)\$/.test(text) ? readInner(text.slice(2)) : undefined;
