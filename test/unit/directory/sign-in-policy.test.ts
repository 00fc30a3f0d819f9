import t from 'tap';
import {
  allowedFirstFactors,
  demandOn,
  factsAskedBy,
  passwordsAreOff,
  reachableAcr,
  type SignInPolicy,
  shorterLife,
} from '#src/directory/sign-in-policy.js';
import { requireSignInPolicy } from '#src/organizations/sign-in-policy-rules.js';
import { errorIdOf, thrownBy } from '../../support/thrown.js';

const now = new Date('2026-06-15T12:00:00Z');
const nobody = { roles: false, groups: new Set<string>() };
const administrator = { roles: true, groups: new Set<string>() };
const member = { roles: false, groups: new Set(['g2']) };

const policy: SignInPolicy = {
  demands: [
    { of: 'everybody', acr: '2', from: '2026-07-01' },
    { of: 'roles', acr: '2', from: '2026-06-15' },
    { of: 'roles', acr: 'phr', from: '2026-09-01' },
    { of: 'groups', groups: ['g1', 'g2'], acr: 'phr', from: '2020-01-01' },
  ],
};

t.test('a demand holds from the first moment of its day in UTC, for those of whom it is made', async (t) => {
  const later = (acr: string, day: string) => ({ acr, from: new Date(`${day}T00:00:00Z`) });
  t.same(demandOn(undefined, administrator, now), { acr: '1' });
  t.same(demandOn({}, administrator, now), { acr: '1' });
  t.same(demandOn(policy, nobody, now), {
    acr: '1',
    later: later('2', '2026-07-01'),
  });
  t.same(demandOn(policy, administrator, now), {
    acr: '2',
    later: later('phr', '2026-09-01'),
  });
  t.same(demandOn(policy, member, now), { acr: 'phr' }, 'a weaker one later adds nothing');
  const eve = new Date('2026-06-30T23:59:59.999Z');
  t.match(demandOn(policy, nobody, eve), { acr: '1' });
  t.match(demandOn(policy, nobody, new Date(eve.getTime() + 1)), { acr: '2' });
  t.same(demandOn(policy, { roles: false, groups: new Set(['g3']) }, eve).acr, '1');
});

t.test('of several days to come, the next that demands more is told', async (t) => {
  const demands = [
    { of: 'everybody', acr: 'phr', from: '2026-12-01' },
    { of: 'everybody', acr: '2', from: '2026-08-01' },
  ] as const;
  t.match(demandOn({ demands }, nobody, now).later, { acr: '2' });
});

t.test('a policy asks for the facts that its demands name, and for no others', async (t) => {
  t.same(factsAskedBy(undefined), { roles: false, groups: [] });
  t.same(factsAskedBy(policy), { roles: true, groups: ['g1', 'g2'] });
});

t.test('first factors hold at once, or from their day on', async (t) => {
  t.same(allowedFirstFactors(undefined, now), ['password', 'passkey', 'connection']);
  t.same(allowedFirstFactors({ firstFactors: ['passkey'] }, now), ['passkey']);
  const from: SignInPolicy = { firstFactors: ['passkey'], firstFactorsFrom: '2026-06-16' };
  t.same(allowedFirstFactors(from, now), ['password', 'passkey', 'connection']);
  t.equal(passwordsAreOff(from, now), false);
  t.equal(passwordsAreOff(from, new Date('2026-06-16T00:00:00Z')), true);
  t.equal(passwordsAreOff(undefined, now), false);
});

t.test('a policy makes times shorter, and never longer', async (t) => {
  t.equal(shorterLife(100, undefined, 'sessionSeconds'), 100);
  t.equal(shorterLife(100, { sessionSeconds: 60 }, 'sessionSeconds'), 60);
  t.equal(shorterLife(100, { sessionSeconds: 600 }, 'sessionSeconds'), 100);
});

t.test('what a person can reach depends on the factors and on what the policy allows', async (t) => {
  const none = { password: false, totp: false, passkey: false, connection: false, mail: false };
  const reached = (owned: object, given: SignInPolicy = {}) =>
    reachableAcr(given, { ...none, ...owned }, now);
  t.equal(reached({ password: true }), '1');
  t.equal(reached({ totp: true }), undefined, 'a second factor begins nothing');
  t.equal(reached({ mail: true }), undefined, 'links by mail must be allowed');
  t.equal(reached({ mail: true }, { firstFactors: ['mailLink'] }), '1');
  t.equal(reached({ password: true, totp: true }), '2');
  t.equal(reached({ password: true, totp: true }, { secondFactors: ['passkey'] }), '1');
  t.equal(reached({ password: true, mail: true }, { secondFactors: ['mailCode'] }), '2');
  const byMail: SignInPolicy = { firstFactors: ['mailLink', 'connection'], secondFactors: ['mailCode'] };
  t.equal(reached({ mail: true }, byMail), '1', 'a link and a code prove the same mailbox');
  t.equal(reached({ mail: true, connection: true }, byMail), '2');
  t.equal(reached({ passkey: true }), 'phr');
  t.equal(reached({ password: true, totp: true }, { firstFactors: ['passkey'] }), undefined);
  t.equal(
    reached({ password: true, passkey: true }, { firstFactors: ['password'], secondFactors: ['totp'] }),
    '1',
  );
});

