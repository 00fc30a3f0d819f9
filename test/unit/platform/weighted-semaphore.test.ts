import fc from 'fast-check';
import t from 'tap';
import { createWeightedSemaphore, type Permit } from '#src/platform/work/weighted-semaphore.js';

const limits = {
  perHolder: 10,
  total: 25,
  waiting: 3,
  longestWaitMs: 60_000,
  refuse: () => new Error('too many'),
};
const turns = () => new Promise((resolve) => setImmediate(resolve));

/** Whether a permit has been taken by now. */
async function isTaken(permit: Permit | Promise<Permit>): Promise<boolean> {
  let taken = false;
  void Promise.resolve(permit).then(
    () => {
      taken = true;
    },
    () => undefined,
  );
  await turns();
  return taken;
}

t.test('a holder takes what fits, and waits for the rest in order', async (t) => {
  const semaphore = createWeightedSemaphore(limits);
  const first = semaphore.take('a', 6);
  t.notOk(first instanceof Promise, 'without a turn of the event loop');
  const second = semaphore.take('a', 5);
  const third = semaphore.take('a', 1);
  t.strictSame([await isTaken(second), await isTaken(third)], [false, false], 'no later one passes');
  t.ok(await isTaken(semaphore.take('b', 10)), 'another holder does not wait');
  (await first).release();
  t.strictSame([await isTaken(second), await isTaken(third)], [true, true]);
  t.strictSame([semaphore.held('a'), semaphore.waiting('a')], [6, 0]);
});

t.test('all holders together have a limit, and each is served in turn', async (t) => {
  const semaphore = createWeightedSemaphore(limits);
  const [a, b, c] = [semaphore.take('a', 10), semaphore.take('b', 10), semaphore.take('c', 10)];
  t.strictSame([await isTaken(a), await isTaken(b), await isTaken(c)], [true, true, false]);
  t.ok(await isTaken(semaphore.take('d', 5)), 'a lighter one fits');
  (await a).release();
  t.ok(await isTaken(c));
});

t.test('a permit that is heavier than the limit is the only one', async (t) => {
  const semaphore = createWeightedSemaphore(limits);
  const light = semaphore.take('a', 1);
  const heavy = semaphore.take('a', 1_000);
  t.notOk(await isTaken(heavy));
  (await light).release();
  t.ok(await isTaken(heavy));
  t.notOk(await isTaken(semaphore.take('a', 1)));
});

t.test('a permit can change its weight, and one can be taken without waiting', async (t) => {
  const semaphore = createWeightedSemaphore(limits);
  const permit = await semaphore.take('a', 2);
  permit.weigh(9);
  const waiting = semaphore.take('a', 5);
  t.notOk(await isTaken(waiting));
  const forced = semaphore.add('a', 3);
  t.equal(semaphore.held('a'), 12);
  permit.weigh(1);
  t.ok(await isTaken(waiting));
  forced.release();
  permit.release();
  permit.release();
  permit.weigh(100);
  t.equal(semaphore.held('a'), 5, 'a released permit weighs nothing');
});

t.test('too many that wait are refused, and those that wait for too long or give up', async (t) => {
  const semaphore = createWeightedSemaphore({ ...limits, longestWaitMs: 30 });
  const permit = await semaphore.take('a', 10);
  let giveUp = () => {};
  const given = semaphore.take('a', 10, (up) => {
    giveUp = up;
  });
  const late = [semaphore.take('a', 1), semaphore.take('a', 1)];
  t.throws(() => semaphore.take('a', 1), { message: 'too many' });
  giveUp();
  giveUp();
  await t.rejects(Promise.resolve(given), { message: 'too many' });
  for (const one of late) await t.rejects(Promise.resolve(one), { message: 'too many' });
  permit.release();
  t.strictSame([semaphore.held('a'), semaphore.waiting('a')], [0, 0]);
  t.notOk(semaphore.take('a', 10) instanceof Promise);
});

t.test('no order of takes, changes, releases and retreats loses weight or a waiter', async (t) => {
  const step = fc.record({
    holder: fc.constantFrom('a', 'b', 'c'),
    weight: fc.integer({ min: 1, max: 12 }),
    act: fc.constantFrom('take', 'take', 'add', 'release', 'weigh', 'giveUp'),
    which: fc.nat(),
  });
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const semaphore = createWeightedSemaphore({ ...limits, waiting: 20 });
    const permits: Permit[] = [];
    const retreats: (() => void)[] = [];
    const asked: Promise<unknown>[] = [];
    for (const { holder, weight, act, which } of steps) {
      if (act === 'take') {
        const permit = semaphore.take(holder, weight, (giveUp) => retreats.push(giveUp));
        asked.push(
          Promise.resolve(permit)
            .then((taken) => permits.push(taken))
            .catch(() => undefined),
        );
      } else if (act === 'add') permits.push(semaphore.add(holder, weight));
      else if (act === 'giveUp') retreats[which % Math.max(1, retreats.length)]?.();
      else if (act === 'weigh') permits[which % Math.max(1, permits.length)]?.weigh(weight);
      else permits.splice(which % Math.max(1, permits.length), 1)[0]?.release();
      await turns();
    }
    // Whoever waits is served when everything is released.
    for (let permit = permits.shift(); permit !== undefined; permit = permits.shift()) {
      permit.release();
      await turns();
    }
    await Promise.all(asked);
    for (const holder of ['a', 'b', 'c'])
      if (semaphore.held(holder) !== 0 || semaphore.waiting(holder) !== 0)
        throw new Error(`${holder} is left`);
  });
  await t.resolves(fc.assert(property, { numRuns: 100 }));
});
