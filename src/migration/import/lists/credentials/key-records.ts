import { type ClientKey, movedClientKey } from '#src/clients/credentials/index.js';
import type { KeyRecord } from '../../../format/credential-records.js';
import { RecordFailure } from '../section/record-failure.js';
import { readMoment } from './read-moment.js';

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
