import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { isDuplicateKey, type Mongo, type Transaction } from '#src/platform/mongo/mongo.js';
import { gatherWrites } from '#src/platform/redis/gather.js';
import { userAdded } from './user-events.js';
import type { NewUser, UsersStore } from './users.store.js';

/** A new user to write, and the editor that adds it. */
export interface Addition {
  readonly orgId: string;
  readonly added: NewUser;
  readonly editor: Editor;
}

/**
 * Writes a new user and its `user.human.added` event.
 * @throws the duplicate-key error of MongoDB if the id or the userName is taken
 */
export type WriteNewUser = (addition: Addition) => Promise<void>;

/** A transaction costs several round trips, for any number of users. */
const limits = { atOnce: 2, most: 50 };

/**
 * Writes new users and their `user.human.added` events in the transaction of the caller.
 * @throws the duplicate-key error of MongoDB if an id or a userName is taken
 */
export async function writeNewUsers(
  { users, events }: { users: Pick<UsersStore, 'insert'>; events: Pick<EventsStore, 'append'> },
  { orgId, added, editor }: { orgId: string; added: readonly NewUser[]; editor: Editor },
  transaction: Transaction,
): Promise<void> {
  await users.insert(orgId, added, transaction);
  await events.append(
    added.map(({ user }) => userAdded(user, editor)),
    transaction,
  );
}

/**
 * Returns a function that combines the users of simultaneous callers and writes them in one transaction. If one of them
 * is taken, each gets its own transaction, so that no caller fails because of another.
 */
export function createWriteNewUser(deps: {
  mongo: Mongo;
  users: Pick<UsersStore, 'insert'>;
  events: Pick<EventsStore, 'append'>;
}): WriteNewUser {
  const { mongo, users, events } = deps;

  function write(additions: readonly Addition[]): Promise<void> {
    const byOrganization = new Map<string, NewUser[]>();
    for (const { orgId, added } of additions) {
      byOrganization.set(orgId, [...(byOrganization.get(orgId) ?? []), added]);
    }
    const happened = additions.map(({ added, editor }) => userAdded(added.user, editor));
    return mongo.transaction(async (transaction) => {
      for (const [orgId, added] of byOrganization) await users.insert(orgId, added, transaction);
      await events.append(happened, transaction);
    });
  }

  return gatherWrites(async (additions) => {
    try {
      await write(additions);
      return () => undefined;
    } catch (error) {
      if (additions.length === 1 || !isDuplicateKey(error)) throw error;
    }
    const written = await Promise.allSettled(additions.map((addition) => write([addition])));
    return (_addition, index) => {
      const one = written[index];
      if (one?.status === 'rejected') throw one.reason;
    };
  }, limits);
}
