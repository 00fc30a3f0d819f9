import { constants, PerformanceObserver } from 'node:perf_hooks';
import t from 'tap';
import { createMemoryCheck, giveMemoryBack } from '#src/platform/give-memory-back.js';

t.test('a process at rest allocates a little some times, and again after it was busy', async (t) => {
  let busy = 0.6;
  let allocated = 0;
  const check = createMemoryCheck({ busyPart: () => busy, allocateLittle: () => allocated++ });
  const checks = (times: number) => {
    for (let n = 0; n < times; n++) check();
    return allocated;
  };
  t.equal(checks(5), 0, 'it is busy');
  busy = 0.01;
  t.equal(checks(1), 1);
  t.equal(checks(20), 12, 'then there is nothing more to give back');
  busy = 0.19;
  t.equal(checks(1), 12);
  busy = 0;
  t.equal(checks(20), 12, 'it was no load');
  busy = 0.2;
  t.equal(checks(1), 12);
  busy = 0;
  t.equal(checks(20), 24);
});

/** Whether somebody asked for a collection of young garbage. The types of an entry are those of the browser, without its details. */
function isAskedYoung(entry: object): boolean {
  const { kind, flags } = (entry as { detail: { kind: number; flags: number } }).detail;
  return (
    kind === constants.NODE_PERFORMANCE_GC_MINOR && (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0
  );
}

t.test('young garbage is collected by the flags of this Node.js', { timeout: 30_000 }, async (t) => {
  const collected = new Promise<void>((resolve) => {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(isAskedYoung)) resolve();
    });
    observer.observe({ entryTypes: ['gc'] });
    t.teardown(() => observer.disconnect());
  });
  giveMemoryBack();
  // The check keeps no process alive, and this one waits for it.
  const alive = setInterval(() => undefined, 1_000);
  await t.resolves(collected);
  clearInterval(alive);
});
