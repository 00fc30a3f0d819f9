import t from 'tap';
import { openMongo } from '#src/platform/mongo/mongo.js';
import { StartError } from '#src/platform/start-failure.js';
import { testEnvironment } from '../../support/app/test-container.js';
import { watchCommands } from '../../support/stores/mongo-commands.js';

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
