import t, { type Test } from 'tap';
import { notRun } from '../../dev/not-run.js';
import { type Api, openStage, type Stage, until } from '../../dev/stage/stage.js';
import { expectAnsweredSoon, expectBulkOutlived, expectWellSoon } from '../support/processes/faults.js';
import { bulkOf, countOf, newUser, sendBulk } from '../support/scim/bulk.js';

const password = 'Correct-Horse-7';
const settings = { MUSTER_ARGON2_PASSES: '5', MUSTER_REQUEST_TIMEOUT_SECONDS: '120' };

t.test('MongoDB goes away and comes back', { timeout: 240_000 }, async (t) => {
  const stage = await openStage(t, { ownStores: true, settings });
  const database = stage?.storeProcesses.filter((name) => name !== 'redis-server') ?? [];
  if (stage === undefined || database.length === 0) {
    notRun(t, 'MongoDB is no process of ours');
    return;
  }
  stage.keepSecret(password);
  const api = await stage.startApi();
  await stage.startWorker();

  // Each of its processes alone, then all at once: a gateway without its engine is not well either.
  const variants = database.length === 1 ? [database] : [...database.map((name) => [name]), database];
  for (const [round, names] of variants.entries()) {
    await t.test(`kill -9 of ${names.join(' and ')}`, async (t) => {
      const users = `POST /scim/v2/${stage.orgId}/Users`;
      const before = await api.call(users, { json: newUser(`before-${round}`) });
      t.equal(before.status, 201);
      const word = `bulk${round}`;
      const bulk = bulkOf(word, 60, password);
      const running = sendBulk(stage, api, bulk);
      const applied = await until(() => countOf(stage, api, word));
      await stage.crashStore(...names);
      await expectUnavailable(t, stage, api);

      await stage.restoreStores();
      const since = performance.now();
      const create = () => api.call(users, { json: newUser(`after-${round}`) });
      const isWell = async () => [201, 409].includes((await create()).status);
      await expectWellSoon(t, { api, since, isWell });
      const read = await api.call(`GET /scim/v2/${stage.orgId}/Users/${before.body.id}`);
      t.match(read, { status: 200, body: { userName: `before-${round}` } }, 'what was committed is there');
      await expectBulkOutlived(t, { stage, api }, { word, bulk, answer: await running, before: applied });
    });
  }
});

async function expectUnavailable(t: Test, stage: Stage, api: Api): Promise<void> {
  const [health, readiness, scim, list, admin] = await Promise.all([
    api.call('GET /healthz'),
    api.call('GET /readyz'),
    api.call(`POST /scim/v2/${stage.orgId}/Users`, { json: newUser('nobody') }),
    api.call(`GET /scim/v2/${stage.orgId}/Users?count=1`),
    api.call('GET /admin/v1/orgs'),
  ]);
  t.equal(health.status, 200);
  t.match(readiness, { status: 503, body: { ready: false, checks: { mongodb: false, redis: true } } });
  for (const answer of [scim, list]) {
    t.match(answer, {
      status: 503,
      headers: { 'retry-after': /^\d+$/, 'content-type': /^application\/scim\+json/ },
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '503' },
    });
  }
  t.match(admin, {
    status: 503,
    headers: { 'retry-after': /^\d+$/, 'content-type': /^application\/problem\+json/ },
    body: { status: 503, id: 'http.storeUnavailable' },
  });
  expectAnsweredSoon(t, [health, readiness, scim, list, admin]);
}
