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

const linked = { id: 'c', name: 'Entra', enabled: true };

function seen(
  has: Omit<Account, 'user'>,
  rules: SignInRules = {},
  { verified = true, connections = [] }: { verified?: boolean; connections?: (typeof linked)[] } = {},
) {
  const emails = [{ value: 'a@b.example', primary: true, verified }];
  const user = { id: 'u', orgId: 'o', userName: 'ada', active: true, emails } as unknown as Account['user'];
  // Mail proves something only where a policy names it.
  const firstFactors = ['password', 'passkey', 'connection'] as const;
  const usual = { firstFactors, secondFactors: ['totp', 'passkey'], ...rules } as const;
  const known = { account: { user, ...has }, rules: usual, locks: [], connections };
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
    ['factorMissing', { password }, { acr: '2', secondFactors: ['totp', 'passkey'] }],
    ['asks mailCode', { password }, { acr: '2', secondFactors: ['mailCode'] }],
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

t.test('a mailed link begins a sign-in where the policy allows it', async (t) => {
  const byMail: SignInRules = { firstFactors: ['mailLink'] };
  t.equal(seen({}, byMail), '');
  t.equal(seen({ password }, byMail), '');
  t.equal(seen({ password, totp }, byMail), 'asks code');
  t.equal(seen({ password }, byMail, { verified: false }), 'passwordsOff');
  t.equal(seen({}, { ...byMail, acr: '2', secondFactors: ['mailCode'] }), 'factorMissing');
});

t.test('the proof of the address comes before the new password', async (t) => {
  t.equal(
    seen({ password: due }, { verifyEmail: true }, { verified: false }),
    'asks verifyEmail, asks newPassword',
  );
  t.equal(seen({ password: due }, { verifyEmail: true }), 'asks newPassword');
  t.equal(seen({ passkeys }, { verifyEmail: true }, { verified: false }), 'asks verifyEmail');
});

t.test('what is set up in a sign-in is a step of it', async (t) => {
  const from = new Date('2090-01-01T00:00:00Z');
  const codes = { ...totp, recovery: ['hash'] };
  t.equal(seen({ password }, { later: { acr: '2', from } }), 'asks enrol');
  t.equal(seen({ password: due }, { later: { acr: 'phr', from } }), 'asks enrolPasskey, asks newPassword');
  t.equal(seen({ password, totp: codes }, { acr: 'phr' }), 'asks recovery, asks enrolPasskey');
  t.equal(seen({ password: due, passkeys }, { acr: 'phr' }), 'asks passkey, asks newPassword');
});

t.test('a connection with which the person is linked begins a sign-in', async (t) => {
  const connections = [linked];
  const off = [{ ...linked, enabled: false }];
  const alone: SignInRules = { firstFactors: ['connection'] };
  t.equal(seen({}, {}, { connections }), '');
  t.equal(seen({}, {}, { connections: off }), 'noPassword');
  t.equal(seen({ password }, alone, { connections }), '');
  t.equal(seen({ password }, alone, { connections: off }), 'passwordsOff');
  t.equal(seen({ passkeys }, alone), 'passwordsOff', 'a passkey that counts for nothing');
  t.equal(seen({}, { firstFactors: ['password'] }, { connections }), 'noPassword');
  t.equal(seen({ totp }, alone, { connections }), 'asks code');
});
