import type { Test } from 'tap';
import type { Api, Stage } from '../../../dev/stage/stage.js';
import { until } from '../../../dev/until.js';
import { bulkOf, countOf, newUser, sendBulk } from '../scim/bulk.js';
import { expectAnsweredSoon, expectBulkOutlived, expectWellSoon } from './faults.js';

const password = 'Correct-Horse-7';

/** Own MongoDB processes, and password hashes that take long. */
export const mongodbOutageStage = {
  ownStores: true,
  settings: { MUSTER_ARGON2_PASSES: '5', MUSTER_REQUEST_TIMEOUT_SECONDS: '120' },
};

/**
 * Kills these MongoDB processes in the middle of a Bulk, and starts them again. Asserts that requests get 503 during
 * the outage, that the service recovers soon, and that nothing is lost or applied twice.
 * @param word part of the names of the new users. Each call needs another word.
 */
export async function expectMongodbOutageOutlived(
  t: Test,
  { stage, api }: { stage: Stage; api: Api },
  { names, word }: { names: readonly string[]; word: string },
): Promise<void> {
  stage.keepSecret(password);
  const users = `POST /scim/v2/${stage.orgId}/Users`;
  const before = await api.call(users, { json: newUser(`before-${word}`) });
  t.equal(before.status, 201);
  const bulk = bulkOf(word, 60, password);
  const running = sendBulk(stage, api, bulk);
  const applied = await until(() => countOf(stage, api, word));
  await stage.crashStore(...names);
  await expectUnavailable(t, stage, api);

  await stage.restoreStores();
  const since = performance.now();
  const create = () => api.call(users, { json: newUser(`after-${word}`) });
  const isWell = async () => [201, 409].includes((await create()).status);
  await expectWellSoon(t, { api, since, isWell });
  const read = await api.call(`GET /scim/v2/${stage.orgId}/Users/${before.body.id}`);
  t.match(read, { status: 200, body: { userName: `before-${word}` } }, 'what was committed is there');
  await expectBulkOutlived(t, { stage, api }, { word, bulk, answer: await running, before: applied });
}

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
