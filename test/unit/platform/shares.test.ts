import t from 'tap';
import { createShares } from '#src/platform/shares.js';

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
  const shares = createShares({ atOnce: 2, waiting: 2, refuse: () => new Error('too many') });
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
  const begun = () => [first, second, third, fourth, other].map(({ hasBegun }) => hasBegun);
  t.same(begun(), [true, true, false, false, true]);
  second.finish();
  await turns();
  t.same(begun(), [true, true, true, false, true]);
  for (const { finish } of [first, third, fourth, other]) finish();
  await Promise.all(done);
});

t.test('work that fails gives its place to the next', async (t) => {
  const shares = createShares({ atOnce: 1, waiting: 1, refuse: () => new Error('too many') });
  const failing = shares.run('a', async () => {
    throw new Error('failed');
  });
  const next = shares.run('a', async () => 'done');
  await t.rejects(failing, { message: 'failed' });
  t.equal(await next, 'done');
  t.equal(await shares.run('a', async () => 'again'), 'again');
});
