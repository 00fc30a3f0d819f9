import t from 'tap';
import { createLateSignal } from '#src/jobs/late-signal.js';
import { until } from '../../../dev/until.js';
import { openTestContainer } from '../../support/app/test-container.js';

const { container } = await openTestContainer(t);
const deps = { ...container, prefix: container.config.redisPrefix };

t.test('what one process reports, another reads for a short time', async (t) => {
  const [api, worker] = [createLateSignal(deps), createLateSignal(deps)];
  t.notOk(await worker.isReported());
  api.report();
  await until(() => worker.isReported());
  await until(async () => !(await worker.isReported()));
});
