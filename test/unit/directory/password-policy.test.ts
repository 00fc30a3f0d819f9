import t from 'tap';
import { defaultPasswordPolicy, type PasswordPolicy } from '#src/directory/organizations/organization.js';
import { passwordShortcomings, requireGoodPassword } from '#src/directory/sign-in/password-policy.js';

const lax: PasswordPolicy = { minLength: 1, upper: false, lower: false, digit: false, symbol: false };

t.test('each rule is named when it is broken', async (t) => {
  const cases: [string, string[]][] = [
    ['Passw0rd!', []],
    ['Pássw0rd€', []],
    ['ПарольРус1!', []],
    ['Pass 0rd', ['a symbol']],
    ['passw0rd!', ['an upper-case letter']],
    ['PASSW0RD!', ['a lower-case letter']],
    ['Password!', ['a digit']],
    ['Passw0rd', ['a symbol']],
    ['Pw0rd!a', ['at least 8 characters']],
    [`Aa1!${'x'.repeat(197)}`, ['at most 200 characters']],
    ['', ['at least 8 characters', 'an upper-case letter', 'a lower-case letter', 'a digit', 'a symbol']],
  ];
  for (const [password, missing] of cases) {
    t.same(
      passwordShortcomings(password, defaultPasswordPolicy),
      missing,
      JSON.stringify(password).slice(0, 30),
    );
  }
});

t.test('characters are counted, not code units', async (t) => {
  const policy = { ...lax, minLength: 4 };
  t.same(passwordShortcomings('😀😀😀', policy), ['at least 4 characters']);
  t.same(passwordShortcomings('😀😀😀😀', policy), []);
  t.same(passwordShortcomings('😀'.repeat(200), lax), []);
});

t.test('rules that are off do not matter', async (t) => {
  t.same(passwordShortcomings('a', lax), []);
  t.same(passwordShortcomings('', lax), ['at least 1 characters']);
});

t.test('the error names the missing parts and never the password', async (t) => {
  t.throws(() => requireGoodPassword('hunter2hunter2', defaultPasswordPolicy), {
    definition: { id: 'directory.passwordWeak' },
    message: 'The password needs an upper-case letter, a symbol',
  });
});
