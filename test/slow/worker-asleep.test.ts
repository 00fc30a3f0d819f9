import t from 'tap';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { bulkOf, countOf, expectAppliedOnce, namesByStatus, sendBulk } from '../support/scim/bulk.js';

// A hash takes so long here that a Bulk with passwords is caught in the middle.
const slowHashes = { MUSTER_ARGON2_PASSES: '5', MUSTER_HASH_CONCURRENCY: '2' };
const patience = { MUSTER_REQUEST_TIMEOUT_SECONDS: '120' };
const password = 'Correct-Horse-7';

t.test('a worker that sleeps through its lock applies nothing twice', { timeout: 295_000 }, async (t) => {
  const stage = await openStage(t, { settings: { ...slowHashes, ...patience } });
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
  await until(() => /job done|job attempt failed/.test(zombie.log()));
  t.same(others, {});
  t.equal(created.length, 60);
  await expectAppliedOnce(t, { stage, api, word: 'zombie', names: created });
  await zombie.crash();
  await second.crash();
});
