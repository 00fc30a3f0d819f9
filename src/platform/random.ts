import { randomFillSync } from 'node:crypto';

// One call of the system's generator takes as long for 8 KiB as for 16 bytes.
const pool = Buffer.allocUnsafeSlow(8_192);
let used = pool.length;

/**
 * Random bytes of the system's generator, for values that every request needs. The buffer keeps no copy of
 * returned bytes.
 */
export function drawRandom(length: number): Buffer {
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const drawn = Buffer.from(pool.subarray(used, used + length));
  pool.fill(0, used, used + length);
  used += length;
  return drawn;
}
