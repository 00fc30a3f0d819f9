import t from 'tap';
import { cancelJob } from '#src/jobs/cancel-job.js';
import { newId } from '#src/platform/ids.js';
import { type Caller, makeCaller, makeOrganization, makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';

const { container, call } = await buildTestApp(t);
const home = await makeOrganization(container);
const instanceOwner = await makeCaller(container, home.id, ['IAM_OWNER']);
const acme = await makeTenant(container);
const other = await makeTenant(container);

/** A job of acme that waits for a worker; none runs here. */
async function queuedJob(requestedBy: Caller = acme.manager): Promise<string> {
  const id = newId();
  await container.jobs.insert({
    id,
    kind: 'scim-bulk',
    orgId: acme.orgId,
    requestedBy: requestedBy.id,
    total: 3,
    created: container.clock.now(),
    body: Buffer.from('a body with a password'),
  });
  return id;
}

t.test('only the requester and owners see a job', async (t) => {
  const id = await queuedJob();
  for (const as of [acme.manager, acme.owner, instanceOwner]) {
    const { status, body } = await call(`GET /admin/v1/jobs/${id}`, { as });
    t.equal(status, 200);
    const { created, ...rest } = body;
    t.ok(Date.parse(created));
    t.same(rest, {
      id,
      kind: 'scim-bulk',
      orgId: acme.orgId,
      state: 'queued',
      progress: { processed: 0, total: 3, errors: 0 },
    });
  }
  for (const as of [acme.viewer, other.owner, other.manager]) {
    for (const request of [`GET /admin/v1/jobs/${id}`, `DELETE /admin/v1/jobs/${id}`]) {
      const { status, body } = await call(request, { as });
      t.match({ status, id: body.id }, { status: 404, id: 'jobs.jobNotFound' }, request);
    }
  }
  t.equal((await call(`GET /admin/v1/jobs/${newId()}`, { as: instanceOwner })).status, 404);
  t.equal((await call(`GET /admin/v1/jobs/${id}`)).status, 401);
});

t.test('a cancelled job stays cancelled and no worker gets it', async (t) => {
  const id = await queuedJob();
  const cancelled = await call(`DELETE /admin/v1/jobs/${id}`, { as: acme.manager });
  t.equal(cancelled.status, 200);
  t.match(cancelled.body, { id, state: 'cancelled', finished: String });
  t.equal(await container.jobs.start({ jobId: id, attemptId: newId() }), undefined);
  t.equal(await container.jobs.body(id), undefined, 'what it was to work on is gone');
  t.match((await call(`GET /admin/v1/jobs/${id}`, { as: acme.owner })).body, cancelled.body);
  await call(`DELETE /admin/v1/jobs/${id}`, { as: acme.owner });
  const events = await container.events.search({ aggregateId: id, limit: 10, ascending: true });
  t.match(events, [
    {
      type: 'job.cancelled',
      editor: { userId: acme.manager.id, service: 'admin' },
      payload: { kind: 'scim-bulk' },
    },
  ]);
  t.equal(events.length, 1, 'who comes too late cancels nothing');
});

t.test('a job whose cancelling cannot be told is not cancelled', async (t) => {
  const id = await queuedJob();
  const append = async () => {
    throw new Error('The record of events is full');
  };
  const failing = { ...container, events: { ...container.events, append } };
  const editor = { userId: acme.owner.id, service: 'admin' };
  await t.rejects(cancelJob(failing, id, editor), { message: 'The record of events is full' });
  t.equal((await call(`GET /admin/v1/jobs/${id}`, { as: acme.owner })).body.state, 'queued');
  t.ok(await container.jobs.body(id), 'and can still be done');
});

t.test('cancelling an ended job tells how it ended', async (t) => {
  const id = await queuedJob();
  await container.jobs.end(id, 'completed');
  const { status, body } = await call(`DELETE /admin/v1/jobs/${id}`, { as: acme.owner });
  t.match({ status, state: body.state }, { status: 200, state: 'completed' });
});

t.test('the list shows what the caller may see, the newest first, in pages', async (t) => {
  const own = await queuedJob(acme.viewer);
  const ids = async (as: Caller, query = '') =>
    (await call(`GET /admin/v1/jobs${query}`, { as })).body.items.map((job: { id: string }) => job.id);
  t.same(await ids(acme.viewer), [own]);
  t.same(await ids(other.owner), []);
  const all = await ids(acme.owner);
  t.ok(all.length > 1);
  t.equal(all[0], own);
  t.same(all, [...all].sort().reverse());
  t.same(await ids(instanceOwner), all);
  const first = await call('GET /admin/v1/jobs?limit=1', { as: acme.owner });
  t.same(await ids(acme.owner, `?after=${first.body.next}`), all.slice(1));
  t.equal((await call('GET /admin/v1/jobs')).status, 401);
});

t.test('a requester whose role is gone sees neither its imports nor other jobs', async (t) => {
  const former = await makeCaller(container, acme.orgId, ['IAM_OWNER', 'ORG_USER_MANAGER']);
  const importId = newId();
  const body = Buffer.from('{}');
  const created = container.clock.now();
  const about = { kind: 'import' as const, orgId: '*', requestedBy: former.id, total: 0, created, body };
  await container.jobs.insert({ id: importId, ...about });
  const bulkId = await queuedJob(former);
  const seen = async () => {
    const listed = await call('GET /admin/v1/jobs', { as: former });
    const ids = listed.body.items.map(({ id }: { id: string }) => id);
    const statuses = [];
    for (const id of [importId, bulkId]) {
      for (const request of [`GET /admin/v1/jobs/${id}`, `GET /admin/v1/jobs/${id}/errors`]) {
        statuses.push((await call(request, { as: former })).status);
      }
    }
    return [statuses, [importId, bulkId].map((id) => ids.includes(id))];
  };
  const removeRole = async (role: string) => {
    const held = (await container.memberships.ofUser(former.id)).find((one) => one.role === role);
    const place = held?.orgId === undefined ? '' : `/orgs/${held.orgId}`;
    const removed = await call(`DELETE /admin/v1${place}/memberships/${held?.id}`, { as: instanceOwner });
    t.equal(removed.status, 204);
  };
  t.same(await seen(), [
    [200, 200, 200, 200],
    [true, true],
  ]);
  await removeRole('IAM_OWNER');
  t.same(
    await seen(),
    [
      [404, 404, 200, 200],
      [false, true],
    ],
    'the import belongs to the instance',
  );
  const late = await call(`DELETE /admin/v1/jobs/${importId}`, { as: former });
  t.match(late, { status: 404, body: { id: 'jobs.jobNotFound' } });
  t.equal((await container.jobs.find(importId))?.state, 'queued', 'nor is it cancelled');
  await removeRole('ORG_USER_MANAGER');
  t.same(await seen(), [
    [404, 404, 404, 404],
    [false, false],
  ]);
  for (const id of [importId, bulkId]) await container.jobs.end(id, 'cancelled');
});
