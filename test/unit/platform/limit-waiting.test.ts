import t from 'tap';
import { limitWaiting } from '#src/platform/work/limit-waiting.js';

/** Calls of a function that wait at once are bounded for each key. */

function open(most: number) {
  const ends: (() => void)[] = [];
  const run = limitWaiting(
    async (item: { key: string; fails?: boolean }) => {
      await new Promise<void>((resolve) => ends.push(resolve));
      if (item.fails) throw new Error('failed');
      return item.key;
    },
    { most, keyOf: ({ key }) => key, refuse: () => new Error('too many') },
  );
  return { run, end: () => ends.shift()?.() };
}

t.test('one call too many of a key is refused, and none of another key', async (t) => {
  const { run, end } = open(2);
  const [a, b] = [run({ key: 'a' }), run({ key: 'a' })];
  await t.rejects(run({ key: 'a' }), { message: 'too many' });
  const other = run({ key: 'b' });
  for (let n = 0; n < 3; n++) end();
  t.strictSame(await Promise.all([a, b, other]), ['a', 'a', 'b']);
});

t.test('a call that has ended leaves its place, also if it failed', async (t) => {
  const { run, end } = open(1);
  const failing = run({ key: 'a', fails: true });
  end();
  await t.rejects(failing, { message: 'failed' });
  const next = run({ key: 'a' });
  await t.rejects(run({ key: 'a' }), { message: 'too many' }, 'a refused call takes no place');
  end();
  t.equal(await next, 'a');
});
