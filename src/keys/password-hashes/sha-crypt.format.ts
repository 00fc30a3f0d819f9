import { createHash } from 'node:crypto';
import { isSame, toCrypt64 } from './bytes.js';
import type { HashFormat } from './hash-format.js';

/** What the two digests differ in. */
const kinds = {
  5: { digest: 'sha256', characters: 43 },
  6: { digest: 'sha512', characters: 86 },
} as const;
type Kind = (typeof kinds)[keyof typeof kinds];

const usualRounds = 5_000;
const leastRounds = 1_000;
const mostRounds = 1_000_000;

/**
 * SHA-256 (`$5$`) and SHA-512 (`$6$`) of crypt(3): `$6$rounds=656000$SALT$DIGEST`, by the specification of Ulrich Drepper. Ory
 * Kratos writes `$sha256-crypt$` and `$sha512-crypt$`.
 */
export const shaCrypt: HashFormat = (text) => {
  const found =
    /^\$(5|6|sha256-crypt|sha512-crypt)\$(?:rounds=(\d{1,9})\$)?([!-#%-9;-~]{0,16})\$([./0-9A-Za-z]{43,86})$/.exec(
      text,
    );
  if (found === null) return undefined;
  const [, name = '', given, salt = '', digest = ''] = found;
  const number = name === '5' || name === 'sha256-crypt' ? 5 : 6;
  const kind = kinds[number];
  if (digest.length !== kind.characters) return undefined;
  const rounds = given === undefined ? usualRounds : Number(given);
  if (rounds < leastRounds || rounds > mostRounds) return 'costOutOfBounds';
  const parameters = given === undefined ? '' : `rounds=${rounds}$`;
  return {
    text: `$${number}$${parameters}${salt}$${digest}`,
    milliseconds: rounds * 0.002,
    matches: (password) => isSame(compute(kind, Buffer.from(password), Buffer.from(salt), rounds), digest),
  };
};

function compute(kind: Kind, password: Buffer, salt: Buffer, rounds: number): string {
  const hash = (parts: readonly Buffer[]) => {
    const state = createHash(kind.digest);
    for (const part of parts) state.update(part);
    return state.digest();
  };
  const mixed = hash([password, salt, password]);
  const start = [password, salt, repeated(mixed, password.length)];
  for (let bits = password.length; bits > 0; bits >>= 1) start.push(bits & 1 ? mixed : password);
  let digest = hash(start);
  const p = repeated(hash(Array<Buffer>(password.length).fill(password)), password.length);
  const s = repeated(hash(Array<Buffer>(16 + (digest[0] ?? 0)).fill(salt)), salt.length);
  for (let round = 0; round < rounds; round++) {
    const parts = [round % 2 ? p : digest];
    if (round % 3) parts.push(s);
    if (round % 7) parts.push(p);
    parts.push(round % 2 ? digest : p);
    digest = hash(parts);
  }
  return written(digest);
}

/** Returns the bytes again and again, up to this length. */
function repeated(bytes: Buffer, length: number): Buffer {
  return Buffer.alloc(length, bytes);
}

/** Writes the bytes in the order of the specification: three at a time, each group from another third. */
function written(digest: Buffer): string {
  const third = Math.floor(digest.length / 3);
  const at = (place: number) => digest[place] ?? 0;
  let text = '';
  let places = [0, third, 2 * third];
  // The thirds take turns: SHA-256 turns them one way, SHA-512 the other.
  const turn = digest.length === 32 ? [2, 0, 1] : [1, 2, 0];
  for (let group = 0; group < third; group++) {
    const [a = 0, b = 0, c = 0] = places.map(at);
    text += toCrypt64(a * 65_536 + b * 256 + c, 4);
    places = turn.map((place) => (places[place] ?? 0) + 1);
  }
  return digest.length === 32 ? text + toCrypt64(at(31) * 256 + at(30), 3) : text + toCrypt64(at(63), 2);
}
