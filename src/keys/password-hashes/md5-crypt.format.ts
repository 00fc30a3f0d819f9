import { createHash } from 'node:crypto';
import { isSame, toCrypt64 } from './bytes.js';
import type { HashFormat } from './hash-format.js';

/** The order in which the bytes of the digest are written, three at a time; the last one is alone. */
const order = [
  [0, 6, 12],
  [1, 7, 13],
  [2, 8, 14],
  [3, 9, 15],
  [4, 10, 5],
] as const;

/** MD5 of crypt(3): `$1$SALT$DIGEST`. Ory Kratos writes `$md5-crypt$`. Apache's variant is `$apr1$SALT$DIGEST` (htpasswd). */
export const md5Crypt: HashFormat = (text) => {
  const found = /^\$(1|md5-crypt|apr1)\$([!-#%-9;-~]{0,8})\$([./0-9A-Za-z]{22})$/.exec(text);
  if (found === null) return undefined;
  const [, name, salt = '', digest = ''] = found;
  const start = name === 'apr1' ? '$apr1$' : '$1$';
  return {
    text: `${start}${salt}$${digest}`,
    milliseconds: 3,
    matches: (password) => isSame(compute(Buffer.from(password), Buffer.from(salt), start), digest),
  };
};

function compute(password: Buffer, salt: Buffer, name: string): string {
  const md5 = (...parts: readonly Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
  const mixed = md5(password, salt, password);
  const start: Buffer[] = [password, Buffer.from(name), salt];
  for (let left = password.length; left > 0; left -= 16) start.push(mixed.subarray(0, Math.min(16, left)));
  for (let bits = password.length; bits > 0; bits >>= 1) {
    start.push(bits & 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  }
  let digest = md5(...start);
  for (let round = 0; round < 1_000; round++) {
    const parts = [round % 2 ? password : digest];
    if (round % 3) parts.push(salt);
    if (round % 7) parts.push(password);
    parts.push(round % 2 ? digest : password);
    digest = md5(...parts);
  }
  const at = (place: number) => digest[place] ?? 0;
  const groups = order.map(([a, b, c]) => toCrypt64(at(a) * 65_536 + at(b) * 256 + at(c), 4));
  return groups.join('') + toCrypt64(at(11), 2);
}
