import t, { type Test } from 'tap';
import type { Account } from '#src/accounts/account.js';
import { nextStep, type SignInDemands, type SignInMarks } from '#src/authentication/proofs/next-step.js';
import type { Proof } from '#src/authentication/proofs/proof.js';
import type { SignInRules } from '#src/authentication/proofs/sign-in-rules.js';

const time = new Date('2026-01-01T12:00:00Z');

/** What a person has: a password, `totp`, `recovery` codes of it, one passkey or as `many` as possible, a password that must be changed, an address that nobody proved. */
type Has = 'password' | 'totp' | 'recovery' | 'passkeys' | 'many' | 'due' | 'unproved';

function accountWith(...has: Has[]): Account {
  const emails = [{ value: 'a@b.example', primary: true, verified: !has.includes('unproved') }];
  return {
    user: { id: 'u', orgId: 'o', userName: 'ada', emails } as unknown as Account['user'],
    ...(has.includes('password') && {
      password: { hash: '', changed: time, ...(has.includes('due') && { changeRequired: true as const }) },
    }),
    ...(has.includes('passkeys') && { passkeys: { count: 1, changed: time } }),
    ...(has.includes('many') && { passkeys: { count: 64, changed: time } }),
    ...(has.includes('totp') && {
      totp: { sealed: '', lastStep: 0, enrolled: time, recovery: has.includes('recovery') ? ['hash'] : [] },
    }),
  };
}

const proofs = {
  password: { kind: 'password' },
  code: { kind: 'code' },
  recovery: { kind: 'recoveryCode' },
  mailCode: { kind: 'mailCode' },
  mailLink: { kind: 'mailLink' },
  link: { kind: 'oneTimeLink' },
  registration: { kind: 'oneTimeLink', begunBy: 'registration' },
  remembered: { kind: 'rememberedBrowser', credentialId: 'r', by: 'code', provedAt: 0 },
  rememberedByMail: { kind: 'rememberedBrowser', credentialId: 'm', by: 'mailCode', provedAt: 0 },
  passkey: { kind: 'passkey', credentialId: 'k', userVerified: true, isSynced: true },
  touched: { kind: 'passkey', credentialId: 'k', userVerified: false, isSynced: false },
  federated: { kind: 'connection', connectionId: 'c', strength: '1', begun: 0 },
  strongly: { kind: 'connection', connectionId: 'c', strength: '2', begun: 0 },
} as const satisfies Record<string, Proof>;

interface Row {
  has?: Has[];
  given?: (keyof typeof proofs)[];
  rules?: SignInRules;
  demands?: SignInDemands & SignInMarks;
  /** Whether a session proved all of it earlier. */
  isOfSession?: boolean;
}

/**
 * The page with who asks for it and the other pages, or what refuses the sign-in, or `done`. Codes by mail are only allowed where the rules
 * name them, as without a policy.
 */
function outcome({
  has = ['password'],
  given = [],
  rules = {},
  demands = {},
  isOfSession = false,
}: Row): string {
  const step = nextStep(
    { secondFactors: ['totp', 'passkey'], ...rules },
    accountWith(...has),
    given.map((name) => ({ ...proofs[name], ...(isOfSession && { time: time.getTime() }) })),
    demands,
  );
  if (step.kind === 'done') return 'done';
  if (step.kind === 'refused') return `refused by ${step.by}`;
  if (!('askedBy' in step)) return [step.page, ...('others' in step ? step.others : [])].join(', or ');
  return [`${step.page} for ${step.askedBy}`, ...step.others].join(', or ');
}

function check(t: Test, rows: readonly (readonly [expected: string, row: Row])[]): void {
  for (const [expected, row] of rows) t.equal(outcome(row), expected, JSON.stringify(row));
}

const policy = (acr: '1' | '2' | 'phr'): SignInRules => ({ acr });

t.test('a passkey that may only follow begins no sign-in', async (t) => {
  const has: Has[] = ['password', 'passkeys'];
  const rules: SignInRules = { acr: '2', firstFactors: ['password'], secondFactors: ['passkey'] };
  check(t, [
    ['login for person', { has, rules, given: ['passkey'] }],
    ['passkey for organization', { has, rules, given: ['password'] }],
    ['done', { has, rules, given: ['password', 'touched'] }],
    ['done', { has, rules: { ...rules, firstFactors: ['password', 'passkey'] }, given: ['passkey'] }],
  ]);
});

