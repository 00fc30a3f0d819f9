import { request } from 'node:http';
import t from 'tap';
import {
  beginImport,
  expectImportedOnce,
  faultImport,
  faultUsers,
  progressOf,
} from '../support/fault-import.js';
import { bcryptHash } from '../support/imports.js';
import { type Api, openStage, until } from '../support/processes.js';

const timeout = 240_000 + faultUsers * 100;

t.test('an import outlives what happens to its processes and stores', { timeout }, async (t) => {
  const stage = await openStage(t, { ownStores: true });
  if (stage === undefined) return;
  stage.keepSecret(bcryptHash);
  const api = await stage.startApi();
  let worker = await stage.startWorker();

  await t.test('kill -9 of a worker', async (t) => {
    const id = await beginImport(stage, api, 'worker');
    await worker.crash();
    t.comment(`${await progressOf(api, id)} of ${faultUsers} were in when it died`);
    worker = await stage.startWorker();
    await expectImportedOnce(t, { stage, api, word: 'worker', id });
  });

  await t.test('kill -9 of the API process that waits for it', async (t) => {
    const doomed = await stage.startApi();
    const before = await jobsOf(api);
    const answer = doomed
      .call('POST /admin/v1/import', { json: JSON.parse(faultImport(stage, 'api')) })
      .catch((error: Error) => error);
    const id = await until(async () => (await jobsOf(api)).find((job) => !before.includes(job)), {
      within: 60_000,
    });
    await until(async () => (await progressOf(api, id)) > 0, { within: 60_000 });
    await doomed.crash();
    t.type(await answer, Error);
    await expectImportedOnce(t, { stage, api, word: 'api', id });
  });

  await t.test('kill -9 of the API process while the body comes in', async (t) => {
    const doomed = await stage.startApi();
    const before = await jobsOf(api);
    const body = faultImport(stage, 'half');
    await new Promise<void>((done) => {
      const sent = request(`${doomed.address}/admin/v1/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' },
      });
      sent.once('error', () => done());
      sent.write(body.slice(0, body.length / 2), () => void doomed.crash());
    });
    t.same(await jobsOf(api), before, 'there is no job');
    const id = await beginImport(stage, api, 'half');
    await expectImportedOnce(t, { stage, api, word: 'half', id });
  });

  for (const [store, names] of [
    ['Redis', ['redis-server']],
    ['MongoDB', stage.storeProcesses.filter((name) => name !== 'redis-server')],
  ] as const) {
    await t.test(`kill -9 of ${store}`, async (t) => {
      if (!names.every((name) => stage.storeProcesses.includes(name)) || names.length === 0) {
        t.comment(`${store} is no process of ours here`);
        return;
      }
      const id = await beginImport(stage, api, store.toLowerCase());
      t.comment(`${await progressOf(api, id)} of ${faultUsers} were in when it died`);
      await stage.crashStore(...names);
      await stage.restoreStores({ emptyRedis: store === 'Redis' });
      await expectImportedOnce(t, { stage, api, word: store.toLowerCase(), id });
    });
  }
});

/** Identifiers of the latest jobs. */
async function jobsOf(api: Api): Promise<string[]> {
  const { body } = await api.call('GET /admin/v1/jobs');
  return body.items.map(({ id }: { id: string }) => id);
}
