import { setTimeout as pause } from 'node:timers/promises';
import {
  MongoBulkWriteError,
  MongoClient,
  type MongoError,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb';
import t, { type Test } from 'tap';
import { hinted } from '#src/platform/mongo/hinted.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import { type MongoOptions, openMongo } from '#src/platform/mongo/mongo.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { PgConnection } from '../../../dev/documentdb/pg-connection.js';
import { notRun } from '../../../dev/not-run.js';
import { until } from '../../../dev/until.js';
import { testEnvironment } from '../../support/app/test-container.js';
import { watchCommands } from '../../support/stores/mongo-commands.js';
import { openOwnGateway } from '../../support/stores/own-gateway.js';

/** What Muster does when a server elects a primary, builds indexes, ends reads, or refuses commands for want of a right. */

const database = `test_server_${process.pid}`;
const { MONGODB_URL: sharedUrl = '' } = await testEnvironment(database);

interface Thing {
  _id: number;
  a?: number;
}

const declared = (key: Record<string, 1>, more = {}): CollectionIndexes[] => [
  { collection: 'things', indexes: [{ key, ...more }] },
];

async function open(t: Test, options: Partial<MongoOptions> & { url: string }) {
  const mongo = await openMongo({ database, poolSize: 3, ...options });
  t.teardown(() => mongo.close());
  return { mongo, things: mongo.collection<Thing>('things') };
}

t.teardown(async () => {
  const client = new MongoClient(sharedUrl);
  await client.db(database).dropDatabase();
  await client.close();
});

t.test('a failover delays requests, and fails none', async (t) => {
  const gateway = await openOwnGateway(t, { sharedUrl, replicaSet: 'rs0' });
  if (gateway === undefined) return;
  const { mongo, things } = await open(t, { url: gateway.url });
  await things.insertOne({ _id: 1 });
  // An election takes up to 12 s. This one is shorter, so that the test is.
  t.equal(mongo.db.client.options.serverSelectionTimeoutMS, 15_000);
  // Longer than the driver's monitor takes to notice, and than the limit at start.
  gateway.faults.noPrimaryUntil = Date.now() + 5_000;
  const answers = await Promise.all([
    things.findOne({ _id: 1 }),
    things.insertOne({ _id: 2 }).then(() => 'inserted'),
    mongo.transaction((session) => things.insertOne({ _id: 3 }, { session })).then(() => 'committed'),
    // Its time for conflicts is shorter than the election.
    mongo
      .transaction((session) => things.insertOne({ _id: 4 }, { session }), { retryMs: 500 })
      .then(() => 'committed'),
  ]);
  t.same(answers, [{ _id: 1 }, 'inserted', 'committed', 'committed']);
  t.ok(Date.now() >= gateway.faults.noPrimaryUntil);
  t.equal(await things.countDocuments(), 4);
});

t.test('only conflicts in a row count as time of conflicts', async (t) => {
  const { mongo } = await open(t, { url: sharedUrl });
  const labelled = <E extends MongoError>(error: E) => {
    error.addErrorLabel('TransientTransactionError');
    return error;
  };
  const refusal = (code: number) => labelled(new MongoServerError({ message: 'refused', code }));
  const lost = labelled(new MongoNetworkError('connection closed'));
  // Errors of two attempts, of which the second takes longer than conflicts may.
  const outcome = async (first: MongoError, second: MongoError) => {
    const errors = [first, second];
    const work = async () => {
      const error = errors.shift();
      if (errors.length === 0 && error !== undefined) await pause(300);
      if (error !== undefined) throw error;
      return 'done';
    };
    return mongo.transaction(work, { retryMs: 200 }).catch((error) => error.name);
  };
  const interrupted = new MongoBulkWriteError(lost as never, {} as never);
  for (const election of [refusal(10107), lost, interrupted]) {
    t.equal(await outcome(election, refusal(112)), 'done', election.name);
    t.equal(await outcome(refusal(112), election), 'done', election.name);
  }
  t.equal(await outcome(refusal(112), refusal(112)), 'TransactionsInConflict');

  // Without another limit, no attempt begins after 20 s, whatever the error is.
  const now = performance.now.bind(performance);
  let passed = 0;
  t.intercept(performance, 'now', { value: () => now() + passed });
  for (const [error, name] of [
    [refusal(112), 'TransactionsInConflict'],
    [lost, 'RefusedByServer'],
  ] as const) {
    let attempts = 0;
    const work = () => {
      attempts++;
      passed += 11_000;
      return Promise.reject(error);
    };
    t.equal(await mongo.transaction(work).catch((failure) => failure.name), name);
    t.equal(attempts, 2);
  }
});

t.test(
  'a process that starts does not wait for an election, and a connection string may say otherwise',
  async (t) => {
    const gateway = await openOwnGateway(t, { sharedUrl, replicaSet: 'rs0' });
    if (gateway === undefined) return;
    const { things } = await open(t, { url: `${gateway.url}&serverSelectionTimeoutMS=600` });
    gateway.faults.noPrimaryUntil = Number.POSITIVE_INFINITY;
    await t.rejects(openMongo({ url: gateway.url, database, poolSize: 1 }), { message: /after 3000 ms/ });
    await t.rejects(
      openMongo({ url: `${gateway.url}&serverSelectionTimeoutMS=700`, database, poolSize: 1 }),
      { message: /after 700 ms/ },
      'also at start',
    );
    const failure = await things.findOne({ _id: 1 }).catch((error) => error);
    t.match(failure.message, /after 600 ms/);
    t.ok(isStoreUnavailable(failure));
    gateway.faults.noPrimaryUntil = 0;
    // More connections than the start needs.
    await t.resolves(open(t, { url: `${gateway.url}&minPoolSize=3` }));
  },
);

t.test('a start waits for the indexes that it makes, longer than any request may wait', async (t) => {
  const gateway = await openOwnGateway(t, { sharedUrl });
  if (gateway === undefined) return;
  gateway.faults.indexBuildMs = 1_000;
  const { things } = await open(t, {
    url: `${gateway.url}?socketTimeoutMS=300`,
    indexes: declared({ slow: 1 }),
  });
  t.same(
    await things
      .find({}, { hint: 'slow_1' })
      .limit(1)
      .maxTimeMS(250)
      .toArray()
      .then(() => 'read'),
    'read',
  );
});

t.test('a start waits for the indexes that another process makes', async (t) => {
  const gateway = await openOwnGateway(t, { sharedUrl });
  if (gateway === undefined) return;
  const client = await new MongoClient(gateway.url).connect();
  t.teardown(() => client.close());
  gateway.faults.indexBuildMs = 1_500;
  const building = client.db(database).collection('things').createIndex({ other: 1 });
  const indexes = () => client.db(database).collection('things').indexes();
  await until(async () => (await indexes()).some(({ name }) => name === 'other_1'));
  const read = () => client.db(database).collection('things').find({}, { hint: 'other_1' }).toArray();
  await t.rejects(read(), { code: 2 }, 'the list names it, but it is not ready');
  await open(t, { url: gateway.url, indexes: declared({ other: 1 }) });
  await t.resolves(read());
  await building;
});

t.test('all declared indexes are asked for at each start, by a majority of the members', async (t) => {
  const watched = watchCommands();
  t.teardown(() => watched.stop());
  const indexes = [{ collection: 'watched', indexes: [{ key: { a: 1 } }] }];
  const { mongo } = await open(t, { url: sharedUrl, indexes });
  await mongo.close();
  await open(t, { url: sharedUrl, indexes });
  const asked = { createIndexes: 'watched', indexes: [{ name: 'a_1' }], commitQuorum: 'majority' };
  t.match(
    watched.commands.filter((command) => 'createIndexes' in command),
    [asked, asked],
  );
});

t.test('a read whose index is not there runs once more without the hint', async (t) => {
  const { things } = await open(t, { url: sharedUrl });
  const hints: (string | undefined)[] = [];
  const read = (options: { readonly hint?: string }) => {
    hints.push(options.hint);
    return things.find({ _id: { $lt: 0 } }, options).toArray();
  };
  t.same(await hinted('missing_1', read), []);
  t.same(hints, ['missing_1', undefined]);
  const other = new Error('another fault');
  await t.rejects(
    hinted('missing_1', () => Promise.reject(other)),
    other,
  );
});

t.test('reads that a dropped index ends can be tried again', async (t) => {
  const { mongo, things } = await open(t, { url: sharedUrl, indexes: declared({ dropped: 1 }) });
  await things.insertMany(Array.from({ length: 10 }, (_, n) => ({ _id: 100 + n })));
  const cursor = things.find({ _id: { $gte: 100 } }).batchSize(2);
  await cursor.next();
  await mongo.db.collection('things').dropIndex('dropped_1');
  const failure = await cursor.toArray().catch((error) => error);
  t.match(failure, { code: 175 });
  t.ok(isStoreUnavailable(failure));
});

t.test('a refusal of the server, whatever its code, means later', async (t) => {
  const gateway = await openOwnGateway(t, { sharedUrl });
  if (gateway === undefined) return;
  const { things } = await open(t, { url: gateway.url });
  for (const code of [175, 43, 237, 290, 11601, 13, 18, 134, 202, 365]) {
    gateway.faults.failures.push({ command: 'insert', code });
    const failure = await things.insertOne({ _id: 500 + code }).catch((error) => error);
    t.match(failure, { code });
    t.ok(isStoreUnavailable(failure), `${code}`);
  }
  // More often than the driver tries.
  for (let refusal = 0; refusal < 10; refusal++)
    gateway.faults.failures.push({ command: 'insert', code: 462, labels: ['SystemOverloadedError'] });
  const failure = await things.insertOne({ _id: 1_000 }).catch((error) => error);
  t.match(failure, { code: 462 });
  t.ok(isStoreUnavailable(failure), 'by its label');
});

t.test('the role readWrite is enough', async (t) => {
  const gateway = await openOwnGateway(t, { sharedUrl });
  if (gateway === undefined) return;
  const warnings: string[] = [];
  const start = (expireAfterSeconds: number) =>
    open(t, {
      url: gateway.url,
      indexes: declared({ expires: 1 }, { expireAfterSeconds }),
      warn: (message) => warnings.push(message),
    });
  gateway.faults.role = 'readWrite';
  await start(10);
  t.same(warnings, []);
  await start(20);
  t.match(warnings, [/things .* 10 s instead of 20 s until it has the action collMod/]);
});

t.test('a transaction has one command at a time, and none about collections', async (t) => {
  const { mongo, things } = await open(t, { url: sharedUrl });
  const inTransaction = (work: Parameters<typeof mongo.transaction>[0]) =>
    mongo.transaction(work).catch((error) => error.code);
  t.equal(await inTransaction((session) => mongo.db.collection('things').indexes({ session })), 263);
  await things.insertMany(Array.from({ length: 3_000 }, (_, n) => ({ _id: 10_000 + n })));
  // Each is compared with each, which takes long.
  const pairs = { from: 'things', let: { of: '$_id' }, as: 'pairs' };
  const pipeline = [{ $match: { $expr: { $gt: [{ $add: ['$_id', '$$of'] }, 25_990] } } }];
  const slow = [{ $lookup: { ...pairs, pipeline } }, { $match: { 'pairs._id': -1 } }];
  t.equal(
    await inTransaction((session) =>
      Promise.all([
        things.aggregate(slow, { session }).toArray(),
        pause(50).then(() => things.findOne({ _id: 1 }, { session })),
      ]),
    ),
    117,
    'two first commands',
  );
  t.equal(
    await inTransaction(async (session) => {
      await things.findOne({ _id: 1 }, { session });
      await Promise.all([
        things.aggregate(slow, { session }).toArray(),
        pause(50).then(() => things.findOne({ _id: 1 }, { session })),
      ]);
    }),
    20,
    'two later commands',
  );
});

t.test('a lock timeout that PostgreSQL calls a request of the user is a conflict', async (t) => {
  const shared = await new MongoClient(sharedUrl).connect();
  t.teardown(() => shared.close());
  const socket = await shared
    .db('admin')
    .command({ gatewaySocket: 1 })
    .catch(() => undefined);
  if (socket === undefined) return notRun(t, 'MongoDB is not the local engine');
  const connect = async () => {
    const connection = await PgConnection.open(socket['path'], 'postgres', 'postgres');
    t.teardown(() => connection.close());
    return connection;
  };
  const [waiting, other] = [await connect(), await connect()];
  const pid = String((await waiting.query('SELECT pg_backend_pid()'))[0]?.[0]);
  // The sleep may end before the answer to the query that ends it.
  const ended = t.rejects(
    waiting.query('SELECT pg_sleep(60)'),
    { name: 'Error', sqlState: '55P03' },
    'the gateway did not ask for it',
  );
  await pause(100);
  await other.query(`SELECT pg_cancel_backend(${pid})`);
  await ended;
  const asked = waiting.query('SELECT pg_sleep(60)');
  await pause(100);
  waiting.cancel();
  await t.rejects(asked, { name: 'Error', sqlState: '57014' }, 'the gateway asked for it');
});
