import t from 'tap';
import { plainScopes } from '#src/authorization/scope.js';
import { languages } from '#src/http/base/language.js';
import { lockedText } from '#src/login/http/locked.js';
import { newPasswordErrors, policyHint } from '#src/login/http/new-password.js';
import { scopeList } from '#src/login/http/scope-list.js';
import { languageNames, texts } from '#src/login/texts/texts.js';

/** Every text with its place, functions called with an example. */
function flatten(value: unknown, place = ''): [string, string][] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value === 'function') return [[place, String(value('3', 'https://link.example'))]];
  return Object.entries(value as object).flatMap(([key, part]) => flatten(part, `${place}.${key}`));
}

t.test('every language has every text, and its own', async (t) => {
  const english = new Map(flatten(texts.en));
  for (const language of languages) {
    const own = flatten(texts[language]);
    t.same(own.map(([place]) => place).sort(), [...english.keys()].sort(), language);
    for (const [place, text] of own) t.not(text.trim(), '', `${language}${place}`);
    t.ok(languageNames[language].length > 0);
    if (language === 'en') continue;
    const same = own.filter(([place, text]) => english.get(place) === text).map(([place]) => place);
    t.ok(same.length <= 2, `${language} leaves English: ${same.join(', ')}`);
  }
});

const policy = { minLength: 8, upper: true, lower: true, digit: true, symbol: false };

t.test('what a password lacks is said in the language', async (t) => {
  t.equal(
    policyHint(policy, 'en'),
    'The password needs at least 8 characters, a capital letter, a small letter, and a digit.',
  );
  t.same(newPasswordErrors({ password: 'teapots-in' }, policy, 'de'), {
    password: 'Das Passwort braucht einen Großbuchstaben und eine Ziffer.',
  });
  t.same(newPasswordErrors({ password: 'Teapots-1', repeated: 'Teapots-2' }, policy, 'en'), {
    repeated: texts.en.passwordsDiffer,
  });
  t.same(newPasswordErrors({ password: 'Teapots-1', repeated: 'Teapots-1' }, policy, 'en'), {});
  t.same(newPasswordErrors({ password: 'Passw0rd' }, policy, 'en'), { password: texts.en.passwordCommon });
  t.same(newPasswordErrors({ password: 'passwort!' }, { ...policy, minLength: 15 }, 'it'), {
    password: `La password deve avere almeno 15 caratteri, una lettera maiuscola e una cifra. ${texts.it.passwordCommon}`,
  });
  const long = { minLength: 15, upper: false, lower: false, digit: false, symbol: false };
  t.equal(policyHint(long, 'en'), 'The password needs at least 15 characters.');
});

t.test('a lock says how long it lasts in words that people use', (t) => {
  t.equal(lockedText('en', 20), 'Too many attempts. Try again in 1 minute.');
  t.equal(lockedText('en', 1_741), 'Too many attempts. Try again in 30 minutes.');
  t.equal(lockedText('en', 24 * 3600), 'Too many attempts. Try again in 24 hours.');
  t.equal(lockedText('de', 7_000), 'Zu viele Versuche. Versuchen Sie es in 2 Stunden noch einmal.');
  t.equal(lockedText('it', 600), 'Troppi tentativi. Riprovi tra 10 minuti.');
  t.end();
});

t.test('people read what each scope gives away', async (t) => {
  for (const language of languages) {
    for (const scope of plainScopes) {
      t.equal(String(scopeList(scope, texts[language])).split('<li>').length, 2, `${scope} in ${language}`);
    }
  }
  t.match(String(scopeList('urn:service:iam:user:enterprise', texts.en)), 'employee number');
  t.notMatch(String(scopeList('openid profile', texts.en)), 'employee number');
});
