import t from 'tap';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import {
  bulkOf,
  countOf,
  expectAppliedOnce,
  namesByStatus,
  saysOfBulk,
  sendBulk,
  slowBulk,
} from '../support/scim/bulk.js';

const password = 'Correct-Horse-7';

t.test('a worker that sleeps through its lock applies nothing twice', { timeout: 295_000 }, async (t) => {
  const stage = await openStage(t, { settings: slowBulk });
  if (stage === undefined) return;
  stage.keepSecret(password);
  const api = await stage.startApi();
  const zombie = await stage.startWorker();
  const answer = sendBulk(stage, api, bulkOf('zombie', 60, password));
  await until(() => countOf(stage, api, 'zombie'));
  zombie.signal('SIGSTOP');
  const second = await stage.startWorker();
  const { 201: created = [], ...others } = namesByStatus(await answer);
  t.comment(`answered after ${(await answer).ms} ms`);
  zombie.signal('SIGCONT');
  await until(() => saysOfBulk(zombie, /job done|job attempt failed/));
  t.same(others, {});
  t.equal(created.length, 60);
  await expectAppliedOnce(t, { stage, api, word: 'zombie', names: created });
  await zombie.crash();
  await second.crash();
});
