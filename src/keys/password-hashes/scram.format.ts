import { createHmac, hash, pbkdf2Sync } from 'node:crypto';
import { fromBase64, isSame } from './bytes.js';
import type { HashFormat } from './hash-format.js';

/** The bytes of a digest. */
const digestBytes = { sha1: 20, sha256: 32, sha512: 64 };
const mostRounds = 4_000_000;

/**
 * What a server keeps for SCRAM (RFC 5802 section 3, RFC 7677). Dovecot writes `{SCRAM-SHA-256}4096,SALT,STOREDKEY,SERVERKEY`, PostgreSQL
 * `SCRAM-SHA-256$4096:SALT$STOREDKEY:SERVERKEY`. Only the stored key is compared.
 */
export const scram: HashFormat = (text) => {
  const found =
    /^(?:\{SCRAM-SHA-(1|256|512)\}(\d{1,9}),([^,]+),([^,]+),([^,]+)|SCRAM-SHA-(256)\$(\d{1,9}):([^$:]+)\$([^$:]+):([^$:]+))$/i.exec(
      text,
    );
  if (found === null) return undefined;
  const [size = '', given = '', ...encoded] = found.slice(1).filter((part) => part !== undefined);
  const name = `sha${size}` as keyof typeof digestBytes;
  const rounds = Number(given);
  const [salt, stored, server] = encoded.map(fromBase64);
  const length = digestBytes[name];
  if (salt === undefined || stored?.length !== length || server?.length !== length) return undefined;
  if (rounds < 1 || rounds > mostRounds) return 'costOutOfBounds';
  return {
    text: `{SCRAM-SHA-${size}}${rounds},${[salt, stored, server].map((part) => part.toString('base64')).join()}`,
    milliseconds: 1 + rounds * 0.0007,
    matches(password) {
      const salted = pbkdf2Sync(password, salt, rounds, length, name);
      const clientKey = createHmac(name, salted).update('Client Key').digest();
      return isSame(hash(name, clientKey, 'buffer'), stored);
    },
  };
};
