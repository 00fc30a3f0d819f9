import { createCipheriv, scryptSync } from 'node:crypto';
import { fromAnyBase64, fromBase64, fromHex, isSame, toBase64 } from './bytes.js';
import type { HashFormat, HashReading } from './hash-format.js';

/** 128 MiB of the main memory, and 1 MiB for what the lanes begin and end with. */
const mostMemoryKib = 132_096;
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

/** Werkzeug's `scrypt:32768:8:1$SALT$KEY`: the salt is plain text, the key hexadecimal. Clerk's documentation has a dollar sign before it. */
export const werkzeugScrypt: HashFormat = (text) => {
  const found = /^\$?scrypt:(\d{1,7}):(\d{1,4}):(\d{1,4})\$([^$]{1,256})\$([0-9a-f]{32,512})$/.exec(text);
  if (found === null) return undefined;
  const [, cost, r, p, salt = '', key = ''] = found;
  const parameters = { ln: Math.log2(Number(cost)), r: Number(r), p: Number(p) };
  return readScrypt(parameters, Buffer.from(salt), fromHex(key));
};

/**
 * The Ruby gem scrypt, which Authlogic uses: `400$8$36$SALT$KEY`, with N, r, p, salt and key in hexadecimal. Its first version hashed the key
 * again, and had salts of 40 characters. Those are not taken.
 */
export const rubyScrypt: HashFormat = (text) => {
  const found =
    /^([0-9a-f]{1,6})\$([0-9a-f]{1,3})\$([0-9a-f]{1,3})\$([0-9a-f]{16,64})\$([0-9a-f]{32,512})$/i.exec(text);
  const [salt = '', key = ''] = found?.slice(4) ?? [];
  if (found === null || salt.length === 40) return undefined;
  const [n = 0, r = 0, p = 0] = found.slice(1, 4).map((digits) => Number.parseInt(digits, 16));
  // The gem leaves out the zero bytes at the beginning of a salt.
  return readScrypt({ ln: Math.log2(n), r, p }, fromHex(salt.replace(/^(?:00)+/, '')), fromHex(key));
};

/** Better Auth has one cost. */
const betterAuthCost = { ln: 14, r: 16, p: 1 };
/** What `crypto.scrypt` of Node.js takes without options. */
export const nodeCost = { ln: 14, r: 8, p: 1 };

/**
 * Better Auth's `SALT:KEY`, 16 and 64 bytes in hexadecimal. The salt is hashed as it is written. The password is hashed in NFKC
 * (Unicode Standard Annex 15). Applications that call `crypto.scrypt` of Node.js with its defaults write the same form. The text does not say
 * which cost it has, so both are compared.
 */
export const betterAuthScrypt: HashFormat = (text) => {
  const found = /^([0-9a-f]{32}):([0-9a-f]{128})$/i.exec(text);
  const [, salt = '', key = ''] = found ?? [];
  const expected = fromHex(key);
  const [cost, otherCost] = [costOf(betterAuthCost), costOf(nodeCost)];
  if (expected === undefined || cost === undefined || otherCost === undefined) return undefined;
  return {
    text: `${salt}:${key.toLowerCase()}`,
    milliseconds: cost.milliseconds + otherCost.milliseconds,
    memoryKib: cost.memoryKib,
    matches(password) {
      const keys = [
        scryptSync(password.normalize('NFKC'), salt, expected.length, options(betterAuthCost)),
        scryptSync(password, salt, expected.length, options(nodeCost)),
      ];
      return keys.map((one) => isSame(one, expected)).includes(true);
    },
  };
};