t.test('without rules, the person decides', async (t) => {
  check(t, [
    ['login for person', {}],
    ['done', { given: ['password'] }],
    ['done', { given: ['link'] }],
    ['done', { given: ['federated'] }],
    ['login for person', { has: ['password', 'totp'] }],
    ['code for person', { has: ['password', 'totp'], given: ['password'] }],
    ['code for person', { has: ['password', 'totp'], given: ['mailLink'] }],
    ['code for person', { has: ['totp'], given: ['federated'] }],
    ['done', { has: ['password', 'totp'], given: ['password', 'code'] }],
    ['done', { has: ['password', 'totp'], given: ['password', 'recovery'] }],
    ['done', { has: ['password', 'totp'], given: ['passkey'] }],
    ['done', { has: ['totp'], given: ['strongly'] }],
    ['done', { has: ['password', 'totp'], given: ['password', 'remembered'] }],
    ['code for person, or login', { has: ['password', 'totp'], given: ['touched'] }],
    ['done', { has: ['password', 'passkeys'], given: ['password'] }],
    ['code for person, or passkey', { has: ['password', 'totp', 'passkeys'], given: ['password'] }],
    ['done', { has: ['password', 'totp', 'passkeys'], given: ['password', 'touched'] }],
  ]);

  // A level that a passkey reaches: a code is then not enough.
  check(t, [
    ['passkey for organization', { rules: policy('2'), has: ['password', 'passkeys'], given: ['password'] }],
    [
      'passkey for organization',
      { rules: policy('phr'), has: ['password', 'totp', 'passkeys'], given: ['password', 'code'] },
    ],
  ]);
});

t.test('a second factor alone tells nobody who the person is', async (t) => {
  for (const one of ['code', 'recovery', 'mailCode', 'remembered'] as const)
    check(t, [['login for person', { has: ['password', 'totp'], given: [one] }]]);
});

t.test('the organization demands a level', async (t) => {
  check(t, [
    ['login for person', { rules: policy('2') }],
    ['refused by organization', { given: ['password'], rules: policy('2') }],
    ['done', { given: ['password'], rules: policy('1') }],
    ['code for organization', { has: ['password', 'totp'], given: ['password'], rules: policy('2') }],
    ['done', { has: ['password', 'totp'], given: ['password', 'code'], rules: policy('2') }],
    ['refused by organization', { given: ['password'], rules: policy('phr') }],
    [
      'refused by organization',
      { has: ['password', 'totp'], given: ['password', 'code'], rules: policy('phr') },
    ],
    ['done', { given: ['passkey'], rules: policy('phr') }],
    ['login for organization', { given: ['touched'], rules: policy('phr') }],
    ['done', { given: ['password', 'touched'], rules: policy('phr') }],
    ['done', { given: ['password', 'remembered'], rules: policy('2') }],
    ['refused by organization', { given: ['password', 'remembered'], rules: policy('phr') }],
    ['done', { given: ['strongly'], rules: policy('2') }],
    ['refused by organization', { has: [], given: ['federated'], rules: policy('2') }],
    ['login for organization', { given: ['federated'], rules: policy('2') }],
  ]);
});

t.test('who reads the mail of a person has one factor', async (t) => {
  const rules: SignInRules = { ...policy('2'), secondFactors: ['totp', 'mailCode'] };
  check(t, [
    ['refused by organization', { given: ['mailLink'], rules: policy('2') }],
    ['refused by organization', { has: [], given: ['link', 'mailLink'], rules: policy('2') }],
    ['refused by organization', { has: [], given: ['mailLink', 'mailCode'], rules }],
    ['refused by organization', { has: [], given: ['link', 'mailCode'], rules }],
    ['refused by organization', { has: [], given: ['mailLink'], rules }],
    ['login for organization', { given: ['mailLink', 'mailCode'], rules }],
    ['login for organization', { given: ['mailLink'], rules }],
    ['mailCode for organization', { given: ['mailLink', 'password'], rules }],
    ['done', { given: ['password', 'mailCode'], rules }],
    ['done', { given: ['federated', 'mailCode'], rules }],
    ['refused by application', { given: ['password', 'mailCode'], rules, demands: { essential: ['2'] } }],
  ]);
});

