import t from 'tap';
import { createBytePool } from '#src/http/limits/byte-pool.js';

const limit = 100;

function open(pool: ReturnType<typeof createBytePool>, holder: string) {
  const state = { refused: 0 };
  const body = pool.hold(holder, () => {
    state.refused += 1;
  });
  return { body, state };
}

t.test('a body counts until it is released', async (t) => {
  const pool = createBytePool(limit);
  const { body, state } = open(pool, 'a');
  body.grow(10);
  t.equal(pool.bytes, 10);
  body.finish();
  t.equal(pool.bytes, 10);
  body.release();
  body.release();
  body.grow(1);
  t.equal(pool.bytes, 0);
  t.equal(state.refused, 0);
});

t.test('the unfinished body that began first gives its place', async (t) => {
  const pool = createBytePool(limit);
  const complete = open(pool, 'first');
  complete.body.grow(20);
  complete.body.finish();
  const bodies = Array.from({ length: 8 }, (_, n) => open(pool, `holder ${n}`));
  const refused = () => bodies.map(({ state }) => state.refused);
  for (const { body } of bodies) body.grow(10);
  t.same(refused(), [0, 0, 0, 0, 0, 0, 0, 0]);
  const last = open(pool, 'last');
  last.body.grow(5);
  t.same(refused(), [1, 0, 0, 0, 0, 0, 0, 0]);
  t.equal(complete.state.refused, 0, 'a body that has arrived stays');
  t.equal(last.state.refused, 0);
  t.equal(pool.bytes, 95);
});

t.test('one holder has a quarter, and takes it from nobody else', async (t) => {
  const pool = createBytePool(limit);
  const other = open(pool, 'other');
  other.body.grow(20);
  const many = Array.from({ length: 30 }, () => open(pool, 'one'));
  for (const { body } of many) body.grow(1);
  t.equal(other.state.refused, 0);
  t.same(
    many.map(({ state }) => state.refused),
    many.map((_, n) => (n < 5 ? 1 : 0)),
  );
  for (const { body } of many) body.release();
  t.equal(pool.bytes, 20);
});

t.test('a body for which no other makes room is refused itself', async (t) => {
  const pool = createBytePool(limit);
  for (let n = 0; n < 4; n++) {
    const { body } = open(pool, `holder ${n}`);
    body.grow(25);
    body.finish();
  }
  const { body, state } = open(pool, 'late');
  body.grow(1);
  t.equal(state.refused, 1);
  t.equal(pool.bytes, limit);
});

t.test('a holder is forgotten with its last body only', async (t) => {
  const pool = createBytePool(limit);
  const first = open(pool, 'a');
  first.body.release();
  const second = open(pool, 'a');
  const third = open(pool, 'a');
  third.body.grow(1);
  third.body.release();
  first.body.release();
  second.body.grow(20);
  open(pool, 'a').body.grow(10);
  t.equal(second.state.refused, 1, 'both count together');
});
