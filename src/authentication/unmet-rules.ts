import {
  allowedFirstFactors,
  type DemandFacts,
  type FactorDemand,
  type FirstFactor,
  includesAcr,
  isMadeOf,
  type OwnedFactors,
  type PolicyDay,
  reachableAcr,
  type SignInPolicy,
  startOfDay,
} from '#src/directory/index.js';

/** A rule of the sign-in policy that a person cannot meet with what the person has. */
export type UnmetRule =
  /** What may begin a sign-in. The person has none of it. `from`: absent if it holds. */
  | { readonly rule: 'firstFactors'; readonly factors: readonly FirstFactor[]; readonly from?: PolicyDay }
  /** A demand that is made of the person, which may begin on a later day. */
  | ({ readonly rule: 'demand'; readonly holds: boolean } & FactorDemand);

/**
 * Returns the rules of a policy that a person cannot meet now, or from a later day on. What may begin a sign-in comes first. Without it, no demand is
 * told: a factor that follows would not help.
 */
export function unmetRules(
  policy: SignInPolicy | undefined,
  { facts, owned, now }: { facts: DemandFacts; owned: OwnedFactors; now: Date },
): UnmetRule[] {
  const { demands = [], firstFactorsFrom: from } = policy ?? {};
  const laterOf = (day: PolicyDay | undefined) =>
    day === undefined || startOfDay(day) <= now.getTime() ? now : new Date(startOfDay(day));
  const begins = laterOf(from);
  const unmet: UnmetRule[] = [];
  if (policy?.firstFactors !== undefined && reachableAcr(policy, owned, begins) === undefined) {
    const isLater = begins > now && from !== undefined;
    unmet.push({
      rule: 'firstFactors',
      factors: allowedFirstFactors(policy, begins),
      ...(isLater && { from }),
    });
  }
  for (const demand of demands.filter((one) => isMadeOf(one, facts))) {
    const moment = laterOf(demand.from);
    const reached = reachableAcr(policy, owned, moment);
    if (reached === undefined || includesAcr(reached, demand.acr)) continue;
    unmet.push({ rule: 'demand', ...demand, holds: moment <= now });
  }
  return unmet;
}
