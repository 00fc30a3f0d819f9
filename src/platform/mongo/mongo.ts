import {
  type AggregateOptions,
  type ClientSession,
  type Collection,
  type Db,
  type Document,
  type Filter,
  type FindOptions,
  MongoBulkWriteError,
  MongoClient,
  type MongoClientOptions,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb';
import type { Tracing } from '../tracing.js';
import { RefusedByServer, TooManyTransactions, TransactionsInConflict } from '../unavailable.js';
import { createKeyedSemaphore } from '../work/keyed-semaphore.js';
import { type CollectionIndexes, ensureIndexes } from './indexes.js';
import { mendLostWrites } from './mongo-lost-writes.js';
import { type PoolLoad, watchPool } from './mongo-pool.js';
import { requireMongo, rightsFailure } from './require-mongo.js';
import { traceMongo } from './trace-mongo.js';

/** A running transaction. Stores take it as the last argument of each write. */
export type Transaction = ClientSession;

export interface MongoOptions {
  readonly url: string;
  readonly database: string;
  readonly poolSize: number;
  /** The longest time for one read, in milliseconds. Without it, {@link usualReadLimitMs} applies. */
  readonly readLimitMs?: number;
  /** Called with the time that each operation waited for its connection, in seconds. */
  readonly connectionTaken?: ((seconds: number) => void) | undefined;
  /** Called for each transaction that is refused because too many of its holder wait. */
  readonly transactionRefused?: (() => void) | undefined;
  readonly tracing?: Tracing | undefined;
  /** Called at start with what an operator should change. */
  readonly warn?: ((message: string) => void) | undefined;
  /** The indexes that must exist. Missing ones are made at start, however long that takes. */
  readonly indexes?: readonly CollectionIndexes[];
}

/** The database of a process, with typed collections and transactions. */
export interface Mongo {
  /** Without time limits, for work on whole collections for which no client waits. */
  readonly db: Db;
  /**
   * A collection whose reads have a time limit. A late read fails with an error that is answered with 503. A
   * read may set another `maxTimeMS`; 0 means none.
   */
  collection<T extends Document>(name: string): Collection<T>;
  /**
   * Runs `work` in a transaction and commits it. After a transient conflict it runs `work` again, so `work` must only
   * change what the transaction covers.
   * @param options `retryMs`: no attempt begins after so long a time of conflicts, in milliseconds. The time of an election does not
   * count. In no case does an attempt begin later than {@link usualRetryMs}
   * @throws TransactionsInConflict if every attempt until then met a conflict
   * @throws RefusedByServer if MongoDB had no primary until then
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, options?: { retryMs?: number }): Promise<T>;
  /**
   * Like {@link transaction}, for work that clients ask for. The transactions of one holder, such as an organization, use at most a
   * quarter of the connections. Further ones wait in the order in which they came. Never call it in a transaction.
   * @throws TooManyTransactions if {@link mostWaiting} of the holder wait, or this one has waited for {@link longestWaitMs}
   */
  transactionOf<T>(
    holder: string,
    work: (transaction: Transaction) => Promise<T>,
    options?: { retryMs?: number },
  ): Promise<T>;
  /** The error for a change that would wait behind too many others of its holder. It counts as a transaction that is refused. */
  refuseTransaction(): TooManyTransactions;
  /** The current connections of this process. */
  pool(): PoolLoad;
  /** Fails unless MongoDB answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Shorter than the callers' timeouts, and shorter than the socket timeout, which would also fail other reads.
 */
const usualReadLimitMs = 20_000;

/** As long as a read: who waits for more attempts has gone. */
const usualRetryMs = 20_000;

/** The transactions of one holder that may wait in a process, and how long each may wait, in milliseconds. */
const mostWaiting = 500;
const longestWaitMs = 10_000;

/** Longer than an election of a replica set takes, so that a failover delays requests and jobs but fails none. */
const usualSelectionMs = 15_000;

/**
 * Connects, checks that MongoDB offers what Muster needs, and makes missing indexes. A write is acknowledged by the
 * majority. Options in the connection string win over the options of this function. Dates and longs are read as plain
 * JavaScript values.
 * @throws StartError
 */
export async function openMongo(options: MongoOptions): Promise<Mongo> {
  mendLostWrites();
  await prepare(options);
  const client = new MongoClient(
    options.url,
    exceptIn(options.url, {
      appName: 'muster',
      maxPoolSize: options.poolSize,
      serverSelectionTimeoutMS: usualSelectionMs,
      connectTimeoutMS: 3_000,
      socketTimeoutMS: 60_000,
      waitQueueTimeoutMS: 5_000,
      retryWrites: true,
      // Every write, in transactions and outside. Without it the default of the server applies, which an arbiter lowers to 1.
      w: 'majority',
      ignoreUndefined: true,
      monitorCommands: options.tracing !== undefined,
    }),
  );
  const pool = watchPool(client, options.connectionTaken);
  if (options.tracing) traceMongo(client, options.tracing);
  await client.connect();
  const db = client.db(options.database);
  const { w } = client.options.writeConcern ?? {};
  if (w !== 'majority')
    options.warn?.(`MONGODB_URL sets w=${w}: a failover can take back what was acknowledged`);
  const refuse = () => {
    options.transactionRefused?.();
    return new TooManyTransactions();
  };
  const shares = createKeyedSemaphore({
    atOnce: Math.max(2, Math.ceil(client.options.maxPoolSize / 4)),
    waiting: mostWaiting,
    longestWaitMs,
    refuse,
  });
  const transaction: Mongo['transaction'] = (work, { retryMs = usualRetryMs } = {}) =>
    client.withSession((session) => session.withTransaction(retryFor(retryMs, () => work(session))));
  return {
    db,
    collection: <T extends Document>(name: string) =>
      limitReads(db.collection<T>(name), options.readLimitMs ?? usualReadLimitMs),
    transaction,
    transactionOf: (holder, work, retry) => shares.run(holder, () => transaction(work, retry)),
    refuseTransaction: refuse,
    pool,
    ping: async () => {
      await db.command({ ping: 1 });
    },
    close: () => client.close(),
  };
}

/**
 * Checks the server and makes indexes over a connection of its own. It waits as long as a server builds an index, and gives up
 * soon if there is no server.
 */
async function prepare({ url, database, indexes = [], warn }: MongoOptions): Promise<void> {
  const client = new MongoClient(url, {
    ...exceptIn(url, {
      appName: 'muster start',
      serverSelectionTimeoutMS: 3_000,
      connectTimeoutMS: 3_000,
      w: 'majority',
    }),
    // A connection string sets the following for requests. Here a build of an index may take hours.
    socketTimeoutMS: 0,
    minPoolSize: 0,
    // It asks about all collections at once.
    maxPoolSize: 4,
  });
  try {
    await client.connect();
    const db = client.db(database);
    await requireMongo(client, db);
    await ensureIndexes(db, indexes, warn);
  } catch (error) {
    throw rightsFailure(error) ?? error;
  } finally {
    await client.close();
  }
}

/** The options that the connection string does not set. Names in it are not case-sensitive. */
function exceptIn(url: string, options: MongoClientOptions): MongoClientOptions {
  const query = new URLSearchParams(url.split('?', 2)[1] ?? '');
  const given = new Set([...query.keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(options).filter(([name]) => !given.has(name.toLowerCase())));
}

/**
 * Ends the attempts of the driver, which would go on for two minutes. The driver begins another attempt only after an
 * error with a certain label. The time of conflicts begins with the first of them: an attempt may have waited for an election.
 */
function retryFor<T>(conflictMs: number, attempt: () => Promise<T>): () => Promise<T> {
  const began = performance.now();
  let conflictsSince: number | undefined;
  let failure: unknown;
  return async () => {
    const now = performance.now();
    const isLate = now > began + usualRetryMs;
    if (conflictsSince !== undefined && (isLate || now > conflictsSince + conflictMs))
      throw new TransactionsInConflict();
    if (isLate) throw new RefusedByServer(failure);
    try {
      const result = await attempt();
      // The commit has still to succeed. Conflicts show before it.
      conflictsSince = undefined;
      return result;
    } catch (error) {
      conflictsSince = isElection(error) ? undefined : (conflictsSince ?? performance.now());
      failure = error;
      throw error;
    }
  };
}

/** Codes of a member that is not primary, is not primary any more or shuts down, and of one that does not know the transaction. */
const electionCodes = new Set([91, 189, 251, 10107, 11600, 11602, 13435, 13436]);

function isElection(error: unknown): boolean {
  // The driver wraps what interrupted several inserts.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error)
    return isElection(error.errorResponse);
  if (error instanceof MongoServerError) return electionCodes.has(Number(error.code));
  return error instanceof MongoNetworkError;
}

/** Sets the time limit of every read. The driver builds all other reads from these two. */
function limitReads<T extends Document>(collection: Collection<T>, maxTimeMS: number): Collection<T> {
  const find = collection.find.bind(collection);
  const aggregate = collection.aggregate.bind(collection);
  return Object.assign(collection, {
    find: (filter: Filter<T> = {}, options: FindOptions = {}) => find(filter, { maxTimeMS, ...options }),
    aggregate: (stages: Document[] = [], options: AggregateOptions = {}) =>
      aggregate(stages, { maxTimeMS, ...options }),
  });
}
