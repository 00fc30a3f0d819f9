import { fromBase64, toBase64 } from './bytes.js';
import type { HashFormat } from './hash-format.js';

/** A salt of at least 8 bytes and a tag of at least 16, in base64. */
const pattern =
  /^\$(argon2(?:id|i|d))(?:\$v=(16|19))?\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86}=*)\$([A-Za-z0-9+/]{22,172}=*)$/;

/** The most memory of a comparison. */
const mostKib = 262_144;

/** argon2 in the form of its reference (RFC 9106): `$argon2id$v=19$m=65536,t=3,p=4$SALT$TAG`, also `argon2i` and `argon2d`. */
export const argon2: HashFormat = (text) => {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [, variant = '', version = '16', memory, passes, lanes, ...encoded] = found;
  const [salt, tag] = encoded.map(fromBase64);
  if (salt === undefined || tag === undefined) return undefined;
  const [m, t, p] = [Number(memory), Number(passes), Number(lanes)];
  const isAffordable = m >= 8 && m <= mostKib && t >= 1 && t <= 20 && p >= 1 && p <= 16;
  // The reference refuses less than 8 KiB for a lane.
  if (!isAffordable || m < 8 * p) return 'costOutOfBounds';
  return {
    text: `$${variant}$v=${version}$m=${m},t=${t},p=${p}$${toBase64(salt)}$${toBase64(tag)}`,
    milliseconds: (m * t) / 1_000,
    memoryKib: m,
  };
};
