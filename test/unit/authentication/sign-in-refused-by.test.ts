import t from 'tap';
import { type Proof, signInRefusedBy } from '#src/authentication/proofs/index.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';

type Deps = Parameters<typeof signInRefusedBy>[0];

const meetsUnder = async (signInPolicy: SignInPolicy | undefined, proofs: readonly Proof[] | undefined) => {
  const deps = {
    caches: {
      organizations: { get: async () => ({ signInPolicy }) },
      memberships: { get: async () => [] },
    },
    groupMembers: { existing: async () => new Set() },
    clock: { now: () => new Date() },
  } as unknown as Deps;
  const signIn = { userId: 'user', orgId: 'org', amr: ['otp'], ...(proofs && { proofs }) };
  return (await signInRefusedBy(deps, signIn, undefined)) === undefined;
};

t.test('without a policy, a link by mail counts no more, and other proofs do', async (t) => {
  for (const policy of [undefined, {}]) {
    t.equal(await meetsUnder(policy, [{ kind: 'mailLink' }]), false);
    t.equal(await meetsUnder(policy, [{ kind: 'password' }]), true);
    t.equal(await meetsUnder(policy, undefined), true, 'a family of an earlier version');
  }
  t.equal(await meetsUnder({ firstFactors: ['mailLink'] }, [{ kind: 'mailLink' }]), true);
});
