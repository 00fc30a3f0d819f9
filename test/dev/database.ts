import { join } from 'node:path';
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { repository } from '../../dev/repository.js';
import { startServices } from '../../dev/services.js';

/** A database of its own for one test file, and what the file wants to know about its server. */
export interface TestDatabase {
  url: string;
  client: MongoClient;
  db: Db;
  close(): Promise<void>;
}

/** Connects to the services of the environment or of the data folder, starting them when they do not run. */
export async function openDatabase(name: string, options: MongoClientOptions = {}): Promise<TestDatabase> {
  const dataDir = process.env['MUSTER_DATA_DIR'] || join(repository, '.muster');
  const url = process.env['MONGODB_URL'] || (await startServices({ dataDir, log: console.error })).mongodbUrl;
  const client = await new MongoClient(url, options).connect();
  const db = client.db(`${name}_${process.pid}`);
  return {
    url,
    client,
    db,
    async close() {
      await db.dropDatabase();
      await client.close();
    },
  };
}

/** Whether the server is the gateway. No other server has this command. */
export function isGateway(client: MongoClient): Promise<boolean> {
  return client
    .db('admin')
    .command({ gatewaySocket: 1 })
    .then(
      () => true,
      () => false,
    );
}

/** What an operation was refused with. */
export async function refusal(operation: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await operation;
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error('the operation was not refused');
}
