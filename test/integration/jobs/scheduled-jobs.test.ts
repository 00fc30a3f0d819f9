import { mock } from 'node:test';
import { type ConnectionOptions, Queue } from 'bullmq';
import t from 'tap';
import { scheduledJobs } from '#src/jobs/catalogue.js';
import { queuePrefix } from '#src/jobs/job-queue.js';
import { spreadMs } from '#src/keys/signing-key.js';
import { systemClock } from '#src/platform/clock.js';
import { connectRedis } from '#src/platform/redis/redis.js';
import { startScheduledJobs } from '#workers/start-scheduled-jobs.js';
import { until } from '../../../dev/until.js';
import { openTestContainer } from '../../support/app/test-container.js';

const day = 24 * 3600;
const { container, clock, openAnother } = await openTestContainer(t, { signingKeyRotationSeconds: day });

async function schedulers(): Promise<string[]> {
  const { redis, config } = container;
  return redis.zrange(`{${config.redisPrefix}:queue}:scheduled:repeat`, '0', '-1');
}

t.test('worker processes share one schedule, and rotate the keys that are due', async (t) => {
  const before = (await container.signingKeys.active()).kid;
  clock.advance(day + spreadMs / 1000);
  const workers = [startScheduledJobs(container), startScheduledJobs(await openAnother())];
  await until(async () => (await container.signingKeys.active()).kid !== before);
  t.same(
    (await container.signingKeys.list()).map(({ alg, state }) => `${alg} ${state}`).sort(),
    ['ES256', 'EdDSA', 'RS256'].flatMap((alg) =>
      ['active', 'next', 'retired'].map((state) => `${alg} ${state}`),
    ),
    'once, by one of them',
  );
  const rotated = { type: 'signing.key.rotated', editor: { userId: 'muster', service: 'schedule' } };
  t.match(await container.events.search({ limit: 10, ascending: true }), [rotated, rotated, rotated]);
  t.same((await schedulers()).sort(), Object.keys(scheduledJobs).sort());
  await Promise.all(workers.map((worker) => worker.close()));
});

t.test('what a process put off whose clock was a day ahead is planned anew within a minute', async (t) => {
  const { redisPrefix, redisUrl } = container.config;
  const connection = connectRedis(redisUrl, 'patient');
  const queue = new Queue('scheduled', {
    connection: connection as ConnectionOptions,
    prefix: queuePrefix(redisPrefix),
  });
  t.teardown(async () => {
    mock.timers.reset();
    await queue.close();
    connection.disconnect();
  });
  const { everyMs } = scheduledJobs['signing-keys'];
  const next = async () => (await queue.getJobScheduler('signing-keys'))?.next ?? 0;
  await queue.removeJobScheduler('signing-keys');
  mock.timers.enable({ apis: ['setInterval'] });
  const worker = startScheduledJobs({ ...container, clock: systemClock });
  await until(async () => (await next()) > 0);
  await queue.removeJobScheduler('signing-keys');
  const startDate = Date.now() + day * 1000;
  await queue.upsertJobScheduler('signing-keys', { every: everyMs, startDate }, { name: 'signing-keys' });
  t.ok((await next()) >= startDate, 'before');
  const before = (await container.signingKeys.active()).kid;
  clock.advance(day + spreadMs / 1000);
  mock.timers.tick(60_000);
  await until(async () => (await container.signingKeys.active()).kid !== before);
  t.ok((await next()) <= Date.now() + everyMs);
  mock.timers.reset();
  await worker.close();
});
