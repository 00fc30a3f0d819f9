import { type FederatedCredential, movedFederatedCredential } from '#src/clients/credentials/index.js';
import type { FederatedCredentialRecord } from '../../../format/credential-records.js';
import { RecordFailure } from '../section/record-failure.js';
import { readMoment } from './read-moment.js';

/**
 * Returns the trusts as they are stored.
 * @param thisIssuer the issuer of this service
 * @throws RecordFailure, and AppError `directory.valueInvalid`
 */
export function toFederatedCredentials(
  given: readonly FederatedCredentialRecord[],
  thisIssuer: string,
): FederatedCredential[] {
  const trusts = given.map(({ created, ...settings }) =>
    movedFederatedCredential(
      { ...settings, created: readMoment('federatedCredentials.created', created) },
      thisIssuer,
    ),
  );
  const names = trusts.map(({ issuer, subject, audience }) => JSON.stringify([issuer, subject, audience]));
  if (new Set(names).size < names.length) {
    throw new RecordFailure(
      'VALUE-INVALID',
      'Two of the federatedCredentials have the same issuer, subject and audience',
    );
  }
  return trusts;
}
