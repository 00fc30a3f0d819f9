import { MongoClient } from 'mongodb';
import t from 'tap';
import { collections } from '#src/stores.js';

/** A database for one test. */
interface TestDatabase {
  readonly name: string;
  /** Removes what the test stored. Nothing may use the database any more. */
  giveBack(): Promise<void>;
}

interface Databases {
  readonly client: MongoClient;
  readonly free: string[];
  made: number;
}

const declared = new Set(collections.map(({ collection }) => collection));
/** It says which indexes Muster has made. They stay. */
const madeIndexes = 'madeIndexes';

let opened: Promise<Databases> | undefined;

/**
 * An empty database. The tests of a process use it one after another, because to make its collections and indexes takes longer
 * than most of these tests.
 * @param url the MongoDB of every test of this process
 */
export async function takeDatabase(url: string): Promise<TestDatabase> {
  opened ??= open(url);
  const databases = await opened;
  const name = databases.free.pop() ?? `test_${process.pid}_${databases.made++}`;
  return {
    name,
    async giveBack() {
      await empty(databases.client, name);
      databases.free.push(name);
    },
  };
}

async function open(url: string): Promise<Databases> {
  const databases: Databases = { client: new MongoClient(url, { maxPoolSize: 4 }), free: [], made: 0 };
  await databases.client.connect();
  t.teardown(async () => {
    for (let number = 0; number < databases.made; number++)
      await databases.client.db(`test_${process.pid}_${number}`).dropDatabase();
    await databases.client.close();
  });
  return databases;
}

/** Removes all documents, and the collections that Muster does not have. */
async function empty(client: MongoClient, name: string): Promise<void> {
  const collections = await client.db(name).collections();
  await Promise.all(
    collections
      .filter(({ collectionName }) => collectionName !== madeIndexes)
      .map((one) => (declared.has(one.collectionName) ? one.deleteMany() : one.drop())),
  );
}