t.test(
  'a code by mail is a way where the organization allows it, and never for an application',
  async (t) => {
    const both: Has[] = ['password', 'totp'];
    const rules: SignInRules = { secondFactors: ['totp', 'mailCode'] };
    const asked: SignInRules = { ...rules, ...policy('2') };
    check(t, [
      ['done', { given: ['password'], rules }],
      ['code for person, or mailCode', { has: both, given: ['password'], rules }],
      ['mailCode for organization', { given: ['password'], rules: asked }],
      ['code for organization, or mailCode', { has: both, given: ['password'], rules: asked }],
      ['refused by organization', { has: ['password', 'unproved'], given: ['password'], rules: asked }],
      ['refused by organization', { given: ['password'], rules: { ...rules, ...policy('phr') } }],
      ['refused by organization', { given: ['password', 'mailCode'], rules: policy('2') }],
      ['refused by application', { given: ['password'], rules, demands: { essential: ['2'] } }],
      [
        'code for application',
        { has: both, given: ['password', 'mailCode'], rules, demands: { essential: ['2'] } },
      ],
      ['done', { given: ['password', 'mailCode'], rules, demands: { preferred: ['2'] } }],
    ]);
    // A browser counts as long as what was proved there does.
    check(t, [
      ['done', { given: ['password', 'rememberedByMail'], rules: asked }],
      [
        'mailCode for organization',
        { given: ['password', 'rememberedByMail'], rules: { ...asked, remembersBrowsers: false } },
      ],
      // The browsers of this table were proved at 0.
      ['done', { given: ['password', 'rememberedByMail'], rules: { ...asked, rememberedSince: -1 } }],
      [
        'mailCode for organization',
        { given: ['password', 'rememberedByMail'], rules: { ...asked, rememberedSince: 0 } },
      ],
      ['refused by organization', { given: ['password', 'rememberedByMail'], rules: policy('2') }],
      ['refused by organization', { has: [], given: ['mailLink', 'rememberedByMail'], rules: asked }],
      ['done', { has: ['totp'], given: ['mailLink', 'remembered'], rules: asked }],
    ]);
    const later = { acr: '2', from: time } as const;
    check(t, [
      ['enrol, or enrolPasskey', { given: ['password'], rules: { later } }],
      ['done', { given: ['password'], rules: { ...rules, later } }],
      [
        'enrol, or enrolPasskey',
        { has: ['password', 'unproved'], given: ['password'], rules: { ...rules, later } },
      ],
    ]);
  },
);

t.test('an application asks for a level', async (t) => {
  const both: Has[] = ['password', 'totp'];
  check(t, [
    ['done', { given: ['password'], demands: { essential: ['1'] } }],
    ['refused by application', { given: ['password'], demands: { essential: ['2'] } }],
    ['refused by application', { given: ['passkey'], demands: { essential: [] } }],
    ['done', { given: ['password'], demands: { essential: ['1', 'phr'] } }],
    ['done', { given: ['passkey'], demands: { essential: ['2'] } }],
    ['refused by application', { has: both, given: ['password', 'code'], demands: { essential: ['phr'] } }],
    ['login for application', { given: ['touched'], demands: { essential: ['phr'] } }],
    // A remembered browser proves nothing to an application.
    ['code for application', { has: both, given: ['password', 'remembered'], demands: { essential: ['2'] } }],
    // What is preferred refuses nobody.
    ['done', { given: ['password'], demands: { preferred: ['2'] } }],
    ['done', { given: ['password'], demands: { preferred: ['phr', '2'] } }],
    ['done', { given: ['password'], demands: { preferred: [] } }],
    [
      'code for application',
      { has: both, given: ['password', 'remembered'], demands: { preferred: ['phr', '2'] } },
    ],
    ['done', { has: both, given: ['password', 'remembered'], demands: { preferred: ['1', '2'] } }],
    ['refused by application', { given: ['password'], demands: { preferred: ['1'], essential: ['2'] } }],
  ]);
});

