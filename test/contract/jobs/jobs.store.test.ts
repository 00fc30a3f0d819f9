import t from 'tap';
import type { KeptInJob } from '#src/jobs/job.js';
import { createJobsStore, type JobAttempt, type NewJob } from '#src/jobs/jobs.store.js';
import { createSealer } from '#src/keys/sealer.js';
import { newId } from '#src/platform/ids.js';
import { openTestContainer } from '../../support/app/test-container.js';

const { container, clock } = await openTestContainer(t);
const { jobs, mongo } = container;
const body = Buffer.from('{"password":"Sup3r-Secret-Horse"}');

async function insertJob(more: Partial<NewJob> = {}): Promise<string> {
  const id = newId();
  await jobs.insert({
    id,
    kind: 'scim-bulk',
    orgId: 'a',
    requestedBy: 'u1',
    total: 2,
    created: clock.now(),
    body,
    ...more,
  });
  return id;
}

async function startJob(jobId: string): Promise<JobAttempt> {
  const attempt = { jobId, attemptId: newId() };
  t.ok(await jobs.start(attempt));
  return attempt;
}

function record(attempt: JobAttempt, results: [number, unknown][], errors = 0): Promise<boolean> {
  return mongo.transaction((transaction) =>
    jobs.recordParts(attempt, { results: new Map(results), errors }, transaction),
  );
}

t.test('a job goes its way: queued, running, parts, completed', async (t) => {
  const created = clock.now();
  const id = await insertJob({ created });
  const queued = {
    id,
    kind: 'scim-bulk',
    orgId: 'a',
    queuedUnder: 'a',
    requestedBy: 'u1',
    state: 'queued',
    progress: { processed: 0, total: 2, errors: 0 },
    parts: {},
    created,
  };
  t.same(await jobs.find(id), queued);
  t.same(await jobs.body(id), body);

  const attempt = await startJob(id);
  t.equal((await jobs.find(id))?.state, 'running');
  t.ok(await record(attempt, [[1, { status: '409' }]], 1));
  t.ok(await record(attempt, [[0, { status: '201' }]]));
  const ended = await jobs.end(id, 'completed');
  const done = await jobs.find(id);
  t.same({ ...ended, parts: done?.parts }, done, 'without its results');
  t.same(done, {
    ...queued,
    state: 'completed',
    progress: { processed: 2, total: 2, errors: 1 },
    parts: { 0: { status: '201' }, 1: { status: '409' } },
    finished: done?.finished,
  });
  t.type(done?.finished, Date);
  t.equal(await jobs.body(id), undefined, 'the body is dropped');
});

t.test('the body is sealed at rest', async (t) => {
  const id = await insertJob();
  const stored = await mongo
    .collection<{ _id: string; body: { buffer: Uint8Array } }>('jobBodies')
    .findOne({ _id: id });
  t.ok(stored);
  t.notOk(Buffer.from(stored?.body.buffer ?? []).includes('Sup3r'));
});

t.test('an attempt that was taken over records nothing more', async (t) => {
  const id = await insertJob();
  const first = await startJob(id);
  t.ok(await record(first, [[0, 'first']]));
  const second = await startJob(id);
  t.equal(await record(first, [[1, 'late']]), false);
  t.same((await jobs.find(id))?.parts, { 0: 'first' });
  t.ok(await record(second, [[1, 'second']]));
  t.same((await jobs.find(id))?.parts, { 0: 'first', 1: 'second' });
});

t.test('an ended job takes nothing, does not start again and keeps how it ended', async (t) => {
  for (const state of ['cancelled', 'expired', 'failed', 'completed'] as const) {
    const id = await insertJob();
    const attempt = await startJob(id);
    await jobs.end(id, state);
    t.equal(await record(attempt, [[0, 'late']]), false);
    t.equal(await jobs.start({ jobId: id, attemptId: newId() }), undefined);
    const other = state === 'cancelled' ? 'completed' : 'cancelled';
    t.equal(await jobs.end(id, other), undefined, 'only the first end counts');
    t.equal((await jobs.find(id))?.state, state);
    t.same((await jobs.find(id))?.parts, {});
  }
});

