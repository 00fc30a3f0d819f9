import { mock } from 'node:test';
import t from 'tap';
import { batchReads, batchWrites } from '#src/platform/work/batcher.js';

/** A store whose calls end when the test ends them. */
function heldStore() {
  const calls: { ids: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  const readMany = (ids: readonly string[]) =>
    new Promise<(id: string) => string | undefined>((resolve, reject) => {
      calls.push({
        ids,
        end: () => resolve((id) => (id.startsWith('no') ? undefined : `value of ${id}`)),
        fail: reject,
      });
    });
  return { calls, readMany };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

t.test('requests of one turn, and those during a call, are sent together', async (t) => {
  const { calls, readMany } = heldStore();
  const read = batchReads(readMany, { atOnce: 1, most: 3 });
  const early = ['a', 'b', 'b'].map(read);
  await nextTurn();
  t.strictSame(calls[0]?.ids, ['a', 'b', 'b']);
  const late = ['c', 'nobody', 'd', 'e'].map(read);
  await nextTurn();
  t.equal(calls.length, 1, 'no more calls at once than allowed');
  calls[0]?.end();
  t.strictSame(await Promise.all(early), ['value of a', 'value of b', 'value of b']);
  await nextTurn();
  t.strictSame(calls[1]?.ids, ['c', 'nobody', 'd'], 'no more than so many in one call');
  calls[1]?.end();
  t.equal(await late[1], undefined, 'what is not there is absent');
  await nextTurn();
  calls[2]?.end();
  t.equal(await late[3], 'value of e');
});

t.test('an answer is never older than its question', async (t) => {
  const { calls, readMany } = heldStore();
  const read = batchReads(readMany, { atOnce: 1, most: 10 });
  const first = read('a');
  await nextTurn();
  const second = read('a');
  calls[0]?.end();
  await first;
  await nextTurn();
  t.strictSame(calls[1]?.ids, ['a'], 'a call that had begun does not answer it');
  calls[1]?.end();
  t.equal(await second, 'value of a');
});

t.test('a failure is that of its call alone', async (t) => {
  const { calls, readMany } = heldStore();
  const read = batchReads(readMany, { atOnce: 2, most: 10 });
  const failed = read('a');
  await nextTurn();
  const other = read('b');
  await nextTurn();
  calls[0]?.fail(new Error('away'));
  await t.rejects(failed, { message: 'away' });
  calls[1]?.end();
  t.equal(await other, 'value of b');
});

t.test('a call beside a running one begins when it is as large', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const { calls, readMany } = heldStore();
  const read = batchReads(readMany, { atOnce: 2, most: 10 });
  const reads = ['a', 'b'].map(read);
  await nextTurn();
  reads.push(read('c'));
  await nextTurn();
  t.equal(calls.length, 1, 'one of two waits for another');
  reads.push(read('d'));
  await nextTurn();
  t.strictSame(calls[1]?.ids, ['c', 'd'], 'both go together');
  reads.push(...['e', 'f', 'g'].map(read));
  await nextTurn();
  t.equal(calls.length, 2, 'no more calls at once than allowed');
  calls[0]?.end();
  await nextTurn();
  await nextTurn();
  t.strictSame(calls[2]?.ids, ['e', 'f', 'g'], 'enough wait for the place of a call that ended');
  reads.push(read('h'));
  for (const { end } of calls) end();
  await nextTurn();
  await nextTurn();
  t.strictSame(calls[3]?.ids, ['h'], 'what waits alone goes when no call is running');
  calls[3]?.end();
  t.equal((await Promise.all(reads)).length, 8);
});

t.test('a slow call makes nobody wait for long', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const { calls, readMany } = heldStore();
  const read = batchReads(readMany, { atOnce: 2, most: 10 });
  const slow = ['a', 'b', 'c'].map(read);
  await nextTurn();
  const alone = read('d');
  await nextTurn();
  mock.timers.tick(19);
  await nextTurn();
  t.equal(calls.length, 1, 'it waits for others');
  mock.timers.tick(1);
  await nextTurn();
  t.strictSame(calls[1]?.ids, ['d'], 'after 20 ms it no longer does');
  calls[1]?.end();
  t.equal(await alone, 'value of d');
  calls[0]?.end();
  await Promise.all(slow);
});

t.test('reads of different lanes never go together', async (t) => {
  const { calls, readMany } = heldStore();
  const read = batchReads(readMany, { atOnce: 1, most: 10 }, (id) => id.charAt(0));
  const reads = ['a1', 'b1', 'a2'].map(read);
  await nextTurn();
  t.strictSame(
    calls.map(({ ids }) => ids),
    [['a1', 'a2'], ['b1']],
  );
  calls[1]?.end();
  t.equal(await reads[1], 'value of b1', 'none waits for another lane');
  calls[0]?.end();
  t.equal(await reads[2], 'value of a2');
});

t.test('writes that go together have an outcome each', async (t) => {
  const calls: (readonly string[])[] = [];
  const write = batchWrites(async (items: readonly string[]) => {
    calls.push(items);
    return (item, index) => {
      if (item === 'bad') throw new Error('refused');
      return `${index} ${item}`;
    };
  });
  const written = await Promise.allSettled(['a', 'bad', 'a'].map(write));
  t.strictSame(calls, [['a', 'bad', 'a']]);
  t.match(written, [{ value: '0 a' }, { reason: { message: 'refused' } }, { value: '2 a' }]);
});
