import { argon2 } from './argon2.format.js';
import { bcrypt, bcryptSha256, clerkPepperedBcrypt, djangoBcrypt, wordPressBcrypt } from './bcrypt.format.js';
import { cramMd5 } from './cram-md5.format.js';
import { bsdiCrypt, desCrypt } from './des-crypt.format.js';
import { digest, djangoDigest, hmac, ldapDigest, passwapDigest, werkzeugDigest } from './digest.format.js';
import { forgeRockSaltedHash } from './forgerock.format.js';
import type { HashFormat, HashReading } from './hash-format.js';
import { clerkSaltedDigest, hexDigest, saltedHexDigest } from './hex-digest.format.js';
import { keycloakCredential } from './keycloak.format.js';
import {
  atlassianPbkdf2,
  dirsrvPbkdf2,
  dovecotPbkdf2,
  forgeRockPbkdf2,
  ldapPbkdf2,
} from './ldap-pbkdf2.format.js';
import { magentoArgon2 } from './magento.format.js';
import { md5Crypt } from './md5-crypt.format.js';
import { mediaWiki } from './mediawiki.format.js';
import { nodeScrypt, nodeScryptPair } from './node-scrypt.format.js';
import { aspNetIdentity, clerkPbkdf2, djangoPbkdf2, pbkdf2, werkzeugPbkdf2 } from './pbkdf2.format.js';
import { peppered } from './peppered.format.js';
import { drupal, phpass } from './phpass.format.js';
import { saltedDigest } from './salted-digest.format.js';
import { scram } from './scram.format.js';
import {
  betterAuthScrypt,
  clerkFirebase,
  djangoScrypt,
  firebaseScrypt,
  rubyScrypt,
  scrypt,
  werkzeugScrypt,
} from './scrypt.format.js';
import { shaCrypt } from './sha-crypt.format.js';
import { springDigest, springPbkdf2, springScrypt, springSha256 } from './spring.format.js';
import { clerkSymfony, symfonyDigest } from './symfony.format.js';
import { djangoArgon2, nextcloudWrapped, schemeWrapped, springLdap } from './wrapped.format.js';
import { scryptCrypt, yescryptCrypt } from './yescrypt.format.js';

/** The forms that begin with a dollar sign. */
const dollarFormats: readonly HashFormat[] = [
  argon2,
  bcrypt,
  bcryptSha256,
  wordPressBcrypt,
  clerkPepperedBcrypt,
  scrypt,
  firebaseScrypt,
  springScrypt,
  pbkdf2,
  md5Crypt,
  shaCrypt,
  yescryptCrypt,
  scryptCrypt,
  phpass,
  drupal,
  digest,
  hmac,
  passwapDigest,
  saltedDigest,
  symfonyDigest,
  peppered,
  werkzeugScrypt,
];

/** The forms that begin with a brace. */
const braceFormats: readonly HashFormat[] = [
  ldapDigest,
  ldapPbkdf2,
  dirsrvPbkdf2,
  atlassianPbkdf2,
  forgeRockPbkdf2,
  dovecotPbkdf2,
  springPbkdf2,
  springScrypt,
  springSha256,
  springDigest,
  springLdap,
  scram,
  cramMd5,
  schemeWrapped,
  desCrypt,
  bsdiCrypt,
  keycloakCredential,
  forgeRockSaltedHash,
];

const otherFormats: readonly HashFormat[] = [
  drupal,
  aspNetIdentity,
  djangoArgon2,
  djangoBcrypt,
  djangoDigest,
  clerkPbkdf2,
  djangoPbkdf2,
  djangoScrypt,
  werkzeugDigest,
  werkzeugPbkdf2,
  werkzeugScrypt,
  rubyScrypt,
  nextcloudWrapped,
  betterAuthScrypt,
  nodeScrypt,
  nodeScryptPair,
  clerkFirebase,
  clerkSymfony,
  clerkSaltedDigest,
  mediaWiki,
  hexDigest,
  magentoArgon2,
  saltedHexDigest,
  scram,
  desCrypt,
  bsdiCrypt,
];

/**
 * Every form of password hash that is taken, by the first character. No text is of two forms. docs/password-hashes.md describes them.
 */
function formatsOf(text: string): readonly HashFormat[] {
  if (text.startsWith('$')) return dollarFormats;
  return text.startsWith('{') ? braceFormats : otherFormats;
}

/** The longest text of a hash, in characters. */
const mostHashCharacters = 2_000;

/** Reads a password hash of any form. It computes nothing. A form may stand within one other, but no deeper. */
export function readPasswordHash(text: string): HashReading {
  return readAny(text, (inner) => readAny(inner, () => undefined));
}

function readAny(text: string, readInner: (inner: string) => HashReading): HashReading {
  if (text.length > mostHashCharacters) return undefined;
  for (const format of formatsOf(text)) {
    const reading = format(text, readInner);
    if (reading !== undefined) return reading;
  }
  return undefined;
}
