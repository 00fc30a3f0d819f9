import t from 'tap';
import { createHashBounds, type HashLimits, type HashPlace } from '#src/keys/hash-bounds.js';
import { errorIdOf } from '../../support/thrown.js';

const signIn = (orgId?: string): HashPlace => ({ purpose: 'sign-in', orgId });
const other = (orgId?: string): HashPlace => ({ purpose: 'other', orgId });

/** Bounds whose work ends only when the test says so. `begun` lists the work in the order in which it began. */
function controlled(limits: Partial<HashLimits> = {}) {
  const counts = { waited: 0, refused: 0 };
  const bounds = createHashBounds({
    concurrency: 1,
    reserved: 0,
    queue: 200,
    waited: () => counts.waited++,
    refused: () => counts.refused++,
    ...limits,
  });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const failures = new Map<string, Promise<string | undefined>>();
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    bounds,
    counts,
    begun,
    failures,
    settled,
    /** Asks for work of this name. */
    ask(name: string, place: HashPlace): void {
      const work = () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      };
      failures.set(
        name,
        errorIdOf(() => bounds.run(place, work)),
      );
    },
    /** Ends the oldest running work, and waits until the next has begun. */
    async endOne(): Promise<void> {
      ends.shift()?.();
      await settled();
    },
  };
}

const names = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word}${index}`);

t.test('a sign-in begins at once while hundreds of creations wait', async (t) => {
  const { bounds, begun, ask } = controlled({ concurrency: 4, reserved: 1 });
  for (const name of names('create', 260)) ask(name, other('a'));
  t.same(begun, ['create0', 'create1', 'create2'], 'one slot is kept');
  ask('sign-in', signIn('b'));
  t.equal(begun.at(-1), 'sign-in');
  t.same(bounds.load(), { running: 4, waiting: 200 });
});

t.test(
  'with one slot a sign-in waits for the running hash alone, and sign-ins do not stop creations',
  async (t) => {
    const { begun, ask, endOne } = controlled({ reserved: 1 });
    for (const name of names('create', 4)) ask(name, other('a'));
    for (const name of names('sign-in', 3)) ask(name, signIn('b'));
    for (let i = 0; i < 6; i++) await endOne();
    t.same(begun, ['create0', 'sign-in0', 'create1', 'sign-in1', 'create2', 'sign-in2', 'create3']);
  },
);

t.test(
  'organizations take turns, for creations and for sign-ins, and unknown names count as one',
  async (t) => {
    for (const place of [signIn, other]) {
      const { begun, ask, endOne } = controlled();
      for (const name of names('a', 5)) ask(name, place('a'));
      for (const name of names('unknown', 2)) ask(name, place());
      for (const name of names('b', 2)) ask(name, place('b'));
      for (let i = 0; i < 8; i++) await endOne();
      t.same(begun, ['a0', 'a1', 'unknown0', 'b0', 'a2', 'unknown1', 'b1', 'a3', 'a4']);
    }
  },
);

t.test('a full queue refuses the newest work of the organization that waits most', async (t) => {
  const { bounds, counts, begun, failures, ask, endOne, settled } = controlled({ queue: 4 });
  for (const name of names('a', 6)) ask(name, other('a'));
  t.equal(await failures.get('a5'), 'keys.hashPoolSaturated', 'an organization alone fills the queue');
  ask('b0', other('b'));
  t.equal(await failures.get('a4'), 'keys.hashPoolSaturated');
  ask('b1', other('b'));
  t.equal(await failures.get('a3'), 'keys.hashPoolSaturated');
  ask('b2', other('b'));
  t.equal(await failures.get('b2'), 'keys.hashPoolSaturated', 'no organization gets more than its share');
  ask('c0', other('c'));
  t.equal(await failures.get('a2'), 'keys.hashPoolSaturated');
  ask('sign-in', signIn('a'));
  await settled();
  t.same(bounds.load(), { running: 1, waiting: 5 }, 'sign-ins have a queue of their own');
  for (let i = 0; i < 5; i++) await endOne();
  t.same(begun, ['a0', 'sign-in', 'a1', 'b0', 'c0', 'b1']);
  await endOne();
  t.same(counts, { waited: 6, refused: 5 });
  t.same(bounds.load(), { running: 0, waiting: 0 });
});

t.test('a full queue of one each refuses the newcomer', async (t) => {
  const { bounds, failures, ask } = controlled({ queue: 2 });
  for (const org of ['a', 'b', 'c', 'd']) ask(org, other(org));
  t.equal(await failures.get('d'), 'keys.hashPoolSaturated');
  t.same(bounds.load(), { running: 1, waiting: 2 });
});

t.test('slots that nobody is kept out of are all used', async (t) => {
  const { begun, ask, endOne } = controlled({ concurrency: 3, reserved: 0 });
  for (const name of names('import', 4)) ask(name, other('a'));
  t.equal(begun.length, 3);
  await endOne();
  t.equal(begun.length, 4);
  const logins = controlled({ concurrency: 3, reserved: 1 });
  for (const name of names('sign-in', 4)) logins.ask(name, signIn('a'));
  t.equal(logins.begun.length, 3, 'sign-ins use every slot');
});

t.test('a slot rests after other work, and sign-ins use it meanwhile', async (t) => {
  const rests: { tookMs: number; waiting: number; end: () => void }[] = [];
  const rest = (ended: { tookMs: number; waiting: number }) =>
    new Promise<void>((end) => rests.push({ ...ended, end }));
  const { bounds, begun, ask, endOne, settled } = controlled({ concurrency: 2, reserved: 1, rest });
  for (const name of names('create', 3)) ask(name, other('a'));
  await settled();
  await endOne();
  t.match(rests, [{ tookMs: Number, waiting: 2 }]);
  t.same(begun, ['create0'], 'the next creation waits');
  for (const name of names('sign-in', 2)) ask(name, signIn('b'));
  t.same(begun, ['create0', 'sign-in0', 'sign-in1']);
  t.same(bounds.load(), { running: 2, waiting: 2 });
  rests.shift()?.end();
  await settled();
  t.same(begun.length, 3, 'sign-ins have all slots');
  await endOne();
  t.same(begun.at(-1), 'create1');
  await endOne();
  t.equal(rests.length, 0, 'nothing rests after a sign-in');
  await endOne();
  rests.shift()?.end();
  await settled();
  t.same(begun.at(-1), 'create2');
});
