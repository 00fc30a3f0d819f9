import bcrypt from 'bcryptjs';
import t from 'tap';
import { createPasswordHasher } from '#src/keys/password-hasher.js';
import { testThreads } from '../../support/keys/test-threads.js';

const hasher = createPasswordHasher({
  memoryKib: 8,
  passes: 1,
  concurrency: 2,
  threads: testThreads({ concurrency: 2, queue: 50 }),
});
const place = { purpose: 'sign-in', orgId: 'one' } as const;
t.teardown(() => hasher.close());

t.test('bcrypt hashes of every prefix are verified', async (t) => {
  const hash = bcrypt.hashSync('Correct-Horse-1', 4);
  for (const prefix of ['$2a$', '$2b$', '$2y$']) {
    const imported = hash.replace(/^\$2.\$/, prefix);
    t.equal(await hasher.verify(imported, 'Correct-Horse-1', place), true, prefix);
    t.equal(await hasher.verify(imported, 'correct-horse-1', place), false, prefix);
    t.equal(hasher.isOutdated(imported), true);
  }
});

t.test('many at once get each its own answer, and the event loop stays free', async (t) => {
  const hash = bcrypt.hashSync('right', 10);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      hasher.verify(hash, index % 3 === 0 ? 'right' : `wrong ${index}`, place),
    ),
  );
  clearInterval(timer);
  t.same(
    answers,
    Array.from({ length: 12 }, (_, index) => index % 3 === 0),
  );
  t.ok(turns > 12, `${turns} turns of the loop went on meanwhile`);
});

t.test('a form whose function does not pause leaves the event loop free too', async (t) => {
  const zeros = (bytes: number) => Buffer.alloc(bytes).toString('base64').replaceAll('=', '');
  const costly = {
    pbkdf2: `$pbkdf2-sha512$i=50000,l=64$c2FsdHNhbHQ$${zeros(64)}`,
    scrypt: `$scrypt$ln=14,r=8,p=1$c2FsdHNhbHQ$${zeros(64)}`,
    'crypt(3)': `$6$rounds=10000$saltstring$${'.'.repeat(86)}`,
    drupal: `$S$D${'s'.repeat(8)}${'.'.repeat(43)}`,
  };
  for (const [form, hash] of Object.entries(costly)) {
    const verifications = 4;
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const answers = await Promise.all(
      Array.from({ length: verifications }, () => hasher.verify(hash, 'wrong', place)),
    );
    clearInterval(timer);
    t.same(new Set(answers), new Set([false]), form);
    // On the event loop, at most one turn would come between two verifications.
    t.ok(turns > verifications, `${form}: ${turns} turns of the loop went on meanwhile`);
  }
});

t.test('no hash is as much work as a hash', async (t) => {
  const answer = hasher.verify(undefined, 'x', place);
  t.same(hasher.load(), { running: 1, waiting: 0 });
  t.equal(await answer, false);
});

t.test('only hashes of the configured kind and cost are up to date', async (t) => {
  t.equal(hasher.isOutdated(await hasher.hash('x', place)), false);
  const other = createPasswordHasher({
    memoryKib: 16,
    passes: 2,
    concurrency: 1,
    threads: testThreads({ concurrency: 1, queue: 1 }),
  });
  t.equal(hasher.isOutdated(await other.hash('x', place)), true);
});
