import { pbkdf2Sync, scryptSync } from 'node:crypto';
import bcrypt from 'bcryptjs';
import t from 'tap';
import { normalizedPassword, passwordForms } from '#src/keys/password-forms.js';
import { createPasswordHasher } from '#src/keys/password-hasher.js';
import { hashExamples } from '../../support/keys/hash-examples.js';
import { examplePepper } from '../../support/keys/hash-examples-of-systems.js';
import { testThreads } from '../../support/keys/test-threads.js';

const place = { purpose: 'other', orgId: 'one' } as const;
/** Neither in NFC nor in NFD: the first ü is one character, the second is two. */
const mixed = `Gr${'ü'.normalize('NFC')}n-B${'ü'.normalize('NFD')}hne-7`;
const [composed, decomposed] = [mixed.normalize('NFC'), mixed.normalize('NFD')];

/** A hasher that counts its comparisons. */
function counting() {
  const threads = testThreads();
  let runs = 0;
  const counted = {
    ...threads,
    run: ((...args) => {
      runs++;
      return threads.run(...args);
    }) as typeof threads.run,
  };
  const hasher = createPasswordHasher({
    memoryKib: 8,
    passes: 1,
    concurrency: 2,
    threads: counted,
    pepperOf: async () => examplePepper,
  });
  t.teardown(() => hasher.close());
  return {
    hasher,
    async comparisons(hash: string | undefined, password: string) {
      runs = 0;
      const isRight = await hasher.verify(hash, password, place);
      return { runs, isRight };
    },
  };
}

t.test('NFC, as typed, NFD, each only if its bytes differ', async (t) => {
  t.strictSame(passwordForms('Correct-Horse-7'), ['Correct-Horse-7']);
  t.strictSame(passwordForms(''), ['']);
  t.strictSame(passwordForms(composed), [composed, decomposed]);
  t.strictSame(passwordForms(decomposed), [composed, decomposed]);
  t.strictSame(passwordForms(mixed), [composed, mixed, decomposed]);
  t.strictSame(passwordForms('пароль'), ['пароль'], 'the same in every form');
  t.equal(normalizedPassword(decomposed), composed);
  // U+212B ÅNGSTRÖM SIGN is in no normal form.
  t.strictSame(passwordForms('\u212b'), ['\u00c5', '\u212b', 'A\u030a']);
  t.equal(passwordForms(`\ud800${'e\u0301'}`).length, 2, 'half of a pair');
});

t.test('a text of any length costs little', async (t) => {
  const marks = `e${'\u0301\u0323'.repeat(500_000)}`;
  const start = performance.now();
  t.strictSame(passwordForms(marks), [marks]);
  t.equal(normalizedPassword(marks), marks);
  for (const text of ['\u0344'.repeat(1_600), '\u{1d160}'.repeat(800), `e${'\u0301\u0323'.repeat(799)}`])
    t.ok(passwordForms(text).every((form) => form.length <= 4 * 1_600));
  t.ok(performance.now() - start < 500, `${performance.now() - start} ms`);
});

t.test('a password matches however it was typed, then and now', async (t) => {
  const { hasher } = counting();
  const salt = Buffer.from('salt-salt-salt-7');
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  const hashes: Record<string, (password: string) => string> = {
    bcrypt: (password) => bcrypt.hashSync(password, 4),
    scrypt: (password) =>
      `$scrypt$ln=4,r=8,p=1$${base64(salt)}$${base64(scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 }))}`,
    pbkdf2: (password) =>
      `$pbkdf2-sha256$i=10,l=32$${base64(salt)}$${base64(pbkdf2Sync(password, salt, 10, 32, 'sha256'))}`,
    'argon2id of an earlier version': () => '',
  };
  const argon2 = (await import('argon2')).default;
  for (const was of [composed, mixed, decomposed]) {
    for (const [name, hashOf] of Object.entries(hashes)) {
      const hash = hashOf(was) || (await argon2.hash(was, { memoryCost: 8, timeCost: 1, parallelism: 1 }));
      for (const typed of new Set([composed, decomposed, was])) {
        // What is in no form can be found only by typing the same.
        const isFound = was !== mixed || typed === mixed;
        t.equal(
          await hasher.verify(hash, typed, place),
          isFound,
          `${name}: ${was.length} and ${typed.length}`,
        );
      }
      t.equal(await hasher.verify(hash, 'Grun-Buhne-7', place), false, name);
    }
    const own = await hasher.hash(was, place);
    for (const typed of [composed, mixed, decomposed]) {
      t.equal(await hasher.verify(own, typed, place), true, 'what this service hashes is NFC');
      t.equal(await hasher.matchingForm(own, typed, place), composed);
    }
  }
});

t.test('examples of other programs match in both forms', async (t) => {
  const { hasher } = counting();
  const examples = hashExamples.filter(({ password }) => passwordForms(password).length > 1);
  t.ok(examples.length > 1);
  for (const { hash, password, source } of examples) {
    for (const form of ['NFC', 'NFD'] as const)
      t.equal(await hasher.verify(hash, password.normalize(form), place), true, `${source} ${form}`);
  }
});

t.test('the typed text alone decides how many comparisons there are', async (t) => {
  const { hasher, comparisons } = counting();
  for (const [typed, count] of [
    ['Correct-Horse-7', 1],
    [composed, 2],
    [decomposed, 2],
    [mixed, 3],
  ] as const) {
    const right = await hasher.hash(typed, place);
    const wrong = await hasher.hash('Another-Horse-7', place);
    t.strictSame(await comparisons(right, typed), { runs: count, isRight: true });
    for (const hash of [wrong, undefined, 'unreadable', bcrypt.hashSync('x', 4)])
      t.strictSame(await comparisons(hash, typed), { runs: count, isRight: false }, `${hash}`);
  }
});