t.test('the organization comes before the application', async (t) => {
  const demands = { essential: ['2'] } as const;
  check(t, [
    ['refused by organization', { given: ['password'], rules: policy('phr'), demands }],
    [
      'code for organization',
      { has: ['password', 'totp'], given: ['password'], rules: policy('2'), demands },
    ],
  ]);
});

t.test('the address and the password come last', async (t) => {
  const verifyEmail = { verifyEmail: true };
  const rules = { ...verifyEmail, ...policy('2') };
  check(t, [
    ['done', { has: ['password', 'unproved'], given: ['password'] }],
    ['verifyEmail', { has: ['password', 'unproved'], given: ['password'], rules: verifyEmail }],
    ['done', { given: ['password'], rules: verifyEmail }],
    ['newPassword', { has: ['password', 'due'], given: ['password'] }],
    ['verifyEmail', { has: ['password', 'due', 'unproved'], given: ['password'], rules: verifyEmail }],
    ['code for organization', { has: ['password', 'due', 'totp'], given: ['password'], rules }],
    ['newPassword', { has: ['password', 'due', 'totp'], given: ['password', 'code'], rules }],
    ['refused by organization', { has: ['password', 'due', 'unproved'], given: ['password'], rules }],
    // Who did not use the password may keep it.
    ['done', { has: ['password', 'due'], given: ['passkey'] }],
  ]);
});

const from = new Date('2090-01-01T00:00:00Z');
const mayEnrol = { mayEnrol: true } as const;

t.test('until the day, the person sets up what is missing, or puts it off', async (t) => {
  const two: SignInRules = { later: { acr: '2', from } };
  const phr: SignInRules = { later: { acr: 'phr', from } };
  const codes: Has[] = ['password', 'totp'];
  check(t, [
    ['enrol, or enrolPasskey', { rules: two, given: ['password'] }],
    ['done', { rules: two, given: ['password'], demands: { putsOff: true } }],
    ['done', { rules: two, has: ['password', 'passkeys'], given: ['password'] }],
    ['code for person', { rules: two, has: codes, given: ['password'] }],
    ['done', { rules: two, has: codes, given: ['password', 'code'] }],
    ['enrolPasskey', { rules: phr, given: ['password'] }],
    ['code for person', { rules: phr, has: codes, given: ['password'] }],
    ['enrolPasskey', { rules: phr, has: codes, given: ['password', 'code'] }],
    // Whoever sits at a remembered browser proves the second factor before another one is set up.
    ['code for person', { rules: phr, has: codes, given: ['password', 'remembered'] }],
    ['done', { rules: phr, has: codes, given: ['password', 'remembered'], demands: { putsOff: true } }],
    ['done', { rules: phr, has: ['password', 'passkeys'], given: ['password'] }],
    ['enrolPasskey', { rules: phr, has: [], given: ['federated'] }],
    // Browsers keep none for this instance, the organization allows none, or there is no room for one.
    ['enrol', { rules: { ...two, hasPasskeys: false }, given: ['password'] }],
    ['done', { rules: { ...phr, hasPasskeys: false }, given: ['password'] }],
    ['enrolPasskey', { rules: { ...two, secondFactors: ['passkey'] }, given: ['password'] }],
    [
      'enrol',
      { rules: { ...two, firstFactors: ['password'], secondFactors: ['totp'] }, given: ['password'] },
    ],
    // An unattended browser sets up nothing.
    ['done', { rules: two, given: ['password'], isOfSession: true }],
  ]);
});

t.test('before passwords end, the person sets up a passkey, or puts it off', async (t) => {
  const laterFirst = { factors: ['passkey'], from } as const;
  check(t, [
    ['enrolPasskey', { rules: { laterFirst }, given: ['password'] }],
    ['done', { rules: { laterFirst }, given: ['password'], demands: { putsOff: true } }],
    ['done', { rules: { laterFirst }, has: ['password', 'passkeys'], given: ['password'] }],
    // Another provider may let the person in.
    [
      'done',
      { rules: { laterFirst: { ...laterFirst, factors: ['passkey', 'connection'] } }, given: ['password'] },
    ],
  ]);
});

