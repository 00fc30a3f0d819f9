import type { AccountsStore } from '#src/accounts/index.js';
import {
  type FactorClass,
  factorClassOf,
  factorsOfClass,
  policyOf,
  type SignInPolicy,
} from '#src/directory/index.js';
import { requireSignInPolicy, type UserTotalsStore } from '#src/organizations/index.js';
import type { UsersStore } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import { type Concerned, type ConcernedDeps, findConcerned } from './concerned.js';
import { mostTold, type Outcomes, outcomeFor, type UnfitAdministrator } from './outcome.js';
import { type PutSignInPolicyDeps, requirePossiblePolicy } from './put-sign-in-policy.js';
import { type BreakGlassDeps, requireBreakGlassOwners } from './require-break-glass-owners.js';
import { findSpecialPeople, type SpecialPeople, type SpecialPeopleDeps } from './special-people.js';

export interface TrySignInPolicyDeps
  extends SpecialPeopleDeps,
    ConcernedDeps,
    Pick<PutSignInPolicyDeps, 'mailLink'> {
  readonly memberships: SpecialPeopleDeps['memberships'] & ConcernedDeps['memberships'];
  readonly groups: Pick<PutSignInPolicyDeps['groups'], 'namesOf'> & SpecialPeopleDeps['groups'];
  readonly accounts: Pick<AccountsStore, 'countFactors' | 'factorsOf'>;
  readonly users: Pick<UsersStore, 'count'>;
  readonly userTotals: Pick<UserTotalsStore, 'readFactors'>;
  readonly clock: Clock;
}

/** What a policy would do, before it holds. */
export interface PolicyTrial extends Concerned {
  readonly people: Outcomes;
  /** People with roles who do not meet it. At most {@link mostTold} are named. */
  readonly administrators: readonly UnfitAdministrator[];
}

const batchLength = 1_000;
/** The most people of an organization without kept numbers whom a request counts. */
const mostCounted = 20_000;

/**
 * Checks a policy that is to be tried, and returns it as it would be stored.
 * @throws AppError `directory.valueInvalid`, `directory.mailMissing`
 */
export async function requireTriablePolicy(
  deps: Pick<TrySignInPolicyDeps, 'groups' | 'mailLink'> & BreakGlassDeps,
  { orgId, policy: given }: { orgId: string; policy: SignInPolicy },
): Promise<SignInPolicy> {
  const policy = requireSignInPolicy(given);
  await requirePossiblePolicy(deps, orgId, policy);
  await requireBreakGlassOwners(deps, orgId, policy);
  return policy;
}

/**
 * Says what a policy would do to an organization. It writes nothing. Numbers are kept of people by their factors, and most people are counted by
 * these. Some people are looked at one by one: those with a role, those in a group that the policy names, and those who sign in at another
 * provider.
 * @param policy of {@link requireTriablePolicy}
 * @returns undefined if this is too much work for a request: see {@link scanPeople}
 */
export async function trySignInPolicy(
  deps: TrySignInPolicyDeps,
  { orgId, policy }: { orgId: string; policy: SignInPolicy },
): Promise<PolicyTrial | undefined> {
  const now = deps.clock.now();
  const special = await findSpecialPeople(deps, orgId, policy);
  if (special === undefined) return undefined;
  const totals = await readClasses(deps, orgId);
  if (totals === undefined) return undefined;
  const classes = new Map(totals);
  const people = { meets: 0, mustEnrol: 0, lockedOut: 0 };
  const administrators: UnfitAdministrator[] = [];
  for await (const { id: userId, userName, ...factors } of eachSpecial(deps, orgId, special)) {
    if (!factors.active) continue;
    const name = factorClassOf(factors);
    classes.set(name, (classes.get(name) ?? 0) - 1);
    const facts = {
      roles: special.withRoles.has(userId),
      groups: special.groupsOf.get(userId) ?? new Set<string>(),
    };
    const owned = { ...factors, connection: special.linked.has(userId) };
    const outcome = outcomeFor({ policy: policyOf(policy, userId), facts, owned, now });
    people[outcome]++;
    const isTold = facts.roles && outcome !== 'meets' && administrators.length < mostTold;
    if (isTold) administrators.push({ userId, userName, outcome });
  }
  const nobody = { roles: false, groups: new Set<string>() };
  for (const [name, count] of classes) {
    const factors = factorsOfClass(name);
    if (factors === undefined) continue;
    const owned = { ...factors, connection: false };
    people[outcomeFor({ policy, facts: nobody, owned, now })] += count;
  }
  return { people, administrators, ...(await findConcerned(deps, orgId, policy)) };
}

/** The numbers of users by their factors: those that are kept, or else counted. Undefined if there are too many to count. */
async function readClasses(
  { userTotals, users, accounts }: TrySignInPolicyDeps,
  orgId: string,
): Promise<ReadonlyMap<FactorClass, number> | undefined> {
  const totals = await userTotals.readFactors(orgId);
  if (totals !== undefined) return totals;
  return (await users.count(orgId)) > mostCounted ? undefined : accounts.countFactors(orgId);
}

/** The people whom a trial looks at one by one, with their factors. */
async function* eachSpecial(
  { accounts }: TrySignInPolicyDeps,
  orgId: string,
  { withRoles, groupsOf, linked }: SpecialPeople,
) {
  const ids = [...new Set([...withRoles, ...groupsOf.keys(), ...linked])];
  for (let at = 0; at < ids.length; at += batchLength) {
    yield* await accounts.factorsOf(orgId, ids.slice(at, at + batchLength));
  }
}
