import { pbkdf2Sync } from 'node:crypto';
import { fromBase64, fromHex, fromHexOrBase64, isSame, toBase64 } from './bytes.js';
import type { HashFormat, HashReading } from './hash-format.js';

/** The bytes of a digest. */
const digestBytes = { sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 };
type Digest = keyof typeof digestBytes;

/**
 * Ory Kratos takes SHA-3 for two of the names (`hash/hasher_pbkdf2.go`), ZITADEL and Werkzeug SHA-2. The text does not say which, so
 * both are compared.
 */
const sameName: Readonly<Partial<Record<Digest, readonly string[]>>> = {
  sha224: ['sha3-224'],
  sha384: ['sha3-384'],
};

/** The most iterations, times the number of digests that the key has. */
const mostWork = 4_000_000;

/**
 * PBKDF2 (RFC 8018). `$pbkdf2-sha256$i=600000,l=32$SALT$KEY` with the number of iterations and the length of the key in
 * bytes, which Node's package @phc/pbkdf2 leaves out, and passlib's `$pbkdf2-sha256$29000$SALT$KEY`. `$pbkdf2$` is of SHA-1.
 */
export const pbkdf2: HashFormat = (text) => {
  const found =
    /^\$pbkdf2(?:-(sha1|sha224|sha256|sha384|sha512))?\$(?:i=(\d{1,9})(?:,l=(\d{1,3}))?|(\d{1,9}))\$([A-Za-z0-9+/.]*=*)\$([A-Za-z0-9+/.]+=*)$/.exec(
      text,
    );
  if (found === null) return undefined;
  const [, digest = 'sha1', iterations = found[4], length, , salt, key] = found;
  const bytes = fromBase64(key ?? '');
  if (length !== undefined && bytes?.length !== Number(length)) return undefined;
  return readPbkdf2({ digest, iterations: Number(iterations), salt: fromBase64(salt ?? ''), key: bytes });
};

/**
 * Django's `pbkdf2_sha256$260000$SALT$KEY`, where the salt is plain text. Clerk writes the salt in base64 there.
 * Django's salts have no `+`, `/` or `=`, so a salt with one of them is base64.
 */
export const djangoPbkdf2: HashFormat = (text) => {
  const found = /^pbkdf2_(sha1|sha256|sha512)\$(\d{1,9})\$([^$]{0,256})\$([A-Za-z0-9+/_-]+=*)$/.exec(text);
  if (found === null) return undefined;
  const [, digest = '', iterations, salt = '', key = ''] = found;
  const length = digestBytes[digest as Digest];
  return readPbkdf2({
    digest,
    iterations: Number(iterations),
    salt: (/[+/=]/.test(salt) ? fromBase64(salt) : undefined) ?? Buffer.from(salt),
    // Both make keys of the length of the digest. A key of another length would fit no password.
    key: fromHexOrBase64(key, { least: length, most: length }),
  });
};

/**
 * Clerk's `pbkdf2_sha1`, `pbkdf2_sha512` and `pbkdf2_sha512_hex`, with the key in hexadecimal: `pbkdf2_sha512$ITERATIONS$SALT$KEY`. The salt is plain
 * text, but for `pbkdf2_sha512_hex`, and for `pbkdf2_sha1` if it is hexadecimal digits. `pbkdf2_sha1` may end with the length of the key in bytes.
 */
export const clerkPbkdf2: HashFormat = (text) => {
  const found =
    /^pbkdf2_(sha1|sha512|sha512_hex)\$(\d{1,9})\$([^$]{0,256})\$([0-9a-f]{32,1024})(?:\$(\d{1,3}))?$/i.exec(
      text,
    );
  const [, name = '', iterations, given = '', digits = '', length] = found ?? [];
  const key = fromHex(digits);
  if (found === null || (length !== undefined && (name !== 'sha1' || key?.length !== Number(length))))
    return undefined;
  const bytes = name === 'sha512' ? undefined : fromHex(given);
  const salt = bytes ?? (name === 'sha512_hex' ? undefined : Buffer.from(given));
  return readPbkdf2({ digest: name.replace('_hex', ''), iterations: Number(iterations), salt, key });
};

/**
 * ASP.NET Identity: base64 of bytes. Version 2 begins with 0 and has SHA-1 and 1,000 iterations. Version 3 begins with 1
 * and names digest and iterations.
 */
export const aspNetIdentity: HashFormat = (text) => {
  const bytes = /^A[A-Za-z0-9+/]{50,400}={0,2}$/.test(text) ? fromBase64(text) : undefined;
  if (bytes?.[0] === 0 && bytes.length === 49) {
    const [salt, key] = [bytes.subarray(1, 17), bytes.subarray(17)];
    return readPbkdf2({ digest: 'sha1', iterations: 1_000, salt, key });
  }
  if (bytes?.[0] !== 1 || bytes.length < 13) return undefined;
  const digest = (['sha1', 'sha256', 'sha512'] as const)[bytes.readUInt32BE(1)];
  const saltEnd = 13 + bytes.readUInt32BE(9);
  const [salt, key] = [bytes.subarray(13, saltEnd), bytes.subarray(saltEnd)];
  if (digest === undefined || saltEnd >= bytes.length) return undefined;
  return readPbkdf2({ digest, iterations: bytes.readUInt32BE(5), salt, key });
};

/** Werkzeug's `pbkdf2:sha256:600000$SALT$KEY`: the salt is plain text, the key hexadecimal. */
export const werkzeugPbkdf2: HashFormat = (text) => {
  const found =
    /^pbkdf2:(sha1|sha224|sha256|sha384|sha512):(\d{1,9})\$([^$]{1,256})\$([0-9a-f]{40,128})$/.exec(text);
  if (found === null) return undefined;
  const [, digest = '', iterations, salt = '', key = ''] = found;
  const bytes = fromHex(key);
  return readPbkdf2({ digest, iterations: Number(iterations), salt: Buffer.from(salt), key: bytes });
};

/** Reads the parts of a PBKDF2 hash. All formats are stored in one form. */
export function readPbkdf2(parts: {
  digest: string;
  iterations: number;
  salt: Buffer | undefined;
  key: Buffer | undefined;
}): HashReading {
  const { iterations, salt, key } = parts;
  if (!isDigest(parts.digest) || salt === undefined || key === undefined || key.length < 16) return undefined;
  const digest = parts.digest;
  const kinds = [digest, ...(sameName[digest] ?? [])];
  const work = iterations * Math.ceil(key.length / digestBytes[digest]) * kinds.length;
  if (!(iterations >= 1) || work > mostWork) return 'costOutOfBounds';
  return {
    text: `$pbkdf2-${digest}$i=${iterations},l=${key.length}$${toBase64(salt)}$${toBase64(key)}`,
    milliseconds: work * 0.0007,
    matches(password) {
      const keys = kinds.map((kind) => pbkdf2Sync(password, salt, iterations, key.length, kind));
      return keys.map((one) => isSame(one, key)).includes(true);
    },
  };
}

function isDigest(name: string): name is Digest {
  return Object.hasOwn(digestBytes, name);
}
