import t from 'tap';
import type { ThreadLimits, ThreadWork } from '#src/keys/thread-pool.js';
import { until } from '../../../dev/until.js';
import { testThreads } from '../../support/keys/test-threads.js';
import { errorIdOf } from '../../support/thrown.js';

interface Place {
  readonly kind: ThreadWork;
  readonly orgId: string | undefined;
}

const signIn = (orgId?: string): Place => ({ kind: 'sign-in hash', orgId });
const other = (orgId?: string): Place => ({ kind: 'hash', orgId });
const pairOf = (orgId: string): Place => ({ kind: 'key pair', orgId });
const slow = (orgId: string): Place => ({ kind: 'slow hash', orgId });
const short = (orgId: string): Place => ({ kind: 'short', orgId });
const allKinds: ThreadWork[] = [
  'sign-in hash',
  'hash',
  'slow sign-in hash',
  'slow hash',
  'key pair',
  'signing key',
  'compression',
  'short',
];

/** Threads whose work ends only when the test says so. `begun` lists the work in the order in which it began. */
function controlled(limits: Partial<ThreadLimits> = {}) {
  const counts = { waited: 0, refused: 0 };
  const threads = testThreads({
    threads: 8,
    concurrency: 1,
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
    load: () => threads.load(allKinds),
    counts,
    begun,
    failures,
    settled,
    /** Asks for work of this name. */
    ask(name: string, { kind, orgId }: Place): void {
      const work = () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      };
      failures.set(
        name,
        errorIdOf(() => threads.run(kind, orgId, work)),
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
  const { load, begun, ask } = controlled({ concurrency: 4, reserved: 1 });
  for (const name of names('create', 260)) ask(name, other('a'));
  t.same(begun, ['create0', 'create1', 'create2'], 'one slot is kept');
  ask('sign-in', signIn('b'));
  t.equal(begun.at(-1), 'sign-in');
  t.same(load(), { running: 4, waiting: 200 });
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
  const { load, counts, begun, failures, ask, endOne, settled } = controlled({ queue: 4 });
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
  t.same(load(), { running: 1, waiting: 5 }, 'sign-ins have a queue of their own');
  for (let i = 0; i < 5; i++) await endOne();
  t.same(begun, ['a0', 'sign-in', 'a1', 'b0', 'c0', 'b1']);
  await endOne();
  t.same(counts, { waited: 6, refused: 5 });
  t.same(load(), { running: 0, waiting: 0 });
});

t.test('a full queue of one each refuses the newcomer', async (t) => {
  const { load, failures, ask } = controlled({ queue: 2 });
  for (const org of ['a', 'b', 'c', 'd']) ask(org, other(org));
  t.equal(await failures.get('d'), 'keys.hashPoolSaturated');
  t.same(load(), { running: 1, waiting: 2 });
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
  const { load, begun, ask, endOne, settled } = controlled({ concurrency: 2, reserved: 1, rest });
  for (const name of names('create', 3)) ask(name, other('a'));
  await settled();
  await endOne();
  t.match(rests, [{ tookMs: Number, waiting: 2 }]);
  t.same(begun, ['create0'], 'the next creation waits');
  for (const name of names('sign-in', 2)) ask(name, signIn('b'));
  t.same(begun, ['create0', 'sign-in0', 'sign-in1']);
  t.same(load(), { running: 2, waiting: 2 });
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

t.test('a signature begins at once, whatever else runs or waits', async (t) => {
  const { begun, ask, load } = controlled({ threads: 4, concurrency: 2 });
  for (const name of names('hash', 5)) ask(name, other('a'));
  for (const name of names('sign-in', 5)) ask(name, signIn('a'));
  for (const name of names('slow', 5)) ask(name, slow('a'));
  for (const name of names('pair', 5)) ask(name, pairOf('a'));
  t.same(begun, ['hash0', 'hash1', 'slow0'], 'one of four threads is free');
  for (const name of names('signature', 8)) ask(name, short('b'));
  t.equal(load().running, 11);
});

t.test('key pairs keep neither hashes nor the key pairs of other organizations waiting', async (t) => {
  const { begun, ask, endOne } = controlled({ threads: 4, concurrency: 2 });
  for (const name of names('a', 6)) ask(name, pairOf('a'));
  for (const name of names('b', 2)) ask(name, pairOf('b'));
  t.same(begun, ['a0'], 'one is made at a time');
  for (const name of names('hash', 2)) ask(name, other('a'));
  t.same(begun, ['a0', 'hash0', 'hash1']);
  for (let made = 1; made < 8; made++) {
    await endOne();
    if (made === 1) for (let hash = 0; hash < 2; hash++) await endOne();
    await until(() => begun.length === 3 + made);
  }
  t.same(begun.slice(3), ['a1', 'b0', 'a2', 'b1', 'a3', 'a4', 'a5']);
  await endOne();
});

t.test('after a key pair none is made for three times as long', async (t) => {
  const threads = testThreads();
  const takes = (ms: number) => () => new Promise<void>((end) => setTimeout(end, ms));
  const began = performance.now();
  await threads.run('key pair', 'a', takes(40));
  const ended = performance.now();
  await threads.run('key pair', 'b', takes(0));
  t.ok(performance.now() - ended >= 2.5 * (ended - began), 'of any organization');
});

t.test('few key pairs wait, and few of one organization', async (t) => {
  const { failures, counts, ask, load } = controlled({ threads: 4, concurrency: 2 });
  for (const name of names('a', 12)) ask(name, pairOf('a'));
  t.equal(await failures.get('a11'), 'keys.keyPairsSaturated');
  t.same(load(), { running: 1, waiting: 10 });
  for (const name of names('b', 10)) ask(name, pairOf('b'));
  t.same(load(), { running: 1, waiting: 20 });
  ask('c0', pairOf('c'));
  t.equal(await failures.get('a10'), 'keys.keyPairsSaturated', 'the newest of one that has the most');
  t.equal(counts.refused, 2);
});

t.test('slow comparisons have slots of their own, and key pairs take turns with them', async (t) => {
  const { begun, ask, endOne } = controlled({ threads: 4, concurrency: 2 });
  for (const name of names('slow', 3)) ask(name, slow('a'));
  ask('pair', pairOf('b'));
  for (const name of names('sign-in', 3)) ask(name, signIn('c'));
  t.same(begun, ['slow0', 'sign-in0', 'sign-in1']);
  await endOne();
  t.same(begun.at(-1), 'pair');
});

t.test('with a single thread all kinds take turns', async (t) => {
  const { begun, ask, endOne } = controlled({ threads: 1 });
  const kinds = allKinds.filter((kind) => kind !== 'short');
  for (const kind of kinds) for (let number = 0; number < 2; number++) ask(kind, { kind, orgId: 'a' });
  for (let ended = 0; ended < 7; ended++) await endOne();
  t.same([...begun.slice(1, 8)].sort(), [...kinds].sort());
});

t.test('organizations take turns for signatures too', async (t) => {
  const { begun, ask, endOne } = controlled({ threads: 1 });
  for (const name of names('a', 6)) ask(name, short('a'));
  ask('b', short('b'));
  t.same(begun, ['a0', 'a1']);
  for (let ended = 0; ended < 3; ended++) await endOne();
  t.same(begun, ['a0', 'a1', 'a2', 'b', 'a3']);
});

t.test('work that fails, even at once, gives its place back', async (t) => {
  const threads = testThreads({ concurrency: 1 });
  const no = new Error('no');
  const fail = () => {
    throw no;
  };
  await t.rejects(threads.run('hash', 'a', fail), no);
  await t.rejects(
    threads.run('hash', 'a', () => Promise.reject(no)),
    no,
  );
  t.equal(await threads.run('hash', 'a', async () => 'done'), 'done');
  t.same(threads.load(allKinds), { running: 0, waiting: 0 });
});
