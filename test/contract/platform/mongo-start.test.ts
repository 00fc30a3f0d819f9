import t, { type Test } from 'tap';
import { openMongo } from '#src/platform/mongo/mongo.js';
import { describeStartFailure, StartError } from '#src/platform/start-failure.js';
import { testEnvironment } from '../../support/app/test-container.js';
import { watchCommands } from '../../support/stores/mongo-commands.js';
import { openOwnGateway } from '../../support/stores/own-gateway.js';

/** What a process says and demands of MongoDB when it starts. */

const database = `test_start_${process.pid}`;
const { MONGODB_URL: url = '' } = await testEnvironment(database);
const withOption = (option: string) =>
  `${url}${url.includes('?') ? '&' : '/?'.slice(url.endsWith('/') ? 1 : 0)}${option}`;

t.test('a connection string that forbids transactions is named with its remedy', async (t) => {
  for (const [option, remedy] of [
    ['readPreference=secondaryPreferred', /Remove readPreference from MONGODB_URL/],
    ['w=0', /Remove w and journal from MONGODB_URL/],
  ] as const) {
    const failure = await openMongo({ url: withOption(option), database, poolSize: 1 }).catch(
      (error) => error,
    );
    t.ok(failure instanceof StartError, option);
    t.match(failure.message, remedy);
  }
});

/** The failure of a start, as the process prints it. */
async function failureOf(t: Test, url: string): Promise<string> {
  const indexes = [{ collection: 'things', indexes: [{ key: { a: 1 } }] }];
  const failure = await openMongo({ url, database, poolSize: 1, indexes }).then(
    (mongo) => mongo.close(),
    (error) => error,
  );
  t.ok(failure instanceof StartError, String(failure));
  return describeStartFailure(failure);
}

t.test('a missing right is named, whichever command needs it', async (t) => {
  const gateway = await openOwnGateway(t, { sharedUrl: url });
  if (gateway === undefined) return;
  for (const [role, command] of [
    ['none', 'find'],
    ['read', 'update'],
  ] as const) {
    gateway.faults.role = role;
    t.equal(
      await failureOf(t, gateway.url),
      `The user of MONGODB_URL lacks a right (not authorized on ${database} to execute command ${command}). ` +
        'Give it the role readWrite on the database.',
    );
  }
});

t.test('a password that MongoDB refuses is named', async (t) => {
  const gateway = await openOwnGateway(t, { sharedUrl: url });
  if (gateway === undefined) return;
  gateway.faults.failures.push({ command: 'saslStart', code: 18 });
  const told = await failureOf(t, gateway.url.replace('//', '//muster:wrong-password@'));
  t.equal(
    told,
    'MongoDB does not accept the user of MONGODB_URL (a test lets saslStart fail). ' +
      'Correct the name, the password or authSource.',
  );
});

t.test('a server older than 6.0 is refused, and 6.0 is not', async (t) => {
  const gateway = await openOwnGateway(t, { sharedUrl: url });
  if (gateway === undefined) return;
  gateway.faults.maxWireVersion = 16;
  t.equal(
    await failureOf(t, gateway.url),
    'This MongoDB is too old. Muster needs version 6.0 or later; upgrade the server.',
  );
  gateway.faults.maxWireVersion = 17;
  const mongo = await openMongo({ url: gateway.url, database, poolSize: 1 });
  await mongo.close();
});

t.test('a server without a replica set is refused', async (t) => {
  const gateway = await openOwnGateway(t, { sharedUrl: url });
  if (gateway === undefined) return;
  gateway.faults.standalone = true;
  t.equal(
    await failureOf(t, gateway.url),
    'Muster cannot use this MongoDB: it offers no transactions. ' +
      'Run it as a replica set (one member is enough) or as a sharded cluster.',
  );
});

t.test('every write is acknowledged by the majority', async (t) => {
  const warnings: string[] = [];
  const mongo = await openMongo({ url, database, poolSize: 2, warn: (message) => warnings.push(message) });
  t.teardown(async () => {
    await mongo.db.dropDatabase();
    await mongo.close();
  });
  t.same(warnings, []);
  const watched = watchCommands();
  t.teardown(() => watched.stop());
  const numbers = mongo.collection<{ number: number }>('numbers');
  await numbers.insertOne({ number: 1 });
  await numbers.updateOne({ number: 1 }, { $set: { number: 2 } });
  await mongo.transaction((session) => numbers.insertOne({ number: 3 }, { session }));
  await numbers.deleteOne({ number: 2 });
  const concerned = watched.commands.filter(
    (command) => 'writeConcern' in command || 'commitTransaction' in command,
  );
  t.equal(concerned.length, 4);
  for (const { writeConcern } of concerned) t.match(writeConcern, { w: 'majority' });
});

t.test('a lower write concern is used, with a warning', async (t) => {
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const mongo = await openMongo({ url: withOption('w=1'), database, poolSize: 1, warn });
  t.teardown(() => mongo.close());
  t.match(warnings, [/MONGODB_URL sets w=1/]);
});
