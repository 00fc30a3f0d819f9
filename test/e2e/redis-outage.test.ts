import t, { type Test } from 'tap';
import { notRun } from '../../dev/not-run.js';
import { accessTokenOf, makeServiceUser } from '../../dev/stage/service-user.js';
import { type Api, openStage, type Stage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { expectAnsweredSoon, expectBulkOutlived, expectWellSoon } from '../support/processes/faults.js';
import {
  bulkOf,
  countOf,
  expectAppliedOnce,
  namesByStatus,
  newUser,
  sendBulk,
  usersAndEvents,
} from '../support/scim/bulk.js';

const password = 'Correct-Horse-7';
const settings = { MUSTER_ARGON2_PASSES: '5', MUSTER_REQUEST_TIMEOUT_SECONDS: '120' };

t.test('Redis goes away and comes back empty', { timeout: 200_000 }, async (t) => {
  const stage = await openStage(t, { ownStores: true, settings });
  if (!stage?.storeProcesses.includes('redis-server')) {
    notRun(t, 'Redis is no process of ours');
    return;
  }
  stage.keepSecret(password);
  const api = await stage.startApi();
  const worker = await stage.startWorker();
  const { id, clientId, clientSecret } = await makeServiceUser(stage, api, 'ORG_USER_MANAGER');
  const kept = await accessTokenOf(stage, api, { clientId, clientSecret });
  const revoked = await accessTokenOf(stage, api, { clientId, clientSecret });
  const client = { client_id: clientId, client_secret: clientSecret, token: revoked };
  await api.call('POST /oauth/v2/revoke', { form: client });
  const statusOf = async (token: string) =>
    (await api.call(`GET /scim/v2/${stage.orgId}/Users?count=1`, { token })).status;
  t.same([await statusOf(kept), await statusOf(revoked)], [200, 401], 'before');

  const inTheMiddle = bulkOf('running', 60, password);
  const running = sendBulk(stage, api, inTheMiddle);
  const before = await until(() => countOf(stage, api, 'running'));
  await stage.crashStore('redis-server');

  await t.test('while it is away', async (t) => {
    await expectUnavailable(t, stage, api, { token: kept, form: client });
    t.match((await api.call('GET /healthz')).status, 200);
    const readiness = await api.call('GET /readyz');
    t.match(readiness, { status: 503, body: { ready: false, checks: { mongodb: true, redis: false } } });
    const bulk = await sendBulk(stage, api, bulkOf('refused', 3));
    t.match(bulk, { status: 503, headers: { 'retry-after': /^\d+$/ } }, 'a Bulk is refused as a whole');
  });

  await stage.restoreStores({ emptyRedis: true });
  const since = performance.now();
  const seen = new Set<number>();
  const isWell = async () => {
    seen.add(await statusOf(revoked));
    return (await statusOf(kept)) === 200;
  };
  await expectWellSoon(t, { api, since, isWell });
  t.same(
    [...seen].filter((status) => status !== 401 && status !== 503),
    [],
    'the revoked token is never taken',
  );

  t.test('the first requests afterwards', async (t) => {
    t.same([await statusOf(revoked), await statusOf(kept)], [401, 200], 'what was revoked stays revoked');
    t.equal(await statusOf(stage.token), 200);
    for (let round = 0; round < 20; round++) t.equal(await statusOf(revoked), 401);
    const another = await stage.startApi();
    const seen = await another.call(`GET /scim/v2/${stage.orgId}/Users?count=1`, { token: revoked });
    t.equal(seen.status, 401, 'another process refuses it too');
    await another.crash();
  });

  t.test('jobs that Redis forgot', async (t) => {
    const answer = await running;
    await expectBulkOutlived(t, { stage, api }, { word: 'running', bulk: inTheMiddle, answer, before });
    t.same(await usersAndEvents(stage, api, 'refused'), [], 'nothing of the refused Bulk was applied');
  });

  t.test('new work is done', async (t) => {
    const answer = await sendBulk(stage, api, bulkOf('after', 5));
    t.match(answer, { status: 200 });
    await expectAppliedOnce(t, { stage, api, word: 'after', names: namesByStatus(answer)[201] ?? [] });
    expectAnsweredSoon(t, [answer]);
  });

  t.test('a job that was queued when Redis lost it is picked up again', async (t) => {
    await worker.crash();
    const bulk = bulkOf('forgotten', 5);
    // That it is accepted says that Redis had it.
    const { status, headers } = await sendBulk(stage, api, bulk, { prefer: 'respond-async' });
    t.equal(status, 202);
    await stage.crashStore('redis-server');
    await stage.restoreStores({ emptyRedis: true });
    await stage.startWorker();
    const since = performance.now();
    const path = (headers.location ?? '').slice(stage.baseUrl.length);
    await until(async () => (await api.call(`GET ${path}`)).body.state === 'completed');
    t.pass(`done ${Math.round(performance.now() - since)} ms after a worker was back`);
    const names = bulk.Operations.map(({ bulkId }) => bulkId);
    await expectAppliedOnce(t, { stage, api, word: 'forgotten', names });
  });

  t.test('a service user that is deactivated meanwhile is refused afterwards', async (t) => {
    await until(async () => (await api.call('GET /readyz')).status === 200);
    const change = `PATCH /admin/v1/orgs/${stage.orgId}/service-users/${id}`;
    t.equal((await api.call(change, { json: { active: false } })).status, 200);
    t.equal(await statusOf(kept), 401);
    await stage.crashStore('redis-server');
    await stage.restoreStores({ emptyRedis: true });
    await until(async () => (await api.call('GET /readyz')).status === 200);
    t.equal(await statusOf(kept), 401);
  });
});

/** Every protocol answers in its own way that it should be tried again. */
async function expectUnavailable(
  t: Test,
  stage: Stage,
  api: Api,
  { token, form }: { token: string; form: Record<string, string> },
): Promise<void> {
  const scim = await api.call(`POST /scim/v2/${stage.orgId}/Users`, { token, json: newUser('nobody') });
  t.match(scim, {
    status: 503,
    headers: { 'retry-after': /^\d+$/, 'content-type': /^application\/scim\+json/ },
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '503' },
  });
  const admin = await api.call('GET /admin/v1/orgs', { token });
  t.match(admin, {
    status: 503,
    headers: { 'retry-after': /^\d+$/, 'content-type': /^application\/problem\+json/ },
    body: { status: 503, id: 'http.storeUnavailable' },
  });
  const oauth = await api.call('POST /oauth/v2/revoke', { form });
  t.match(oauth, {
    status: 503,
    headers: { 'retry-after': /^\d+$/ },
    body: { error: 'temporarily_unavailable' },
  });
  expectAnsweredSoon(t, [scim, admin, oauth]);
}
