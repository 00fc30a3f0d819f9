import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { inLine } from '#src/directory/lines.js';
import { repository } from '../../../dev/repository.js';
import { errorIdOf } from '../../support/thrown.js';

const turns = () => new Promise((resolve) => setImmediate(resolve));

t.test('changes of one object come one after another, and those of others at once', async (t) => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const change = (id: string, name: string) =>
    inLine(['user', id], () => {
      begun.push(name);
      return new Promise<void>((end) => ends.push(end));
    });
  const done = [change('a', 'a1'), change('a', 'a2'), change('b', 'b1'), change('a', 'a3')];
  await turns();
  t.same(begun, ['a1', 'b1']);
  for (let ended = 0; ended < 4; ended++) {
    ends.shift()?.();
    await turns();
  }
  t.same(begun, ['a1', 'b1', 'a2', 'a3']);
  await Promise.all(done);
});

t.test('a change that fails lets the next one begin', async (t) => {
  const failed = inLine(['group', 'a'], () => Promise.reject(new Error('no')));
  const next = inLine(['group', 'a'], async () => 'done');
  await t.rejects(failed, { message: 'no' });
  t.equal(await next, 'done');
});

t.test('99 changes of an object wait at most, and further ones are told to try again', async (t) => {
  let end = () => {};
  const first = inLine(['project', 'a'], () => new Promise<void>((resolve) => (end = resolve)));
  const waiting = Array.from({ length: 99 }, (_, number) => inLine(['project', 'a'], async () => number));
  t.equal(await errorIdOf(() => inLine(['project', 'a'], async () => 0)), 'directory.changing');
  t.equal(await inLine(['application', 'a'], async () => 'another object'), 'another object');
  end();
  await first;
  t.same(
    await Promise.all(waiting),
    waiting.map((_, number) => number),
  );
});

/**
 * These do not use `Mongo.transactionOf`: jobs of workers, which are few, acts of instance owners, and new users, of whom each
 * organization writes two transactions at a time.
 */
const withoutShare = [
  'directory/features/change-features.ts',
  'directory/organizations/add-organization.ts',
  'directory/user-totals/user-totals.store.ts',
  'directory/users/write-changed-users.ts',
  'directory/users/write-new-users.ts',
  'keys/remove-signing-key.ts',
  'keys/rotate-signing-keys.ts',
  'migration/export/run-export.ts',
  'migration/import/run/commit-part.ts',
  'migration/import/run/end-import.ts',
  'migration/import/run/refuse-part.ts',
  'migration/import/run/split-or-fail.ts',
  'migration/import/run/stage-object.ts',
  'migration/import/sections/clients/deactivations.ts',
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
