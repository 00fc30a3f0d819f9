import t from 'tap';
import { scheduledJobs } from '#src/jobs/catalogue.js';
import { spreadMs } from '#src/keys/rotate-signing-keys.js';
import { startScheduledJobs } from '#workers/start-scheduled-jobs.js';
import { openTestContainer } from '../support/test-container.js';
import { until } from '../support/until.js';

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
  await until(async () => (await container.signingKeys.active()).kid !== before, 20_000);
  t.match(
    (await container.signingKeys.list()).map(({ state }) => state),
    ['retired', 'active', 'next'],
    'once, by one of them',
  );
  t.match(await container.events.search({ limit: 10, ascending: true }), [
    { type: 'signing.key.rotated', editor: { userId: 'muster', service: 'schedule' } },
  ]);
  t.same(await schedulers(), Object.keys(scheduledJobs));
  await Promise.all(workers.map((worker) => worker.close()));
});
