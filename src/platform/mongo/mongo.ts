import {
  type AggregateOptions,
  type ClientSession,
  type Collection,
  type Db,
  type Document,
  type Filter,
  type FindOptions,
  type IndexDescription,
  MongoClient,
  MongoServerError,
} from 'mongodb';
import type { Tracing } from '../tracing.js';
import { mendLostWrites } from './mongo-lost-writes.js';
import { type PoolLoad, watchPool } from './mongo-pool.js';
import { traceMongo } from './trace-mongo.js';

/** A running transaction; stores take it as the last argument of each write. */
export type Transaction = ClientSession;

/** The indexes that a store needs on its collection; declared beside the store, made at start. */
export interface CollectionIndexes {
  readonly collection: string;
  readonly indexes: IndexDescription[];
}

export interface MongoOptions {
  readonly url: string;
  readonly database: string;
  readonly poolSize: number;
  /** Longest that one read may take, in milliseconds; {@link usualReadLimitMs} where it is not said. */
  readonly readLimitMs?: number;
  /** Is told how long each operation waited for its connection, in seconds. */
  readonly connectionTaken?: ((seconds: number) => void) | undefined;
  readonly tracing?: Tracing | undefined;
}

/** The database of a process: typed collections and transactions. */
export interface Mongo {
  /** Without limits of time: for work on whole collections that nobody waits for. */
  readonly db: Db;
  /**
   * A collection whose reads end after a time, and with them what waits for them, by an error that is answered 503. A
   * read may give another `maxTimeMS`, 0 for none.
   */
  collection<T extends Document>(name: string): Collection<T>;
  /**
   * Runs `work` in a transaction and commits it. Work may run more than once when the engine reports a
   * transient conflict, for two minutes at most, so it must only touch what the transaction covers.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Connections of this process now. */
  pool(): PoolLoad;
  /** Fails unless the engine answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Less than what waits for the answer has patience, and than the sockets, whose end would end other reads too. */
const usualReadLimitMs = 20_000;

/** Connects and checks that the engine offers transactions. Dates and longs come back as plain JavaScript values. */
export async function openMongo(options: MongoOptions): Promise<Mongo> {
  mendLostWrites();
  const client = new MongoClient(options.url, {
    appName: 'muster',
    maxPoolSize: options.poolSize,
    serverSelectionTimeoutMS: 3_000,
    connectTimeoutMS: 3_000,
    socketTimeoutMS: 60_000,
    waitQueueTimeoutMS: 5_000,
    ignoreUndefined: true,
    retryWrites: true,
    monitorCommands: options.tracing !== undefined,
  });
  const pool = watchPool(client, options.connectionTaken);
  if (options.tracing) traceMongo(client, options.tracing);
  await client.connect();
  const db = client.db(options.database);
  await requireTransactions(client, db);
  return {
    db,
    collection: <T extends Document>(name: string) =>
      limitReads(db.collection<T>(name), options.readLimitMs ?? usualReadLimitMs),
    transaction: (work) =>
      client.withSession((session) =>
        session.withTransaction(() => work(session), {
          // A connection string may set its own write concern; it then wins.
          ...(!/[?&]w=/.test(options.url) && { writeConcern: { w: 'majority' } }),
        }),
      ),
    pool,
    ping: async () => {
      await db.command({ ping: 1 });
    },
    close: () => client.close(),
  };
}

/** Gives each read its time; the driver makes every other kind of read of these two. */
function limitReads<T extends Document>(collection: Collection<T>, maxTimeMS: number): Collection<T> {
  const find = collection.find.bind(collection);
  const aggregate = collection.aggregate.bind(collection);
  return Object.assign(collection, {
    find: (filter: Filter<T> = {}, options: FindOptions = {}) => find(filter, { maxTimeMS, ...options }),
    aggregate: (stages: Document[] = [], options: AggregateOptions = {}) =>
      aggregate(stages, { maxTimeMS, ...options }),
  });
}

async function requireTransactions(client: MongoClient, db: Db): Promise<void> {
  try {
    await client.withSession((session) =>
      session.withTransaction(() => db.collection('jobs').findOne({ _id: null as never }, { session })),
    );
  } catch (cause) {
    throw new Error(
      'MongoDB does not offer transactions here; Muster needs a replica set or a sharded cluster.',
      { cause },
    );
  }
}

/** Whether a write failed because a unique index already holds the value. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11000;
}
