import { hash } from 'node:crypto';
import { fromBase64, isSame, toBase64 } from './bytes.js';
import type { HashFormat } from './hash-format.js';

/** The bytes of a digest. */
const digestBytes = { md5: 16, sha256: 32 };

const mostRounds = 1_000_000;
/** Puts the salt after the password, in the form of one round of a digest. */
const saltLast = toBase64('{PASSWORD}{SALT}');

/**
 * Many rounds of a digest: `$salted-sha256$i=20000$SALT$TAG` and `$salted-md5$i=20000$SALT$TAG`. FusionAuth's schemes of the same names
 * (fusionauth.io/docs/reference/password-hashes). The first round hashes the password and the salt. Each later round hashes the previous
 * digest.
 */
export const saltedDigest: HashFormat = (text, readInner) => {
  // FusionAuth has the number of rounds as an integer of 32 bits.
  const found = /^\$salted-(md5|sha256)\$i=(\d{1,10})\$([A-Za-z0-9+/]*=*)\$([A-Za-z0-9+/]+=*)$/.exec(text);
  if (found === null) return undefined;
  const digest = found[1] as keyof typeof digestBytes;
  const rounds = Number(found[2]);
  const [salt, tag] = [fromBase64(found[3] ?? ''), fromBase64(found[4] ?? '')];
  if (salt === undefined || tag?.length !== digestBytes[digest]) return undefined;
  if (rounds < 1 || rounds > mostRounds) return 'costOutOfBounds';
  if (rounds === 1) {
    const start = salt.length === 0 ? '' : `pf=${saltLast}$${toBase64(salt)}$`;
    return readInner(`$${digest}$${start}${toBase64(tag)}`);
  }
  return {
    text: `$salted-${digest}$i=${rounds}$${toBase64(salt)}$${toBase64(tag)}`,
    milliseconds: rounds * 0.002,
    matches(password) {
      let state = Buffer.concat([Buffer.from(password), salt]);
      for (let round = 0; round < rounds; round++) state = hash(digest, state, 'buffer');
      return isSame(state, tag);
    },
  };
};
