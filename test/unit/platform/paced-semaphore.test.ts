import t from 'tap';
import { sliceShare } from '#src/platform/work/loop-scheduler.js';
import { createPacedSemaphore } from '#src/platform/work/paced-semaphore.js';

t.intercept(sliceShare, 'now', { value: () => 0.05 });
const refuse = () => new Error('too many');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Tells whether the event loop is still in the turn of this call. A time would also tell how busy the machine is. */
function thisTurn(): () => boolean {
  let isOver = false;
  setImmediate(() => {
    isOver = true;
  });
  return () => !isOver;
}

t.test('work is followed by a rest while more of its holder waits', async (t) => {
  const shares = createPacedSemaphore({ atOnce: 1, waiting: 10, longestWaitMs: 60_000, refuse });
  const began = performance.now();
  const since = () => performance.now() - began;
  const crowd = [1, 2, 3].map(async () => {
    const begun = await shares.run('a', async () => {
      const at = since();
      await pause(20);
      return at;
    });
    return { begun, told: since() };
  });
  const isSameTurn = thisTurn();
  t.ok(await shares.run('b', async () => isSameTurn()), 'another holder begins at once');
  const [first, second, third] = (await Promise.all(crowd)) as { begun: number; told: number }[];
  for (const [before, after] of [
    [first, second],
    [second, third],
  ]) {
    const rest = (after?.begun ?? 0) - (before?.told ?? 0);
    t.ok(rest > 150, `the result comes before the rest of ${rest} ms`);
  }
  t.equal(await shares.run('c', async () => 'alone'), 'alone');
});

t.test('one after the other meets no rest', async (t) => {
  const shares = createPacedSemaphore({ atOnce: 1, waiting: 10, longestWaitMs: 60_000, refuse });
  for (let n = 0; n < 5; n++) {
    const isSameTurn = thisTurn();
    await shares.run('a', () => {
      t.ok(isSameTurn(), 'it begins at once');
      return pause(10);
    });
  }
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
