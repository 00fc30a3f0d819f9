import { scryptSync } from 'node:crypto';
import { cryptAlphabet, isSame, toPhpassText } from './bytes.js';
import type { HashFormat, HashReading } from './hash-format.js';
import { hasPrehash, loopsOf, type YescryptParameters, yescrypt } from './primitives/yescrypt.js';

/** 128 MiB of blocks, and a little for the lanes. */
const mostMemoryKib = 132_096;
/** The most memory that all rounds together go through. */
const mostWorkKib = 196_608;
const mostLanes = 64;
/** The most memory times lanes of scrypt, which is a function of Node.js. */
const mostScryptWorkKib = 1_048_576;
const keyBytes = 32;

/** The kinds of `$y$` by their number: scrypt, YESCRYPT_WORM, and YESCRYPT_RW with its default flavor. */
const modes: Readonly<Record<number, 'scrypt' | YescryptParameters['mode']>> = {
  0: 'scrypt',
  1: 'worm',
  47: 'rw',
};

/**
 * yescrypt of crypt(3): `$y$j9T$SALT$KEY`, as Debian, Ubuntu and Fedora write it. A ROM, and flavors that no system uses, are not
 * taken.
 */
export const yescryptCrypt: HashFormat = (text) => {
  const found = /^\$y\$([./0-9A-Za-z]{3,40})\$([./0-9A-Za-z]{0,86})\$([./0-9A-Za-z]{43})$/.exec(text);
  if (found === null) return undefined;
  const [, parameters = '', encoded = '', key = ''] = found;
  const numbers = readNumbers(parameters);
  const salt = fromCryptText(encoded);
  if (numbers === undefined || salt === undefined) return undefined;
  const { mode, ...cost } = numbers;
  if (mode === 'scrypt') return cost.t === 0 ? readScryptText({ text, ...cost, salt, key }) : undefined;
  return readYescrypt({ text, parameters: { mode, ...cost }, salt, key });
};

/** scrypt of crypt(3): `$7$CU..../....SALT$KEY`. The salt is plain text. */
export const scryptCrypt: HashFormat = (text) => {
  const found =
    /^\$7\$([./0-9A-Za-z])([./0-9A-Za-z]{5})([./0-9A-Za-z]{5})([!-#%-9;-~]{0,64})\$([./0-9A-Za-z]{43})$/.exec(
      text,
    );
  if (found === null) return undefined;
  const [, cost = '', r = '', p = '', salt = '', key = ''] = found;
  const ln = cryptAlphabet.indexOf(cost);
  return readScryptText({ text, ln, r: fixed(r), p: fixed(p), salt: Buffer.from(salt), key });
};

function readYescrypt(given: {
  text: string;
  parameters: YescryptParameters;
  salt: Buffer;
  key: string;
}): HashReading {
  const { text, parameters, salt, key } = given;
  const { mode, ln, r, p } = parameters;
  if (ln > 31 || p > mostLanes) return 'costOutOfBounds';
  // Each lane has two blocks at least.
  if (mode === 'rw' && 2 ** ln / p < 2) return undefined;
  const memoryKib = (2 ** ln * r) / 8 + (p * r) / 8 + 12 * p;
  const rounds = mode === 'rw' ? loopsOf(parameters).all : p * loopsOf(parameters).all;
  const filled = mode === 'rw' ? 1 : p;
  const workKib =
    (memoryKib * filled + (rounds * r * (mode === 'rw' ? p : 1)) / 8) * (hasPrehash(parameters) ? 1.05 : 1);
  if (memoryKib > mostMemoryKib || workKib > mostWorkKib) return 'costOutOfBounds';
  return {
    text,
    milliseconds: 1 + workKib / 70,
    memoryKib,
    matches: (password) => isSame(toPhpassText(yescrypt(password, salt, parameters)), key),
  };
}

function readScryptText(given: {
  text: string;
  ln: number;
  r: number;
  p: number;
  salt: Buffer;
  key: string;
}): HashReading {
  const { text, ln, r, p, salt, key } = given;
  const memoryKib = ((2 ** ln + p) * r) / 8;
  const workKib = (2 ** ln * r * p) / 8;
  const isAffordable = ln >= 1 && r >= 1 && p >= 1 && memoryKib <= mostMemoryKib;
  if (!isAffordable || workKib > mostScryptWorkKib) return 'costOutOfBounds';
  const options = { N: 2 ** ln, r, p, maxmem: 128 * r * (2 ** ln + p + 2) + 1_048_576 };
  return {
    text,
    milliseconds: workKib / 350 + 1,
    memoryKib,
    matches: (password) => isSame(toPhpassText(scryptSync(password, salt, keyBytes, options)), key),
  };
}

/** Reads the numbers between the first two signs. Undefined if one is missing, or there is a ROM or an upgrade of a hash. */
function readNumbers(
  text: string,
): { mode: 'scrypt' | YescryptParameters['mode']; ln: number; r: number; p: number; t: number } | undefined {
  let at = 0;
  const next = (least: number): number => {
    const [number, end] = variable(text, at);
    at = end;
    return number + least;
  };
  const mode = modes[next(0)];
  const [ln, r] = [next(1), next(1)];
  const more = at < text.length ? next(1) : 0;
  const p = more & 1 ? next(2) : 1;
  const t = more & 2 ? next(1) : 0;
  const isWhole = at === text.length && more <= 3 && [ln, r, p, t].every(Number.isInteger);
  return mode === undefined || !isWhole ? undefined : { mode, ln, r, p, t };
}

/** Reads a number of one to six characters. The first one says how many follow. Not a number if the text ends before. */
function variable(text: string, at: number): [number: number, end: number] {
  let [start, end, number, bits] = [0, 47, 0, 0];
  const first = at < text.length ? cryptAlphabet.indexOf(text.charAt(at)) : Number.NaN;
  if (Number.isNaN(first)) return [Number.NaN, at];
  while (first > end) {
    number += (end + 1 - start) * 2 ** bits;
    start = end + 1;
    end = start + Math.floor((62 - end) / 2);
    bits += 6;
  }
  number += (first - start) * 2 ** bits;
  let next = at + 1;
  for (; bits > 0; next++) {
    bits -= 6;
    number += (next < text.length ? cryptAlphabet.indexOf(text.charAt(next)) : Number.NaN) * 2 ** bits;
  }
  return [number, next];
}

/** Reads a number of which the first character has the lowest bits. */
function fixed(text: string): number {
  return [...text].reduce((sum, one, index) => sum + cryptAlphabet.indexOf(one) * 64 ** index, 0);
}

/** Reads what `toPhpassText` writes. Undefined for any other text. */
function fromCryptText(text: string): Buffer | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 4) {
    const group = text.slice(at, at + 4);
    const number = fixed(group);
    for (let index = 0; index < group.length - 1; index++)
      bytes.push(Math.floor(number / 256 ** index) % 256);
  }
  const read = Buffer.from(bytes);
  return toPhpassText(read) === text ? read : undefined;
}
