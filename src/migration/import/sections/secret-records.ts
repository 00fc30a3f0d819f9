import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { ClientSecret } from '#src/directory/credentials/client-secret.js';
import { newId } from '#src/platform/ids.js';
import type { clientSecret } from '../../format/values.js';

/** A client secret as a file has it: its hash, and when it was created. */
export type SecretRecord = Static<typeof clientSecret>;

/** Returns the secret as it is stored. */
export function toSecret({ hash, created }: SecretRecord): ClientSecret {
  return { id: newId(), hash, created: new Date(created) };
}

/** Returns the secret as a file has it. */
export function toSecretRecord({ hash, created }: ClientSecret): SecretRecord {
  return { hash, created: created.toISOString() };
}

/** Whether the stored secrets are those of a record. A record without secrets matches any. */
export function sameSecrets(
  stored: readonly SecretRecord[] = [],
  given: readonly SecretRecord[] | undefined,
): boolean {
  return given === undefined || isDeepStrictEqual(stored, given);
}
