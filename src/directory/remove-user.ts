import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo.js';
import { compareAndSwap } from './compare-and-swap.js';
import { directoryErrors } from './errors.js';
import { userEvent } from './user-events.js';
import type { UsersStore } from './users.store.js';

/**
 * Removes a user for good and records `user.removed`.
 * @throws AppError `directory.userNotFound`, `directory.changing`
 */
export async function removeUser(
  { mongo, users, events, clock }: { mongo: Mongo; users: UsersStore; events: EventsStore; clock: Clock },
  request: {
    orgId: string;
    id: string;
    editor: Editor;
    /** More to write in the same transaction. */
    alongside?: (transaction: Transaction) => Promise<void>;
  },
): Promise<void> {
  const { orgId, id, editor, alongside } = request;
  await compareAndSwap(async () => {
    const current = await users.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.userNotFound);
    return mongo.transaction(async (transaction) => {
      if (!(await users.remove(orgId, { id, expectedVersion: current.version }, transaction)))
        return undefined;
      const last = { ...current, version: current.version + 1, lastModified: clock.now() };
      await events.append(
        [userEvent('user.removed', last, editor, { userName: current.userName })],
        transaction,
      );
      await alongside?.(transaction);
      return last;
    });
  }, id);
}
