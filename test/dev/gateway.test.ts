import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Document, GridFSBucket, MongoClient } from 'mongodb';
import t from 'tap';
import { until } from '../../dev/until.js';
import { openDatabase, refusal } from './database.js';

interface Item extends Document {
  _id: string | number;
}

const { url, client, db, close } = await openDatabase('gateway');
t.teardown(close);

t.test('documents are inserted, found, updated and deleted', async (t) => {
  const items = db.collection<Item>('crud');
  await items.insertOne({ _id: 'a', n: 1, at: new Date(0), tags: ['x', 'y'] });
  await items.insertMany([
    { _id: 'b', n: 2 },
    { _id: 'c', n: 3 },
  ]);
  t.same(await items.findOne({ _id: 'a' }), { _id: 'a', n: 1, at: new Date(0), tags: ['x', 'y'] });
  t.equal(await items.findOne({ _id: 'none' }), null);
  const updated = await items.updateOne({ _id: 'b' }, { $set: { n: 20 } });
  t.match(updated, { matchedCount: 1, modifiedCount: 1, upsertedCount: 0 });
  t.match(await items.updateOne({ _id: 'd' }, { $set: { n: 4 } }, { upsert: true }), { upsertedId: 'd' });
  t.match(await items.replaceOne({ _id: 'd' }, { n: 5 }), { modifiedCount: 1 });
  t.match(await items.deleteMany({ n: { $lt: 4 } }), { deletedCount: 2 });
  t.same(await items.find({}).sort({ n: 1 }).project({ n: 1 }).toArray(), [
    { _id: 'd', n: 5 },
    { _id: 'b', n: 20 },
  ]);
  t.equal(await items.countDocuments({ n: 5 }), 1);
  t.equal(await items.estimatedDocumentCount(), 2);
  t.same(await items.distinct('n'), [5, 20]);
});

t.test('findOneAndUpdate, arrayFilters and bulkWrite work', async (t) => {
  const items = db.collection<Item>('modify');
  const options = { upsert: true, returnDocument: 'after' } as const;
  t.same(await items.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } }, options), { _id: 'a', n: 1 });
  t.same(await items.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } }, options), { _id: 'a', n: 2 });
  t.equal(await items.findOneAndDelete({ _id: 'none' }), null);
  await items.insertOne({
    _id: 'f',
    emails: [
      { value: 'x', primary: false },
      { value: 'y', primary: true },
    ],
  });
  await items.updateOne(
    { _id: 'f' },
    { $set: { 'emails.$[e].value': 'z' } },
    { arrayFilters: [{ 'e.primary': true }] },
  );
  t.match(await items.findOne({ _id: 'f' }), { emails: [{ value: 'x' }, { value: 'z' }] });
  const bulk = await items.bulkWrite([
    { insertOne: { document: { _id: 'g', n: 1 } } },
    { updateOne: { filter: { _id: 'g' }, update: { $set: { n: 2 } } } },
    { deleteOne: { filter: { _id: 'a' } } },
  ]);
  t.match(bulk, { insertedCount: 1, modifiedCount: 1, deletedCount: 1 });
});

t.test('cursors go on beyond one batch, sorted or not, and can be killed', async (t) => {
  const items = db.collection<Item>('cursors');
  await items.insertMany(Array.from({ length: 3_000 }, (_, index) => ({ _id: index, n: 3_000 - index })));
  t.equal((await items.find().batchSize(100).toArray()).length, 3_000);
  const sorted = await items.find().sort({ n: 1 }).batchSize(250).toArray();
  t.same(
    sorted.map((item) => item['n']),
    Array.from({ length: 3_000 }, (_, index) => index + 1),
  );
  t.equal((await items.find().sort({ _id: 1 }).limit(500).batchSize(7).toArray()).length, 500);
  t.equal((await items.aggregate([{ $match: {} }], { batchSize: 50 }).toArray()).length, 3_000);

  const cursor = items.find().sort({ n: 1 }).batchSize(2);
  await cursor.next();
  const id = cursor.id;
  await cursor.close();
  t.match(await refusal(db.command({ getMore: id, collection: 'cursors' })), { code: 43 });
});

