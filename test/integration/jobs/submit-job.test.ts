import t from 'tap';
import { startWorkers } from '#workers/start-workers.js';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUsers, importOf } from '../../support/migration/imports.js';
import { bulkOf } from '../../support/scim/bulk.js';

const { container, call } = await buildTestApp(t);
const { jobQueue, jobs, mongo } = container;
const { ping, enqueue } = jobQueue;
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);
const away = () => Promise.reject(new Error('Connection is closed.'));

/** One request of each kind that submits a job, with users of this name. */
const requestsOf = (word: string) => [
  { request: `POST /scim/v2/${home.id}/Bulk`, body: bulkOf(word, 2) },
  { request: 'POST /admin/v1/import', body: importOf(home.id, humanUsers(`${word}-import`, 2)) },
  { request: 'POST /admin/v1/export', body: { responseOutput: true, orgIds: [home.id] } },
];
const jobIds = async () => (await jobs.page(undefined, { limit: 100 })).map(({ id }) => id);
const stateOf = async (id: string) => (await jobs.find(id))?.state;

t.afterEach(() => Object.assign(jobQueue, { ping, enqueue }));

t.test('without the queue a request is refused before anything is stored', async (t) => {
  jobQueue.ping = away;
  for (const headers of [{}, { prefer: 'respond-async' }]) {
    for (const { request, body } of requestsOf('refused')) {
      const answer = await call(request, { as, body, headers });
      t.match(answer, { status: 503, headers: { 'retry-after': /^\d+$/ } }, request);
    }
  }
  t.same(await jobIds(), []);
  for (const name of ['jobBodies', 'imports', 'importUploads', 'importParts', 'stagedBlocks']) {
    t.equal(await mongo.db.collection(name).countDocuments(), 0, name);
  }
});

t.test('a stored job that cannot be queued stays open, and the workers queue it', async (t) => {
  jobQueue.enqueue = away;
  const before = await jobIds();
  for (const { request, body } of requestsOf('later')) {
    const answer = await call(request, { as, body, headers: { prefer: 'respond-async' } });
    t.match(answer, { status: 202, headers: { 'preference-applied': 'respond-async' } }, request);
    t.equal(answer.body, undefined, 'without a body');
    t.equal(await stateOf(answer.headers['location']?.split('/').at(-1) ?? ''), 'queued');
  }
  const waiting = requestsOf('waiting').map(({ request, body }) => call(request, { as, body }));
  await until(async () => (await jobIds()).length === before.length + 6);
  jobQueue.enqueue = enqueue;
  t.same(
    (await jobQueue.counts()).filter(({ count }) => count > 0),
    [],
    'the queue has none of them',
  );

  const workers = startWorkers(container);
  t.teardown(() => workers.close());
  const [bulk, imported, exported] = await Promise.all(waiting);
  t.match(bulk, { status: 200, body: { Operations: [{ status: '201' }, { status: '201' }] } });
  t.match(imported, { status: 200, body: { summary: { created: 2, total: 2 } } });
  t.match(exported, { status: 200, body: { orgs: [{ orgId: home.id }] } });
  for (const id of await jobIds()) await until(async () => (await stateOf(id)) === 'completed');
  await workers.close();
});
