import { isJsonObject } from '#src/platform/json/json-object.js';
import { fromBase64 } from './bytes.js';
import { readDigest } from './digest.format.js';
import type { HashFormat, HashReading } from './hash-format.js';

/** The salt that ForgeRock IDM puts after a digest. */
const saltBytes = 16;

/**
 * A salted hash of ForgeRock IDM as JSON: `{"$crypto":{"type":"salted-hash","value":{"algorithm":"SHA-512","data":"..."}}}`. The data
 * are base64 of the digest of the password and the salt, and then the salt. bcrypt is kept as its text.
 */
export const forgeRockSaltedHash: HashFormat = (text, readInner) => {
  if (!/^\{\s*"\$crypto"/.test(text)) return undefined;
  const found = parsed(text);
  const crypto = isJsonObject(found) ? found['$crypto'] : undefined;
  const value = isJsonObject(crypto) && crypto['type'] === 'salted-hash' ? crypto['value'] : undefined;
  const [algorithm, data] = isJsonObject(value) ? [value['algorithm'], value['data']] : [];
  if (typeof algorithm !== 'string' || typeof data !== 'string') return undefined;
  return algorithm.toUpperCase() === 'BCRYPT' ? readInner(data) : readSalted(algorithm, data);
};

function readSalted(algorithm: string, data: string): HashReading {
  const [, size] = /^SHA-?(1|256|384|512)$/i.exec(algorithm) ?? [];
  const bytes = fromBase64(data);
  if (size === undefined || bytes === undefined) return undefined;
  const end = Math.max(0, bytes.length - saltBytes);
  const [tag, salt] = [bytes.subarray(0, end), bytes.subarray(end)];
  return readDigest({ name: `sha${size}`, template: '{PASSWORD}{SALT}', salt, tag });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
