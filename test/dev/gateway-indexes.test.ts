import type { Document } from 'mongodb';
import t from 'tap';
import { notRun } from '../../dev/not-run.js';
import { until } from '../../dev/until.js';
import { isGateway, openDatabase, refusal } from './database.js';

interface Item extends Document {
  _id: string;
}

const { db, close } = await openDatabase('gateway_ix');
t.teardown(close);

t.test('a duplicate is told alike by every way to write', async (t) => {
  const users = db.collection<Item>('unique');
  await users.createIndex({ orgId: 1, userName: 1 }, { unique: true, name: 'by_name' });
  await users.insertMany([
    { _id: 'a', orgId: 'o', userName: 'ann' },
    { _id: 'b', orgId: 'o', userName: 'bob' },
    { _id: 'c', orgId: 'p', userName: 'ann' },
  ]);
  const ann = { orgId: 'o', userName: 'ann' };
  const set = { $set: { userName: 'ann' } };
  const ways: Record<string, () => Promise<unknown>> = {
    insertOne: () => users.insertOne({ _id: 'd', ...ann }),
    updateOne: () => users.updateOne({ _id: 'b' }, set),
    upsert: () => users.updateOne({ _id: 'd' }, { $set: ann }, { upsert: true }),
    replaceOne: () => users.replaceOne({ _id: 'b' }, ann),
    findOneAndUpdate: () => users.findOneAndUpdate({ _id: 'b' }, set),
    findOneAndUpsert: () => users.findOneAndUpdate({ _id: 'd' }, { $set: ann }, { upsert: true }),
    bulkWrite: () => users.bulkWrite([{ updateOne: { filter: { _id: 'b' }, update: set } }]),
  };
  for (const [name, way] of Object.entries(ways)) {
    const error = await refusal(way());
    t.match(
      error,
      { code: 11000, message: /E11000 duplicate key error .*unique index: by_name dup key/ },
      name,
    );
  }
  const error = await refusal(users.insertOne({ _id: 'd', ...ann }));
  t.match(error, { keyPattern: { orgId: 1, userName: 1 }, keyValue: ann });
  t.match(await refusal(users.insertOne({ _id: 'a' })), { code: 11000, keyValue: { _id: 'a' } });
  const docs = [{ _id: 'd' }, { _id: 'a' }, { _id: 'e', orgId: 'q' }];
  const unordered = await refusal(users.insertMany(docs, { ordered: false }));
  t.match(unordered, { code: 11000, writeErrors: [{ index: 1 }] });
  t.equal(await users.countDocuments({ _id: { $in: ['d', 'e'] } }), 2);
  t.equal(await users.countDocuments(), 5);
});

t.test('a partial unique index binds only what it covers', async (t) => {
  const users = db.collection<Item>('partial');
  await users.createIndex(
    { email: 1 },
    { unique: true, partialFilterExpression: { email: { $type: 'string' } } },
  );
  await users.insertMany([{ _id: 'a' }, { _id: 'b' }, { _id: 'c', email: 'x' }]);
  t.match(await refusal(users.insertOne({ _id: 'd', email: 'x' })), { code: 11000 });
  t.equal(await users.countDocuments(), 3);
});

t.test('indexes are listed, made once, refused when different, and dropped', async (t) => {
  const items = db.collection<Item>('list');
  t.equal(await items.createIndex({ a: 1, b: -1 }), 'a_1_b_-1');
  t.equal(await items.createIndex({ a: 1, b: -1 }), 'a_1_b_-1');
  const other = await refusal(items.createIndex({ a: 1, b: -1 }, { unique: true }));
  t.ok([85, 86].includes(Number(other['code'])));
  const names = (await items.listIndexes().toArray()).map((index) => index['name']);
  t.same(names, ['_id_', 'a_1_b_-1']);
  await items.dropIndex('a_1_b_-1');
  t.match(await refusal(items.dropIndex('a_1_b_-1')), { code: 27 });
  t.equal((await items.listIndexes().toArray()).length, 1);
});

t.test('a unique index is not made over duplicates', async (t) => {
  const items = db.collection<Item>('twice');
  await items.insertMany([
    { _id: 'a', n: 1 },
    { _id: 'b', n: 1 },
  ]);
  t.match(await refusal(items.createIndex({ n: 1 }, { unique: true })), { code: 11000 });
});

t.test('expired documents vanish by themselves', { timeout: 150_000 }, async (t) => {
  const tokens = db.collection<Item>('ttl');
  await tokens.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  await tokens.insertMany([
    { _id: 'old', expiresAt: new Date(Date.now() - 1_000) },
    { _id: 'new', expiresAt: new Date(Date.now() + 3_600_000) },
  ]);
  await until(async () => (await tokens.countDocuments({ _id: 'old' })) === 0, { every: 500 });
  t.equal(await tokens.countDocuments({ _id: 'new' }), 1);
});

