import { randomFillSync } from 'node:crypto';

// One call of the generator of OpenSSL takes as long for 8 KiB as for 16 bytes.
const pool = Buffer.allocUnsafeSlow(8_192);
let used = pool.length;

/**
 * Random bytes of the generator of OpenSSL, for the secrets and identifiers that every request needs. The pool keeps no copy of
 * returned bytes.
 * @throws RangeError unless the length is from 1 to 8,192
 */
export function drawRandom(length: number): Buffer {
  if (!Number.isInteger(length) || length < 1 || length > pool.length)
    throw new RangeError(`The pool has no ${length} random bytes`);
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const drawn = Buffer.from(pool.subarray(used, used + length));
  pool.fill(0, used, used + length);
  used += length;
  return drawn;
}
