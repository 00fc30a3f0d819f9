import Fastify from 'fastify';
import t from 'tap';
import { answerWithProblems } from '#src/http/base/problem.js';
import { openMongo } from '#src/platform/mongo/mongo.js';
import { until } from '../../../dev/until.js';
import { testEnvironment } from '../../support/app/test-container.js';
import { watchCommands } from '../../support/stores/mongo-commands.js';

const database = `test_limits_${process.pid}`;
const { MONGODB_URL: url = '' } = await testEnvironment(database);
const mongo = await openMongo({ url, database, poolSize: 2 });
t.teardown(async () => {
  await mongo.db.dropDatabase();
  await mongo.close();
});
const numbers = mongo.collection<{ number: number }>('numbers');
const limit = 20_000;

t.test('every kind of read has its limit, also in a transaction, unless it gives another one', async (t) => {
  const watched = watchCommands();
  t.teardown(() => watched.stop());
  await numbers.findOne({ number: 1 });
  await numbers.find().sort({ number: 1 }).toArray();
  await numbers.countDocuments();
  await numbers.aggregate([{ $match: { number: 1 } }]).toArray();
  await mongo.transaction((session) => numbers.findOne({ number: 1 }, { session }));
  await numbers.find({}, { maxTimeMS: 0 }).toArray();
  const reads = watched.commands.filter((command) => 'find' in command || 'aggregate' in command);
  t.same(
    reads.map(({ maxTimeMS }) => maxTimeMS),
    [limit, limit, limit, limit, limit, 0],
  );
});

t.test('a read that takes longer is answered 503 with Retry-After, and the engine stops it', async (t) => {
  const rows = Array.from({ length: 4_000 }, (_, number) => ({ number }));
  await numbers.insertMany(rows);
  // Each number is compared with each.
  const pairs = { from: 'numbers', let: { of: '$number' }, as: 'pairs' };
  const above = { $match: { $expr: { $gt: [{ $add: ['$number', '$$of'] }, 7_990] } } };
  const stages = [{ $lookup: { ...pairs, pipeline: [above] } }, { $match: { 'pairs.number': -1 } }];
  const impatient = await openMongo({ url, database, poolSize: 2, readLimitMs: 100 });
  t.teardown(() => impatient.close());
  const app = Fastify();
  answerWithProblems(app);
  app.get('/slow', () => impatient.collection('numbers').aggregate(stages).toArray());
  const answer = await app.inject('/slow');
  t.equal(answer.statusCode, 503);
  t.equal(answer.headers['retry-after'], '2');
  t.match(answer.headers['content-type'], /^application\/problem\+json/);
  t.equal(answer.json().id, 'http.storeUnavailable');
  t.equal(await numbers.countDocuments(), rows.length, 'the next one is answered');
});

t.test('the transactions of one holder use a quarter of the connections', async (t) => {
  const shared = await openMongo({ url, database, poolSize: 12 });
  t.teardown(() => shared.close());
  const running = new Map<string, number>();
  const ends: (() => void)[] = [];
  const hold = (holder: string) =>
    shared.transactionOf(holder, async () => {
      running.set(holder, (running.get(holder) ?? 0) + 1);
      await new Promise<void>((end) => ends.push(end));
      return holder;
    });
  const done = Array.from({ length: 10 }, () => hold('a'));
  done.push(hold('b'));
  await until(() => running.has('b'));
  t.same(Object.fromEntries(running), { a: 3, b: 1 });
  const counted = setInterval(() => ends.shift()?.(), 1);
  t.teardown(() => clearInterval(counted));
  t.same(
    (await Promise.all(done)).map((holder) => holder),
    [...Array.from({ length: 10 }, () => 'a'), 'b'],
  );
  await t.rejects(
    shared.transactionOf('a', () => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
});

t.test('500 transactions of a holder wait at most', async (t) => {
  let refused = 0;
  const shared = await openMongo({ url, database, poolSize: 8, transactionRefused: () => refused++ });
  t.teardown(() => shared.close());
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const held = Array.from({ length: 502 }, () => shared.transactionOf('a', () => ended));
  await t.rejects(
    shared.transactionOf('a', () => ended),
    { name: 'TooManyTransactions' },
  );
  t.equal(refused, 1);
  end();
  await Promise.all(held);
});
