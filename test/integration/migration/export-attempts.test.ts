import t from 'tap';
import { removeMembership } from '#src/access/memberships/remove-membership.js';
import { newId } from '#src/platform/ids.js';
import { exportWorker } from '#workers/export.worker.js';
import { until } from '../../../dev/until.js';
import { buildListeningApp } from '../../support/app/listening-app.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';

const { container, call, baseUrl } = await buildListeningApp(t);
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);
await makePerson(container, home);

const run = (jobId: string, stopping = new AbortController().signal) =>
  exportWorker(container)({ jobId, attemptId: newId() }, container.logger, stopping);
const begin = async (who = as) => {
  const body = { responseOutput: true, orgIds: [home.id] };
  const headers = { prefer: 'respond-async' };
  const begun = await call('POST /admin/v1/export', { as: who, body, headers });
  return begun.headers['location']?.split('/').at(-1) ?? '';
};
const stateOf = async (jobId: string) => (await call(`GET /admin/v1/jobs/${jobId}`, { as })).body;
const eventsOf = async (jobId: string, eventTypes = ['export.completed']) => {
  const body = { aggregateId: jobId, eventTypes };
  return (await call('POST /admin/v1/events/_search', { as, body })).body.events;
};
const stagedBlocks = () => container.mongo.db.collection('stagedBlocks').countDocuments({});

t.test('an attempt after the one that was done changes nothing', async (t) => {
  const jobId = await begin();
  await run(jobId);
  await run(jobId);
  t.match(await stateOf(jobId), { state: 'completed', result: { counts: { humanUsers: 1 } } });
  t.equal((await eventsOf(jobId)).length, 1);
  t.equal(await stagedBlocks(), 1);
});

t.test('of two attempts at once one counts', async (t) => {
  const before = await stagedBlocks();
  const jobId = await begin();
  await Promise.all([run(jobId), run(jobId)]);
  t.equal((await stateOf(jobId)).state, 'completed');
  t.equal((await eventsOf(jobId)).length, 1);
  t.equal(await stagedBlocks(), before + 1, 'what the other one wrote is gone');
});

t.test('a job that has ended is not done', async (t) => {
  const before = await stagedBlocks();
  const jobId = await begin();
  await call(`DELETE /admin/v1/jobs/${jobId}`, { as });
  await run(jobId);
  t.equal((await stateOf(jobId)).state, 'cancelled');
  t.same(await eventsOf(jobId), []);
  t.equal(await stagedBlocks(), before);
});

t.test('an attempt that ends with its process leaves nothing, and the next one does the job', async (t) => {
  const before = await stagedBlocks();
  const jobId = await begin();
  const stopping = new AbortController();
  const running = run(jobId, stopping.signal);
  stopping.abort();
  await running;
  t.equal(await stagedBlocks(), before);
  t.match((await stateOf(jobId)).state, /queued|running/);
  await run(jobId);
  t.equal((await stateOf(jobId)).state, 'completed');
});

t.test('what an attempt left whose process died is gone after the next one', async (t) => {
  const before = await stagedBlocks();
  const jobId = await begin();
  const dead = { jobId, attemptId: newId() };
  await container.jobs.start(dead);
  const expires = new Date(Date.now() + 3_600_000);
  const writer = container.staging.writer(`${jobId}.${dead.attemptId}`, expires);
  await writer.write(Buffer.from('{"orgs":['));
  await writer.finish();
  t.equal(await stagedBlocks(), before + 1);
  await run(jobId);
  t.equal((await stateOf(jobId)).state, 'completed');
  t.equal(await stagedBlocks(), before + 1, 'the text of the attempt that counts alone');
});

t.test('a requester that has lost the right in between exports nothing', async (t) => {
  const leaving = await makeCaller(container, home.id, ['IAM_OWNER']);
  const jobId = await begin(leaving);
  const [held] = await container.memberships.ofUser(leaving.id);
  await removeMembership(container, { id: held?.id ?? '', orgId: undefined, editor: testEditor });
  await run(jobId);
  t.match(await stateOf(jobId), { state: 'failed', result: { error: { id: 'tokens.permissionMissing' } } });
  t.same(await eventsOf(jobId), []);
});

t.test('a client that goes away takes its export with it', async (t) => {
  const going = new AbortController();
  const asked = fetch(`${baseUrl}/admin/v1/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ responseOutput: true, orgIds: [home.id] }),
    signal: going.signal,
  }).catch((error: unknown) => error);
  const newest = async () => (await call('GET /admin/v1/jobs?limit=1', { as })).body.items[0];
  await until(async () => (await newest())?.state === 'queued');
  going.abort();
  await asked;
  await until(async () => (await newest()).state === 'cancelled');
  const { id } = await newest();
  t.same(await eventsOf(id), []);
  t.match(await eventsOf(id, ['job.cancelled']), [
    { editor: { userId: as.id }, sequence: 1, payload: { kind: 'export' } },
  ]);
  t.equal((await eventsOf(id, ['job.cancelled'])).length, 1);
});
