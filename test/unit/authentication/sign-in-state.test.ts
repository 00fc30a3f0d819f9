import t from 'tap';
import type { Account } from '#src/accounts/account.js';
import type { SignInRules } from '#src/authentication/proofs/sign-in-rules.js';
import { obstaclesOf, stepsOf } from '#src/authentication/sign-in-state.js';

/** What stands in the way of a sign-in, by what the person has and the rules of the organization. */

const changed = new Date('2026-01-01T12:00:00Z');
const password = { hash: '', changed };
const totp = { sealed: '', lastStep: 0, enrolled: changed, recovery: [] };
const passkeys = { count: 1, changed };
const due = { ...password, changeRequired: true } as const;
const noPasswords: SignInRules = { firstFactors: ['passkey'] };

function seen(has: Omit<Account, 'user'>, rules: SignInRules = {}, verified = true) {
  const emails = [{ value: 'a@b.example', primary: true, verified }];
  const user = { id: 'u', orgId: 'o', userName: 'ada', active: true, emails } as unknown as Account['user'];
  const known = { account: { user, ...has }, rules, locks: [] };
  return [...obstaclesOf(known), ...stepsOf(known).map((step) => `asks ${step}`)].join(', ');
}

t.test('the rule that stands in the way, and what the sign-in asks for', async (t) => {
  const rows: [expected: string, has: Omit<Account, 'user'>, rules?: SignInRules][] = [
    ['', { password }],
    ['noPassword', {}],
    ['', { passkeys }],
    ['asks code', { password, totp }],
    ['asks newPassword', { password: due }],
    ['asks code, asks newPassword', { password: due, totp }],
    ['factorMissing', { password }, { acr: '2' }],
    ['asks code', { password, totp }, { acr: '2' }],
    ['factorMissing', { password, totp }, { acr: 'phr' }],
    ['', { passkeys }, { acr: 'phr' }],
    ['passwordsOff', { password }, noPasswords],
    ['passwordsOff', {}, noPasswords],
    ['', { password, passkeys }, noPasswords],
    ['', { password: due, passkeys }, noPasswords],
  ];
  for (const [expected, has, rules] of rows)
    t.equal(seen(has, rules), expected, JSON.stringify({ has: Object.keys(has), rules }));
});

t.test('the proof of the address comes before the new password', async (t) => {
  t.equal(seen({ password: due }, { verifyEmail: true }, false), 'asks verifyEmail, asks newPassword');
  t.equal(seen({ password: due }, { verifyEmail: true }, true), 'asks newPassword');
  t.equal(seen({ passkeys }, { verifyEmail: true }, false), 'asks verifyEmail');
});