t.test('recording a part and ending the job at once never both win', async (t) => {
  for (let round = 0; round < 10; round++) {
    const id = await insertJob();
    const attempt = await startJob(id);
    const [recorded, job] = await Promise.all([record(attempt, [[0, 'x']]), jobs.end(id, 'expired')]);
    // The ended job is final: a part is in it or is never recorded.
    t.equal(job?.progress.processed, recorded ? 1 : 0);
    t.same((await jobs.find(id))?.parts, recorded ? { 0: 'x' } : {});
  }
});

t.test('a part that is recorded in a failing transaction is not recorded', async (t) => {
  const attempt = await startJob(await insertJob());
  await t.rejects(
    mongo.transaction(async (transaction) => {
      await jobs.recordParts(attempt, { results: new Map([[0, 'x']]), errors: 0 }, transaction);
      throw new Error('changed my mind');
    }),
    { message: 'changed my mind' },
  );
  t.match(await jobs.find(attempt.jobId), { parts: {}, progress: { processed: 0 } });
});

t.test('open jobs that are old enough are found again', async (t) => {
  const created = new Date(clock.now().getTime() - 3600_000);
  const [old, ended] = [await insertJob({ created }), await insertJob({ created })];
  await jobs.end(ended, 'failed');
  const fresh = await insertJob();
  const found = (await jobs.openBefore(new Date(created.getTime() + 1), 100)).map(({ id }) => id);
  t.ok(found.includes(old));
  t.notOk(found.includes(ended));
  t.notOk(found.includes(fresh));
});

t.test('of open jobs the oldest is found first, whatever their states', async (t) => {
  const at = (seconds: number) => new Date(clock.now().getTime() - 7 * 86_400_000 + seconds * 1000);
  const third = await insertJob({ created: at(3) });
  const first = await startJob(await insertJob({ created: at(1) }));
  const second = await insertJob({ created: at(2) });
  const found = await jobs.openBefore(at(4), 2);
  t.same(
    found.map(({ id }) => id),
    [first.jobId, second],
  );
  for (const id of [first.jobId, second, third]) await jobs.end(id, 'failed');
});

t.test('a page shows the requested jobs, the newest first and without parts', async (t) => {
  const mine = await insertJob({ orgId: 'p1', requestedBy: 'me' });
  const shared = await insertJob({ orgId: 'p2', requestedBy: 'you' });
  await insertJob({ orgId: 'p4', requestedBy: 'me' });
  const foreign = await insertJob({ orgId: 'p3', requestedBy: 'you' });
  const visible = { requestedBy: 'me', requestedIn: ['p1', 'p3'], of: ['p2'] };
  const page = await jobs.page(visible, { limit: 10 });
  t.same(
    page.map(({ id }) => id),
    [shared, mine],
  );
  t.notOk('parts' in (page[0] ?? {}));
  t.same(
    (await jobs.page(visible, { limit: 1, after: shared })).map(({ id }) => id),
    [mine],
  );
  t.equal((await jobs.page(undefined, { limit: 1 }))[0]?.id, foreign);
  t.same(await jobs.page({ requestedBy: 'nobody', requestedIn: ['p1'], of: [] }, { limit: 10 }), []);
});

t.test('an attempt tells how far it is, and ends the job with its one result', async (t) => {
  const id = await insertJob({ kind: 'export' });
  const first = await startJob(id);
  const progress = { processed: 3, total: 5, errors: 0 };
  t.ok(await jobs.advance(first, progress));
  t.same((await jobs.find(id))?.progress, progress);

  const second = await startJob(id);
  const end = { state: 'completed', result: { n: 1 }, progress } as const;
  const endJob = (attempt: JobAttempt) =>
    mongo.transaction((transaction) => jobs.endWithResult(attempt, end, transaction));
  t.notOk(await jobs.advance(first, progress), 'who was taken over is told');
  t.notOk(await endJob(first));
  t.ok(await endJob(second));
  t.match(await jobs.find(id), {
    state: 'completed',
    progress,
    parts: { 0: { n: 1 } },
    finished: Date,
  });
  t.equal(await jobs.body(id), undefined, 'the body is dropped');
  t.notOk(await endJob(second));
  t.notOk(await jobs.advance(second, progress));
});

