import type { Mongo } from '#src/platform/mongo/mongo.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { batchWrites } from '#src/platform/work/batcher.js';
import {
  type ChangedUser,
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

type Deps = WriteChangedUsersDeps & { readonly mongo: Pick<Mongo, 'transactionOf'> };

/** For one organization. A transaction costs several round trips, for any number of users. */
const limits = { atOnce: 2, most: 50 };

/** A user of a transaction was changed by another caller, so nothing was written. */
class Outdated extends Error {}

/**
 * Returns a function that combines the changes of simultaneous callers in one organization and writes them in one transaction. Only the
 * change of a user fails whom another caller has changed, or whose value is taken. A change that ends sessions has a transaction of its
 * own: until the commit, what it ends can begin anew, and other changes must not make that time longer.
 */
export function createChangedUserBatcher(deps: Deps): BatchChangedUser {
  const writeMany = async (changed: readonly ChangedUser[]) => {
    const outcomes = await writeTogether(deps, changed);
    return (one: ChangedUser): boolean => {
      const outcome = outcomes.get(one);
      if (typeof outcome === 'boolean') return outcome;
      throw outcome;
    };
  };
  const gather = batchWrites(writeMany, limits, ({ user }) => user.orgId);
  return async (changed) => (endsSignIns(changed) ? (await writeMany([changed]))(changed) : gather(changed));
}

/** @returns for each user whether it was written, or its error */
async function writeTogether(
  deps: Deps,
  changed: readonly ChangedUser[],
): Promise<Map<ChangedUser, unknown>> {
  const toAll = (outcome: unknown) => new Map(changed.map((one) => [one, outcome]));
  try {
    await write(deps, changed);
    return toAll(true);
  } catch (error) {
    if (changed.length === 1 || isStoreUnavailable(error))
      return toAll(error instanceof Outdated ? false : error);
  }
  // One of them is at fault, and none was written.
  const outcomes = new Map<ChangedUser, unknown>();
  for (const one of changed) {
    for (const [written, outcome] of await writeTogether(deps, [one])) outcomes.set(written, outcome);
  }
  return outcomes;
}

/** @throws Outdated */
async function write(deps: Deps, changed: readonly ChangedUser[]): Promise<void> {
  const orgId = changed[0]?.user.orgId ?? '';
  try {
    await deps.mongo.transactionOf(orgId, async (transaction) => {
      if (!(await writeChangedUsers(deps, orgId, changed, transaction))) throw new Outdated();
    });
  } finally {
    // A commit that reports an error may have succeeded.
    await deps.revocations.restamp(...changed.map(({ user }) => user.id));
  }
}
