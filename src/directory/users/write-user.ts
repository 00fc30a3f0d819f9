import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { RevocationList } from '#src/tokens/revocation.js';

export interface WriteUserDeps {
  readonly mongo: Mongo;
  readonly revocations: Pick<RevocationList, 'restamp'>;
}

/**
 * Runs a transaction that changes or removes a user, and announces the change to every process that may hold the user
 * in memory. All changes of users go through here; only users that are added, whom nobody can hold yet, do not.
 */
export async function writeUser<T>(
  { mongo, revocations }: WriteUserDeps,
  id: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await mongo.transaction(work);
  } finally {
    // A commit that failed may have taken place nevertheless.
    await revocations.restamp(id);
  }
}
