import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import t, { type Test } from 'tap';
import { ensureIndexes } from '#src/platform/mongo/indexes.js';
import { type Api, openStage, type Stage } from '../../dev/stage/stage.js';
import { bulkOf, namesByStatus, newUser, sendBulk } from '../support/scim/bulk.js';

/** The steps of "Upgrade" in docs/operations.md, on a database whose indexes are those of another version. */
t.test('muster upgrade beside processes that serve', { timeout: 200_000 }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  const run = async (...args: string[]) => {
    const command = stage.startCommand(['upgrade', ...args]);
    return { code: await command.exitCode, log: command.log() };
  };
  const earlier = { api: await stage.startApi(), worker: await stage.startWorker() };
  const indexes = await indexesOf(t, stage);
  const declared = await indexes.names();
  await indexes.dropOne();
  await indexes.makeFormer();
  const before = await indexes.names();
  t.equal(before.length, declared.length, 'one is missing, another one is of the earlier version');

  const load = startLoad(stage, earlier.api);
  await load.someMore();
  t.match(await run(), { code: 0, log: /^The database is ready for this version\.$/m });
  t.same(await indexes.names(), [...declared, former].sort(), 'what is missing is made, nothing is dropped');

  const later = { api: await stage.startApi(), worker: await stage.startWorker() };
  load.sendTo(later.api);
  await load.someMore();
  for (const running of [earlier.worker, earlier.api]) {
    running.signal('SIGTERM');
    t.equal(await running.exitCode, 0);
  }
  const finished = await run('--finish');
  t.match(finished, { code: 0, log: /^dropped the index users\.former_1$/m });
  t.match(finished.log, /^The upgrade is finished\.$/m);
  t.equal(finished.log.match(/dropped/g)?.length, 1);
  t.same(await indexes.names(), declared);
  const again = await run('--finish');
  t.match(again, { code: 0, log: /^The upgrade is finished\.$/m }, 'and once more');
  t.notMatch(again.log, /dropped/);

  await load.someMore();
  const answers = await load.stop();
  t.same(
    [...new Set(answers)].sort(),
    ['POST 201', 'GET 200'].sort(),
    `${answers.length} requests, all answered`,
  );
  const bulk = await sendBulk(stage, later.api, bulkOf('after', 3));
  t.equal(namesByStatus(bulk)[201]?.length, 3, 'jobs are done');
});

const former = 'users.former_1';

async function indexesOf(t: Test, { mongodb }: Stage) {
  const client = await MongoClient.connect(mongodb.url);
  t.teardown(() => client.close());
  const db = client.db(mongodb.database);
  const users = db.collection('users');
  return {
    async names(): Promise<string[]> {
      const collections = await db.listCollections({}, { nameOnly: true }).toArray();
      // `muster upgrade` notes its own progress in a collection, which it makes when there is something to do.
      const declaring = collections.filter(({ name }) => name !== 'upgrades');
      const names = declaring.map(async ({ name }) =>
        (await db.collection(name).indexes()).map((index) => `${name}.${index.name}`),
      );
      return (await Promise.all(names)).flat().sort();
    },
    /** One that only makes things fast, so that processes go on without it. */
    async dropOne() {
      const found = (await users.indexes()).find(({ name, unique }) => name !== '_id_' && !unique);
      await users.dropIndex(found?.name ?? '');
    },
    makeFormer: () => ensureIndexes(db, [{ collection: 'users', indexes: [{ key: { former: 1 } }] }]),
  };
}

/** A client that makes users and looks at them, one request after another, until it is stopped. */
function startLoad({ orgId }: Stage, first: Api) {
  const answers: string[] = [];
  let api = first;
  let isStopped = false;
  const sending = (async () => {
    for (let number = 0; !isStopped; number++) {
      const users = `/scim/v2/${orgId}/Users`;
      const { status } = await api.call(`POST ${users}`, { json: newUser(`load-${number}`) });
      const list = await api.call(`GET ${users}?count=1&sortBy=userName`);
      answers.push(`POST ${status}`, `GET ${list.status}`);
      await pause(20);
    }
  })();
  sending.catch(() => undefined);
  return {
    sendTo(next: Api) {
      api = next;
    },
    /** Waits until some more requests were answered. */
    async someMore() {
      const until = answers.length + 10;
      while (answers.length < until) await Promise.race([pause(20), sending]);
    },
    /** @returns how each request was answered, as `GET 200` */
    async stop(): Promise<string[]> {
      isStopped = true;
      await sending;
      return answers;
    },
  };
}
