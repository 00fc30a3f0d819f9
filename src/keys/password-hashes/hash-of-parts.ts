import { fromBase64, fromHex, fromHexOrBase64, toBase64 } from './bytes.js';

/** How a part is written. `text`: its characters are the bytes. */
type PartEncoding = 'text' | 'hex' | 'base64';

/** A hash whose parts a system keeps apart. An absent part has the usual value of the algorithm. */
export interface HashParts {
  /**
   * `md5`, `sha256` and so on, `hmac-sha256`, `pbkdf2-sha256`, `symfony-sha512`, `scrypt`, `argon2id`. `bcrypt-sha256-hex` is bcrypt of the
   * hexadecimal SHA-256 of the password. Empty if the hash is a whole one.
   */
  readonly algorithm: string;
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
  /** N of scrypt, or the KiB of argon2. */
  readonly memory?: number | undefined;
  /** r of scrypt. Default: 8. */
  readonly blockSize?: number | undefined;
  /** p of scrypt and of argon2. Default: 1. */
  readonly parallelism?: number | undefined;
  /** The key of an HMAC, as text. Without it, the pepper of the organization is the key. */
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
  const name = parts.algorithm.trim().toLowerCase().replace(/^sha-/, 'sha').replace(/-sha-/, '-sha');
  const text = name === '' || name === 'bcrypt' ? parts.hash : written(name, parts);
  return text === undefined || parts.pepper === undefined ? text : `$pepper-${parts.pepper}${text}`;
}

function written(name: string, parts: HashParts): string | undefined {
  // Meteor's hash, as Django writes it.
  if (name === 'bcrypt-sha256-hex') return `bcrypt_sha256$${parts.hash}`;
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

function tagOf({ hash, hashEncoding }: HashParts, length: number | undefined): string | undefined {
  const bytes = {
    hex: () => fromHex(hash),
    base64: () => fromBase64(hash),
    any: () => fromHexOrBase64(hash, { least: length ?? 16, most: length ?? 512 }),
  }[hashEncoding ?? 'any']();
  return bytes && toBase64(bytes);
}

function saltOf({ salt = '', saltEncoding = 'text' }: HashParts): string | undefined {
  if (salt === '') return '';
  const bytes = { text: Buffer.from(salt), hex: fromHex(salt), base64: fromBase64(salt) }[saltEncoding];
  return bytes && toBase64(bytes);
}
