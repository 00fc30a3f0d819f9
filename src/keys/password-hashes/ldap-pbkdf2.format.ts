import { fromBase64, fromHex } from './bytes.js';
import type { HashFormat } from './hash-format.js';
import { readPbkdf2 } from './pbkdf2.format.js';

/** PBKDF2 of OpenLDAP, passlib and 389 Directory Server: `{PBKDF2-SHA256}10000$SALT$KEY`. */
export const ldapPbkdf2: HashFormat = (text, readInner) => {
  const found = /^\{PBKDF2(-SHA\d{1,3})?\}(\d{1,9}\$[^$]*\$[^$]+)$/i.exec(text);
  return found === null ? undefined : readInner(`$pbkdf2${found[1]?.toLowerCase() ?? ''}$${found[2]}`);
};

/**
 * `{PBKDF2_SHA256}` of 389 Directory Server and FreeIPA: base64 of 4 bytes of iterations, 64 of salt and 256 of key.
 */
export const dirsrvPbkdf2: HashFormat = (text) => {
  const bytes = fromBase64(/^\{PBKDF2_SHA256\}([A-Za-z0-9+/]{432}=*)$/i.exec(text)?.[1] ?? '');
  if (bytes?.length !== 324) return undefined;
  const [salt, key] = [bytes.subarray(4, 68), bytes.subarray(68)];
  return readPbkdf2({ digest: 'sha256', iterations: bytes.readUInt32BE(0), salt, key });
};

/** Atlassian's `{PKCS5S2}`, also of OpenDJ: base64 of 16 bytes of salt and 32 of key, with 10,000 iterations of SHA-1. */
export const atlassianPbkdf2: HashFormat = (text) => {
  const bytes = fromBase64(/^\{PKCS5S2\}([A-Za-z0-9+/]{64})$/i.exec(text)?.[1] ?? '');
  if (bytes?.length !== 48) return undefined;
  const [salt, key] = [bytes.subarray(0, 16), bytes.subarray(16)];
  return readPbkdf2({ digest: 'sha1', iterations: 10_000, salt, key });
};

/** The bytes of the key by the name of the scheme. */
const keyBytes: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 };

/**
 * PBKDF2 of ForgeRock and OpenDJ: `{PBKDF2-HMAC-SHA256}10000:` and base64 of the key and the salt. `{PBKDF2}` is of SHA-1. Oracle's
 * identity service writes a dollar sign instead of the colon.
 */
export const forgeRockPbkdf2: HashFormat = (text) => {
  const found = /^\{PBKDF2(?:-HMAC-(SHA1|SHA256|SHA512))?\}(\d{1,9})[:$]([A-Za-z0-9+/]+=*)$/i.exec(text);
  if (found === null) return undefined;
  const [, name = 'sha1', iterations, encoded = ''] = found;
  const digest = name.toLowerCase();
  const bytes = fromBase64(encoded);
  const length = keyBytes[digest] ?? 0;
  if (bytes === undefined || bytes.length <= length) return undefined;
  const [key, salt] = [bytes.subarray(0, length), bytes.subarray(length)];
  return readPbkdf2({ digest, iterations: Number(iterations), salt, key });
};

/** Dovecot's `{PBKDF2}$1$SALT$5000$KEY`: SHA-1, the salt as plain text, the key in hexadecimal. */
export const dovecotPbkdf2: HashFormat = (text) => {
  const found = /^\{PBKDF2\}\$1\$([^$]{1,256})\$(\d{1,9})\$([0-9a-f]{40})$/i.exec(text);
  if (found === null) return undefined;
  const [, salt = '', iterations, key = ''] = found;
  return readPbkdf2({
    digest: 'sha1',
    iterations: Number(iterations),
    salt: Buffer.from(salt),
    key: fromHex(key),
  });
};
