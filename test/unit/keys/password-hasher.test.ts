import t from 'tap';
import { createPasswordHasher, type PasswordHasherOptions } from '#src/keys/password-hasher.js';
import type { ThreadLimits } from '#src/keys/thread-pool.js';
import { testThreads } from '../../support/keys/test-threads.js';
import { processorTime } from '../../support/processor-time.js';
import { errorIdOf } from '../../support/thrown.js';

const cheap = { memoryKib: 8, passes: 1, concurrency: 2 };
const hasherOf = (options: Partial<PasswordHasherOptions> = {}, limits: Partial<ThreadLimits> = {}) =>
  createPasswordHasher({ ...cheap, threads: testThreads({ queue: 3, ...limits }), ...options });
const place = { purpose: 'sign-in', orgId: 'one' } as const;

t.test('a password matches its own hash alone', async (t) => {
  const hasher = hasherOf();
  const hash = await hasher.hash('Correct-Horse-1', place);
  t.match(hash, /^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  t.equal(await hasher.verify(hash, 'Correct-Horse-1', place), true);
  t.equal(await hasher.verify(hash, 'correct-horse-1', place), false);
  t.not(await hasher.hash('Correct-Horse-1', place), hash, 'each has a salt of its own');
});

t.test('the cost is as configured', async (t) => {
  const hash = await hasherOf({ memoryKib: 64, passes: 3 }).hash('x', place);
  t.match(hash, /\$m=64,t=3,p=1\$/);
  t.equal(await hasherOf().verify(hash, 'x', place), true, 'a hash carries its own cost');
});

t.test('work beyond the bounds is refused, and what waits is done', async (t) => {
  const hasher = hasherOf();
  const started = Array.from({ length: 5 }, () => hasher.hash('x', place));
  t.same(hasher.load(), { running: 2, waiting: 3 });
  t.equal(await errorIdOf(() => hasher.hash('x', place)), 'keys.hashPoolSaturated');
  t.equal(await errorIdOf(() => hasher.verify('$argon2id$', 'x', place)), 'keys.hashPoolSaturated');
  t.equal((await Promise.all(started)).length, 5);
  t.same(hasher.load(), { running: 0, waiting: 0 });
});

t.test('a failure gives its place back', async (t) => {
  const hasher = hasherOf({ concurrency: 1 }, { concurrency: 1, queue: 0 });
  for (let i = 0; i < 3; i++) await t.rejects(hasher.hash(undefined as never, place));
  t.same(hasher.load(), { running: 0, waiting: 0 });
  t.match(await hasher.hash('x', place), /^\$argon2id/);
});

t.test('a hash that cannot be read matches nothing, for the same work, and is told once', async (t) => {
  const told: string[] = [];
  const logger = { warn: (_: unknown, text: string) => told.push(text) } as never;
  const hasher = hasherOf({ memoryKib: 32_768, passes: 2, logger });
  const start = processorTime();
  await hasher.verify(undefined, 'x', place);
  const usual = processorTime() - start;
  const parameters = '$argon2id$v=19$m=8,t=1,p=1$';
  for (const hash of ['not a hash', '', '$argon2id$', `${parameters}abc`, `${parameters}YWJjZGVmZ2g$YWJj`]) {
    const begun = processorTime();
    t.equal(await hasher.verify(hash, 'x', place), false, hash);
    t.ok(processorTime() - begun > usual / 10, 'it is computed');
  }
  t.equal(told.length, 1);
});

t.test('a flood of names that nobody has is answered without work', async (t) => {
  const hasher = hasherOf();
  const nobody = { purpose: 'sign-in', orgId: undefined } as const;
  const answers = Array.from({ length: 50 }, () => hasher.verify(undefined, 'x', nobody));
  t.same(hasher.load(), { running: 2, waiting: 2 });
  t.same(new Set(await Promise.all(answers)), new Set([false]));
});
