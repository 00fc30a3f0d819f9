import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { inLine } from '#src/directory/lines.js';
import { createKeyedMutex } from '#src/platform/work/keyed-mutex.js';
import { sliceShare } from '#src/platform/work/loop-scheduler.js';
import { repository } from '../../../dev/repository.js';
import { errorIdOf } from '../../support/thrown.js';

// The pauses of a busy process would make the test long.
t.intercept(sliceShare, 'now', { value: () => Number.POSITIVE_INFINITY });

const turns = () => new Promise((resolve) => setImmediate(resolve));

/** Changes that end only when the test says so. `begun` has their names in the order in which they began. */
function controlled() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    /** @param name the identifier of the object, and a number */
    change(name: string, editor = 'editor'): Promise<void> {
      return inLine(['user', name.charAt(0), editor], () => {
        begun.push(name);
        return new Promise<void>((end) => ends.push(end));
      });
    },
    async endOne(): Promise<void> {
      ends.shift()?.();
      await turns();
    },
  };
}

t.test('changes of one object come one after another, and those of others at once', async (t) => {
  const { begun, change, endOne } = controlled();
  const done = ['a1', 'a2', 'b1', 'a3'].map((name) => change(name));
  await turns();
  t.same(begun, ['a1', 'b1']);
  for (let ended = 0; ended < 4; ended++) await endOne();
  t.same(begun, ['a1', 'b1', 'a2', 'a3']);
  await Promise.all(done);
});

t.test('the editors of an object take turns, so that nobody keeps others from it', async (t) => {
  const { begun, change, endOne } = controlled();
  const flood = Array.from({ length: 100 }, (_, number) => change(`c${number}`, 'attacker'));
  const newest = flood.at(-1)?.catch((error: unknown) => error);
  const deactivation = change('c-deactivated', 'administrator');
  t.match(await newest, { definition: { id: 'directory.changing' } }, 'the newest of the crowd gives way');
  await endOne();
  await endOne();
  t.same(begun, ['c0', 'c1', 'c-deactivated']);
  for (let ended = 0; ended < 99; ended++) await endOne();
  await Promise.all([...flood.slice(0, -1), deactivation]);
});

t.test('a change that fails lets the next one begin', async (t) => {
  const failed = inLine(['group', 'a', 'editor'], () => Promise.reject(new Error('no')));
  const next = inLine(['group', 'a', 'editor'], async () => 'done');
  await t.rejects(failed, { message: 'no' });
  t.equal(await next, 'done');
});

t.test('99 changes of an object wait at most, and further ones are told to try again', async (t) => {
  let end = () => {};
  const first = inLine(['project', 'a', 'x'], () => new Promise<void>((resolve) => (end = resolve)));
  const waiting = Array.from({ length: 99 }, (_, number) =>
    inLine(['project', 'a', 'x'], async () => number),
  );
  t.equal(await errorIdOf(() => inLine(['project', 'a', 'x'], async () => 0)), 'directory.changing');
  t.equal(await inLine(['application', 'a', 'x'], async () => 'another object'), 'another object');
  end();
  await first;
  t.same(
    await Promise.all(waiting),
    waiting.map((_, number) => number),
  );
});

t.test('work that waits too long is refused, and those behind it go on', async (t) => {
  const refuse = () => new Error('too late');
  const lines = createKeyedMutex({ waiting: 5, longestWaitMs: 20, refuse });
  let end = () => {};
  const first = lines.run('a', 'x', () => new Promise<void>((resolve) => (end = resolve)));
  await t.rejects(
    lines.run('a', 'x', async () => t.fail('refused work never runs')),
    { message: 'too late' },
  );
  const last = lines.run('a', 'y', async () => 'done');
  end();
  await first;
  t.equal(await last, 'done');
  t.equal(await lines.run('a', 'x', async () => 'again'), 'again');
});

t.test('a crowd waits for a rest after each work, and the result does not', async (t) => {
  const rests: number[] = [];
  const ends: (() => void)[] = [];
  const rest = ({ waiting }: { waiting: number }) => {
    rests.push(waiting);
    return waiting < 2 ? undefined : new Promise<void>((end) => ends.push(end));
  };
  const lines = createKeyedMutex({
    waiting: 5,
    longestWaitMs: 60_000,
    refuse: () => new Error('late'),
    rest,
  });
  const begun: number[] = [];
  const done = [1, 2, 3].map((n) => lines.run('a', 'x', async () => begun.push(n)));
  await done[0];
  await turns();
  t.same(begun, [1]);
  ends[0]?.();
  await Promise.all(done);
  t.same(
    [begun, rests],
    [
      [1, 2, 3],
      [2, 1, 0],
    ],
  );
});

/**
 * These do not use `Mongo.transactionOf`: jobs of workers, which are few, acts of instance owners, and new users, of whom each
 * organization writes two transactions at a time.
 */
const withoutShare = [
  'admin/policy-trials/run-policy-trial.ts',
  'admin/user-actions/run-user-actions.ts',
  'keys/remove-signing-key.ts',
  'keys/rotate-signing-keys.ts',
  'migration/export/run-export.ts',
  'migration/import/end/end-import.ts',
  'migration/import/lists/machine-users/deactivations.ts',
  'migration/import/parts/commit-part.ts',
  'migration/import/parts/refuse-part.ts',
  'migration/import/parts/split-or-fail.ts',
  'migration/import/receive/stage-object.ts',
  'migration/import/run/unpack-import.ts',
  'organizations/add-organization.ts',
  'organizations/features/change-features.ts',
  'organizations/user-totals.store.ts',
  'people/users/write-changed-users.ts',
  'people/users/write-new-users.ts',
  'scim/bulk/run-bulk.ts',
];

t.test('every transaction that clients ask for counts for its organization', (t) => {
  const source = join(repository, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const found = files.filter((name) => /\.transaction\(/.test(readFileSync(join(source, name), 'utf8')));
  t.same(found.sort(), withoutShare);
  t.end();
});
