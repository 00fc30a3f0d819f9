import { type ClientSession, type Document, MongoClient } from 'mongodb';
import t from 'tap';
import { noFaults } from '../../dev/documentdb/faults.js';
import { until } from '../../dev/until.js';
import { openOwnGateway } from '../support/stores/own-gateway.js';
import { openDatabase, refusal } from './database.js';

interface Item extends Document {
  _id: string;
}

const { url, client, db, close } = await openDatabase('gateway_tx');
t.teardown(close);
const users = db.collection<Item>('users');
const events = db.collection<Document>('events');
await db.createCollection('events');
await users.createIndex({ userName: 1 }, { unique: true });

async function addUser(session: ClientSession, user: Item): Promise<void> {
  await users.insertOne(user, { session });
  await events.insertOne({ userId: user._id }, { session });
}

t.test('the writes of a transaction are visible only after its commit', async (t) => {
  const session = client.startSession();
  session.startTransaction();
  await addUser(session, { _id: 'a', userName: 'a' });
  t.equal(await users.findOne({ _id: 'a' }), null);
  t.match(await users.findOne({ _id: 'a' }, { session }), { userName: 'a' });
  await session.commitTransaction();
  await session.commitTransaction();
  t.match(await users.findOne({ _id: 'a' }), { userName: 'a' });
  t.equal(await events.countDocuments({ userId: 'a' }), 1);
  await session.endSession();
});

t.test('an aborted transaction leaves nothing', async (t) => {
  const session = client.startSession();
  session.startTransaction();
  await addUser(session, { _id: 'b', userName: 'b' });
  await session.abortTransaction();
  t.equal(await users.findOne({ _id: 'b' }), null);
  t.equal(await events.countDocuments({ userId: 'b' }), 0);
  session.startTransaction();
  await addUser(session, { _id: 'b2', userName: 'b2' });
  await session.endSession();
  await until(async () => (await users.countDocuments({ _id: 'b2' })) === 0);
  t.equal(await events.countDocuments({ userId: 'b2' }), 0);
});

t.test('a duplicate ends the transaction on the server', async (t) => {
  const session = client.startSession();
  session.startTransaction();
  await events.insertOne({ userId: 'c' }, { session });
  t.match(await refusal(users.insertOne({ _id: 'c', userName: 'a' }, { session })), { code: 11000 });
  t.match(await refusal(events.insertOne({ userId: 'c' }, { session })), { code: 251 });
  await session.abortTransaction();
  await session.endSession();
  t.equal(await events.countDocuments({ userId: 'c' }), 0);
});

t.test('of two racing inserts of one key exactly one commits, its event with it', async (t) => {
  const add = (id: string) =>
    client.withSession((session) =>
      session.withTransaction(async () => {
        await events.insertOne({ userId: id, race: true }, { session });
        await users.insertOne({ _id: id, userName: 'race' }, { session });
      }),
    );
  const results = await Promise.allSettled([add('r1'), add('r2')]);
  const [winner] = await users.find({ userName: 'race' }).toArray();
  t.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
  const refused = results.find((result) => result.status === 'rejected');
  t.match(refused?.reason, { code: 11000 });
  t.equal(await events.countDocuments({ race: true }), 1);
  t.equal(await events.countDocuments({ race: true, userId: winner?._id }), 1);
});

t.test('a write conflict is told as transient at once', async (t) => {
  await users.insertOne({ _id: 'd', userName: 'd', n: 0 });
  const [first, second] = [client.startSession(), client.startSession()];
  first.startTransaction();
  second.startTransaction();
  await users.updateOne({ _id: 'd' }, { $inc: { n: 1 } }, { session: first });
  const asked = performance.now();
  const error = await refusal(users.updateOne({ _id: 'd' }, { $inc: { n: 1 } }, { session: second }));
  let quickest = performance.now() - asked;
  t.match(error, { code: 112 });
  // The gateway waits 2 ms. The rest is for a machine that is busy, which is not at each try.
  for (let tries = 1; tries < 10; tries++) {
    await second.abortTransaction();
    second.startTransaction();
    const began = performance.now();
    t.match(await refusal(users.updateOne({ _id: 'd' }, { $inc: { n: 1 } }, { session: second })), {
      code: 112,
    });
    quickest = Math.min(quickest, performance.now() - began);
  }
  t.ok(quickest < 50, `${quickest} ms`);
  t.ok(
    (error as unknown as { hasErrorLabel(label: string): boolean }).hasErrorLabel(
      'TransientTransactionError',
    ),
  );
  await second.abortTransaction();
  await first.commitTransaction();
  await Promise.all([first.endSession(), second.endSession()]);
  t.match(await users.findOne({ _id: 'd' }), { n: 1 });
});

