import { v7 } from 'uuid';
import { drawRandom } from './random.js';

let lastTime = 0;
let sequence = 0;

/**
 * A new identifier: a UUIDv7, so that identifiers sort by time (RFC 9562 section 5.7). Within a millisecond,
 * those of one process sort too, by a sequence with a random start (section 6.2, method 1).
 */
export function newId(): string {
  const random = drawRandom(16);
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    sequence = random.readUInt32BE(6) >>> 1;
  } else {
    sequence += 1;
  }
  return v7({ random, msecs: lastTime, seq: sequence });
}

/** A text before which all earlier identifiers of {@link newId} sort, and after which all later ones sort. */
export function firstIdOf(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** A secret of 256 random bits in 43 URL-safe characters. */
export function newSecret(): string {
  return drawRandom(32).toString('base64url');
}
