import type { Static } from 'typebox';
import { type ClientKey, movedClientKey } from '#src/clients/credentials/index.js';
import type { clientKey } from '../../../format/values.js';
import { RecordFailure } from '../section/record-failure.js';
import { readMoment } from './read-moment.js';

/** A public key as a file has it. */
export type KeyRecord = Static<typeof clientKey>;

/**
 * Returns the keys as they are stored.
 * @throws RecordFailure, and AppError `directory.valueInvalid`, also for a private key. No message repeats a key
 */
export function toKeys(given: readonly KeyRecord[]): ClientKey[] {
  if (new Set(given.map(({ kid }) => kid)).size < given.length) {
    throw new RecordFailure('VALUE-INVALID', 'Two of the clientKeys have the same kid');
  }
  return given.map(({ kid, jwk, created, expires }) =>
    movedClientKey({
      kid,
      jwk,
      created: readMoment('clientKeys.created', created),
      ...(expires !== undefined && { expires: readMoment('clientKeys.expires', expires) }),
    }),
  );
}

/** Returns the key as a file has it. The members of `jwk` have a fixed order, so that exports of equal keys have equal bytes. */
export function toKeyRecord({ kid, jwk, created, expires }: ClientKey): KeyRecord {
  const { kty = '', crv, x, y, n, e, alg } = jwk;
  return {
    kid,
    jwk: {
      kty,
      ...(crv !== undefined && { crv }),
      ...(x !== undefined && { x }),
      ...(y !== undefined && { y }),
      ...(n !== undefined && { n }),
      ...(e !== undefined && { e }),
      ...(alg !== undefined && { alg }),
    },
    created: created.toISOString(),
    ...(expires && { expires: expires.toISOString() }),
  };
}
