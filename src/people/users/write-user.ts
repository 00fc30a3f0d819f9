import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { RevocationList } from '#src/tokens/revocation.js';

interface WriteUserDeps {
  readonly mongo: Mongo;
  readonly revocations: Pick<RevocationList, 'restamp'>;
}

/**
 * Runs a transaction that changes a user. It then tells every process that may have the user in its cache. Imports, removals and changes that
 * share a transaction do the same by themselves with `RevocationList.restamp`. `SeenUsers` relies on it. New users need no announcement, because
 * no process can have them in its cache.
 */
export async function writeUser<T>(
  { mongo, revocations }: WriteUserDeps,
  { id, orgId }: { readonly id: string; readonly orgId: string },
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await mongo.transactionOf(orgId, work);
  } finally {
    // A commit that reports an error may have succeeded.
    await revocations.restamp(id);
  }
}
