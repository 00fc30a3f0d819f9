import type { ConnectionOptions } from 'bullmq';
import t from 'tap';
import { openQueue } from '#src/jobs/open-queue.js';
import { connectRedis, whenReady } from '#src/platform/redis/redis.js';
import { openTestContainer } from '../support/app/test-container.js';

const { container } = await openTestContainer(t);
const { redisUrl, redisPrefix } = container.config;

t.test('a queue whose first question is answered too late takes jobs all the same', async (t) => {
  const redis = connectRedis(redisUrl, 'failFast');
  t.teardown(() => redis.disconnect());
  await whenReady(redis, 60_000);
  let asked = 0;
  const info = redis.info.bind(redis);
  Object.assign(redis, {
    info: (...args: []) => (++asked > 2 ? info(...args) : Promise.reject(new Error('Command timed out'))),
  });
  const failures: string[] = [];
  const options = {
    connection: redis as ConnectionOptions,
    prefix: `{${redisPrefix}:late}`,
    skipWaitingForReady: true,
  };
  const queue = await openQueue('late', options, ({ message }) => failures.push(message));
  t.teardown(() => queue.close());
  await queue.add('job', { jobId: 'one' }, { jobId: 'one' });
  t.equal((await queue.getJob('one'))?.id, 'one');
  t.equal(asked, 3);
  t.ok(failures.every((message) => message === 'Command timed out'));
});
