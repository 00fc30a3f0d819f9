import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { isDuplicateKey, type Mongo } from '#src/platform/mongo/mongo.js';
import { gatherWrites } from '#src/platform/redis/gather.js';
import { userAdded } from './user-events.js';
import type { NewUser, UsersStore } from './users.store.js';

/** A prepared user to write, and who adds it. */
export interface Insertion {
  readonly orgId: string;
  readonly added: NewUser;
  readonly editor: Editor;
}

/** Writes a user and its event. @throws the engine's duplicate-key error when the id or the userName is taken */
export type InsertUser = (insertion: Insertion) => Promise<void>;

/** A transaction costs several round trips, however many users it writes. */
const limits = { atOnce: 2, most: 50 };

/**
 * Users that are added at once, by whomever, are written by one transaction. Where one of them is taken each gets a
 * transaction of its own, so that none fails for another.
 */
export function createInsertUser(deps: {
  mongo: Mongo;
  users: Pick<UsersStore, 'insert'>;
  events: Pick<EventsStore, 'append'>;
}): InsertUser {
  const { mongo, users, events } = deps;

  function write(insertions: readonly Insertion[]): Promise<void> {
    const byOrganization = new Map<string, NewUser[]>();
    for (const { orgId, added } of insertions) {
      byOrganization.set(orgId, [...(byOrganization.get(orgId) ?? []), added]);
    }
    const happened = insertions.map(({ added, editor }) => userAdded(added.user, editor));
    return mongo.transaction(async (transaction) => {
      for (const [orgId, added] of byOrganization) await users.insert(orgId, added, transaction);
      await events.append(happened, transaction);
    });
  }

  return gatherWrites(async (insertions) => {
    try {
      await write(insertions);
      return () => undefined;
    } catch (error) {
      if (insertions.length === 1 || !isDuplicateKey(error)) throw error;
    }
    const written = await Promise.allSettled(insertions.map((insertion) => write([insertion])));
    return (_insertion, index) => {
      const one = written[index];
      if (one?.status === 'rejected') throw one.reason;
    };
  }, limits);
}