t.test('a policy is stored in one form', async (t) => {
  const given: SignInPolicy = {
    secondFactors: ['passkey', 'totp', 'totp'],
    identifierFirst: false,
    firstFactors: ['passkey', 'password'],
    demands: [{ of: 'groups', groups: ['b', 'a', 'b'], acr: '2', from: '2000-02-29' }],
  };
  const stored = requireSignInPolicy(given);
  t.same(stored, {
    firstFactors: ['password', 'passkey'],
    secondFactors: ['totp', 'passkey'],
    demands: [{ of: 'groups', groups: ['b', 'a'], acr: '2', from: '2000-02-29' }],
  });
  t.same(requireSignInPolicy(stored), stored);
  t.same(requireSignInPolicy({ demands: [] }), {});
});

const demand = { of: 'everybody', acr: '2', from: '2026-01-01' } as const;
const group = { ...demand, of: 'groups' } as const;

/** Policies with one wrong value, and where it is. */
const refused: readonly [at: string, given: object][] = [
  ['firstFactors', { firstFactors: [] }],
  ['firstFactors', { firstFactorsFrom: '2026-01-01' }],
  ['firstFactors[1]', { firstFactors: ['password', 'fax'] }],
  ['secondFactors[0]', { secondFactors: ['__proto__'] }],
  ['firstFactorsFrom', { firstFactors: ['password'], firstFactorsFrom: '2026-02-30' }],
  ['firstFactorsFrom', { firstFactors: ['password'], firstFactorsFrom: '1999-12-31' }],
  ['firstFactorsFrom', { firstFactors: ['password'], firstFactorsFrom: '2100-01-01' }],
  ['firstFactorsFrom', { firstFactors: ['password'], firstFactorsFrom: '2026-1-1' }],
  ['firstFactorsFrom', { firstFactors: ['password'], firstFactorsFrom: '+010000-01-01' }],
  ['demands[0].from', { demands: [{ ...demand, from: '2026-01-01T00:00:00Z' }] }],
  ['demands[0].from', { demands: [{ ...demand, from: '' }] }],
  ['demands[1].of', { demands: [demand, { ...demand, of: 'nobody' }] }],
  ['demands[0].acr', { demands: [{ ...demand, acr: '1' }] }],
  ['demands[0].groups', { demands: [{ ...demand, groups: ['a'] }] }],
  ['demands[0].groups', { demands: [group] }],
  ['demands[0].groups', { demands: [{ ...group, groups: Array.from({ length: 21 }, (_, n) => `g${n}`) }] }],
  ['demands[0].groups[1]', { demands: [{ ...group, groups: ['a', 'b c'] }] }],
  ['demands[0].groups[0]', { demands: [{ ...group, groups: ['x'.repeat(201)] }] }],
  ['demands', { demands: Array.from({ length: 11 }, () => demand) }],
  ['sessionSeconds', { sessionSeconds: 299 }],
  ['sessionSeconds', { sessionSeconds: 31_536_001 }],
  ['sessionIdleSeconds', { sessionIdleSeconds: -1 }],
  ['freshSignInSeconds', { freshSignInSeconds: 60.5 }],
  ['refreshTokenSeconds', { refreshTokenSeconds: Number.NaN }],
  ['rememberedBrowserDays', { rememberedBrowserDays: 366 }],
  ['demands[0].acr', { secondFactors: [], firstFactors: ['password'], demands: [demand] }],
  [
    'demands[0].acr',
    {
      ...{ firstFactors: ['password'], secondFactors: ['totp'] },
      demands: [{ ...demand, acr: 'phr' }],
    },
  ],
];

t.test('absurd values are refused where they stand', async (t) => {
  for (const [at, given] of refused) {
    const error = await thrownBy(() => requireSignInPolicy(given as SignInPolicy));
    const path = error?.violations[0]?.path.join('.');
    t.equal(path, at.replace(/\[(\d+)\]/g, '.$1'), JSON.stringify(given).slice(0, 100));
  }
  t.equal(
    await errorIdOf(() => requireSignInPolicy({ firstFactorsFrom: '2026-01-01' })),
    'directory.valueMissing',
  );
});
