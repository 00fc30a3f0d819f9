import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { bulkOf, expectAppliedOnce, namesByStatus, newUser, sendBulk } from '../support/bulk.js';
import { accessTokenOf, makeServiceUser } from '../support/credentials.js';
import { openStage, type Stage, until } from '../support/processes.js';
import { startTcpProxy } from '../support/tcp-proxy.js';

t.test('the network between the service and Redis breaks', { timeout: 600_000 }, async (t) => {
  const stage = requireStage(await openStage(t));
  const redis = new URL(stage.redisUrl);
  if (redis.protocol !== 'redis:') {
    t.comment('only one Redis without TLS can be put behind the proxy');
    return;
  }
  const proxy = await startTcpProxy(t, { host: redis.hostname, port: Number(redis.port || 6379) });
  const behind = new URL(redis);
  behind.hostname = '127.0.0.1';
  behind.port = String(proxy.port);
  const settings = { REDIS_URL: behind.href, MUSTER_REQUEST_TIMEOUT_SECONDS: '120' };
  const api = await stage.startApi(settings);
  const beside = await stage.startApi();
  await stage.startWorker(settings);
  const users = `/scim/v2/${stage.orgId}/Users`;

  async function outlive(t: Test, word: string, breakNetwork: () => void): Promise<void> {
    const made = await makeServiceUser(stage, beside, 'ORG_USER_MANAGER');
    // Redis is asked whether it is revoked; a personal access token needs no Redis.
    const token = await accessTokenOf(stage, beside, made);
    const statusOf = async () => (await api.call(`GET ${users}?count=1`, { token })).status;
    t.equal(await statusOf(), 200, 'before');
    const running = sendBulk(stage, api, bulkOf(`${word}-running`, 20));
    breakNetwork();

    const create = `POST ${users}`;
    const [scim, admin, health, readiness] = await Promise.all([
      api.call(create, { token, json: newUser(`${word}-nobody`) }),
      api.call('GET /admin/v1/orgs', { token }),
      api.call('GET /healthz'),
      api.call('GET /readyz'),
    ]);
    const unavailable = { status: 503, headers: { 'retry-after': /^\d+$/ } };
    t.match(scim, unavailable, 'SCIM');
    t.match(admin, unavailable, 'administration');
    t.equal(health.status, 200);
    t.match(readiness, { status: 503, body: { ready: false, checks: { mongodb: true, redis: false } } });
    t.equal((await beside.call(create, { json: newUser(`${word}-beside`) })).status, 201, 'others go on');
    const change = `PATCH /admin/v1/orgs/${stage.orgId}/service-users/${made.id}`;
    t.equal((await beside.call(change, { json: { active: false } })).status, 200);

    proxy.heal();
    await until(async () => (await api.call('GET /readyz')).status === 200);
    await until(async () => (await statusOf()) === 401);
    t.equal((await api.call(create, { json: newUser(`${word}-again`) })).status, 201, 'it serves again');
    const after = await sendBulk(stage, api, bulkOf(`${word}-after`, 5));
    t.equal(namesByStatus(after)[201]?.length, 5, 'and has jobs done');
    const answer = await running;
    const { 201: created = [], 503: prevented = [], ...others } = answeredOf(answer);
    t.comment(`of the Bulk that ran, ${created.length} were applied, ${prevented.length} prevented`);
    t.same(others, {});
    await expectAppliedOnce(t, { stage, api, word: `${word}-running`, names: created });
  }

  await t.test('it is cut', (t) => outlive(t, 'cut', proxy.cut));
  await t.test('it drops what is sent, and the old connections for good', (t) =>
    outlive(t, 'silent', proxy.silence),
  );

  await t.test('processes end while it is cut', async (t) => {
    const patient = { ...settings, MUSTER_SHUTDOWN_SECONDS: '600' };
    const ending = { api: await stage.startApi(patient), worker: await stage.startWorker(patient) };
    proxy.cut();
    await until(async () => (await api.call('GET /readyz')).status === 503);
    for (const [name, process] of Object.entries(ending)) {
      process.signal('SIGTERM');
      const ended = await Promise.race([process.exitCode, pause(120_000, 'never', { ref: false })]);
      t.equal(ended, 0, `${name}: by itself`);
    }
    proxy.heal();
  });
});

/** Only own stores are not to be had everywhere. */
function requireStage(stage: Stage | undefined): Stage {
  if (stage === undefined) throw new Error('There are no stores');
  return stage;
}

/** Operations by status; none where the whole Bulk was refused. */
function answeredOf(answer: Parameters<typeof namesByStatus>[0]): Record<string, string[]> {
  return answer.status === 503 ? {} : namesByStatus(answer);
}