t.test('a hint at a partial index needs a query that finds nothing else', async (t) => {
  const { client } = db;
  if (!(await isGateway(client))) return notRun(t, 'MongoDB is not the local engine');
  const things = db.collection<Item>('hinted');
  await things.createIndex({ a: 1 }, { partialFilterExpression: { a: { $exists: true } }, name: 'partial' });
  await things.insertMany([{ _id: 'a', a: 'x' }, { _id: 'b' }]);
  const find = (query: Document) => things.find(query, { hint: 'partial' }).toArray();
  for (const query of [
    { a: 'x' },
    { a: { $gte: '' } },
    { a: { $in: ['x'] } },
    { $and: [{ a: { $regex: 'x' } }] },
    { a: { $exists: true } },
  ])
    t.match(await find(query), [{ _id: 'a' }], JSON.stringify(query));
  for (const query of [
    {},
    { _id: 'b' },
    { a: null },
    { a: { $ne: 'x' } },
    { a: { $in: ['x', null] } },
    { $or: [{ a: 'x' }, { _id: 'b' }] },
  ])
    t.match(await refusal(find(query)), { code: 291 }, JSON.stringify(query));
  t.match(await refusal(things.countDocuments({ _id: 'b' }, { hint: 'partial' })), { code: 291 });
  t.equal(await things.countDocuments({ a: 'x' }, { hint: 'partial' }), 1);
});

t.test('an equality leaves no expression for the same field out', async (t) => {
  const things = db.collection<Item>('beside');
  await things.createIndex({ org: 1, name: 1 }, { unique: true });
  await things.insertMany([
    { _id: 'a', org: 'o', name: 'ada', n: 1 },
    { _id: 'b', org: 'o', name: 'bob', n: 2 },
  ]);
  const b = { name: { $regex: 'b' } };
  const rows: [query: Document, found: string[]][] = [
    [{ $and: [{ name: 'ada' }, b] }, []],
    [{ $and: [{ name: 'bob' }, b] }, ['b']],
    [{ name: 'ada', $and: [b] }, []],
    [{ $and: [{ name: { $in: ['ada', 'bob'] } }, { $and: [b] }] }, ['b']],
    [{ $and: [{ name: 'ada' }, { $or: [b, { n: 1 }] }] }, ['a']],
    [{ $and: [{ name: 'ada' }, { $or: [b, { n: 2 }] }] }, []],
    [{ $and: [{ name: 'ada' }, { $nor: [b] }] }, ['a']],
    [{ $and: [{ $or: [{ name: 'ada' }, { $and: [{ name: 'bob' }, b] }] }, { n: { $gt: 0 } }] }, ['a', 'b']],
    [{ $and: [b, { name: { $regex: '^b' } }] }, ['b']],
  ];
  for (const [query, found] of rows) {
    const where = { org: 'o', $and: [query] };
    const ids = (await things.find(where).sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
    t.same(ids, found, JSON.stringify(query));
    t.equal(await things.countDocuments(where), found.length, JSON.stringify(query));
    t.equal((await things.distinct('_id', where)).length, found.length, JSON.stringify(query));
  }
});

t.test('a compound index takes arrays under one of its fields', async (t) => {
  const { client } = db;
  if (!(await isGateway(client))) return notRun(t, 'MongoDB is not the local engine');
  const things = db.collection<Item>('parallel');
  await things.insertOne({ _id: 'before', a: ['x'], b: { c: ['y'] } });
  await things.deleteOne({ _id: 'before' });
  await things.createIndex({ a: 1, 'b.c': 1 });
  await things.insertMany([
    { _id: 'one', a: ['x'], b: { c: 'y' } },
    { _id: 'other', a: 'x', b: [{ c: 'y' }, { c: 'z' }] },
  ]);
  const both = { a: ['x'], b: { c: ['y'] } };
  const above = { a: ['x'], b: [{ c: 'y' }] };
  const one = { _id: 'one' };
  const ways: Record<string, () => Promise<unknown>> = {
    insertOne: () => things.insertOne({ _id: 'new', ...both }),
    insertMany: () => things.insertMany([{ _id: 'fine' }, { _id: 'new', ...above }]),
    replaceOne: () => things.replaceOne(one, above),
    set: () => things.updateOne(one, { $set: both }),
    setPaths: () => things.updateOne(one, { $set: { a: ['x'], 'b.c': ['y'] } }),
    upsert: () =>
      things.updateOne({ _id: 'new' }, { $set: { a: [] }, $setOnInsert: { b: [] } }, { upsert: true }),
    push: () => things.updateOne(one, { $push: { a: 'z' }, $addToSet: { 'b.c': 'z' } } as Document),
    findOneAndUpdate: () => things.findOneAndUpdate(one, { $set: both }),
    bulkWrite: () => things.bulkWrite([{ updateOne: { filter: one, update: { $set: both } } }]),
  };
  for (const [name, way] of Object.entries(ways))
    t.match(await refusal(way()), { code: 171, message: 'cannot index parallel arrays [a] [b' }, name);
  await things.updateOne(one, { $push: { a: 'z' }, $set: { 'b.d': ['free'] } } as Document);
  t.match(await things.find({}).sort({ _id: 1 }).toArray(), [
    { _id: 'one', a: ['x', 'z'], b: { c: 'y', d: ['free'] } },
    { _id: 'other' },
  ]);
  await things.dropIndex('a_1_b.c_1');
  await things.insertOne({ _id: 'new', ...both });
});
