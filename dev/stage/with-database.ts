import { type Db, MongoClient } from 'mongodb';
import type { Stage } from './stage.js';

/** Runs work on the database of a stage over a separate connection. */
export async function withDatabase<T>(
  { mongodb }: Pick<Stage, 'mongodb'>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const client = await MongoClient.connect(mongodb.url);
  try {
    return await work(client.db(mongodb.database));
  } finally {
    await client.close();
  }
}
