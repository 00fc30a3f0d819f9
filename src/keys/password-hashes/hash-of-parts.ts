import { fromAnyBase64, fromHex, fromHexOrBase64, toBase64 } from './bytes.js';

/** How a part is written. `text`: its characters are the bytes. */
type PartEncoding = 'text' | 'hex' | 'base64';

/** A hash whose parts a system keeps apart. An absent part has the usual value of the algorithm. */
export interface HashParts {
  /**
   * `md5`, `sha256`, `sha3-256` and so on, `hmac-sha256`, `pbkdf2-sha256`, `symfony-sha512`, `scrypt`, `argon2id`. `bcrypt-sha256-hex` is bcrypt
   * of the hexadecimal SHA-256 of the password, `firebase-scrypt` the scrypt of Firebase, `clerk-pbkdf2-sha256` a whole `pbkdf2_sha256$…` whose salt
   * is base64. Empty if the hash is a whole one.
   */
  readonly algorithm: string;
  /** The digest, if the algorithm is only `sha`, `hmac` or `pbkdf2`: `sha3-512`. */
  readonly digest?: string | undefined;
  readonly hash: string;
  /** Without it, hexadecimal digits of the length of the digest are read as such, and anything else as base64. */
  readonly hashEncoding?: Exclude<PartEncoding, 'text'> | undefined;
  readonly salt?: string | undefined;
  /** Default: text. */
  readonly saltEncoding?: PartEncoding | undefined;
  /** Where the salt of a digest or an HMAC stands: before the password, or after it. Default: before. */
  readonly order?: 'before' | 'after' | undefined;
  /** Of PBKDF2, Symfony and argon2. */
  readonly iterations?: number | undefined;
  /** N of scrypt, or the KiB of argon2. Default for Firebase: 16,384. */
  readonly memory?: number | undefined;
  /** r of scrypt. Default: 8. */
  readonly blockSize?: number | undefined;
  /** p of scrypt and of argon2. Default: 1. */
  readonly parallelism?: number | undefined;
  /** The separator of Firebase, in base64. */
  readonly separator?: string | undefined;
  /** The key of an HMAC, as text, or the signer key of Firebase, in base64. Without it, the pepper of the organization is the key of an HMAC. */
  readonly key?: string | undefined;
  /** How the pepper of the organization joins the password of a whole hash: see `peppered.format.ts`. */
  readonly pepper?: string | undefined;
}

/** The bytes of a digest. */
const digestBytes: Readonly<Record<string, number>> = {
  md4: 16,
  md5: 16,
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
  'sha3-224': 28,
  'sha3-256': 32,
  'sha3-384': 48,
  'sha3-512': 64,
};

/** The most characters of a part. */
export const mostPartCharacters = 2_000;

/**
 * Puts the parts of a hash together, in a form that `readPasswordHash` reads. It checks no bounds, because the reader does.
 * @returns undefined if the algorithm is unknown, a part that it needs is missing, or a part is not in its encoding
 */
export function hashOfParts(parts: HashParts): string | undefined {
  if (parts.hash.length > mostPartCharacters || (parts.salt ?? '').length > mostPartCharacters)
    return undefined;
  const family = plainName(parts.algorithm);
  const digest = plainName(parts.digest ?? '');
  const name = family === 'sha' ? digest : /^(?:hmac|pbkdf2)$/.test(family) ? `${family}-${digest}` : family;
  if (family === 'sha' && digest === '') return undefined;
  const text = name === '' || name === 'bcrypt' ? parts.hash : written(name, parts);
  return text === undefined || parts.pepper === undefined ? text : `$pepper-${parts.pepper}${text}`;
}

function plainName(name: string): string {
  return name.trim().toLowerCase().replace(/^sha-/, 'sha').replace(/-sha-/, '-sha');
}

