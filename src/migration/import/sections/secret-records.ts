import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { ClientSecret } from '#src/directory/credentials/client-secret.js';
import { newId } from '#src/platform/ids.js';
import type { clientSecret } from '../../format/values.js';

/** A secret of an application or a service user as a file has it: its hash, and when it was made. */
export type SecretRecord = Static<typeof clientSecret>;

/** The secret as it is kept. */
export function toSecret({ hash, created }: SecretRecord): ClientSecret {
  return { id: newId(), hash, created: new Date(created) };
}

/** The secret as a file has it. */
export function toSecretRecord({ hash, created }: ClientSecret): SecretRecord {
  return { hash, created: created.toISOString() };
}

/** Whether those that are there are those that a record brings; one that brings none has nothing to compare. */
export function sameSecrets(
  there: readonly SecretRecord[] = [],
  said: readonly SecretRecord[] | undefined,
): boolean {
  return said === undefined || isDeepStrictEqual(there, said);
}
