import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
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
  busy = 0.05;
  t.equal(checks(1), 12);
  busy = 0;
  t.equal(checks(20), 24);
});

/** Its types are those of the browser, without it. */
const kindOf = (entry: object) => (entry as { detail: { kind: number } }).detail.kind;

t.test('young garbage is collected by the flags of this Node.js', { timeout: 30_000 }, async (t) => {
  const kinds: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) kinds.push(kindOf(entry));
  });
  observer.observe({ entryTypes: ['gc'] });
  t.teardown(() => observer.disconnect());
  giveMemoryBack();
  await pause(4_000);
  t.ok(kinds.includes(constants.NODE_PERFORMANCE_GC_MINOR));
});
