import t from 'tap';
import { notRun } from '../../dev/not-run.js';
import { accessTokenOf, makeServiceUser } from '../../dev/stage/service-user.js';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import {
  expectAnsweredSoon,
  expectUnavailableSoon,
  expectWellSoon,
  soonMs,
} from '../support/processes/faults.js';
import { expectAppliedOnce, newUser } from '../support/scim/bulk.js';

const count = 5;

t.test('paused processes continue where they stopped', { timeout: 600_000 }, async (t) => {
  const stage = await openStage(t, { ownStores: true });
  if (stage === undefined) return;
  const api = await stage.startApi();
  const beside = await stage.startApi();
  const users = `/scim/v2/${stage.orgId}/Users`;

  // Redis is asked whether it is revoked; a personal access token needs no Redis.
  const token = await accessTokenOf(stage, api, await makeServiceUser(stage, api, 'ORG_USER_MANAGER'));

  for (const [store, check, names] of [
    ['Redis', 'redis', ['redis-server']],
    ['MongoDB', 'mongodb', stage.storeProcesses.filter((name) => name !== 'redis-server')],
  ] as const) {
    await t.test(store, async (t) => {
      if (names.length === 0 || !names.every((name) => stage.storeProcesses.includes(name))) {
        notRun(t, `${store} is no process of ours`);
        return;
      }
      const word = `paused-${check}`;
      const wanted = Array.from({ length: count }, (_, index) => `${word}-${index}`);
      const create = (name: string) => api.call(`POST ${users}`, { token, json: newUser(name) });
      t.equal((await create(`${word}-before`)).status, 201, 'before');
      await stage.signalStore('SIGSTOP', ...names);
      const [writes, read, health, readiness] = await Promise.all([
        Promise.all(wanted.map(create)),
        api.call(`GET ${users}?count=1`, { token }),
        api.call('GET /healthz'),
        api.call('GET /readyz'),
      ]);
      await stage.signalStore('SIGCONT', ...names);
      const since = performance.now();
      expectUnavailableSoon(t, [...writes, read]);
      expectAnsweredSoon(t, [health, readiness]);
      t.equal(health.status, 200);
      t.match(readiness, { status: 503, body: { ready: false, checks: { [check]: false } } });

      const isWell = async () => (await api.call(`GET ${users}?count=1`, { token })).status === 200;
      await expectWellSoon(t, { api, since, isWell });
      for (const name of wanted) await until(async () => [201, 409].includes((await create(name)).status));
      await expectAppliedOnce(t, { stage, api, word, names: [`${word}-before`, ...wanted] });
    });
  }

  await t.test('an API process', async (t) => {
    const { id, pat } = await makeServiceUser(stage, beside, 'ORG_USER_MANAGER');
    const list = `GET ${users}?count=1`;
    t.equal((await api.call(list, { token: pat })).status, 200);
    api.signal('SIGSTOP');
    const waiting = api.call(`POST ${users}`, { json: newUser('paused-api-0') });
    const meanwhile = await beside.call(`POST ${users}`, { json: newUser('paused-api-1') });
    t.equal(meanwhile.status, 201, 'others go on');
    const change = `PATCH /admin/v1/orgs/${stage.orgId}/service-users/${id}`;
    t.equal((await beside.call(change, { json: { active: false } })).status, 200);
    api.signal('SIGCONT');
    const since = performance.now();
    t.equal((await waiting).status, 201, 'what waited is answered');
    const ms = performance.now() - since;
    t.ok(ms < soonMs, `${Math.round(ms)} ms after it went on`);
    t.equal((await api.call(list, { token: pat })).status, 401, 'it knows what was changed meanwhile');
    await expectAppliedOnce(t, { stage, api, word: 'paused-api', names: ['paused-api-0', 'paused-api-1'] });
  });
});
