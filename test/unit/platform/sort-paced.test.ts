import fc from 'fast-check';
import t from 'tap';
import { createLoopScheduler } from '#src/platform/work/loop-scheduler.js';
import { sortPaced } from '#src/platform/work/sort-paced.js';

const share = { now: () => 1, spent: () => undefined };
const pace = () => createLoopScheduler({ sliceMs: 0.05, share, burstMs: 60_000 }).begin('a');

t.test('the order is that of a stable sort', async (t) => {
  const items = fc.array(fc.record({ key: fc.integer({ min: 0, max: 50 }), id: fc.nat() }), {
    minLength: 400,
    maxLength: 3_000,
    size: 'max',
  });
  const property = fc.asyncProperty(items, async (given) => {
    const before = [...given];
    const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
    t.strictSame(await sortPaced(given, compare, pace()), [...given].sort(compare));
    t.strictSame(given, before, 'the given list stays as it is');
  });
  await fc.assert(property, { numRuns: 10 });
});

t.test('many items are sorted in several turns of the event loop', async (t) => {
  let turns = 0;
  const counted = pace();
  const items = Array.from({ length: 20_000 }, (_, n) => `${(n * 7_919) % 20_000}`);
  const sorted = await sortPaced(items, (a, b) => (a < b ? -1 : 1), {
    isDue: () => counted.isDue(),
    turn() {
      turns++;
      return counted.turn();
    },
  });
  t.strictSame(sorted, [...items].sort());
  t.ok(turns > 10, `${turns} turns`);
});
