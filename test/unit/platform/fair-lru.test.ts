import t from 'tap';
import { createFairLru } from '#src/platform/fair-lru.js';

const fill = (lru: ReturnType<typeof createFairLru<number>>, owner: string, count: number) => {
  for (let number = 0; number < count; number++) lru.set(owner, `${owner}-${number}`, number);
};

t.test('an owner with many values pushes out its own', async (t) => {
  const lru = createFairLru<number>({ max: 10 });
  fill(lru, 'small', 3);
  fill(lru, 'large', 100);
  t.strictSame(
    [0, 1, 2].map((number) => lru.get('small', `small-${number}`)),
    [0, 1, 2],
  );
  t.equal(lru.get('large', 'large-99'), 99);
  t.equal(lru.get('large', 'large-92'), undefined, 'ten values in all');
  t.equal(lru.get('large', 'large-93'), 93);
});

t.test('the value that was used longest ago goes first', async (t) => {
  const lru = createFairLru<number>({ max: 3 });
  fill(lru, 'one', 3);
  lru.get('one', 'one-0');
  lru.set('one', 'new', 4);
  t.equal(lru.get('one', 'one-0'), 0);
  t.equal(lru.get('one', 'one-1'), undefined);
});

t.test('a value stays while one of its owners has it', async (t) => {
  const lru = createFairLru<number>({ max: 10 });
  lru.set('large', 'shared', 7);
  t.equal(lru.get('small', 'shared'), 7);
  for (let turn = 0; turn < 5; turn++) {
    lru.get('large', 'shared');
    fill(lru, 'large', 50);
  }
  t.equal(lru.get('small', 'shared'), 7);
  // The small one becomes the large one.
  fill(lru, 'small', 50);
  t.equal(lru.get('another', 'shared'), undefined);
});

t.test('of many owners with one value each, the least recently used goes', async (t) => {
  const lru = createFairLru<number>({ max: 3 });
  for (const owner of ['a', 'b', 'c']) lru.set(owner, owner, 1);
  lru.get('a', 'a');
  lru.set('d', 'd', 1);
  t.equal(lru.get('b', 'b'), undefined);
  t.equal(lru.get('a', 'a'), 1);
});