/** The parts of a hash of Firebase: the salt, the tag, the separator and the signer key. */
const firebasePart = '([A-Za-z0-9+/_-]*=*)';
const firebaseForm = new RegExp(
  `^\\$(?:firescrypt\\$ln=(\\d{1,2}),r=(\\d{1,4}),p=(\\d{1,4})|firebasescrypt\\$ln=(\\d{1,2}),r=(\\d{1,4}))\\$${Array(4).fill(firebasePart).join('\\$')}$`,
);
const clerkForm = new RegExp(`^${Array(4).fill(firebasePart).join('\\$')}\\$(\\d{1,4})\\$(\\d{1,2})$`);
const supabaseForm = new RegExp(
  `^\\$fbscrypt\\$v=1,n=(\\d{1,2}),r=(\\d{1,4}),p=(\\d{1,4}),ss=${firebasePart},sk=${firebasePart}\\$${firebasePart}\\$${firebasePart}$`,
);

/**
 * Firebase's scrypt: `$firescrypt$ln=14,r=8,p=1$SALT$TAG$SEPARATOR$SIGNERKEY`. The derived key encrypts the signer key of
 * the project (AES-256-CTR), and the result is compared. ZITADEL's library passwap writes
 * `$firebasescrypt$ln=14,r=8$...` with the same four parts, and Supabase `$fbscrypt$v=1,n=14,r=8,p=1,ss=SEPARATOR,sk=SIGNERKEY$SALT$TAG`.
 */
export const firebaseScrypt: HashFormat = (text) => {
  const usual = text.replace(supabaseForm, '$$firescrypt$$ln=$1,r=$2,p=$3$$$6$$$7$$$4$$$5');
  const found = firebaseForm.exec(usual);
  if (found === null) return undefined;
  const [ln, r, p] = [found[1] ?? found[4], found[2] ?? found[5], found[3] ?? 1].map(Number) as [
    number,
    number,
    number,
  ];
  const [salt, tag, separator, signerKey] = found.slice(6);
  return readFirebase({ ln, r, p }, { salt, tag, separator, signerKey });
};

/** `scrypt_firebase` of Clerk: `TAG$SALT$SIGNERKEY$SEPARATOR$8$14`, with the rounds r and the binary logarithm of the cost. */
export const clerkFirebase: HashFormat = (text) => {
  const found = clerkForm.exec(text);
  if (found === null) return undefined;
  const [, tag, salt, signerKey, separator, r, ln] = found;
  return readFirebase({ ln: Number(ln), r: Number(r), p: 1 }, { salt, tag, separator, signerKey });
};

/** Reads the parts of a hash of Firebase, in base64. Its exports have the alphabet for URLs. */
function readFirebase(
  parameters: Parameters,
  encoded: Readonly<Record<'salt' | 'tag' | 'separator' | 'signerKey', string | undefined>>,
): HashReading {
  const { salt: saltText, tag: tagText, separator: separatorText, signerKey: keyText } = encoded;
  const parts = [saltText, tagText, separatorText, keyText].map((part = '') => fromAnyBase64(part));
  const [salt, tag, separator, signerKey] = parts;
  if (salt === undefined || separator === undefined || !tag?.length || signerKey?.length !== tag.length) {
    return undefined;
  }
  const cost = costOf(parameters);
  if (cost === undefined) return 'costOutOfBounds';
  const { ln, r, p } = parameters;
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
}

/** Reads the parts of a scrypt hash. All formats are stored in one form. */
export function readScrypt(
  parameters: Parameters,
  salt: Buffer | undefined,
  key: Buffer | undefined,
): HashReading {
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
  const memoryKib = ((2 ** ln + p) * r) / 8;
  const workKib = (2 ** ln * r * p) / 8;
  const isAffordable = ln >= 1 && r >= 1 && p >= 1 && memoryKib <= mostMemoryKib && workKib <= mostWorkKib;
  return isAffordable ? { milliseconds: workKib / 350, memoryKib } : undefined;
}

function options({ ln, r, p }: Parameters) {
  // OpenSSL counts the blocks of each lane too.
  return { N: 2 ** ln, r, p, maxmem: 128 * r * (2 ** ln + p + 2) + 1_048_576 };
}
