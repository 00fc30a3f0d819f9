import t from 'tap';
import { sliceShare } from '#src/platform/work/loop-scheduler.js';
import { createPacedSemaphore } from '#src/platform/work/paced-semaphore.js';

t.intercept(sliceShare, 'now', { value: () => 0.05 });
const refuse = () => new Error('too many');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

t.test('work is followed by a rest while more of its holder waits', async (t) => {
  const shares = createPacedSemaphore({ atOnce: 1, waiting: 10, longestWaitMs: 60_000, refuse });
  const began = performance.now();
  const since = () => performance.now() - began;
  const crowd = Promise.all([1, 2, 3].map(() => shares.run('a', () => pause(20).then(since))));
  const other = await shares.run('b', async () => since());
  t.ok(other < 20, `another holder begins at once, after ${other} ms`);
  const [first = 0, second = 0, third = 0] = await crowd;
  t.ok(first < 100, `the result comes before the rest, after ${first} ms`);
  t.ok(second - first > 150, `${second - first} ms`);
  t.ok(third - second > 150, `${third - second} ms`);
  t.equal(await shares.run('c', async () => 'alone'), 'alone');
});

t.test('one after the other meets no rest', async (t) => {
  const shares = createPacedSemaphore({ atOnce: 1, waiting: 10, longestWaitMs: 60_000, refuse });
  const began = performance.now();
  for (let n = 0; n < 5; n++) await shares.run('a', () => pause(10));
  const took = performance.now() - began;
  t.ok(took < 250, `took ${took} ms`);
});

t.test('work that fails or is refused says so', async (t) => {
  const shares = createPacedSemaphore({ atOnce: 1, waiting: 1, longestWaitMs: 20, refuse });
  await t.rejects(
    shares.run('a', () => Promise.reject(new Error('failed'))),
    { message: 'failed' },
  );
  let end = () => {};
  const first = shares.run('a', () => new Promise<void>((resolve) => (end = resolve)));
  const late = shares.run('a', async () => t.fail('refused work never runs'));
  await t.rejects(
    shares.run('a', async () => t.fail('refused work never runs')),
    { message: 'too many' },
  );
  await t.rejects(late, { message: 'too many' });
  end();
  await first;
});
