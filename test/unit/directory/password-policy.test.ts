import t from 'tap';
import {
  brokenPasswordRules,
  type PasswordRule,
  requireGoodPassword,
} from '#src/accounts/password-policy.js';
import { defaultPasswordPolicy, type PasswordPolicy } from '#src/directory/organization.js';

const lax: PasswordPolicy = { minLength: 1, upper: false, lower: false, digit: false, symbol: false };

t.test('each rule is named when it is broken', async (t) => {
  const cases: [string, PasswordRule[]][] = [
    ['Brückn3r!', []],
    ['Pássarø9€', []],
    ['ПарольРус1!', []],
    ['Teapot 0rd', ['symbol']],
    ['br0adf1nch!', ['upper']],
    ['BR0ADF1NCH!', ['lower']],
    ['Broadfinch!', ['digit']],
    ['Br0adf1nch', ['symbol']],
    ['Pw0rd!a', ['minLength']],
    [`Aa1!${'x'.repeat(197)}`, ['maxLength']],
    ['', ['minLength', 'upper', 'lower', 'digit', 'symbol']],
    ['Passw0rd!', ['common']],
    ['Dragon1', ['minLength', 'symbol', 'common']],
  ];
  for (const [password, broken] of cases) {
    const name = JSON.stringify(password).slice(0, 30);
    t.same(brokenPasswordRules(password, defaultPasswordPolicy), broken, name);
  }
});

t.test('characters are counted, not code units', async (t) => {
  const policy = { ...lax, minLength: 4 };
  t.same(brokenPasswordRules('😀🙃😇', policy), ['minLength']);
  t.same(brokenPasswordRules('😀🙃😇😂', policy), []);
  t.same(brokenPasswordRules('😀🙃😇😂🙂'.repeat(40), lax), []);
});

t.test('rules that are off do not matter', async (t) => {
  t.same(brokenPasswordRules('a', lax), []);
  t.same(brokenPasswordRules('', lax), ['minLength']);
});

t.test(
  '15 characters without composition rules are a policy, and common passwords stay refused',
  async (t) => {
    const policy = { ...lax, minLength: 15 };
    t.same(brokenPasswordRules('teapots in the', policy), ['minLength']);
    t.same(brokenPasswordRules('teapots in there', policy), []);
    t.same(brokenPasswordRules('passwordpassword', policy), ['common']);
  },
);

t.test('the error says what is wrong and never contains the password', async (t) => {
  const cases = {
    hunter4teapots: 'The password needs an upper-case letter, a symbol',
    'Password1!':
      'The password is one of those that attackers try first, or almost the same as one of them. Choose another',
    password1:
      'The password needs an upper-case letter, a symbol. ' +
      'The password is one of those that attackers try first, or almost the same as one of them. Choose another',
  };
  for (const [password, message] of Object.entries(cases)) {
    const wanted = { definition: { id: 'directory.passwordWeak' }, message };
    t.throws(() => requireGoodPassword(password, defaultPasswordPolicy), wanted, password);
  }
});
