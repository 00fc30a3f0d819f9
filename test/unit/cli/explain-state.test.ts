import t from 'tap';
import { signInObstacles } from '#src/authentication/sign-in-state.js';
import {
  explainName,
  explainObstacles,
  explainRefusals,
  explainRules,
  explainSteps,
} from '#src/cli/users/explain-state.js';

const state = {
  userId: 'u1',
  orgId: 'o1',
  userName: 'anna',
  displayName: 'Anna',
  active: false,
  locks: [
    { of: 'password', loginName: '', failures: 10, until: '2026-01-01T00:10:00.000Z' },
    { of: 'loginName', loginName: 'anna', failures: 10, until: '2026-01-01T00:10:00.000Z' },
    { of: 'loginName', loginName: 'a@x\u001b', failures: 11, until: '2026-01-01T00:11:00.000Z' },
    { of: 'code', loginName: '', failures: 12, until: '2026-01-01T01:00:00.000Z' },
  ],
  obstacles: signInObstacles,
  steps: ['code', 'newPassword'],
  unmetRules: [],
  loginNames: ['anna@o1'],
  refused: [
    {
      time: '2026-01-01T00:00:00.000Z',
      reason: 'password',
      why: 'locked',
      address: '198.51.100.7',
      clientId: 'shop',
      userAgent: 'Firefox\u001b',
    },
    { time: '2025-12-31T00:00:00.000Z', reason: 'code', why: '', address: '', clientId: '', userAgent: '' },
  ],
  lastAccepted: '',
};

t.test('every obstacle has a reason and a remedy', async (t) => {
  const told = explainObstacles(state);
  t.match(told, [
    { reason: 'The user is inactive.', remedy: 'muster users enable u1 --org o1' },
    { reason: 'The user has no password.', remedy: /one-time-links/ },
    { reason: /lets no password sign in/, remedy: /muster sign-in-policy set o1/ },
    { reason: /demands a factor/, remedy: /one-time link.*muster sign-in-policy set o1/ },
    {
      reason: /^The account is locked until 2026-01-01T00:10:00.000Z, after 10/,
      remedy: 'muster users unlock u1 --org o1',
    },
    { reason: /^The login name anna is locked/ },
    { reason: /^The login name a@x\\u001b is locked until 2026-01-01T00:11/ },
    { reason: /^The second factor is locked until 2026-01-01T01:00/ },
  ]);
  t.equal(told.length, 8);
  t.ok(told.every(({ reason, remedy }) => reason && remedy));
});

t.test('a remedy is one command, whatever the identifiers are', async (t) => {
  const [first] = explainObstacles({ ...state, userId: "u1; rm -rf ~ '", orgId: '$(id)' });
  t.equal(first?.remedy, "muster users enable 'u1; rm -rf ~ '\\''' --org '$(id)'");
});

t.test('one of a later version is told as it is', async (t) => {
  t.match(explainObstacles({ ...state, obstacles: ['somethingNew'] }), [{ reason: /somethingNew/ }]);
});

t.test('a name that means somebody else', async (t) => {
  t.match(explainName('anna\u001b', { loginNames: ['anna@x.example', 'anna@o1'] }), {
    reason: 'At the login page, anna\\u001b does not mean this person.',
    remedy: /^Sign in as anna@x\.example or anna@o1, or type the organization/,
  });
});

t.test('steps and refusals', async (t) => {
  t.equal(
    explainSteps(state),
    'After the password, the sign-in asks for a code of the authenticator app and a new password.',
  );
  t.equal(explainSteps({ ...state, steps: [] }), '');
  t.same(explainRefusals(state), [
    '2026-01-01T00:00:00.000Z  the account was locked, the password may have been right, from 198.51.100.7, application shop, browser Firefox\\u001b',
    '2025-12-31T00:00:00.000Z  code of the second factor refused',
  ]);
});

t.test('a rule of the policy is named, with its day', async (t) => {
  const none = {
    rule: 'demand',
    factors: [],
    of: 'everybody',
    groups: [],
    acr: '2',
    from: '2026-01-01',
    holds: true,
  };
  const unmetRules = [
    { ...none, rule: 'firstFactors', factors: ['passkey', 'connection'], of: '', acr: '', from: '' },
    none,
    { ...none, of: 'groups', groups: ['g1', 'g2\u001b'], acr: 'phr', from: '2090-01-01', holds: false },
    { ...none, rule: 'newer' },
  ];
  t.same(explainRules({ unmetRules }), [
    'The sign-in policy lets a sign-in begin only with passkey, connection.',
    'The sign-in policy demands the level 2 of everybody from 2026-01-01 on.',
    'The sign-in policy demands the level phr of groups g1 g2\\u001b from 2090-01-01 on. Until then, each sign-in asks the user to set it up.',
    'The service names the rule newer.',
  ]);
});
