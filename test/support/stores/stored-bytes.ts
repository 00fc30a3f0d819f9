import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import type { Stage } from '../../../dev/stage/stage.js';

/** An entry of a store: its place and its bytes. */
export interface Stored {
  readonly place: string;
  readonly bytes: Buffer;
}

/** Every document of every collection of the stage, as MongoDB keeps it. */
export async function storedDocuments({ mongodb }: Stage): Promise<Stored[]> {
  const client = await MongoClient.connect(mongodb.url);
  try {
    const db = client.db(mongodb.database);
    const collections = await db.listCollections({}, { nameOnly: true }).toArray();
    const found: Stored[] = [];
    for (const { name } of collections) {
      for await (const bytes of db.collection(name).find({}, { raw: true })) {
        found.push({ place: `collection ${name}`, bytes: Buffer.from(bytes as unknown as Uint8Array) });
      }
    }
    return found;
  } finally {
    await client.close();
  }
}

/** Every key of the stage in Redis with its value, of any type. */
export async function storedKeys({ redis }: Stage): Promise<Stored[]> {
  const client = new Redis(redis.url);
  try {
    const keys = await client.keys(`*${redis.prefix}*`);
    const values = await Promise.all(
      // DUMP compresses values. So each value is read by the command of its type.
      keys.map(async (key): Promise<Stored> => {
        const value = await readValue(client, key);
        return {
          place: `key ${key.replaceAll(/[\w-]{20,}/g, '…')}`,
          bytes: Buffer.from(JSON.stringify([key, value])),
        };
      }),
    );
    return values;
  } finally {
    client.disconnect();
  }
}

async function readValue(client: Redis, key: string): Promise<unknown> {
  switch (await client.type(key)) {
    case 'string':
      return client.get(key);
    case 'hash':
      return client.hgetall(key);
    case 'list':
      return client.lrange(key, 0, -1);
    case 'set':
      return client.smembers(key);
    case 'zset':
      return client.zrange(key, '0', '-1');
    case 'stream':
      return client.xrange(key, '-', '+');
    default:
      return undefined;
  }
}
