import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import t from 'tap';
import { collections } from '#src/collections.js';
import { repository } from '../../../dev/repository.js';

/** A database for one test. */
interface TestDatabase {
  readonly name: string;
  /** Removes what the test stored. Nothing may use the database any more. */
  giveBack(): Promise<void>;
}

const declared = new Set(collections.map(({ collection }) => collection));
/** It says which indexes Muster has made. They stay. */
const madeIndexes = 'madeIndexes';

/** Databases with other indexes have another name, and are removed. */
const kind = `test_${createHash('sha256').update(JSON.stringify(collections)).digest('hex').slice(0, 12)}`;

/** Has a file for each database that no process uses. */
const folder = join(process.env['MUSTER_DATA_DIR'] || join(repository, '.muster'), 'test-databases');

let opened: Promise<MongoClient> | undefined;
/** The databases that this process has and no test uses. */
const free: string[] = [];

/**
 * An empty database. Tests use it one after another, because to make its collections and indexes takes longer than most of them. A process
 * that ends leaves its databases to others.
 * @param url the MongoDB of every test of this process
 */
export async function takeDatabase(url: string): Promise<TestDatabase> {
  opened ??= open(url);
  const client = await opened;
  const name = free.pop() ?? (await takeLeft()) ?? `${kind}_${randomBytes(6).toString('hex')}`;
  return {
    name,
    async giveBack() {
      await empty(client, name);
      free.push(name);
    },
  };
}

async function open(url: string): Promise<MongoClient> {
  const client = new MongoClient(url, { maxPoolSize: 4 });
  await client.connect();
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder))
    if (!name.startsWith(kind) && (await isMine(name))) await client.db(name).dropDatabase();
  t.teardown(async () => {
    await Promise.all(free.map((name) => writeFile(join(folder, name), '')));
    await client.close();
  });
  return client;
}

/** A database that another process has left. */
async function takeLeft(): Promise<string | undefined> {
  for (const name of await readdir(folder)) if (await isMine(name)) return name;
  return undefined;
}

/** Takes the file of a database, if no other process was faster. */
function isMine(name: string): Promise<boolean> {
  return rm(join(folder, name)).then(
    () => true,
    () => false,
  );
}

/** Removes all documents, and the collections that Muster does not have. */
async function empty(client: MongoClient, name: string): Promise<void> {
  const present = await client.db(name).collections();
  await Promise.all(
    present
      .filter(({ collectionName }) => collectionName !== madeIndexes)
      .map((one) => (declared.has(one.collectionName) ? one.deleteMany() : one.drop())),
  );
}
