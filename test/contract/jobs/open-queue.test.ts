import type { ConnectionOptions } from 'bullmq';
import t from 'tap';
import { openQueue } from '#src/jobs/open-queue.js';
import { connectRedis, whenReady } from '#src/platform/redis/redis.js';
import { startTcpProxy } from '../../../dev/stage/tcp-proxy.js';
import { until } from '../../../dev/until.js';
import { openTestContainer } from '../../support/app/test-container.js';

const { container } = await openTestContainer(t);
const { redisUrl, redisPrefix } = container.config;

t.test('a queue whose first question is answered too late takes jobs all the same', async (t) => {
  const { hostname, port } = new URL(redisUrl);
  const proxy = await startTcpProxy(t, { host: hostname, port: Number(port) });
  const redis = connectRedis(`redis://127.0.0.1:${proxy.port}`, 'failFast');
  t.teardown(() => redis.disconnect());
  await whenReady(redis, 60_000);
  const failures: string[] = [];
  const options = {
    connection: redis as ConnectionOptions,
    prefix: `{${redisPrefix}:late}`,
    skipWaitingForReady: true,
  };
  proxy.hold();
  const opening = openQueue('late', options, ({ message }) => failures.push(message));
  await until(() => failures.length > 0);
  proxy.heal();
  const queue = await opening;
  t.teardown(() => queue.close());
  await queue.add('job', { jobId: 'one' }, { jobId: 'one' });
  t.equal((await queue.getJob('one'))?.id, 'one');
  t.ok(failures.every((message) => message === 'Command timed out'));
});
