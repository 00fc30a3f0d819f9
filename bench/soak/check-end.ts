import type { Db } from 'mongodb';
import type { Stage } from '../../dev/stage/stage.js';
import { withDatabase } from '../../dev/stage/with-database.js';
import type { Expected } from './expected.js';

/** The organization and the database that hold the users. */
type Place = Pick<Stage, 'orgId' | 'mongodb'>;

/** The expected users and the stored users. */
export interface End {
  /** The number of users that clients were told of, plus those that existed before. */
  readonly expected: number;
  /** The number of stored users, without those of `unanswered`. */
  readonly found: number;
  /** The number of stored users from requests whose response was lost in a fault and which were not sent again. */
  readonly unanswered: number;
  /** A short text for each difference. */
  readonly differences: readonly string[];
}

/** The names of all users of the organization. A name that several users have appears several times. */
export function storedNames(stage: Place): Promise<string[]> {
  return withDatabase(stage, async (db) => {
    const stored = await usersOf(db, stage).toArray();
    return stored.map(({ userName }) => userName);
  });
}

/**
 * Compares the responses that clients got with the stored data. Every user must exist once, with one event and the last
 * change. No other user may exist.
 * @param before the names that existed before the clients began
 */
export function checkEnd(stage: Place, { users }: Expected, before: readonly string[]): Promise<End> {
  return withDatabase(stage, async (db) => {
    const differences: string[] = [];
    const added = await additionsOf(db, stage);
    const seen = new Map<string, number>();
    let found = 0;
    let unanswered = 0;
    for await (const { _id, userName, displayName } of usersOf(db, stage)) {
      seen.set(userName, (seen.get(userName) ?? 0) + 1);
      const asked = users.get(userName);
      if (asked?.isTold === false) unanswered++;
      else found++;
      if (asked === undefined && !before.includes(userName))
        differences.push(`${userName} was asked for by nobody`);
      if (asked?.displayName !== undefined && displayName !== asked.displayName)
        differences.push(`${userName} is called ${displayName}, not ${asked.displayName}`);
      const events = added.get(_id) ?? 0;
      if (asked !== undefined && events !== 1)
        differences.push(`${userName} has ${events} events of its addition`);
      added.delete(_id);
    }
    for (const id of added.keys()) differences.push(`An event tells of the user ${id}, who is not there`);
    const told = [...users].filter(([, { isTold }]) => isTold).map(([userName]) => userName);
    for (const userName of [...told, ...before]) {
      const times = seen.get(userName) ?? 0;
      if (times !== 1) differences.push(`${userName} is there ${times} times`);
    }
    return { expected: told.length + before.length, found, unanswered, differences };
  });
}

interface StoredUser {
  readonly _id: string;
  readonly userName: string;
  readonly displayName?: string;
}

function usersOf(db: Db, { orgId }: Place) {
  const projection = { userName: 1, displayName: 1 };
  return db.collection<StoredUser>('users').find({ orgId }, { projection });
}

/** The number of addition events of each user. */
async function additionsOf(db: Db, { orgId }: Place): Promise<Map<string, number>> {
  const added = new Map<string, number>();
  const events = db
    .collection<{ aggregate: { id: string } }>('events')
    .find(
      { 'aggregate.resourceOwner': orgId, type: 'user.human.added' },
      { projection: { 'aggregate.id': 1 } },
    );
  for await (const { aggregate } of events) added.set(aggregate.id, (added.get(aggregate.id) ?? 0) + 1);
  return added;
}
