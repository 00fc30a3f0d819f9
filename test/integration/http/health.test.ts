import t from 'tap';
import { buildTestApp } from '../../support/app/test-app.js';

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
