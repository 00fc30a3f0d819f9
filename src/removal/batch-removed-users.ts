import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { batchWrites } from '#src/platform/work/batcher.js';
import { limitWaiting } from '#src/platform/work/limit-waiting.js';
import { togetherOrAlone } from '#src/platform/work/together-or-alone.js';
import {
  type LostRights,
  type RemovedUser,
  type WriteRemovedUsersDeps,
  writeRemovedUsers,
} from './write-removed-users.js';

/**
 * Removes a user with what belongs to it, and tells every process that may have the user in its cache.
 * @returns undefined if another caller has changed the user
 * @throws AppError `directory.lastAbleOwner`
 */
export type BatchRemovedUser = (removed: RemovedUser) => Promise<LostRights | undefined>;

export interface RemovedUserBatcherDeps extends WriteRemovedUsersDeps {
  readonly mongo: Pick<Mongo, 'transactionOf' | 'refuseTransaction'>;
}

/** For one organization. A transaction has some twenty commands, and some more for each user who is an owner. */
const limits = { atOnce: 2, most: 50 };

/** The removals of one organization that may wait in a process. */
const mostWaiting = 500;

/** After so long a time of conflicts each removal has a transaction of its own, so that one busy user does not hold up the others. */
const retryMs = 50;

/** A user of a transaction was changed by another caller, so nothing was written. */
class Outdated extends Error {}

/**
 * Returns a function that combines the removals of simultaneous callers in one organization and writes them in one transaction. If that
 * fails, each removal has a transaction of its own, so that only the removal of a user fails whom another caller has changed, or who is the last
 * owner.
 */
export function createRemovedUserBatcher(deps: RemovedUserBatcherDeps): BatchRemovedUser {
  const gather = batchWrites(
    (removed: readonly RemovedUser[]) =>
      togetherOrAlone<RemovedUser, LostRights | undefined>(removed, {
        async together(several) {
          const lost = await write(deps, several, undefined, { retryMs });
          return async (one) => lost.get(one);
        },
        alone: (one) => removeAlone(deps, one),
      }),
    limits,
    ({ current }) => current.orgId,
  );
  const bounded = limitWaiting(gather, {
    most: mostWaiting,
    keyOf: ({ current }) => current.orgId,
    refuse: deps.mongo.refuseTransaction,
  });
  return async (removed) => bounded(removed);
}

/** {@link BatchRemovedUser} in a transaction of its own. @param alongside makes further writes in it */
export async function removeAlone(
  deps: Omit<RemovedUserBatcherDeps, 'mongo'> & { readonly mongo: Pick<Mongo, 'transactionOf'> },
  removed: RemovedUser,
  alongside?: (transaction: Transaction) => Promise<void>,
): Promise<LostRights | undefined> {
  try {
    return (await write(deps, [removed], alongside)).get(removed);
  } catch (error) {
    if (error instanceof Outdated) return undefined;
    throw error;
  }
}

/** @throws Outdated */
async function write(
  deps: Omit<RemovedUserBatcherDeps, 'mongo'> & { readonly mongo: Pick<Mongo, 'transactionOf'> },
  removed: readonly RemovedUser[],
  alongside?: (transaction: Transaction) => Promise<void>,
  options?: { retryMs: number },
): Promise<Map<RemovedUser, LostRights>> {
  const orgId = removed[0]?.current.orgId ?? '';
  const work = async (transaction: Transaction) => {
    const lost = await writeRemovedUsers(deps, { orgId, removed }, transaction, alongside);
    if (lost === undefined) throw new Outdated();
    return lost;
  };
  try {
    return await deps.mongo.transactionOf(orgId, work, options);
  } finally {
    // A commit that reports an error may have succeeded.
    await deps.revocations.restamp(...removed.map(({ current }) => current.id));
  }
}
