import t from 'tap';
import { until } from '../../../dev/until.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { testEnvironment } from '../../support/app/test-container.js';
import { openOwnGateway } from '../../support/stores/own-gateway.js';

t.test('ready says whether each part answers', async (t) => {
  const { call, container } = await buildTestApp(t);
  const checks = { mongodb: true, redis: true, jobQueue: true, accepting: true };
  t.match(await call('GET /readyz'), { status: 200, body: { ready: true, checks } });

  container.jobQueue.ping = () => Promise.reject(new Error('Command timed out'));
  t.match(await call('GET /readyz'), {
    status: 503,
    body: { ready: false, checks: { ...checks, jobQueue: false } },
  });
  t.match(await call('GET /healthz'), { status: 200, body: { alive: true } });
});

t.test('the job queue answers as long as its own connection is open', async (t) => {
  const { container, openAnother } = await buildTestApp(t);
  await t.resolves(container.jobQueue.ping());
  const another = await openAnother();
  await another.jobQueue.close();
  await t.rejects(another.jobQueue.ping());
  t.equal(await another.redis.ping(), 'PONG');
});

t.test('ready answers within three seconds while MongoDB has no primary', async (t) => {
  const { MONGODB_URL: sharedUrl = '' } = await testEnvironment('health');
  const gateway = await openOwnGateway(t, { sharedUrl, replicaSet: 'rs0' });
  if (gateway === undefined) return;
  const { call, container } = await buildTestApp(t, { mongodbUrl: gateway.url });
  const ready = async () => {
    const asked = performance.now();
    const { status, body } = await call('GET /readyz');
    const ms = performance.now() - asked;
    if (ms >= 3_000) t.fail(`answered after ${ms} ms`);
    return { status, mongodb: body.checks.mongodb };
  };
  t.same(await ready(), { status: 200, mongodb: true });
  gateway.faults.noPrimaryUntil = Number.POSITIVE_INFINITY;
  // The driver learns from its next command that the primary is none any more. The read then waits for an election.
  const read = container.mongo.collection('jobs').findOne();
  await until(async () => (await ready()).status === 503);
  t.same(await ready(), { status: 503, mongodb: false });
  gateway.faults.noPrimaryUntil = 0;
  t.equal(await read, null);
  t.same(await ready(), { status: 200, mongodb: true });
});
