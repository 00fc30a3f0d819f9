import { randomBytes, randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import t from 'tap';
import { checkEnd, storedNames } from '../../../bench/soak/check-end.js';
import { createExpected } from '../../../bench/soak/expected.js';
import { testEnvironment } from '../../support/app/test-container.js';

const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
const { MONGODB_URL: url = '' } = await testEnvironment(name);
const client = await MongoClient.connect(url);
const db = client.db(name);
t.teardown(async () => {
  await db.dropDatabase();
  await client.close();
});

const orgId = 'org';
const place = { orgId, mongodb: { url, database: name } };

/** Stores a user with as many events of its addition, as the service does. */
async function store(userName: string, { displayName = 'Nobody', events = 1 } = {}): Promise<void> {
  const id = randomUUID();
  await db.collection<{ _id: string }>('users').insertOne({ _id: id, ...{ orgId, userName, displayName } });
  const aggregate = { id, resourceOwner: orgId };
  for (let each = 0; each < events; each++)
    await db.collection('events').insertOne({ type: 'user.human.added', aggregate });
}

t.test('the soak finds whatever is not as clients were told', async (t) => {
  await store('admin');
  const before = await storedNames(place);
  t.same(before, ['admin']);
  const expected = createExpected();
  expected.ask(['anna', 'bert', 'cora']);
  await store('anna', { displayName: 'Anna' });
  await store('bert');
  expected.tell(['anna', 'bert'], 1);
  expected.rename('anna', 'Anna');
  t.same(await checkEnd(place, expected, before), { expected: 3, found: 3, unanswered: 0, differences: [] });
  t.equal(expected.madeUnanswered, 1);

  await store('cora');
  const asked = await checkEnd(place, expected, before);
  t.match(asked, { expected: 3, found: 3, unanswered: 1, differences: [] }, 'an answer that was lost');

  await store('stranger');
  const more = await checkEnd(place, expected, before);
  t.match(more, { expected: 3, found: 4, differences: ['stranger was asked for by nobody'] });
  await db.collection('users').deleteOne({ userName: 'stranger' });
  t.match((await checkEnd(place, expected, before)).differences, [
    /^An event tells of the user \S+, who is not there$/,
  ]);
  await db.collection('events').deleteMany({});

  await db.collection('users').deleteMany({});
  expected.tell(['dora', 'emil'], 0);
  expected.rename('anna', 'Anna');
  await store('admin');
  await store('anna', { displayName: 'Another' });
  await store('bert', { events: 2 });
  await store('dora', { events: 0 });
  await store('dora');
  const { found, differences } = await checkEnd(place, expected, before);
  t.equal(found, 5);
  t.same([...differences].sort(), [
    'anna is called Another, not Anna',
    'bert has 2 events of its addition',
    'dora has 0 events of its addition',
    'dora is there 2 times',
    'emil is there 0 times',
  ]);
});
