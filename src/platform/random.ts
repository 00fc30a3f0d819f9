import { randomFillSync } from 'node:crypto';

// One call of the system's generator costs as much for 8 KiB as for 16 bytes.
const pool = Buffer.allocUnsafeSlow(8_192);
let used = pool.length;

/** Random bytes of the system's generator, for what is made with every request. Drawn bytes leave no copy behind. */
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
