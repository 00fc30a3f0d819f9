import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
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
/** If a process does not end within MUSTER_SHUTDOWN_SECONDS, it is forced to, with another exit code. */
const forced = 'it is not forced to end';

t.test('processes that are told to stop finish what they began', { timeout: 200_000 }, async (t) => {
  const stage = await openStage(t, { settings: slowBulk });
  if (stage === undefined) return;
  stage.keepSecret(password);
  const observer = await stage.startApi();

  t.test('SIGTERM of the API process under load', async (t) => {
    const worker = await stage.startWorker();
    const api = await stage.startApi();
    // Connections that were used earlier stay open between requests.
    await Promise.all(Array.from({ length: 60 }, () => api.call('GET /healthz')));
    const bulk = sendBulk(stage, api, bulkOf('bulk', 40, password));
    await until(() => countOf(stage, observer, 'bulk'));
    const posts = Array.from({ length: 15 }, (_, index) =>
      api.call(`POST /scim/v2/${stage.orgId}/Users`, { json: newUser(`single-${index}`, password) }),
    );
    const lists = Array.from({ length: 20 }, () => api.call(`GET /scim/v2/${stage.orgId}/Users?count=10`));
    // Some requests are answered, so all were accepted. The others wait for their hashes.
    await Promise.all(lists.slice(0, 5));
    api.signal('SIGTERM');
    const answers = await Promise.allSettled([...posts, ...lists]);
    const failed = answers.filter((one) => one.status === 'rejected').map(({ reason }) => reason.code);
    t.same(failed, [], 'no accepted request fails');
    const statuses = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value.status] : []));
    t.same([...new Set(statuses)].sort(), [200, 201]);
    const answer = await bulk;
    t.same(Object.keys(namesByStatus(answer)), ['201'], 'the Bulk that waited too');
    t.equal(await api.exitCode, 0, forced);
    await expectAppliedOnce(t, {
      stage,
      api: observer,
      word: 'single',
      names: posts.map((_, index) => `single-${index}`),
    });
    await expectAppliedOnce(t, {
      stage,
      api: observer,
      word: 'bulk',
      names: namesByStatus(answer)[201] ?? [],
    });
    await worker.crash();
    await t.rejects(api.call('GET /healthz'), { code: 'ECONNREFUSED' });
  });

  t.test('open connections that are idle do not hold up the end of an API process', async (t) => {
    const api = await stage.startApi();
    await Promise.all(Array.from({ length: 10 }, () => api.call('GET /readyz')));
    const { hostname, port } = new URL(api.address);
    const silent = connect(Number(port), hostname);
    t.teardown(() => silent.destroy());
    await once(silent, 'connect');
    api.signal('SIGTERM');
    t.equal(await api.exitCode, 0, forced);
  });

  t.test('SIGTERM of a worker in the middle of a Bulk', async (t) => {
    const worker = await stage.startWorker();
    const sent = sendBulk(stage, observer, bulkOf('last', 60, password));
    await until(() => countOf(stage, observer, 'last'));
    worker.signal('SIGTERM');
    t.equal(await worker.exitCode, 0, forced);
    const answer = await sent;
    t.equal(namesByStatus(answer)[201]?.length, 60, 'the job in flight was finished');
    await expectAppliedOnce(t, {
      stage,
      api: observer,
      word: 'last',
      names: namesByStatus(answer)[201] ?? [],
    });
  });
});
