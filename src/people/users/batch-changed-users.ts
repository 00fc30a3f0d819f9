import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { batchWrites } from '#src/platform/work/batcher.js';
import { limitWaiting } from '#src/platform/work/limit-waiting.js';
import { togetherOrAlone } from '#src/platform/work/together-or-alone.js';
import {
  type ChangedUser,
  changesCredentials,
  endsSignIns,
  type WriteChangedUsersDeps,
  writeChangedUsers,
} from './write-changed-users.js';

/**
 * Writes a changed user with its events, and tells every process that may have the user in its cache.
 * @returns false if another caller has changed the user
 * @throws the duplicate-key error of MongoDB if a value is taken
 */
export type BatchChangedUser = (changed: ChangedUser) => Promise<boolean>;

type Deps = WriteChangedUsersDeps & { readonly mongo: Pick<Mongo, 'transactionOf' | 'refuseTransaction'> };

/** For one organization. A transaction costs several round trips, for any number of users. */
const limits = { atOnce: 2, most: 50 };

/** The changes of one organization that may wait in a process. */
const mostWaiting = 500;

/** After so long a time of conflicts each change of a batch is tried alone, so that one busy user does not hold up the others. */
const retryMs = 50;

/** A user of a transaction was changed by another caller, so nothing was written. */
class Outdated extends Error {}

/**
 * Returns a function that combines the changes of simultaneous callers in one organization and writes them in one transaction. If that
 * fails, each change has a transaction of its own, so that only the change of a user fails whom another caller has changed, or whose value
 * is taken. Deactivations need Redis, so they are combined with each other alone. A change of a password or of a second factor is never
 * combined: until the commit, the former ones open sign-ins that stay, and other changes must not make that time longer.
 */
export function createChangedUserBatcher(deps: Deps): BatchChangedUser {
  const gather = batchWrites(
    (changed: readonly ChangedUser[]) =>
      togetherOrAlone(changed, {
        async together(several) {
          await write(deps, several, { retryMs });
          return async () => true;
        },
        alone: (one) => writeAlone(deps, one),
      }),
    limits,
    (changed) => `${changed.user.orgId}${endsSignIns(changed) ? ' deactivations' : ''}`,
  );
  const bounded = limitWaiting(gather, {
    most: mostWaiting,
    keyOf: ({ user }) => user.orgId,
    refuse: deps.mongo.refuseTransaction,
  });
  return async (changed) => (changesCredentials(changed) ? writeAlone(deps, changed) : bounded(changed));
}

async function writeAlone(deps: Deps, changed: ChangedUser): Promise<boolean> {
  try {
    await write(deps, [changed]);
    return true;
  } catch (error) {
    if (error instanceof Outdated) return false;
    throw error;
  }
}

/** @throws Outdated */
async function write(
  deps: Deps,
  changed: readonly ChangedUser[],
  options?: { retryMs: number },
): Promise<void> {
  const orgId = changed[0]?.user.orgId ?? '';
  const work = async (transaction: Transaction) => {
    if (!(await writeChangedUsers(deps, orgId, changed, transaction))) throw new Outdated();
  };
  try {
    await deps.mongo.transactionOf(orgId, work, options);
  } finally {
    // A commit that reports an error may have succeeded.
    await deps.revocations.restamp(...changed.map(({ user }) => user.id));
  }
}