t.test('withTransaction retries until read and write fit together', async (t) => {
  await users.insertOne({ _id: 'e', userName: 'e', n: 0 });
  const increment = () =>
    client.withSession((session) =>
      session.withTransaction(async () => {
        const user = await users.findOne({ _id: 'e' }, { session });
        await users.updateOne({ _id: 'e' }, { $set: { n: user?.['n'] + 1 } }, { session });
      }),
    );
  await Promise.all(Array.from({ length: 12 }, increment));
  t.match(await users.findOne({ _id: 'e' }), { n: 12 });
});

t.test('a cursor in a transaction reads on in it', async (t) => {
  await client.withSession((session) =>
    session.withTransaction(async () => {
      const rows = Array.from({ length: 300 }, (_, n) => ({ batch: 'cursor', n }));
      await events.insertMany(rows, { session });
      const read = await events.find({ batch: 'cursor' }, { session }).sort({ n: 1 }).batchSize(40).toArray();
      t.equal(read.length, 300);
      t.equal(await events.countDocuments({ batch: 'cursor' }, { session }), 300);
    }),
  );
});

t.test('a transaction ends a minute after its start', async (t) => {
  t.equal(noFaults().transactionLifetimeMs, 60_000);
  const gateway = await openOwnGateway(t, { sharedUrl: url });
  if (gateway === undefined) return;
  gateway.faults.transactionLifetimeMs = 300;
  const own = await new MongoClient(gateway.url).connect();
  t.teardown(() => own.close());
  const things = own.db(db.databaseName).collection<Item>('users');
  const session = own.startSession();
  session.startTransaction();
  await things.insertOne({ _id: 'old', userName: 'old' }, { session });
  // It waits until the transaction has ended.
  await users.insertOne({ _id: 'old', userName: 'new' });
  t.match(await refusal(things.findOne({ _id: 'old' }, { session })), { code: 251 });
  t.match(await refusal(session.commitTransaction()), { code: 251 });
  await session.endSession();
  t.match(await users.findOne({ _id: 'old' }), { userName: 'new' });
});

t.test('commands about collections and indexes end a transaction', async (t) => {
  const session = client.startSession();
  const commands: [string, () => Promise<unknown>][] = [
    ['create', () => db.createCollection('made', { session })],
    ['createIndexes', () => users.createIndex({ n: 1 }, { session })],
    ['dropIndexes', () => users.dropIndex('userName_1', { session })],
    ['listIndexes', () => users.indexes({ session })],
    ['listCollections', () => db.listCollections({}, { session }).toArray()],
  ];
  for (const [name, run] of commands) {
    session.startTransaction();
    await events.insertOne({ userId: name }, { session });
    t.match(await refusal(run()), { code: 263 }, name);
    t.match(await refusal(events.insertOne({ userId: name }, { session })), { code: 251 }, name);
    await session.abortTransaction();
    t.equal(await events.countDocuments({ userId: name }), 0, name);
  }
  await session.endSession();
  t.same(await db.listCollections({ name: 'made' }).toArray(), []);
  t.ok((await users.indexes()).some(({ name }) => name === 'userName_1'));
});

t.test('a collection can come to be in a transaction', async (t) => {
  const create = (_id: string) =>
    client.withSession((session) =>
      session.withTransaction(async () => {
        await db.collection<Item>('created').insertOne({ _id }, { session });
      }),
    );
  await Promise.all(['a', 'b', 'c', 'd'].map(create));
  t.equal(await db.collection('created').countDocuments(), 4);
});

t.test('an abort ends a running statement, also one that it overtakes', { timeout: 60_000 }, async (t) => {
  const many = db.collection<{ _id: number }>('many');
  await many.insertMany(Array.from({ length: 3_000 }, (_, n) => ({ _id: n })));
  // Each is compared with each, which takes minutes.
  const pipeline = [{ $match: { $expr: { $gt: [{ $add: ['$_id', '$$of'] }, 5_990] } } }];
  const slow = [
    { $lookup: { from: 'many', let: { of: '$_id' }, as: 'pairs', pipeline } },
    { $match: { 'pairs._id': -1 } },
  ];
  const began = performance.now();
  for (let round = 0; round < 30; round++) {
    const session = client.startSession();
    session.startTransaction();
    await many.findOne({ _id: 1 }, { session });
    const running = refusal(many.aggregate(slow, { session }).toArray());
    await session.abortTransaction();
    t.ok(await running, `round ${round}, ${Math.round(performance.now() - began)} ms`);
    await session.endSession();
  }
  await many.drop();
});
