import t from 'tap';
import type { UserProfileInput } from '#src/directory/user.js';
import { asInput, isDisplayNameGiven } from '#src/people/users/display-name.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { chosenLanguage } from '#src/people/users/preferred-language.js';

const minimal: UserProfileInput = {
  userName: 'ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@example.com' }],
};

t.test('a minimal profile gets its defaults', async (t) => {
  t.same(normalizeProfile(minimal), {
    userName: 'ada',
    active: true,
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    displayName: 'Ada Lovelace',
    preferredLanguage: 'en',
    emails: [{ value: 'ada@example.com', primary: true }],
  });
});

t.test('displayName wins over name.formatted, which wins over the parts of the name', async (t) => {
  const named = (more: object) => normalizeProfile({ ...minimal, ...more }).displayName;
  const name = { ...minimal.name, formatted: 'Countess Lovelace' };
  t.equal(named({ name, displayName: 'Ada L.' }), 'Ada L.');
  t.equal(named({ name }), 'Countess Lovelace');
});

t.test('a profile knows whether a client gave its displayName, and keeps name.formatted', async (t) => {
  const name = { ...minimal.name, formatted: 'Countess Lovelace' };
  t.strictSame(normalizeProfile({ ...minimal, name }).name, name);
  t.equal(isDisplayNameGiven(normalizeProfile({ ...minimal, name })), false);
  t.equal(isDisplayNameGiven(normalizeProfile({ ...minimal, displayName: 'Ada Lovelace' })), true);
  const earlier = { ...normalizeProfile(minimal), displayName: 'Countess' };
  t.equal(isDisplayNameGiven(earlier), true, 'stored before it was remembered');
  for (const profile of [
    normalizeProfile({ ...minimal, name }),
    normalizeProfile({ ...minimal, displayName: 'Ada' }),
  ])
    t.strictSame(normalizeProfile(asInput(profile)), profile, 'unchanged');
});

t.test('a profile knows whether a client gave its language', async (t) => {
  const assumed = normalizeProfile(minimal);
  t.match(assumed, { preferredLanguage: 'en', preferredLanguageGiven: undefined });
  t.equal(chosenLanguage(assumed), undefined);
  const english = normalizeProfile({ ...minimal, preferredLanguage: 'en' });
  t.equal(chosenLanguage(english), 'en');
  const german = normalizeProfile({ ...minimal, preferredLanguage: 'de-CH' });
  t.match(german, { preferredLanguage: 'de-CH', preferredLanguageGiven: undefined });
  t.equal(chosenLanguage(german), 'de-CH');
  for (const profile of [assumed, english, german])
    t.strictSame(normalizeProfile(asInput(profile)), profile, 'unchanged');
});

t.test('exactly one e-mail address is primary', async (t) => {
  const primaries = (...flags: (boolean | undefined)[]) =>
    normalizeProfile({
      ...minimal,
      emails: flags.map((primary, i) => ({
        value: `${i}@example.com`,
        ...(primary !== undefined && { primary }),
      })),
    }).emails.map(({ primary }) => primary);
  t.same(primaries(undefined, undefined), [true, false]);
  t.same(primaries(false, false), [true, false]);
  t.same(primaries(false, true), [false, true]);
  t.same(primaries(undefined, true, true), [false, true, false]);
});

t.test('at most one telephone number is primary, and numbers are normalized', async (t) => {
  const phones = (...phoneNumbers: { value: string; primary?: boolean; type?: string }[]) =>
    normalizeProfile({ ...minimal, phoneNumbers }).phoneNumbers;
  t.same(phones({ value: '+41 79 123-45-67', type: 'work' }), [
    { value: '+41791234567', type: 'work', primary: false },
  ]);
  t.same(phones({ value: '112', primary: true }, { value: '117', primary: true }), [
    { value: '112', primary: true },
    { value: '117', primary: false },
  ]);
});

t.test('a text that is no telephone number is kept as it was sent', async (t) => {
  const kept = (value: string) =>
    normalizeProfile({ ...minimal, phoneNumbers: [{ value }] }).phoneNumbers?.[0]?.value;
  for (const text of ['call me', '(555) EXT. 12', '12', '+1234567890123456', 'TEL: ', ' 1-2 ', '++123'])
    t.equal(kept(text), text, text);
  t.equal(kept(' tel:+1 (555) 0100'), '+15550100');
});

