import { createHmac } from 'node:crypto';
import type { HashFormat, HashReading, PasswordHash } from './hash-format.js';

/** How a password and a pepper become the text that is hashed. */
const ways = {
  suffix: (password: string, pepper: string) => `${password}${pepper}`,
  prefix: (password: string, pepper: string) => `${pepper}${password}`,
  ...Object.fromEntries(
    ['sha256', 'sha384', 'sha512'].flatMap((name) =>
      (['base64', 'hex'] as const).map((encoding) => [
        `hmac-${name}-${encoding}`,
        (password: string, pepper: string) => createHmac(name, pepper).update(password).digest(encoding),
      ]),
    ),
  ),
} as const satisfies Readonly<Record<string, (password: string, pepper: string) => string>>;

const pattern = new RegExp(`^\\$pepper-(${Object.keys(ways).join('|')})(\\$.+)$`);

/**
 * Any hash that begins with a dollar sign, made of the password and the pepper of the organization: `$pepper-suffix$2a$12$...` as Devise
 * writes it, `$pepper-prefix$...`, and `$pepper-hmac-sha256-base64$...` or `-hex` of the HMAC (RFC 2104) with the pepper as the key. The
 * hash does not contain the pepper. The form is our own, because no system tells such hashes apart.
 */
export const peppered: HashFormat = (text, readInner) => {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [, way = '', inner = ''] = found;
  const reading: HashReading = readInner(inner);
  if (typeof reading !== 'object') return reading;
  return { ...withPepper(reading, ways[way as keyof typeof ways]), text: `$pepper-${way}${reading.text}` };
};

function withPepper(
  { matches, argon2, ...hash }: PasswordHash,
  prepare: (password: string, pepper: string) => string,
): PasswordHash {
  return {
    ...hash,
    needsPepper: true,
    ...(argon2 && { argon2: { ...argon2, prepare } }),
    ...(matches && { matches: (password, pepper = '') => matches(prepare(password, pepper), pepper) }),
  };
}
