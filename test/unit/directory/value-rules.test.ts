import t from 'tap';
import {
  preferredTag,
  requireBirthdate,
  requireEmail,
  requireLanguageTag,
  requirePreferredLanguage,
  requireText,
  requireTimeZone,
  requireUrl,
  requireUserName,
  toPhoneNumber,
} from '#src/directory/value-rules.js';
import { growthByFour } from '../../support/processor-time.js';
import { errorIdOf } from '../../support/thrown.js';

/** Every rule: accepted values with their results, and refused values. */
const rules: Record<string, { rule: (text: string) => unknown; good: [string, string][]; bad: string[] }> = {
  requireUserName: {
    rule: requireUserName,
    good: [
      ['ada', 'ada'],
      [' ada@example.com ', 'ada@example.com'],
      ['Ωμέγα', 'Ωμέγα'],
      ['😀'.repeat(200), '😀'.repeat(200)],
      ['a b', 'a b'],
    ],
    bad: ['', '   ', '\t', 'a\u0000b', 'a\nb', 'x'.repeat(201), '\u0085'],
  },
  requireEmail: {
    rule: requireEmail,
    good: [
      ['ada@example.com', 'ada@example.com'],
      [' ada@example.com ', 'ada@example.com'],
      ["o'brien+tag@mail.example.co.uk", "o'brien+tag@mail.example.co.uk"],
      ['ada@localhost', 'ada@localhost'],
      ['юля@пример.рф', 'юля@пример.рф'],
      [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    ],
    bad: [
      '',
      'ada',
      '@example.com',
      'ada@',
      'a@b@c',
      '.ada@example.com',
      'ada.@example.com',
      'a..da@example.com',
      'ada@-example.com',
      'ada@example-.com',
      'ada@example..com',
      'ada@.com',
      'ada lovelace@example.com',
      'ada@exa mple.com',
      'ada@example.com\nbcc: x@example.com',
      'ada\u0000@example.com',
      '<ada@example.com>',
      '"ada"@example.com',
      'ada@[127.0.0.1]',
      `${'a'.repeat(65)}@example.com`,
      `ada@${'a'.repeat(64)}.com`,
      `ada@${'a.'.repeat(130)}com`,
    ],
  },
  toPhoneNumber: {
    rule: toPhoneNumber,
    good: [
      ['+41 79 123-45-67', '+41791234567'],
      ['tel:+1 (555) 010.0199', '+15550100199'],
      ['0791234567', '0791234567'],
      ['112', '112'],
      // What is no number stays as it is.
      ...['', '+', '12', '1'.repeat(16), '+41 79 CALL ME', '++41', '41+79', '٠١٢٣٤', '1;ext=2'].map(
        (text): [string, string] => [text, text],
      ),
    ],
    bad: [],
  },
  requireTimeZone: {
    rule: requireTimeZone,
    good: [
      ['Europe/Zurich', 'Europe/Zurich'],
      ['Asia/Calcutta', 'Asia/Calcutta'],
      ['UTC', 'UTC'],
      ['Etc/GMT+5', 'Etc/GMT+5'],
    ],
    bad: [
      '',
      'Mars/Olympus',
      '+01:00',
      'Europe/Zurich ',
      '../../etc/passwd',
      'x'.repeat(100),
      'Europe/Zürich',
    ],
  },
  requireUrl: {
    rule: (text) => requireUrl('profileUrl', text),
    good: [
      ['https://example.com/ada', 'https://example.com/ada'],
      ['HTTP://example.com', 'HTTP://example.com'],
    ],
    bad: [
      '',
      'example.com',
      '/ada',
      'ftp://example.com',
      'javascript:alert(1)',
      'data:text/html,x',
      ' https://example.com',
      'https://',
      'https://exa mple.com',
    ],
  },
  requireBirthdate: {
    rule: requireBirthdate,
    good: ['1990-12-31', '2000-02-29', '0000-02-29', '0000-12-31', '1990'].map((date) => [date, date]),
    bad: [
      ...['', '0000', '199', '90-12-31', '1990-12', '1990-12-32', '1990-13-01', '1990-02-30', '1999-02-29'],
      ...['1990-1-1', '1990-12-31T00:00:00Z', '31.12.1990', ' 1990-12-31', '1990-00-10', '+1990-12-31'],
    ],
  },
  requireLanguageTag: {
    rule: (text) => requireLanguageTag('locale', text),
    good: [
      ['en', 'en'],
      ['EN-us', 'en-US'],
      ['de_CH', 'de-CH'],
      ['zh-hant-tw', 'zh-Hant-TW'],
    ],
    bad: ['', 'english language', 'e', '-', 'de--CH', '*', 'x'.repeat(50), 'de, en', 'de;q=1'],
  },
  requirePreferredLanguage: {
    rule: (text) => requirePreferredLanguage('preferredLanguage', text),
    good: [
      ['EN-us', 'en-US'],
      ['de_CH', 'de-CH'],
      ['da, en-gb;q=0.8, en;q=0.7', 'da, en-gb;q=0.8, en;q=0.7'],
      [' de_CH,,de ; Q=1.000,*;q=0 ', 'de-CH,,de ; Q=1.000,*;q=0'],
      ['fr;q=0.5', 'fr;q=0.5'],
      ['*, sv', '*, sv'],
    ],
    bad: [
      ...['', ',', '*', '*;q=0.1', 'da; en', 'da;q=2', 'da;q=0.1234', 'da;q=', 'da;q=1.1', 'da;level=1'],
      ...['de\n, fr', '\u00a0de, fr', 'de,\vfr'],
      ...['da, english language', 'da, <b>', 'e, da', `${'a,'.repeat(250)}!`, `da${' '.repeat(400)}x`],
    ],
  },
};

for (const [name, { rule, good, bad }] of Object.entries(rules)) {
  t.test(name, async (t) => {
    for (const [given, kept] of good) t.equal(rule(given), kept, JSON.stringify(given).slice(0, 40));
    for (const given of bad) {
      const id = await errorIdOf(() => rule(given));
      t.match(id, /^directory\.value(Invalid|Missing)$/, JSON.stringify(given).slice(0, 40));
    }
  });
}

t.test('the first tag of preferred languages counts', async (t) => {
  const tags: [language: string, tag: string][] = [
    ['en-GB', 'en-GB'],
    ['da, en-gb;q=0.8, en;q=0.7', 'da'],
    ['en-gb;q=0.2, da', 'en-GB'],
    ['*, iw;q=0.5', 'he'],
    [',, sv-se', 'sv-SE'],
  ];
  for (const [language, tag] of tags) t.equal(preferredTag(language), tag, language);
});

t.test('lengths are bounded by attribute', async (t) => {
  requireText('title', 'x'.repeat(500));
  requireText('profileUrl', 'x'.repeat(2000));
  t.throws(() => requireText('title', 'x'.repeat(501)), { message: /title has more than 500/ });
  t.throws(() => requireText('photos.value', 'x'.repeat(2001)), {
    message: /photos.value has more than 2000/,
  });
});

t.test('the work to refuse a hostile e-mail address grows with its length', async (t) => {
  const hostile: Record<string, (length: number) => string> = {
    'no domain': (length) => `${'a'.repeat(length)}@`,
    'a label of hyphens': (length) => `a@${'a-'.repeat(length / 2)}`,
    'many labels': (length) => `a@${'a.'.repeat(length / 2)}`,
    'many dots': (length) => `${'.'.repeat(length)}@a`,
    'letters beyond ASCII': (length) => `a@${'é'.repeat(length)}!`,
  };
  for (const [what, address] of Object.entries(hostile)) {
    t.throws(() => requireEmail(address(100_000)), what);
    const growth = growthByFour(25_000, (length) => void errorIdOf(() => requireEmail(address(length))));
    t.ok(growth < 8, `${what}: ${growth} times the work for four times the length`);
  }
});
