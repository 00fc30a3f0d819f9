import t from 'tap';
import { openJobQueue } from '#src/jobs/job-queue.js';
import { newId } from '#src/platform/ids.js';
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
