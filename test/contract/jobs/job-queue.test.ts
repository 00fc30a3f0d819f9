import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { jobCatalogue } from '#src/jobs/catalogue.js';
import { openJobQueue, queuePrefix } from '#src/jobs/job-queue.js';
import { newId } from '#src/platform/ids.js';
import { until } from '../../../dev/until.js';
import { openTestContainer } from '../../support/app/test-container.js';

const { container } = await openTestContainer(t);

t.test('a wait after the queue has closed ends by its time, and opens no connection', async (t) => {
  const { config, logger } = container;
  const queue = await openJobQueue({ redisUrl: config.redisUrl, prefix: config.redisPrefix, logger });
  await queue.close();
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
  const before = sockets();
  await queue.waitForEnd({ id: newId(), kind: 'import' }, 300);
  t.ok(sockets() <= before, `${sockets()} instead of ${before}`);
});

t.test('the queue of a kind is opened by its first job, and all by the warm-up', async (t) => {
  const { config, logger, redis } = container;
  const prefix = `${config.redisPrefix}-${newId()}`;
  const queue = await openJobQueue({ redisUrl: config.redisUrl, prefix, logger });
  t.teardown(async () => {
    await queue.close();
    await redis.del(...(await redis.keys(`${queuePrefix(prefix)}:*`)));
  });
  // BullMQ writes one such key for each queue that is opened.
  const opened = async () => {
    const keys = await redis.keys(`${queuePrefix(prefix)}:*:meta`);
    return keys.map((key) => key.split(':').at(-2)).sort();
  };
  // It writes the key after the queue is open, over another connection than this one.
  const areOpened = (kinds: readonly string[]) =>
    until(async () => isDeepStrictEqual(await opened(), [...kinds].sort()));
  t.same(await opened(), []);
  const job = { id: newId(), kind: 'import', queuedUnder: newId() } as const;
  await Promise.all([queue.enqueue(job), queue.enqueue({ ...job, id: newId() })]);
  await areOpened(['import']);
  t.match(await queue.oldestWaiting('import'), Date);
  await queue.warmUp();
  await areOpened(Object.keys(jobCatalogue));
  const counts = await queue.counts();
  t.match(
    counts.filter(({ count }) => count > 0),
    [{ kind: 'import', state: 'waiting', count: 2 }],
  );
});

t.test('a process whose queues cannot be opened is not ready until they are', async (t) => {
  const { config, logger, redis } = container;
  const [prefix, name] = [`${config.redisPrefix}-${newId()}`, `queues-${newId()}`];
  const access = (...rules: string[]) => redis.call('ACL', 'SETUSER', name, ...rules);
  // BullMQ asks for INFO when it opens a queue.
  await access('on', '>secret', '~*', '&*', '+@all', '-info');
  const redisUrl = config.redisUrl.replace('://', `://${name}:secret@`);
  const queue = await openJobQueue({ redisUrl, prefix, logger });
  t.teardown(async () => {
    await queue.close();
    await redis.call('ACL', 'DELUSER', name);
    await redis.del(...(await redis.keys(`${queuePrefix(prefix)}:*`)));
  });
  await queue.ping();
  await queue.warmUp();
  await t.rejects(queue.ping(), { message: /info/ });
  await access('+info');
  await queue.ping();
});