t.test('nothing is told after the deadline', async (t) => {
  const id = await insertJob({ kind: 'export', deadline: new Date(clock.now().getTime() + 3_600_000) });
  const attempt = await startJob(id);
  const progress = { processed: 0, total: 0, errors: 0 };
  t.ok(await jobs.advance(attempt, progress));
  clock.advance(3_601);
  t.notOk(await jobs.advance(attempt, progress));
});

t.test('stalls in a row are counted, each once, until something is recorded', async (t) => {
  const id = await insertJob();
  const attempt = await startJob(id);
  t.equal(await jobs.countStall(id, 'first'), 1);
  t.equal(await jobs.countStall(id, 'first'), 1, 'the same stall');
  t.equal(await jobs.countStall(id, 'second'), 2);
  t.ok(await record(attempt, [[0, { status: '201' }]]));
  t.equal(await jobs.countStall(id, 'third'), 1, 'it made progress in between');
  t.equal(await jobs.countStall(id, 'fourth'), 2);
  await jobs.end(id, 'failed');
  t.equal(await jobs.countStall(id, 'fifth'), 0);
  t.notOk('losses' in ((await jobs.find(id)) ?? {}), 'nobody sees them');
});

t.test('a job keeps something until its kind has noted the end of it', async (t) => {
  const kept: KeptInJob & { total: number } = { open: true, total: 3 };
  const note: KeptInJob & { done: boolean } = { done: true };
  const complete = (id: string) =>
    mongo.transaction((transaction) =>
      jobs.completeKept(id, { kept: note, results: ['first', 'second'] }, transaction),
    );
  const id = await insertJob({ kept });
  t.equal(await jobs.body(id), undefined, 'its input is in the record');
  t.match(await jobs.find(id), { kept });
  t.notMatch(await jobs.find(id), { held: body });
  const started = await jobs.start({ jobId: id, attemptId: newId() });
  t.match(started, { state: 'running', kept, held: body });
  t.ok(await complete(id));
  t.match(await jobs.find(id), { state: 'completed', kept: note, parts: { 0: 'first', 1: 'second' } });
  t.notOk(await complete(id), 'only once');

  const cancelled = await insertJob({ kept });
  t.match(await jobs.end(cancelled, 'cancelled'), { kept });
  t.notOk(await complete(cancelled));
  t.equal(await mongo.transaction((transaction) => jobs.takeKept(cancelled, transaction)), undefined);
  t.same(await jobs.endedWithOpen(10), [cancelled]);
  const replace = () => mongo.transaction((transaction) => jobs.replaceKept(cancelled, note, transaction));
  t.ok(await replace());
  t.notOk(await replace(), 'only once');
  t.same(await jobs.endedWithOpen(10), []);

  const late = await insertJob({ kept, deadline: new Date(clock.now().getTime() - 1) });
  t.notOk(await complete(late), 'its deadline has passed');
});

t.test('what an open job keeps is taken once, with its input', async (t) => {
  const kept = { open: true as const, total: 3 };
  const id = await insertJob({ kept });
  const take = () => mongo.transaction((transaction) => jobs.takeKept(id, transaction));
  t.same(await take(), { kept, held: body });
  t.equal(await take(), undefined);
  const started = await jobs.start({ jobId: id, attemptId: newId() });
  t.notOk(started && ('kept' in started || 'held' in started));
});

t.test('a process without the master key of an input takes nothing of it away', async (t) => {
  const sealer = createSealer([{ id: 'other', key: Buffer.alloc(32, 9) }], 'job-body');
  const without = createJobsStore(mongo, sealer, clock);
  const kept = { open: true as const, total: 3 };
  const id = await insertJob({ kept });
  const takeBy = (store: typeof jobs) => mongo.transaction((transaction) => store.takeKept(id, transaction));
  await t.rejects(takeBy(without), { message: /another master key/ });
  t.same(await takeBy(jobs), { kept, held: body });
  await t.rejects(without.body(await insertJob()), { message: /another master key/ });
});
