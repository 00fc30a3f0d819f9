import t from 'tap';
import { unmetRules } from '#src/authentication/unmet-rules.js';
import type { OwnedFactors, SignInPolicy } from '#src/directory/index.js';

const now = new Date('2026-06-01T12:00:00Z');
const nothing: OwnedFactors = {
  password: false,
  totp: false,
  passkey: false,
  connection: false,
  mail: false,
};
const plain = { ...nothing, password: true };
const unmet = (
  policy: SignInPolicy | undefined,
  owned: Partial<OwnedFactors> = {},
  facts: { roles?: boolean; groups?: string[] } = {},
) =>
  unmetRules(policy, {
    facts: { roles: facts.roles ?? false, groups: new Set(facts.groups) },
    owned: { ...plain, ...owned },
    now,
  });

t.test('without a policy, and under one that is met, there is no rule', async (t) => {
  t.same(unmet(undefined), []);
  t.same(unmet(undefined, { password: false }), [], 'that nobody has a password is no rule');
  t.same(unmet({}), []);
  const policy: SignInPolicy = { demands: [{ of: 'everybody', acr: '2', from: '2026-01-01' }] };
  t.same(unmet(policy, { totp: true }), []);
  t.same(unmet(policy, { passkey: true }), [], 'the highest level has the lower one');
});

t.test('a demand is told to those of whom it is made', async (t) => {
  const of = (scope: 'roles' | 'groups') =>
    ({
      demands: [{ of: scope, ...(scope === 'groups' && { groups: ['g1'] }), acr: 'phr', from: '2026-01-01' }],
    }) as const;
  t.same(unmet(of('roles'), { totp: true }), []);
  t.same(unmet(of('roles'), { totp: true }, { roles: true }), [
    { rule: 'demand', of: 'roles', acr: 'phr', from: '2026-01-01', holds: true },
  ]);
  t.same(unmet(of('groups'), {}, { groups: ['g2'] }), []);
  t.match(unmet(of('groups'), {}, { groups: ['g1'] }), [{ of: 'groups', groups: ['g1'], holds: true }]);
});

t.test('a later day is told with what holds by then', async (t) => {
  t.same(unmet({ demands: [{ of: 'everybody', acr: '2', from: '2026-06-02' }] }), [
    { rule: 'demand', of: 'everybody', acr: '2', from: '2026-06-02', holds: false },
  ]);
  t.same(
    unmet({ demands: [{ of: 'everybody', acr: '2', from: '2026-06-01' }] }),
    [{ rule: 'demand', of: 'everybody', acr: '2', from: '2026-06-01', holds: true }],
    'a day begins at midnight',
  );
});

t.test('what may begin a sign-in comes first, and alone if nothing of it is there', async (t) => {
  const policy: SignInPolicy = {
    firstFactors: ['passkey', 'connection'],
    demands: [{ of: 'everybody', acr: 'phr', from: '2026-01-01' }],
  };
  t.same(unmet(policy), [{ rule: 'firstFactors', factors: ['passkey', 'connection'] }]);
  t.match(unmet(policy, { connection: true }), [{ rule: 'demand', acr: 'phr' }]);
  const later = { ...policy, demands: [], firstFactorsFrom: '2026-07-01' };
  t.same(unmet(later), [{ rule: 'firstFactors', factors: ['passkey', 'connection'], from: '2026-07-01' }]);
  const past = { ...later, firstFactorsFrom: '2026-05-01' };
  t.same(unmet(past), [{ rule: 'firstFactors', factors: ['passkey', 'connection'] }]);
});
