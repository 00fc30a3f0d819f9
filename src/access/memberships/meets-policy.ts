import {
  demandOn,
  includesAcr,
  lastPolicyMoment,
  type OwnedFactors,
  reachableAcr,
  type SignInPolicy,
} from '#src/directory/index.js';

/**
 * Whether the factors of an administrator are enough for a policy, at a moment or when all of its days have come. Demands of groups count too,
 * because anybody can be made a member.
 */
export function meetsPolicy(policy: SignInPolicy, owned: OwnedFactors, at: Date | 'allDays'): boolean {
  const moment = at === 'allDays' ? lastPolicyMoment : at;
  const groups = new Set((policy.demands ?? []).flatMap((demand) => demand.groups ?? []));
  const { acr } = demandOn(policy, { roles: true, groups }, moment);
  const reached = reachableAcr(policy, owned, moment);
  return reached !== undefined && includesAcr(reached, acr);
}
