import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { createTurns } from '#src/jobs/turns.js';
import { startWorkers } from '#workers/start-workers.js';
import { openScim } from '../support/scim-app.js';
import { newUser, patchOp, type ScimClient, urn } from '../support/scim-client.js';
import { until } from '../support/until.js';

/** Which organization's Bulk begins first when many wait for one worker. */

const { tenant, container } = await openScim(t, { workerConcurrency: 1 });

const one = () => [{ method: 'POST', path: '/Users', bulkId: 'one', data: newUser() }];

/** Hands a Bulk over and does not wait for it. @returns its job */
async function send(scim: ScimClient, operations: unknown[] = one()): Promise<string> {
  const body = { schemas: [urn.bulkRequest], Operations: operations };
  const answer = await scim.post('/Bulk', body, { prefer: 'respond-async' });
  if (answer.status !== 202) throw new Error(answer.text);
  return String(answer.headers['location']).split('/').at(-1) ?? '';
}

t.test('who sends one does not wait for all that another sent before', async (t) => {
  const [many, one, few] = [await tenant(), await tenant(), await tenant()];
  const jobs: { of: string; id: string }[] = [];
  for (let i = 0; i < 40; i++) jobs.push({ of: 'many', id: await send(many) });
  jobs.push({ of: 'one', id: await send(one) });
  for (let i = 0; i < 3; i++) jobs.push({ of: 'few', id: await send(few) });

  const workers = startWorkers(container);
  t.teardown(() => workers.close());
  const found = async () =>
    Promise.all(jobs.map(async ({ of, id }) => ({ of, job: await container.jobs.find(id) })));
  await until(async () => (await found()).every(({ job }) => job?.state === 'completed'), 150_000);

  const ended = (await found()).map(({ of, job }) => ({ of, at: job?.finished?.getTime() ?? 0 }));
  const before = (of: string) => {
    const last = Math.max(...ended.filter((one) => one.of === of).map(({ at }) => at));
    return ended.filter((one) => one.of === 'many' && one.at < last).length;
  };
  t.ok(before('one') <= 3, `${before('one')} of the 40 came before the one`);
  t.ok(before('few') <= 5, `${before('few')} of the 40 came before the third of the few`);
});

t.test('a long one leaves its place to those of others, and to no other of its own', async (t) => {
  const [mine, theirs] = [await tenant(), await tenant()];
  const { id } = await mine.create();
  const changes = Array.from({ length: 20 }, (_, n) => ({
    method: 'PATCH',
    path: `/Users/${id}`,
    data: patchOp({ op: 'replace', path: 'title', value: String(n) }),
  }));
  const attempts: string[] = [];
  let slow = '';
  const jobs: typeof container.jobs = {
    ...container.jobs,
    start: (attempt) => {
      attempts.push(attempt.jobId);
      return container.jobs.start(attempt);
    },
    recordParts: async (attempt, ...rest) => {
      if (attempt.jobId === slow) await pause(150);
      return container.jobs.recordParts(attempt, ...rest);
    },
  };
  const workers = startWorkers({ ...container, jobs });
  t.teardown(() => workers.close());
  const ended = async (jobIds: string[]) => {
    const found = async () => Promise.all(jobIds.map((jobId) => container.jobs.find(jobId)));
    await until(async () => (await found()).every((job) => job?.state === 'completed'), 100_000);
    return (await found()).map((job) => job?.finished?.getTime() ?? 0);
  };
  const began = (jobId: string) =>
    until(async () => ((await container.jobs.find(jobId))?.progress.processed ?? 0) > 0, 100_000);
  const timesOf = (jobId: string) => attempts.filter((begun) => begun === jobId).length;

  slow = await send(mine, changes);
  await began(slow);
  const others = [await send(mine), await send(mine), await send(mine), await send(mine), await send(mine)];
  const their = await send(theirs);
  const [theirEnd = 0, end = 0, ...otherEnds] = await ended([their, slow, ...others]);
  t.ok(theirEnd < end, 'who came later was not held up');
  const before = otherEnds.filter((at) => at < end).length;
  t.ok(before <= 2, `${before} of its own came before it could go on`);
  t.equal(timesOf(slow), 2);
  const job = await container.jobs.find(slow);
  t.same(job?.progress, { processed: 20, total: 20, errors: 0 });
  t.equal((await mine.get(`/Users/${id}`)).body.meta.version, '21', 'each change once');

  slow = await send(mine, changes);
  await began(slow);
  const [longEnd = 0, ownEnd = 0] = await ended([slow, await send(mine)]);
  t.ok(longEnd < ownEnd);
  t.equal(timesOf(slow), 1);
});

t.test('nobody offers a Bulk again that no attempt can go on with', async (t) => {
  const scim = await tenant();
  const [late, empty] = [await send(scim), await send(scim)];
  const { mongo, clock } = container;
  const past = new Date(clock.now().getTime() - 1_000);
  await mongo.db.collection<{ _id: string }>('jobs').updateOne({ _id: late }, { $set: { deadline: past } });
  await mongo.db.collection<{ _id: string }>('jobBodies').deleteOne({ _id: empty });
  const workers = startWorkers(container);
  t.teardown(() => workers.close());
  const stateOf = async (jobId: string) => (await container.jobs.find(jobId))?.state;
  await until(async () => (await stateOf(late)) === 'expired', 100_000);
  await until(async () => (await stateOf(empty)) === 'failed', 100_000);
});

t.test('rounds go on from the present one, so that nobody who came before is passed for ever', async (t) => {
  const { redis, config } = container;
  const turns = createTurns(redis, `{${config.redisPrefix}:fair}`);
  const next = (orgId: string) => turns.next('scim-bulk', { jobId: 'new', orgId });
  t.same([await next('a'), await next('a'), await next('a'), await next('b')], [1, 2, 3, 1]);
  await turns.began('scim-bulk', 2);
  await turns.began('scim-bulk', 1);
  t.same([await next('b'), await next('c'), await next('a')], [3, 3, 4]);
  const first = (orgId: string) => turns.next('scim-bulk', { jobId: 'begun', orgId, isFirst: true });
  t.same([await first('a'), await first('d'), await next('a'), await next('d')], [3, 3, 5, 4]);
  await turns.reset('scim-bulk');
  await turns.began('scim-bulk', 4);
  t.equal(await next('a'), 1);
});
