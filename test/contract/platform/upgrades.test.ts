import type { Document } from 'mongodb';
import t from 'tap';
import { membershipHomesUpgrade } from '#src/access/memberships/index.js';
import { collections } from '#src/collections.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { searchKeysUpgrade } from '#src/people/users/search-keys-upgrade.js';
import { dropFormerIndexes, ensureIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { runUpgrades } from '#src/platform/mongo/run-upgrades.js';
import { documentUpgrade, type Upgrade } from '#src/platform/mongo/upgrade-documents.js';
import { openTestContainer } from '../../support/app/test-container.js';

const { container } = await openTestContainer(t);
const { mongo } = container;

const options = { now: () => new Date(), log: () => {} };

t.test('the indexes of this version are recognized, and none of them is dropped', async (t) => {
  await ensureIndexes(mongo.db, collections);
  t.same(await dropFormerIndexes(mongo.db, collections), []);
});

t.test('an index that changed is made beside the former one, which goes at the end', async (t) => {
  const collection = 'changing';
  const names = async () => (await mongo.db.collection(collection).indexes()).map(({ name }) => name);
  await ensureIndexes(mongo.db, [
    { collection, indexes: [{ key: { a: 1 } }, { key: { b: -1 } }, { key: { c: 1 } }] },
  ]);
  t.same(await names(), ['_id_', 'a_1', 'b_-1', 'c_1']);

  const now = [
    {
      collection,
      indexes: [{ key: { a: 1 }, partialFilterExpression: { a: 'once' }, unique: true }, { key: { b: -1 } }],
    },
  ] as const;
  const declared = now.map(({ indexes, ...rest }) => ({ ...rest, indexes: [...indexes] }));
  await ensureIndexes(mongo.db, declared);
  await ensureIndexes(mongo.db, declared);
  t.same(await names(), ['_id_', 'a_1', 'b_-1', 'c_1', 'a_1_2']);
  const documents = mongo.collection<Document>(collection);
  await documents.insertOne({ a: 'once' });
  await t.rejects(documents.insertOne({ a: 'once' }), { code: 11000 });

  t.same(await dropFormerIndexes(mongo.db, declared), ['changing.a_1', 'changing.c_1']);
  t.same(await names(), ['_id_', 'b_-1', 'a_1_2']);
  await t.rejects(documents.insertOne({ a: 'once' }), { code: 11000 });
});

t.test('the index of a hashed shard key stays: the server refuses to drop it', async (t) => {
  const declared = [{ collection: 'sharded', indexes: [{ key: { a: 1 } }] }];
  await ensureIndexes(mongo.db, declared);
  await mongo.db.collection('sharded').createIndex({ 'a.id': 'hashed' });
  t.same(await dropFormerIndexes(mongo.db, declared), []);
});

t.test('an index that an operator made stays', async (t) => {
  const declared = [{ collection: 'operated', indexes: [{ key: { a: 1 } }] }];
  await ensureIndexes(mongo.db, declared);
  await mongo.db.collection('operated').createIndex({ b: 1 });
  t.same(await dropFormerIndexes(mongo.db, declared), []);
  await ensureIndexes(mongo.db, [{ collection: 'operated', indexes: [{ key: { c: 1 } }] }]);
  t.same(await dropFormerIndexes(mongo.db, declared), ['operated.c_1']);
});

t.test('documents live as long as the index says that is declared now', async (t) => {
  const collection = 'expiring';
  const declare = (expireAfterSeconds: number) => [
    { collection, indexes: [{ key: { expires: 1 }, expireAfterSeconds }] },
  ];
  await ensureIndexes(mongo.db, declare(10));
  await ensureIndexes(mongo.db, declare(20));
  const [, index] = await mongo.db.collection(collection).indexes();
  t.match(index, { name: 'expires_1', expireAfterSeconds: 20 });
});

interface Thing extends Document {
  _id: string;
  text: string;
  length?: number;
  version: number;
  schemaVersion: number;
}

/** Things of the first version, and the step that makes them things of the second. */
async function makeThings(collection: string, ids: string) {
  const things = mongo.collection<Thing>(collection);
  const thing = (_id: string): Thing => ({ _id, text: `text of ${_id}`, version: 1, schemaVersion: 1 });
  await things.insertMany([...ids].map(thing));
  const step = (over: Mongo = mongo): Upgrade =>
    documentUpgrade<Thing>(over, {
      name: collection,
      collection,
      from: 1,
      batch: 2,
      change: ({ text }) => ({ length: text.length }),
    });
  const versions = async () =>
    (await things.find().sort({ _id: 1 }).toArray()).map(({ _id, schemaVersion, length }) => [
      _id,
      schemaVersion,
      length,
    ]);
  return { things, thing, step, versions };
}

t.test('all documents are changed, once', async (t) => {
  const { step, versions } = await makeThings('all', 'abcde');
  await runUpgrades(mongo, [step()], options);
  t.same(
    await versions(),
    [...'abcde'].map((id) => [id, 2, 9]),
  );
  const never: Upgrade = { name: 'all', next: () => Promise.reject(new Error('It is done')) };
  await runUpgrades(mongo, [never], options);
});

t.test('one that was interrupted goes on where it was', async (t) => {
  const { step, versions } = await makeThings('interrupted', 'abcde');
  const { name, next } = step();
  const positions: (string | undefined)[] = [];
  const interrupted = (after: number): Upgrade => ({
    name,
    next(position) {
      positions.push(position);
      return positions.length > after ? Promise.reject(new Error('power is off')) : next(position);
    },
  });
  await t.rejects(runUpgrades(mongo, [interrupted(1)], options), { message: 'power is off' });
  t.same(
    (await versions()).map(([, version]) => version),
    [2, 2, 1, 1, 1],
  );
  await runUpgrades(mongo, [interrupted(Number.POSITIVE_INFINITY)], options);
  t.same(positions, [undefined, 'b', 'b', 'd', 'e', undefined], 'and looks once more from the beginning');
  t.same(
    (await versions()).map(([, version]) => version),
    [2, 2, 2, 2, 2],
  );
});

t.test('what others write meanwhile is neither lost nor forgotten', async (t) => {
  const { things, thing, step, versions } = await makeThings('busy', 'bcde');
  // A process of the earlier version writes between the reading and the writing of the first batch.
  const original = things.bulkWrite.bind(things);
  let isFirst = true;
  Object.assign(things, {
    async bulkWrite(...args: Parameters<typeof original>) {
      if (isFirst) {
        isFirst = false;
        await things.updateOne({ _id: 'b' }, { $set: { text: 'other', version: 2 } });
        await things.insertOne(thing('a'));
      }
      return original(...args);
    },
  });
  const collection = (() => things) as unknown as Mongo['collection'];
  await runUpgrades(mongo, [step({ ...mongo, collection })], options);
  t.same(await versions(), [['a', 2, 9], ['b', 2, 5], ...[...'cde'].map((id) => [id, 2, 9])]);

  await things.insertOne(thing('late'));
  await runUpgrades(mongo, [step()], options);
  t.same((await versions()).at(-1)?.slice(0, 2), ['late', 1], 'done is done');
  await runUpgrades(mongo, [step()], { ...options, again: true });
  t.same((await versions()).at(-1)?.slice(0, 2), ['late', 2], 'until the upgrade is finished');
});

t.test('two that run at once do no harm', async (t) => {
  const { step, versions } = await makeThings('twice', 'abcdefghi');
  await Promise.all([step(), step(), step()].map((one) => runUpgrades(mongo, [one], options)));
  t.same(
    (await versions()).map(([, version]) => version),
    Array(9).fill(2),
  );
});

t.test('users get back the keys that a process of the earlier version removed', async (t) => {
  const users = mongo.collection<Document & { _id: string }>('users');
  const orgId = 'earlier';
  const at = new Date();
  const added = ['a', 'b', 'c'].map((id) => ({
    user: {
      ...normalizeProfile({
        userName: id,
        ...(id !== 'c' && { employeeNumber: `E-${id}`, manager: 'a' }),
        name: { familyName: `Müller-${id}` },
      }),
      ...(id === 'c' && { extensions: { u1: 'X', a2: 'y' } }),
      ...{ id: `earlier-${id}`, orgId, version: 1, created: at, lastModified: at },
    },
  }));
  await mongo.transaction((transaction) => container.users.insert(orgId, added, transaction));
  const keysOf = async () => {
    const found = await users.find({ orgId }).sort({ _id: 1 }).toArray();
    return found.map(({ search }) => [search.attributes, search.unique, search.loose]);
  };
  const keys = await keysOf();
  const ofA = ['userName.end\u001fa', 'employeeNumber\u001fe-a', 'manager\u001fa'];
  const [looseA, looseC] = ['a', 'c'].map((id) => ({ familyName: `muller${id}` }));
  const ofC = ['userName.end\u001fc', 'u1\u001fx'];
  t.same(keys, [[ofA, undefined, looseA], keys[1], [ofC, ['u1\u001fx'], looseC]]);
  await users.updateMany(
    { orgId },
    { $unset: { 'search.attributes': '', 'search.unique': '', 'search.loose': '', 'search.version': '' } },
  );
  await runUpgrades(mongo, [searchKeysUpgrade(mongo)], options);
  t.same(await keysOf(), keys);
  await users.updateOne(
    { _id: 'earlier-a' },
    { $set: { 'search.attributes': ofA.slice(1) }, $unset: { 'search.version': '' } },
  );
  await runUpgrades(mongo, [searchKeysUpgrade(mongo)], { ...options, again: true });
  t.same(await keysOf(), keys, 'the earlier version knew some of them');
  // It let somebody else have the value.
  const gone = { 'search.attributes': '', 'search.unique': '', 'search.version': '' };
  await users.updateOne({ _id: 'earlier-c' }, { $unset: gone });
  await users.updateOne({ _id: 'earlier-b' }, { $set: { 'search.unique': ['u1\u001fx'] } });
  await runUpgrades(mongo, [searchKeysUpgrade(mongo)], { ...options, again: true });
  t.same((await keysOf()).at(-1), [keys[2]?.[0], undefined, looseC], 'one of the two has it');
  t.equal(await searchKeysUpgrade(mongo).next(undefined), undefined, 'nothing is left');
});

t.test('roles of the earlier version get the organization of a user who has them elsewhere', async (t) => {
  const at = new Date();
  const person = (id: string, orgId: string) => ({
    user: {
      ...normalizeProfile({ userName: id, name: { familyName: id } }),
      ...{ id, orgId, version: 1, created: at, lastModified: at },
    },
  });
  await mongo.transaction(async (transaction) => {
    await container.users.insert('home-a', [person('role-a', 'home-a')], transaction);
    await container.users.insert('home-b', [person('role-b', 'home-b')], transaction);
    const created = at;
    await container.memberships.insert(
      [
        { id: 'r1', userId: 'role-a', role: 'ORG_OWNER', orgId: 'home-a', created },
        { id: 'r2', userId: 'role-a', role: 'ORG_OWNER', orgId: 'home-b', created },
        { id: 'r3', userId: 'role-b', role: 'IAM_OWNER', created },
        { id: 'r4', userId: 'machine', role: 'ORG_OWNER', orgId: 'home-b', created },
      ],
      new Map(),
      transaction,
    );
  });
  const outside = async (orgId: string) =>
    (await container.memberships.pageOutside(orgId, { limit: 10 })).map(({ id }) => id);
  t.same(await outside('home-a'), []);
  await runUpgrades(mongo, [membershipHomesUpgrade(mongo)], options);
  t.same(await outside('home-a'), ['r2']);
  t.same(await outside('home-b'), []);
  const [role] = await container.memberships.pageOutside('home-a', { limit: 10 });
  t.same(role, { id: 'r2', userId: 'role-a', role: 'ORG_OWNER', orgId: 'home-b', created: at });
});

t.test('roles that stay as they are do not make an upgrade begin anew after an interruption', async (t) => {
  const created = new Date();
  const own = Array.from({ length: 1_001 }, (_, n) => ({
    id: `own-${String(n).padStart(4, '0')}`,
    userId: `owner-${n}`,
    ...({ role: 'ORG_OWNER', orgId: `org-${n}`, created } as const),
  }));
  await mongo.transaction((transaction) => container.memberships.insert(own, new Map(), transaction));
  const { name, next } = membershipHomesUpgrade(mongo);
  const positions: (string | undefined)[] = [];
  const interrupted = (after: number): Upgrade => ({
    name: `${name}-interrupted`,
    next(position) {
      positions.push(position);
      return positions.length > after ? Promise.reject(new Error('power is off')) : next(position);
    },
  });
  await t.rejects(runUpgrades(mongo, [interrupted(1)], options), { message: 'power is off' });
  const read = positions.length;
  await runUpgrades(mongo, [interrupted(Number.POSITIVE_INFINITY)], options);
  t.equal(positions[read], 'own-0499', 'it goes on where it was');
  const beginnings = positions.filter((position) => position === undefined);
  t.equal(
    beginnings.length,
    2,
    'and ends after another look from the beginning, although it changes nothing',
  );
});
