import t from 'tap';
import { createLoopScheduler, type SlicedWork } from '#src/platform/work/loop-scheduler.js';
import { createLoopShare, type LoopShare } from '#src/platform/work/loop-share.js';

/**
 * Computes for so long. @returns the processor time of that, which is less on a busy machine. The times of other threads of the process, such
 * as those that collect garbage, are no part of it
 */
function compute(ms: number): number {
  const [began, before] = [performance.now(), process.cpuUsage()];
  while (performance.now() < began + ms);
  const { user, system } = process.cpuUsage(before);
  return Math.min(performance.now() - began, (user + system) / 1_000);
}

/** Work of some slices, which notes when each begins. @returns the processor time of each */
async function slices(work: SlicedWork, count: number, began: () => void, ms = 0): Promise<number[]> {
  const used: number[] = [];
  for (let slice = 0; slice < count; slice++) {
    await work.turn();
    began();
    used.push(compute(ms));
  }
  work.stop();
  return used;
}

/** A part that never changes. */
const part = (size: number): LoopShare => ({ now: () => size, spent: () => undefined });

const unlimited = { sliceMs: 5, share: part(1), burstMs: 60_000 };

t.test('a turn of the event loop has one slice', async (t) => {
  const scheduler = createLoopScheduler(unlimited);
  let turn = 0;
  let next = setImmediate(function count() {
    turn++;
    next = setImmediate(count);
  });
  const turns: number[] = [];
  await Promise.all(
    ['a', 'a', 'b', undefined].map((holder) => slices(scheduler.begin(holder), 5, () => turns.push(turn))),
  );
  clearImmediate(next);
  t.equal(turns.length, 20);
  t.equal(new Set(turns).size, 20, 'each begins in a turn of its own');
});

t.test('holders take turns, and the work of one holder runs in the order in which it began', async (t) => {
  const scheduler = createLoopScheduler(unlimited);
  const order: string[] = [];
  const [first, second, other] = [scheduler.begin('a'), scheduler.begin('a'), scheduler.begin('b')];
  await Promise.all([
    slices(second, 3, () => order.push('second')),
    slices(first, 3, () => order.push('first')),
    slices(other, 3, () => order.push('other')),
  ]);
  t.strictSame(
    order.filter((name) => name !== 'other'),
    ['first', 'first', 'first', 'second', 'second', 'second'],
  );
  t.ok(order.lastIndexOf('other') < 6, `${order}`);
});

t.test('a slice is due after its time, and not before it begins or after it ends', async (t) => {
  // A busy machine may stop this thread for some milliseconds between two lines.
  const sliceMs = 200;
  const work = createLoopScheduler({ ...unlimited, sliceMs }).begin('a');
  t.equal(work.isDue(), false);
  await work.turn();
  t.equal(work.isDue(), false);
  compute(sliceMs);
  t.equal(work.isDue(), true);
  work.stop();
  t.equal(work.isDue(), false);
});

t.test('a holder that has used its share waits, and others do not', async (t) => {
  const scheduler = createLoopScheduler({ sliceMs: 1, share: part(0.1), burstMs: 10 });
  let greedy = 0;
  const began = performance.now();
  const work = slices(scheduler.begin('greedy'), 15, () => greedy++, 5);
  await slices(scheduler.begin('modest'), 15, () => undefined, 0);
  await slices(scheduler.begin(), 15, () => undefined, 2);
  const [begunMeanwhile, othersTook] = [greedy, performance.now() - began];
  const used = await work;
  const took = performance.now() - began;
  const sum = (count: number) => used.slice(0, count).reduce((all, one) => all + one, 0);
  // 10 ms are free, and the others a tenth of the time. The last slice is followed by no wait.
  const free = 10;
  const before = sum(begunMeanwhile - 1);
  t.ok(before <= free + othersTook / 10, `${before} ms of slices while others took ${othersTook} ms`);
  t.ok(
    begunMeanwhile < 15 || othersTook > 300,
    `${begunMeanwhile} of 15 slices began before the others ended`,
  );
  t.ok(took >= (sum(14) - free) * 10, `took ${took} ms`);
});

t.test('the time that the database worked counts as well', async (t) => {
  const scheduler = createLoopScheduler({ sliceMs: 1, share: part(0.1), burstMs: 10 });
  const work = scheduler.begin('a');
  work.charge(30);
  const began = performance.now();
  await scheduler.begin('b').turn();
  t.ok(performance.now() - began < 100, 'another holder has its own share');
  await work.turn();
  const took = performance.now() - began;
  // 20 of 30 ms are more than what is free, at a tenth of the time.
  t.ok(took > 150, `took ${took} ms`);
});

t.test('the share shrinks with other work, and not with its own', async (t) => {
  const share = createLoopShare({ most: 0.2, least: 0.02 });
  const rest = () => new Promise((resolve) => setTimeout(resolve, 30));
  t.equal(share.now(), 0.2, 'before anything is measured');
  for (let n = 0; n < 6; n++) {
    await rest();
    for (let turn = 0; turn < 5; turn++) {
      const begun = performance.now();
      compute(40);
      // On a busy machine it takes longer.
      share.spent(performance.now() - begun);
      await rest();
    }
    share.now();
  }
  const own = share.now();
  t.ok(own > 0.08, `own work left ${own}`);
  for (let n = 0; n < 6; n++) {
    for (let turn = 0; turn < 5; turn++) {
      compute(40);
      await rest();
    }
    share.now();
  }
  t.equal(share.now(), 0.02, 'half of the time is other work');
});
