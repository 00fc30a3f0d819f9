import type { ClientSecret } from '#src/clients/credentials/index.js';
import { requireName } from '#src/organizations/index.js';
import { newId } from '#src/platform/ids.js';
import { type SecretRecord, toSecretRecord } from '../../../format/credential-records.js';
import { readMoment } from './read-moment.js';

/** Returns the secret as it is stored. @throws RecordFailure, and AppError `directory.valueInvalid` */
export function toSecret({ hash, created, label, expires }: SecretRecord): ClientSecret {
  return {
    id: newId(),
    hash,
    created: readMoment('clientSecrets.created', created),
    ...(label !== undefined && { label: requireName('label', label) }),
    ...(expires !== undefined && { expires: readMoment('clientSecrets.expires', expires) }),
  };
}

/** Returns the secret without what a file may have besides. */
export function withoutOthers(given: SecretRecord): SecretRecord {
  return toSecretRecord(toSecret(given));
}
