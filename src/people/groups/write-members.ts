import type { Mongo } from '#src/platform/mongo/mongo.js';
import { batchWrites } from '#src/platform/work/batcher.js';
import { limitWaiting } from '#src/platform/work/limit-waiting.js';
import { type MemberWrite, usersOf } from './member-steps.js';
import { usersPerStep } from './users-per-step.js';
import { createGroupBatcher, type GroupBatcherDeps } from './write-groups.js';

/**
 * Writes a step of members, with its events. A user who is a member already, or is none, is skipped.
 * @throws AppError `directory.groupNotFound`, and the errors of `beforeChange` and `afterLoss`
 */
export type WriteMembers = (write: MemberWrite) => Promise<void>;

/** The steps of one organization that may wait in a process. */
const mostWaiting = 500;

/**
 * Returns a function that writes simultaneous steps of one group together, one transaction after another. All change the version of the
 * group, so that MongoDB would repeat their transactions again and again. Simultaneous small steps of several groups share a transaction
 * too ({@link createGroupBatcher}).
 */
export function createWriteMembers(
  deps: GroupBatcherDeps & { readonly mongo: Pick<Mongo, 'refuseTransaction'> },
): WriteMembers {
  const writeGroup = createGroupBatcher(deps);
  const gather = batchWrites(
    async (writes: readonly MemberWrite[]) => {
      const failures = new Map<MemberWrite, unknown>();
      for (const together of inTransactions(writes)) {
        for (const [write, error] of await writeGroup(together)) failures.set(write, error);
      }
      return (write) => {
        if (failures.has(write)) throw failures.get(write);
      };
    },
    { atOnce: 1, most: 50 },
    ({ orgId, groupId }) => `${orgId} ${groupId}`,
  );
  return limitWaiting(gather, {
    most: mostWaiting,
    keyOf: ({ orgId }) => orgId,
    refuse: deps.mongo.refuseTransaction,
  });
}

/** Divides the writes into transactions. One has more users than a step only if it has a single write. */
function inTransactions(writes: readonly MemberWrite[]): [MemberWrite, ...MemberWrite[]][] {
  const transactions: [MemberWrite, ...MemberWrite[]][] = [];
  let users = 0;
  for (const write of writes) {
    const size = usersOf([write]);
    const current = transactions.at(-1);
    if (current === undefined || users + size > usersPerStep) {
      transactions.push([write]);
      users = size;
    } else {
      current.push(write);
      users += size;
    }
  }
  return transactions;
}
