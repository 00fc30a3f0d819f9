import { Redis } from 'ioredis';
import type { Document } from 'mongodb';
import type { Stage } from '../../../dev/stage/stage.js';
import { withDatabase } from '../../../dev/stage/with-database.js';
import { keysOf, removeKeys } from '../stores/redis-keys.js';

/** What mongodump keeps of a database. */
export type BackUp = readonly {
  readonly collection: string;
  readonly indexes: readonly Document[];
  readonly documents: readonly Document[];
}[];

/** Copies a database as `mongodump` does. Nobody may write meanwhile: there is no log of operations to replay. */
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

/** Brings all of it back as `mongorestore --drop` does: in the place of what is there, with its indexes. */
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

/** Empties what the stage has in Redis, by the two patterns that docs/operations.md gives for a Redis that others use. */
export async function emptyRedis({ redis }: Stage): Promise<void> {
  const client = new Redis(redis.url);
  try {
    for (const pattern of [`${redis.prefix}:*`, `{${redis.prefix}:*`])
      await removeKeys(client, await keysOf(client, pattern));
  } finally {
    client.disconnect();
  }
}

/** Numbers and dates as they are stored. */
const exactly = { promoteValues: false, promoteLongs: false };