t.test('from the day on, only a link or a recovery code leads to a new factor', async (t) => {
  const codes: Has[] = ['password', 'totp'];
  const all: Has[] = ['password', 'totp', 'recovery'];
  check(t, [
    ['refused by organization', { rules: policy('2'), given: ['password'] }],
    ['enrol, or enrolPasskey', { rules: policy('2'), given: ['password'], demands: mayEnrol }],
    ['enrolPasskey', { rules: policy('phr'), given: ['password'], demands: mayEnrol }],
    [
      'refused by organization',
      { rules: policy('phr'), given: ['password'], demands: mayEnrol, isOfSession: true },
    ],
    [
      'refused by organization',
      { rules: { acr: 'phr', hasPasskeys: false }, given: ['password'], demands: mayEnrol },
    ],
    // A person with one-time codes proves one before.
    ['code for person', { rules: policy('phr'), has: codes, given: ['password'], demands: mayEnrol }],
    ['enrolPasskey', { rules: policy('phr'), has: codes, given: ['password', 'code'], demands: mayEnrol }],
    ['refused by organization', { rules: policy('phr'), has: codes, given: ['password', 'code'] }],
    ['recovery for organization', { rules: policy('phr'), has: all, given: ['password'] }],
    ['recovery for organization', { rules: policy('phr'), has: all, given: ['password', 'code'] }],
    ['enrolPasskey', { rules: policy('phr'), has: all, given: ['password', 'recovery'] }],
    [
      'refused by organization',
      { rules: { acr: 'phr', secondFactors: ['passkey'] }, has: all, given: ['password'] },
    ],
    // Who has a passkey may have lost it.
    [
      'passkey for organization, or recovery',
      { rules: policy('phr'), has: [...all, 'passkeys'], given: ['password', 'code'] },
    ],
    [
      'enrolPasskey, or passkey',
      { rules: policy('phr'), has: [...all, 'passkeys'], given: ['password', 'recovery'] },
    ],
    [
      'passkey for organization, or enrolPasskey',
      { rules: policy('phr'), has: ['password', 'passkeys'], given: ['password'], demands: mayEnrol },
    ],
    [
      'passkey for organization',
      { rules: policy('phr'), has: ['password', 'many'], given: ['password'], demands: mayEnrol },
    ],
    // What an application demands is for the account page.
    ['refused by application', { given: ['password'], demands: { ...mayEnrol, essential: ['2'] } }],
  ]);
});

t.test('where no password signs in, a link leads to a passkey and to nothing else', async (t) => {
  const off: SignInRules = { firstFactors: ['passkey'] };
  check(t, [
    ['enrolPasskey', { rules: off, has: [], given: ['link'], demands: mayEnrol }],
    ['enrolPasskey', { rules: off, has: [], given: ['registration'], demands: mayEnrol }],
    ['done', { rules: off, has: ['passkeys'], given: ['registration', 'passkey'], demands: mayEnrol }],
    // The policy changed in the middle. The form of a registration begins no session.
    ['login for person', { has: [], given: ['registration'], demands: mayEnrol }],
    ['enrolPasskey, or passkey', { rules: off, has: ['passkeys'], given: ['link'], demands: mayEnrol }],
    ['code for person', { rules: off, has: ['totp'], given: ['link'], demands: mayEnrol }],
    ['enrolPasskey', { rules: off, has: ['totp'], given: ['link', 'code'], demands: mayEnrol }],
    ['done', { rules: off, has: ['passkeys'], given: ['link', 'passkey'], demands: mayEnrol }],
    ['enrolPasskey', { rules: { ...off, ...policy('phr') }, has: [], given: ['link'], demands: mayEnrol }],
    [
      'done',
      {
        rules: { ...off, ...policy('phr') },
        has: ['passkeys'],
        given: ['link', 'passkey'],
        demands: mayEnrol,
      },
    ],
    [
      'refused by organization',
      { rules: { firstFactors: ['connection'] }, has: [], given: ['link'], demands: mayEnrol },
    ],
    [
      'refused by organization',
      { rules: { ...off, hasPasskeys: false }, has: [], given: ['link'], demands: mayEnrol },
    ],
    ['refused by organization', { rules: off, has: ['many'], given: ['link'], demands: mayEnrol }],
    ['login for person', { rules: off, given: ['password'] }],
  ]);
});
