import { Redis } from 'ioredis';
import type { Document } from 'mongodb';
import type { Stage } from '../../../dev/stage/stage.js';
import { withDatabase } from '../../../dev/stage/with-database.js';
import { keysOf, removeKeys } from '../stores/redis-keys.js';

/** The content of a mongodump of one database. */
export type BackUp = readonly {
  readonly collection: string;
  readonly indexes: readonly Document[];
  readonly documents: readonly Document[];
}[];

/** Copies a database as `mongodump` does. No process may write during the copy, because there is no oplog to replay. */
export function backUp(stage: Stage): Promise<BackUp> {
  return withDatabase(stage, async (db) => {
    const collections = await db.listCollections({}, { nameOnly: true }).toArray();
    return Promise.all(
      collections.map(async ({ name: collection }) => ({
        collection,
        indexes: await db.collection(collection).indexes(),
        documents: await db.collection(collection).find({}, exactly).toArray(),
      })),
    );
  });
}

/** Restores the copy as `mongorestore --drop` does: it replaces the present content and creates the indexes. */
export function restore(stage: Stage, backUp: BackUp): Promise<void> {
  return withDatabase(stage, async (db) => {
    for (const { collection, indexes, documents } of backUp) {
      await db.dropCollection(collection);
      const into = await db.createCollection(collection);
      if (documents.length > 0) await into.insertMany([...documents]);
      for (const { v: _, ns: __, key, ...options } of indexes) {
        if (options['name'] !== '_id_') await into.createIndex(key, options);
      }
    }
  });
}

/** Empties the stage's keys in Redis, by the two patterns that docs/operations.md gives for a shared Redis. */
export async function emptyRedis({ redis }: Stage): Promise<void> {
  const client = new Redis(redis.url);
  try {
    for (const pattern of [`${redis.prefix}:*`, `{${redis.prefix}:*`])
      await removeKeys(client, await keysOf(client, pattern));
  } finally {
    client.disconnect();
  }
}

/** Numbers and dates in their stored form. */
const exactly = { promoteValues: false, promoteLongs: false };
