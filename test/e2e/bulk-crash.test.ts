import { getPriority } from 'node:os';
import t from 'tap';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import {
  bulkOf,
  countOf,
  expectAppliedOnce,
  namesByStatus,
  saysOfBulk,
  sendBulk,
  slowBulk,
  usersAndEvents,
} from '../support/scim/bulk.js';

const password = 'Correct-Horse-7';

t.test('Bulk outlives what happens to its processes', { timeout: 295_000 }, async (t) => {
  const stage = await openStage(t, { settings: slowBulk });
  if (stage === undefined) return;
  stage.keepSecret(password);
  const api = await stage.startApi();

  t.test('another worker goes on where a killed one stopped', async (t) => {
    const worker = await stage.startWorker();
    t.equal(getPriority(worker.pid), 10, 'a worker leaves the processor to API processes');
    const answer = sendBulk(stage, api, bulkOf('killed', 40, password));
    await until(() => countOf(stage, api, 'killed'));
    await worker.crash();
    const before = await countOf(stage, api, 'killed');
    const second = await stage.startWorker();
    const { 201: created = [], ...others } = namesByStatus(await answer);
    t.comment(`${before} were applied when the worker died; answered after ${(await answer).ms} ms`);
    t.ok(before < 40, 'it died in the middle');
    t.same(others, {});
    t.equal(created.length, 40);
    await expectAppliedOnce(t, { stage, api, word: 'killed', names: created });
    await second.crash();
  });

  t.test('a job ends though the API process that took it died', async (t) => {
    const worker = await stage.startWorker();
    const doomed = await stage.startApi();
    const bulk = bulkOf('async', 16, password);
    const accepted = await sendBulk(stage, doomed, bulk, { prefer: 'respond-async' });
    t.equal(accepted.status, 202);
    t.equal(accepted.headers['preference-applied'], 'respond-async');
    await doomed.crash();
    const location = accepted.headers.location ?? '';
    t.match(location, `${stage.baseUrl}/admin/v1/jobs/`);
    const job = await until(async () => {
      const { body } = await api.call(`GET ${location.slice(stage.baseUrl.length)}`);
      return body.state === 'queued' || body.state === 'running' ? undefined : body;
    });
    t.match(job, { state: 'completed', progress: { processed: 16, total: 16, errors: 0 } });
    const names = bulk.Operations.map(({ bulkId }) => bulkId);
    await expectAppliedOnce(t, { stage, api, word: 'async', names });
    await worker.crash();
  });

  t.test('a synchronous Bulk whose API process died is applied once or not at all', async (t) => {
    const worker = await stage.startWorker();
    const doomed = await stage.startApi();
    // So many that it is in the middle after its first transaction.
    const bulk = bulkOf('abandoned', 40, password);
    const answer = sendBulk(stage, doomed, bulk).catch((error: Error) => error);
    await until(() => countOf(stage, api, 'abandoned'));
    await doomed.crash();
    t.type(await answer, Error);
    await until(() => saysOfBulk(worker, /job done/));
    const found = await usersAndEvents(stage, api, 'abandoned');
    t.equal(found.length, 40);
    t.ok(found.every(({ events }) => events === 1));
    await worker.crash();
  });
});
