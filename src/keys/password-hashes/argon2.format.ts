import { fromBase64, toBase64 } from './bytes.js';
import type { HashFormat } from './hash-format.js';

/** A salt of at least 8 bytes and a tag of at least 16, in base64. */
const pattern =
  /^\$(argon2(?:id|i|d))(?:\$v=(16|19))?\$([a-z]{1,5}=[^$]{1,120})\$([A-Za-z0-9+/]{11,86}=*)\$([A-Za-z0-9+/]{22,172}=*)$/;
/** The parameters that there are. Each stands at most once, in any order. */
const parameterPattern = /^(?:([mtp])=(\d{1,7})|(keyid)=([A-Za-z0-9+/]{1,11})|(data)=([A-Za-z0-9+/]{1,43}))$/;

/** The most memory of a comparison. */
const mostKib = 262_144;

/**
 * argon2 in the form of its reference (RFC 9106): `$argon2id$v=19$m=65536,t=3,p=4$SALT$TAG`, also `argon2i` and `argon2d`. The
 * parameters may have any order, because Node's package argon2 writes `m,p,t`. `data` is the associated data. With `keyid`, the
 * hash was made with a secret, which is the pepper of the organization.
 */
export const argon2: HashFormat = (text) => {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [, variant = '', version = '16', parameters = '', ...encoded] = found;
  const given = readParameters(parameters);
  const [salt, tag] = encoded.map(fromBase64);
  if (given === undefined || salt === undefined || tag === undefined) return undefined;
  const { keyid, data } = given;
  const [m, t, p] = [Number(given['m']), Number(given['t']), Number(given['p'])];
  if (![m, t, p].every(Number.isInteger)) return undefined;
  const isAffordable = m >= 8 && m <= mostKib && t >= 1 && t <= 20 && p >= 1 && p <= 16;
  // The reference refuses less than 8 KiB for a lane.
  if (!isAffordable || m < 8 * p) return 'costOutOfBounds';
  const known = (names: Readonly<Record<string, string | undefined>>) =>
    Object.entries(names).flatMap(([name, value]) => (value === undefined ? [] : `,${name}=${value}`));
  const written = (names: Readonly<Record<string, string | undefined>>) =>
    `$${variant}$v=${version}$m=${m},t=${t},p=${p}${known(names).join('')}$${toBase64(salt)}$${toBase64(tag)}`;
  return {
    text: written({ keyid, data }),
    milliseconds: (m * t) / 1_000,
    memoryKib: m,
    argon2: { text: written({ data }), ...(keyid !== undefined && { isKeyed: true }) },
  };
};

/** Undefined for an unknown parameter, and for one that stands twice. */
function readParameters(text: string): Readonly<Record<string, string | undefined>> | undefined {
  const given: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [, cost, number, keyid, key, data, value] = parameterPattern.exec(part) ?? [];
    const name = cost ?? keyid ?? data;
    if (name === undefined || Object.hasOwn(given, name)) return undefined;
    given[name] = number ?? key ?? value ?? '';
  }
  return given;
}
