import t from 'tap';
import { createUserCounter } from '#src/people/totals/user-counter.js';

/** A counter over a Redis of this test, which answers when it is told to. */
function openCounter() {
  const told: string[] = [];
  const answers: (() => void)[] = [];
  const redis = {
    set: (key: string) => {
      told.push(key);
      return new Promise((resolve) => answers.push(() => resolve('OK')));
    },
  };
  const deps = { users: {}, userTotals: { fold: async () => undefined }, redis, prefix: 'test' };
  const counter = createUserCounter(deps as unknown as Parameters<typeof createUserCounter>[0]);
  const answer = () => {
    for (const one of answers.splice(0)) one();
  };
  return { counter, told, answer };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

t.test('the changes of one turn are told together, for each organization', async (t) => {
  const { counter, told, answer } = openCounter();
  const changes = ['a', 'a', 'b', 'a'].map((orgId) => counter.changed(orgId));
  t.same(told, [], 'nothing is told before all have come');
  await turn();
  t.same(told, ['test:users-generation:a', 'test:users-generation:b']);
  answer();
  await Promise.all(changes);
});

t.test(
  'a change that comes after the others were told is told by itself, and nobody is told too early',
  async (t) => {
    const { counter, told, answer } = openCounter();
    let isKnown = false;
    const first = counter.changed('a');
    await turn();
    const second = counter.changed('a').then(() => {
      isKnown = true;
    });
    answer();
    await first;
    await turn();
    t.equal(told.length, 2);
    t.equal(isKnown, false, 'Redis has not answered for it');
    answer();
    await second;
  },
);
