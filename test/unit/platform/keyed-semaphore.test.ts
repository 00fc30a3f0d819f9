import t from 'tap';
import { createCoolDown } from '#src/platform/work/cool-down.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';

function makeWork() {
  let finish = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const work = {
    hasBegun: false,
    finish,
    run() {
      work.hasBegun = true;
      return ended;
    },
  };
  return work;
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

t.test('each holder has places of its own, and its work waits in order', async (t) => {
  const shares = createKeyedSemaphore({
    atOnce: 2,
    waiting: 2,
    longestWaitMs: 60_000,
    refuse: () => new Error('too many'),
  });
  const [first, second, third, fourth, other] = Array.from({ length: 5 }, makeWork) as Required<
    ReturnType<typeof makeWork>
  >[];
  if (!first || !second || !third || !fourth || !other) return;
  const done = [first, second, third, fourth].map(({ run }) => shares.run('a', run));
  await t.rejects(
    shares.run('a', async () => t.fail('refused work never runs')),
    { message: 'too many' },
  );
  done.push(shares.run('b', other.run));
  await turns();
  t.equal(shares.waiting('a'), 2);
  t.equal(shares.waiting('nobody'), 0);
  const begun = () => [first, second, third, fourth, other].map(({ hasBegun }) => hasBegun);
  t.same(begun(), [true, true, false, false, true]);
  second.finish();
  await turns();
  t.same(begun(), [true, true, true, false, true]);
  for (const { finish } of [first, third, fourth, other]) finish();
  await Promise.all(done);
});

t.test('work that fails gives its place to the next', async (t) => {
  const shares = createKeyedSemaphore({
    atOnce: 1,
    waiting: 1,
    longestWaitMs: 60_000,
    refuse: () => new Error('too many'),
  });
  const failing = shares.run('a', async () => {
    throw new Error('failed');
  });
  const next = shares.run('a', async () => 'done');
  await t.rejects(failing, { message: 'failed' });
  t.equal(await next, 'done');
  t.equal(await shares.run('a', async () => 'again'), 'again');
});

t.test('work that waited too long is refused, and the next one keeps its turn', async (t) => {
  const shares = createKeyedSemaphore({
    atOnce: 1,
    waiting: 2,
    longestWaitMs: 20,
    refuse: () => new Error('too late'),
  });
  const [first, second] = [makeWork(), makeWork()];
  const done = shares.run('a', first.run);
  await t.rejects(
    shares.run('a', async () => t.fail('refused work never runs')),
    { message: 'too late' },
  );
  const next = shares.run('a', second.run);
  first.finish();
  await done;
  await turns();
  t.equal(second.hasBegun, true);
  second.finish();
  await next;
  t.equal(await shares.run('a', async () => 'again'), 'again');
});

t.test('a place rests only while a crowd waits', async (t) => {
  const rest = createCoolDown({ times: 3, longestMs: 1, crowd: 8 });
  t.equal(rest({ tookMs: 1_000, waiting: 7 }), undefined);
  const rested = rest({ tookMs: 1_000, waiting: 8 });
  t.ok(rested instanceof Promise);
  await rested;
});
