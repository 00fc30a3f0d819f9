import { MongoClient } from 'mongodb';
import type { Expected } from './callers.js';
import type { Service } from './service.js';

/** What was expected and what is there. */
export interface End {
  readonly expected: number;
  readonly found: number;
  /** What differs; the first few, shortly. */
  readonly differences: string[];
}

/** Compares what clients were told with what is stored: every user once, with one event and the last change. */
export async function checkEnd({ stage }: Service, { users }: Expected): Promise<End> {
  const client = await MongoClient.connect(stage.mongodb.url);
  const differences: string[] = [];
  try {
    const db = client.db(stage.mongodb.database);
    const added = new Map<string, number>();
    const events = db
      .collection<{ aggregate: { id: string } }>('events')
      .find(
        { 'aggregate.resourceOwner': stage.orgId, type: 'user.human.added' },
        { projection: { 'aggregate.id': 1 } },
      );
    for await (const { aggregate } of events) added.set(aggregate.id, (added.get(aggregate.id) ?? 0) + 1);

    const seen = new Map<string, number>();
    const stored = db
      .collection<{ _id: string; userName: string; displayName?: string }>('users')
      .find({ orgId: stage.orgId });
    for await (const { _id, userName, displayName } of stored) {
      seen.set(userName, (seen.get(userName) ?? 0) + 1);
      if (!users.has(userName)) continue;
      const asked = users.get(userName);
      if (asked !== undefined && displayName !== asked)
        differences.push(`${userName} is called ${displayName}, not ${asked}`);
      if (added.get(_id) !== 1)
        differences.push(`${userName} has ${added.get(_id) ?? 0} events of its addition`);
    }
    const found = [...users.keys()].filter((userName) => seen.has(userName));
    for (const userName of users.keys())
      if (seen.get(userName) !== 1) differences.push(`${userName} is there ${seen.get(userName) ?? 0} times`);
    return { expected: users.size, found: found.length, differences };
  } finally {
    await client.close();
  }
}
