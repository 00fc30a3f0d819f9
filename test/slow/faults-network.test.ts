import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { notRun } from '../../dev/not-run.js';
import { accessTokenOf, makeServiceUser } from '../../dev/stage/service-user.js';
import { openStage, type Stage } from '../../dev/stage/stage.js';
import { startTcpProxy } from '../../dev/stage/tcp-proxy.js';
import { until } from '../../dev/until.js';
import {
  expectAnsweredSoon,
  expectBulkOutlived,
  expectUnavailableSoon,
  expectWellSoon,
} from '../support/processes/faults.js';
import {
  bulkOf,
  countOf,
  expectAppliedOnce,
  namesByStatus,
  newUser,
  sendBulk,
  slowBulk,
} from '../support/scim/bulk.js';

const password = 'Correct-Horse-7';
const patient = { ...slowBulk, MUSTER_SHUTDOWN_SECONDS: '600' };
const operations = 40;

t.test('the network between the service and Redis breaks', { timeout: 600_000 }, async (t) => {
  const stage = requireStage(await openStage(t, { settings: patient }));
  stage.keepSecret(password);
  const redis = new URL(stage.redisUrl);
  if (redis.protocol !== 'redis:') {
    notRun(t, 'only one Redis without TLS can be put behind the proxy');
    return;
  }
  const proxy = await startTcpProxy(t, { host: redis.hostname, port: Number(redis.port || 6379) });
  const behind = new URL(redis);
  behind.hostname = '127.0.0.1';
  behind.port = String(proxy.port);
  const settings = { REDIS_URL: behind.href };
  const api = await stage.startApi(settings);
  const beside = await stage.startApi();
  const worker = await stage.startWorker(settings);
  const users = `/scim/v2/${stage.orgId}/Users`;

  async function outlive(t: Test, word: string, breakNetwork: () => void): Promise<void> {
    const made = await makeServiceUser(stage, beside, 'ORG_USER_MANAGER');
    const staying = await makeServiceUser(stage, beside, 'ORG_USER_MANAGER');
    // Redis is asked whether they are revoked; a personal access token needs no Redis.
    const token = await accessTokenOf(stage, beside, made);
    const kept = await accessTokenOf(stage, beside, staying);
    const statusOf = async (token: string) => (await api.call(`GET ${users}?count=1`, { token })).status;
    t.same([await statusOf(token), await statusOf(kept)], [200, 200], 'before');
    const bulk = bulkOf(`${word}-running`, operations, password);
    const running = sendBulk(stage, api, bulk);
    const before = await until(() => countOf(stage, beside, `${word}-running`));
    breakNetwork();

    const create = `POST ${users}`;
    const [scim, admin, health, readiness] = await Promise.all([
      api.call(create, { token, json: newUser(`${word}-nobody`) }),
      api.call('GET /admin/v1/orgs', { token }),
      api.call('GET /healthz'),
      api.call('GET /readyz'),
    ]);
    expectUnavailableSoon(t, [scim, admin]);
    expectAnsweredSoon(t, [health, readiness]);
    t.equal(health.status, 200);
    t.match(readiness, { status: 503, body: { ready: false, checks: { mongodb: true, redis: false } } });
    t.equal((await beside.call(create, { json: newUser(`${word}-beside`) })).status, 201, 'others go on');
    const change = `PATCH /admin/v1/orgs/${stage.orgId}/service-users/${made.id}`;
    t.equal((await beside.call(change, { json: { active: false } })).status, 200);

    proxy.heal();
    const since = performance.now();
    const passed = () => `${Math.round(performance.now() - since)} ms after`;
    await expectWellSoon(t, { api, since, isWell: async () => (await statusOf(kept)) === 200 });
    await until(async () => (await statusOf(token)) === 401);
    t.pass(`it knows what was changed meanwhile ${passed()}`);
    const after = await sendBulk(stage, api, bulkOf(`${word}-after`, 5));
    t.equal(namesByStatus(after)[201]?.length, 5, `and has had jobs done ${passed()}`);
    const outcome = { word: `${word}-running`, bulk, answer: await running, before };
    await expectBulkOutlived(t, { stage, api }, outcome);
  }

  await t.test('it is cut', (t) => outlive(t, 'cut', proxy.cut));
  await t.test('it drops sent data, and never restores the old connections', (t) =>
    outlive(t, 'silent', proxy.silence),
  );

  await t.test('processes that are told to end while it is cut finish what they began', async (t) => {
    await worker.crash();
    const ending = { api: await stage.startApi(settings), worker: await stage.startWorker(settings) };
    const names = Array.from({ length: 20 }, (_, index) => `single-${index}`);
    // Connections that have been used before stay open between requests.
    await Promise.all(names.map(() => ending.api.call('GET /healthz')));
    const bulk = bulkOf('ending', operations, password);
    const running = sendBulk(stage, ending.api, bulk);
    const before = await until(() => countOf(stage, beside, 'ending'));
    let open = 0;
    const singles = names.map(async (name) => {
      open++;
      const { status } = await ending.api.call(`POST ${users}`, { json: newUser(name, password) });
      open--;
      return status;
    });
    proxy.cut();
    await until(async () => (await ending.api.call('GET /readyz')).status === 503);
    t.ok(open > 0, `${open} requests and a Bulk, ${before} of ${operations} applied, were under way`);
    for (const process of Object.values(ending)) process.signal('SIGTERM');
    t.same([...new Set(await Promise.all(singles))], [201], 'no request fails');
    const { 201: applied = [], ...others } = namesByStatus(await running);
    t.same(others, {}, 'nor an operation of the Bulk');
    for (const [name, process] of Object.entries(ending)) {
      const ended = await Promise.race([process.exitCode, pause(120_000, 'never', { ref: false })]);
      t.equal(ended, 0, `${name}: by itself`);
    }
    await expectAppliedOnce(t, { stage, api: beside, word: 'single', names });
    await expectAppliedOnce(t, { stage, api: beside, word: 'ending', names: applied });
    t.equal(applied.length, operations);
    proxy.heal();
  });
});

/** Only own stores are not to be had everywhere. */
function requireStage(stage: Stage | undefined): Stage {
  if (stage === undefined) throw new Error('There are no stores');
  return stage;
}