function written(name: string, parts: HashParts): string | undefined {
  // Meteor's hash, as Django writes it.
  if (name === 'bcrypt-sha256-hex') return `bcrypt_sha256$${parts.hash}`;
  if (name === 'clerk-pbkdf2-sha256') return ofClerk(parts.hash);
  if (name === 'firebase-scrypt') return ofFirebase(parts);
  const [, family = '', digest = name] = /^(hmac|pbkdf2|symfony)-(\w+)$/.exec(name) ?? [];
  const length = digestBytes[digest];
  const tag = tagOf(parts, family === 'pbkdf2' ? undefined : length);
  const salt = saltOf(parts);
  if (tag === undefined || salt === undefined) return undefined;
  if (length !== undefined) return ofDigest({ ...parts, family, digest, tag, salt });
  if (name === 'scrypt') {
    const { memory, blockSize = 8, parallelism = 1 } = parts;
    return memory === undefined || !Number.isInteger(Math.log2(memory))
      ? undefined
      : `$scrypt$ln=${Math.log2(memory)},r=${blockSize},p=${parallelism}$${salt}$${tag}`;
  }
  if (!/^argon2(id|i|d)$/.test(name)) return undefined;
  const { memory, iterations, parallelism = 1 } = parts;
  return `$${name}$v=19$m=${memory},t=${iterations},p=${parallelism}$${salt}$${tag}`;
}

function ofDigest(
  parts: HashParts & { family: string; digest: string; tag: string; salt: string },
): string | undefined {
  const { family, digest, tag, salt, iterations, key } = parts;
  if (family === 'pbkdf2') {
    const length = Buffer.from(tag, 'base64').length;
    return iterations === undefined
      ? undefined
      : `$pbkdf2-${digest}$i=${iterations},l=${length}$${salt}$${tag}`;
  }
  if (family === 'symfony') return `$symfony-${digest}$i=${iterations ?? 5_000}$${salt}$${tag}`;
  // A digest of a digest has a form only if the salt stands last.
  if (iterations !== undefined && iterations !== 1) {
    return family === '' && parts.order === 'after'
      ? `$salted-${digest}$i=${iterations}$${salt}$${tag}`
      : undefined;
  }
  const template = parts.order === 'after' ? '{PASSWORD}{SALT}' : '{SALT}{PASSWORD}';
  const start = salt === '' ? '' : `pf=${toBase64(template)}$${salt}$`;
  if (family === '') return `$${digest}$${start}${tag}`;
  return `$hmac-${digest}$${start}${tag}$${key === undefined ? '{PEPPER}' : toBase64(key)}`;
}

/** `pbkdf2_sha256$ITERATIONS$SALT$KEY` with the salt and the key in base64. */
function ofClerk(hash: string): string | undefined {
  const [, iterations, ...encoded] = /^pbkdf2_sha256\$(\d{1,9})\$([^$]+)\$([^$]+)$/.exec(hash) ?? [];
  const [salt, key] = encoded.map(fromAnyBase64);
  if (salt === undefined || key === undefined) return undefined;
  return `$pbkdf2-sha256$i=${iterations}$${toBase64(salt)}$${toBase64(key)}`;
}

/** Firebase keeps everything in base64. */
function ofFirebase(parts: HashParts): string | undefined {
  const { hash, salt = '', separator = '', key = '', memory = 16_384, blockSize = 8 } = parts;
  if (salt === '' || key === '' || !Number.isInteger(Math.log2(memory))) return undefined;
  return `$firescrypt$ln=${Math.log2(memory)},r=${blockSize},p=1$${[salt, hash, separator, key].join('$')}`;
}

function tagOf({ hash, hashEncoding }: HashParts, length: number | undefined): string | undefined {
  const bytes = {
    hex: () => fromHex(hash),
    base64: () => fromAnyBase64(hash),
    any: () => fromHexOrBase64(hash, { least: length ?? 16, most: length ?? 512 }),
  }[hashEncoding ?? 'any']();
  return bytes && toBase64(bytes);
}

function saltOf({ salt = '', saltEncoding = 'text' }: HashParts): string | undefined {
  if (salt === '') return '';
  const bytes = { text: Buffer.from(salt), hex: fromHex(salt), base64: fromAnyBase64(salt) }[saltEncoding];
  return bytes && toBase64(bytes);
}
