import { createCipheriv, scryptSync } from 'node:crypto';
import { fromBase64, isSame, toBase64 } from './bytes.js';
import type { HashFormat, HashReading } from './hash-format.js';

const mostMemoryKib = 131_072;
/** The most memory times parallelism. */
const mostWorkKib = 1_048_576;

interface Parameters {
  /** The binary logarithm of the cost N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/**
 * scrypt (RFC 7914): `$scrypt$ln=16,r=8,p=1$SALT$KEY`, where `ln` is the binary logarithm of the cost. Ory Kratos writes
 * the cost itself there.
 */
export const scrypt: HashFormat = (text) => {
  const found =
    /^\$scrypt\$ln=(\d{1,7}),r=(\d{1,4}),p=(\d{1,4})\$([A-Za-z0-9+/.]*=*)\$([A-Za-z0-9+/.]+=*)$/.exec(text);
  if (found === null) return undefined;
  const [, cost, r, p, salt = '', key = ''] = found;
  const ln = Number(cost) < 64 ? Number(cost) : Math.log2(Number(cost));
  return readScrypt({ ln, r: Number(r), p: Number(p) }, fromBase64(salt), fromBase64(key));
};

/** Django's `scrypt$16384$SALT$8$5$KEY`: cost, salt as plain text, block size, parallelism, key. */
export const djangoScrypt: HashFormat = (text) => {
  const found = /^scrypt\$(\d{1,7})\$([^$]{0,256})\$(\d{1,4})\$(\d{1,4})\$([A-Za-z0-9+/]+=*)$/.exec(text);
  if (found === null) return undefined;
  const [, cost, salt = '', r, p, key = ''] = found;
  const parameters = { ln: Math.log2(Number(cost)), r: Number(r), p: Number(p) };
  return readScrypt(parameters, Buffer.from(salt), fromBase64(key));
};

/**
 * Firebase's scrypt: `$firescrypt$ln=14,r=8,p=1$SALT$TAG$SEPARATOR$SIGNERKEY`. The derived key encrypts the signer key of
 * the project (AES-256-CTR), and the result is compared.
 */
export const firebaseScrypt: HashFormat = (text) => {
  const base64 = '([A-Za-z0-9+/_-]*=*)';
  const found = new RegExp(
    `^\\$firescrypt\\$ln=(\\d{1,2}),r=(\\d{1,4}),p=(\\d{1,4})\\$${Array(4).fill(base64).join('\\$')}$`,
  ).exec(text);
  if (found === null) return undefined;
  const [ln, r, p] = [Number(found[1]), Number(found[2]), Number(found[3])];
  // Exports of Firebase have the alphabet for URLs.
  const parts = found.slice(4).map((part) => fromBase64(part.replaceAll('-', '+').replaceAll('_', '/')));
  const [salt, tag, separator, signerKey] = parts;
  if (salt === undefined || separator === undefined || !tag?.length || signerKey?.length !== tag.length) {
    return undefined;
  }
  const cost = costOf({ ln, r, p });
  if (cost === undefined) return 'costOutOfBounds';
  const allSalt = Buffer.concat([salt, separator]);
  return {
    text: `$firescrypt$ln=${ln},r=${r},p=${p}$${[salt, tag, separator, signerKey].map(toBase64).join('$')}`,
    ...cost,
    matches(password) {
      const key = scryptSync(password, allSalt, 32, options({ ln, r, p }));
      const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
      return isSame(Buffer.concat([cipher.update(signerKey), cipher.final()]), tag);
    },
  };
};

function readScrypt(parameters: Parameters, salt: Buffer | undefined, key: Buffer | undefined): HashReading {
  const { ln, r, p } = parameters;
  if (salt === undefined || key === undefined || key.length < 16 || !Number.isInteger(ln)) return undefined;
  const cost = costOf(parameters);
  if (cost === undefined) return 'costOutOfBounds';
  return {
    text: `$scrypt$ln=${ln},r=${r},p=${p}$${toBase64(salt)}$${toBase64(key)}`,
    ...cost,
    matches: (password) => isSame(scryptSync(password, salt, key.length, options(parameters)), key),
  };
}

/** The cost of a computation. Undefined if it is out of bounds. */
function costOf({ ln, r, p }: Parameters): { milliseconds: number; memoryKib: number } | undefined {
  const memoryKib = (2 ** ln * r) / 8;
  const workKib = memoryKib * p;
  const isAffordable = ln >= 1 && r >= 1 && p >= 1 && memoryKib <= mostMemoryKib && workKib <= mostWorkKib;
  return isAffordable ? { milliseconds: workKib / 350, memoryKib } : undefined;
}

function options({ ln, r, p }: Parameters) {
  // OpenSSL counts the blocks of each lane too.
  return { N: 2 ** ln, r, p, maxmem: 128 * r * (2 ** ln + p + 2) + 1_048_576 };
}
