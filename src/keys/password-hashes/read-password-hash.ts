import { argon2 } from './argon2.format.js';
import { bcrypt, bcryptSha256, djangoBcrypt } from './bcrypt.format.js';
import { digest, djangoDigest, hmac, ldapDigest } from './digest.format.js';
import type { HashFormat, HashReading } from './hash-format.js';
import { keycloakCredential } from './keycloak.format.js';
import { md5Crypt } from './md5-crypt.format.js';
import { aspNetIdentity, djangoPbkdf2, ldapPbkdf2, pbkdf2 } from './pbkdf2.format.js';
import { drupal, phpass } from './phpass.format.js';
import { saltedDigest } from './salted-digest.format.js';
import { djangoScrypt, firebaseScrypt, scrypt } from './scrypt.format.js';
import { shaCrypt } from './sha-crypt.format.js';
import { djangoArgon2, ldapWrapped } from './wrapped.format.js';

/** Every form of password hash that is taken. No text is of two forms. docs/password-hashes.md describes them. */
const formats: readonly HashFormat[] = [
  argon2,
  bcrypt,
  bcryptSha256,
  scrypt,
  firebaseScrypt,
  pbkdf2,
  md5Crypt,
  shaCrypt,
  phpass,
  drupal,
  digest,
  hmac,
  saltedDigest,
  aspNetIdentity,
  djangoArgon2,
  djangoBcrypt,
  djangoDigest,
  djangoPbkdf2,
  djangoScrypt,
  ldapDigest,
  ldapPbkdf2,
  ldapWrapped,
  keycloakCredential,
];

/** The longest text of a hash, in characters. */
const mostHashCharacters = 2_000;

/** Reads a password hash of any form. It computes nothing. A form may stand within one other, but no deeper. */
export function readPasswordHash(text: string): HashReading {
  return readAny(text, (inner) => readAny(inner, () => undefined));
}

function readAny(text: string, readInner: (inner: string) => HashReading): HashReading {
  if (text.length > mostHashCharacters) return undefined;
  for (const format of formats) {
    const reading = format(text, readInner);
    if (reading !== undefined) return reading;
  }
  return undefined;
}
