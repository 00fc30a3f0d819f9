import t from 'tap';
import { nameSubject } from '#src/authentication/attempt-subjects.js';
import { findAccount, loginNameKey } from '#src/authentication/find-account.js';
import { findHookedOrganization } from '#src/authentication/migration-hook/find-hooked-organization.js';
import {
  hasInvisibleCharacters,
  hasManyMarks,
  hasUnusableCharacters,
  isDeceptive,
  isLongerThan,
} from '#src/directory/characters.js';
import { requireEmail, requireText, requireUserName } from '#src/directory/value-rules.js';

const marks = (count: number) => `a${'\u0301\u0316'.repeat(count / 2)}`;

t.test('at most 30 combining marks in a row', async (t) => {
  for (const [text, many] of [
    ['', false],
    [marks(30), false],
    [`${marks(30)}${marks(30)}`, false],
    [marks(32), true],
    [`x${'\u{1d165}'.repeat(31)}`, true],
    [`x${'\u{e0100}'.repeat(31)}`, true],
    ['한국어 नमस्ते ภาษาไทย e\u0301', false],
  ] as const) {
    t.equal(hasManyMarks(text), many, JSON.stringify(text.slice(0, 20)));
    t.equal(hasUnusableCharacters(text), many);
  }
});

t.test('control characters and halves of pairs', async (t) => {
  for (const text of ['a\u0000', '\u007f', 'x\u0085', '\ud800', '\udc00a']) t.ok(hasUnusableCharacters(text));
  for (const text of ['a\tb\r\n', 'é', '\u{1f600}', '\u00a0']) t.notOk(hasUnusableCharacters(text));
});

t.test('names have no line breaks and nothing invisible, but the joiners that scripts need', async (t) => {
  for (const name of [
    'a\nb',
    'a\tb',
    'a\u2028b',
    'a\u202eb',
    'a\u200bb',
    '\ufeffa',
    'a\u00adb',
    'a\u2066b',
  ]) {
    t.ok(hasInvisibleCharacters(name), encodeURIComponent(name));
    t.ok(isDeceptive(name.replace(/[\n\t]/, '\u2028')), encodeURIComponent(name));
    for (const path of ['name.givenName', 'name.formatted', 'displayName', 'nickName'])
      t.throws(() => requireText(path, name), { message: /invisible/ }, path);
  }
  for (const name of ['می\u200cخواهم', '\u{1f469}\u200d\u{1f467}', "O'Neill, Dr."]) {
    t.notOk(hasInvisibleCharacters(name));
    t.doesNotThrow(() => requireText('displayName', name));
  }
  t.doesNotThrow(() => requireText('addresses.formatted', 'Street 1\nCity'));
});

t.test('a login name has nothing that looks like an @ or cannot be seen', async (t) => {
  for (const name of [
    'bob\uff20acme.example',
    'bob\ufe6bacme.example',
    'bo\u200db',
    'bo\u200cb',
    'b\u00adob',
  ])
    t.throws(() => requireUserName(name), { message: /userName/ }, encodeURIComponent(name));
  for (const email of ['bo\u202eb@acme.example', 'bo\u200db@acme.example', 'bob\uff20x@acme.example'])
    t.throws(() => requireEmail(email), { message: /emails/ }, encodeURIComponent(email));
  t.equal(requireEmail('zoë@acme.example'), 'zoë@acme.example');
  t.equal(requireUserName(' bob@acme.example '), 'bob@acme.example');
});

t.test('characters are counted, not their halves', async (t) => {
  t.notOk(isLongerThan('\u{1f600}'.repeat(5), 5));
  t.ok(isLongerThan('\u{1f600}'.repeat(6), 5));
  t.ok(isLongerThan('a'.repeat(6), 5));
  t.notOk(isLongerThan('', 0));
});

t.test('a login name that is too long is neither folded nor looked up', async (t) => {
  const { normalize, toLowerCase } = String.prototype;
  const calls = [
    t.capture(String.prototype, 'normalize', normalize),
    t.capture(String.prototype, 'toLowerCase', toLowerCase),
  ];
  const withoutStores = { caches: { organizations: {} }, clock: { now: () => new Date() } } as never;
  for (const length of [401, 4_000, 60_000]) {
    for (const text of [marks(length), 'a'.repeat(length), `${'a'.repeat(length)}@acme.example`]) {
      // Without stores: a look-up would fail.
      t.equal(await findAccount({} as never, { text }), undefined);
      t.equal(await findAccount({} as never, { text: 'a', organization: text }), undefined);
      t.equal(await findHookedOrganization(withoutStores, { text: 'a', organization: text }), undefined);
      t.equal(loginNameKey(text), undefined);
      t.equal(nameSubject(text, text), nameSubject(''), 'all of them are counted together');
    }
  }
  const lengths = calls.flatMap((made) => made().map(({ receiver }) => String(receiver).length));
  t.ok(Math.max(0, ...lengths) <= 400, `${Math.max(0, ...lengths)} characters are folded`);
  t.equal(loginNameKey(` ${'A'.repeat(400)} `), 'a'.repeat(400), 'the longest one');
});