t.test('displayName falls back to the userName', async (t) => {
  const shown = (more: Partial<UserProfileInput>) => normalizeProfile({ userName: ' ada ', ...more });
  t.strictSame(shown({}), {
    userName: 'ada',
    name: {},
    active: true,
    displayName: 'ada',
    preferredLanguage: 'en',
    emails: [],
  });
  t.equal(shown({ name: { familyName: 'Lovelace' } }).displayName, 'Lovelace');
  t.equal(shown({ name: { givenName: 'Ada' } }).displayName, 'Ada');
  t.equal(shown({ name: { givenName: ' ' } }).displayName, 'ada', 'a blank name is none');
  const bare = shown({});
  t.equal(isDisplayNameGiven(bare), false);
  t.equal(normalizeProfile({ ...asInput(bare), userName: 'countess' }).displayName, 'countess', 'it follows');
  t.equal(isDisplayNameGiven(shown({ displayName: 'ada' })), true, 'given, although it is the same');
});

t.test('at most one value of every other list is primary', async (t) => {
  const { roles, addresses } = normalizeProfile({
    ...minimal,
    roles: [{ value: 'a' }, { value: 'b', primary: true }, { value: 'c', primary: true }],
    addresses: [{ country: 'CH', primary: true }],
  });
  t.strictSame(roles, [{ value: 'a' }, { value: 'b', primary: true }, { value: 'c', primary: false }]);
  t.strictSame(addresses, [{ country: 'CH', primary: true }]);
});

t.test('given values are kept', async (t) => {
  const given = {
    ...minimal,
    active: false,
    externalId: 'x-1',
    locale: 'de_CH',
    timezone: 'Europe/Zurich',
    profileUrl: 'https://example.com/ada',
    roles: [{ value: 'admin', display: 'Admin' }],
  };
  t.match(normalizeProfile(given), { ...given, locale: 'de-CH', emails: [{ primary: true }] });
});

t.test('bad values are refused by the name of their attribute', async (t) => {
  const cases: [Partial<UserProfileInput>, RegExp][] = [
    [{ emails: [{ value: 'nobody' }] }, /^emails.value/],
    [
      { emails: Array.from({ length: 101 }, (_, i) => ({ value: `${i}@example.com` })) },
      /^emails has more than 100/,
    ],
    [{ phoneNumbers: [{ value: 'x'.repeat(501) }] }, /^phoneNumbers.value/],
    [{ photos: [{ value: 'javascript:alert(1)' }] }, /^photos.value/],
    [{ profileUrl: 'nowhere' }, /^profileUrl/],
    [{ locale: 'not a locale' }, /^locale/],
    [{ timezone: 'Mars/Olympus' }, /^timezone/],
    [{ preferredLanguage: '-' }, /^preferredLanguage/],
    [{ title: 'x'.repeat(501) }, /^title has more than/],
    [{ userName: 'a\ud800' }, /^userName has control characters/],
    [{ title: 'a\u0000b' }, /^title has control characters/],
    [{ name: { givenName: '\udfff', familyName: 'L' } }, /^name.givenName has control characters/],
    [{ name: { givenName: 'x'.repeat(501), familyName: 'L' } }, /^name.givenName has more than/],
    [{ addresses: [{ formatted: 'x'.repeat(2001) }] }, /^addresses.formatted has more than/],
  ];
  for (const [change, message] of cases) {
    t.throws(() => normalizeProfile({ ...minimal, ...change }), { message }, Object.keys(change)[0] ?? '');
  }
});

t.test(
  'the text of a profile is limited as a whole, so that lists of long values do not multiply',
  async (t) => {
    const addresses = (count: number) =>
      Array.from({ length: count }, () => ({ formatted: 'a'.repeat(1_900) }));
    t.ok(normalizeProfile({ ...minimal, addresses: addresses(34) }), '64,600 characters');
    const tooLarge = { ...minimal, addresses: addresses(36) };
    t.throws(() => normalizeProfile(tooLarge), { message: /more than 65536 characters of text/ });
    // As an earlier version accepted it.
    const current = { ...normalizeProfile(minimal), addresses: addresses(36) };
    t.ok(normalizeProfile({ ...tooLarge, active: false }, undefined, current), 'it may still be deactivated');
    const grown = { ...minimal, addresses: addresses(37) };
    t.throws(() => normalizeProfile(grown, undefined, current), 'but not grow');
  },
);