t.test('aggregations group, unwind and facet', async (t) => {
  const items = db.collection<Item>('aggregates');
  await items.insertMany([
    { _id: 1, org: 'x', n: 1 },
    { _id: 2, org: 'x', n: 2 },
    { _id: 3, org: 'y', n: 3 },
  ]);
  const groups = await items
    .aggregate([{ $group: { _id: '$org', total: { $sum: '$n' } } }, { $sort: { _id: 1 } }])
    .toArray();
  t.same(groups, [
    { _id: 'x', total: 3 },
    { _id: 'y', total: 3 },
  ]);
  const [facets] = await items
    .aggregate([{ $facet: { count: [{ $count: 'n' }], page: [{ $sort: { _id: 1 } }, { $limit: 1 }] } }])
    .toArray();
  t.match(facets, { count: [{ n: 3 }], page: [{ _id: 1 }] });
});

t.test('several databases are apart, and one is dropped alone', async (t) => {
  const others = ['one', 'two'].map((name) => client.db(`${db.databaseName}_${name}`));
  await Promise.all(others.map((other, index) => other.collection('same').insertOne({ index })));
  t.match(await others[0]?.collection('same').findOne(), { index: 0 });
  await others[0]?.dropDatabase();
  t.equal(await others[0]?.collection('same').countDocuments(), 0);
  t.equal(await others[1]?.collection('same').countDocuments(), 1);
  await others[1]?.dropDatabase();
  t.same((await db.listCollections({ name: 'crud' }).toArray()).length, 1);
});

t.test('documents of 15 MB and batches of thousands pass', async (t) => {
  const items = db.collection<Item>('large');
  await items.insertOne({ _id: 'big', text: 'x'.repeat(15 * 1024 * 1024) });
  const big = await items.findOne({ _id: 'big' });
  t.equal(big?.['text'].length, 15 * 1024 * 1024);
  const many = Array.from({ length: 5_000 }, (_, index) => ({ _id: index, text: 'y'.repeat(100) }));
  t.equal((await items.insertMany(many)).insertedCount, 5_000);
  await items.insertOne({ _id: 'quiet' }, { writeConcern: { w: 0 } });
  await until(async () => (await items.countDocuments({ _id: 'quiet' })) === 1);
});

t.test('files go into GridFS and come out again', async (t) => {
  const bucket = new GridFSBucket(db, { bucketName: 'files' });
  const content = Buffer.alloc(700_000, 'muster ');
  const upload = bucket.openUploadStream('report.csv');
  await new Promise((resolve, reject) =>
    Readable.from([content]).pipe(upload).once('finish', resolve).once('error', reject),
  );
  t.ok(content.equals(await buffer(bucket.openDownloadStream(upload.id))));
});

t.test('200 connections at once are served', async (t) => {
  const crowd = await new MongoClient(url, { minPoolSize: 200, maxPoolSize: 200 }).connect();
  t.teardown(() => crowd.close());
  const items = crowd.db(db.databaseName).collection<Item>('crowd');
  await Promise.all(Array.from({ length: 400 }, (_, index) => items.insertOne({ _id: index })));
  t.equal(await items.countDocuments(), 400);
});

t.test('errors carry MongoDB codes', async (t) => {
  t.match(await refusal(db.command({ zork: 1 })), { code: 59, codeName: 'CommandNotFound' });
  t.match(await refusal(db.collection('crud').find({ $zork: 1 }).toArray()), { code: 2 });
  t.match(await refusal(db.collection<Item>('crud').updateOne({ _id: 'b' }, { $set: { _id: 'z' } })), {
    code: 66,
  });
});
