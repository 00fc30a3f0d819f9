import type { Application, ApplicationsStore } from '#src/clients/applications/index.js';
import type { ServiceUser, ServiceUsersStore } from '#src/clients/service-users/index.js';
import {
  demandOn,
  includesAcr,
  lastPolicyMoment,
  type Membership,
  type OwnedFactors,
  passwordsAreOff,
  permissionsIn,
  reachableAcr,
  type SignInPolicy,
} from '#src/directory/index.js';
import { requireSignInPolicy } from '#src/organizations/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Cache } from '#src/platform/redis/cache.js';
import {
  addTo,
  countClasses,
  type FactorDeps,
  type PersonWithFactors,
  readPeople,
} from './factor-classes.js';
import { findNamedPeople, type NamedPeople, type NamedPeopleDeps } from './people-named.js';
import { type PutSignInPolicyDeps, requirePossiblePolicy } from './put-sign-in-policy.js';

export interface TrySignInPolicyDeps
  extends FactorDeps,
    NamedPeopleDeps,
    Pick<PutSignInPolicyDeps, 'mailLink'> {
  readonly groups: PutSignInPolicyDeps['groups'] & NamedPeopleDeps['groups'];
  readonly applications: Pick<ApplicationsStore, 'page'>;
  readonly serviceUsers: Pick<ServiceUsersStore, 'page'>;
  readonly caches: { readonly ownMemberships: Pick<Cache<Membership[]>, 'get'> };
  readonly clock: Clock;
}

/** What a policy would do to a person: nothing, ask for another factor by a later day, or keep the person out at once. */
type Outcome = 'meets' | 'mustEnrol' | 'lockedOut';

/** What a policy would do, before it holds. */
export interface PolicyTrial {
  /** Active people, by what happens to them. */
  readonly people: Readonly<Record<Outcome, number>>;
  /** People with roles who do not meet it. At most 100 are named. */
  readonly administrators: readonly {
    readonly userId: string;
    readonly userName: string;
    readonly outcome: Exclude<Outcome, 'meets'>;
  }[];
  /** Applications that people sign in to. At most 100 are named. */
  readonly applications: readonly Pick<Application, 'id' | 'name'>[];
  /** Service users that may set passwords, if no password signs in any more. At most 100 are named. */
  readonly serviceUsers: readonly Pick<ServiceUser, 'id' | 'name'>[];
  /** Whether all members of the groups were looked at. */
  readonly isComplete: boolean;
}

const mostTold = 100;
const batchLength = 1_000;

/**
 * Says what a policy would do to an organization. It writes nothing. It reads every user once, and those of whom more is demanded one by one.
 * @throws AppError `directory.valueInvalid`, `directory.mailMissing`
 */
export async function trySignInPolicy(
  deps: TrySignInPolicyDeps,
  { orgId, policy: given }: { orgId: string; policy: SignInPolicy },
): Promise<PolicyTrial> {
  const policy = requireSignInPolicy(given);
  await requirePossiblePolicy(deps, orgId, policy);
  const now = deps.clock.now();
  const people = { meets: 0, mustEnrol: 0, lockedOut: 0 };
  const [classes, named] = await Promise.all([
    countClasses(deps, orgId),
    findNamedPeople(deps, orgId, policy),
  ]);
  const administrators: PolicyTrial['administrators'][number][] = [];
  for await (const person of eachNamed(deps, orgId, named)) {
    addTo(classes, person.owned, -1);
    const { id: userId, userName } = person.account.user;
    const facts = {
      roles: named.withRoles.has(userId),
      groups: named.groupsOf.get(userId) ?? new Set<string>(),
    };
    const outcome = outcomeFor({ policy, facts, owned: person.owned, now });
    people[outcome]++;
    const isTold = facts.roles && outcome !== 'meets' && administrators.length < mostTold;
    if (isTold) administrators.push({ userId, userName, outcome });
  }
  const nobody = { roles: false, groups: new Set<string>() };
  for (const { owned, people: count } of classes.values()) {
    people[outcomeFor({ policy, facts: nobody, owned, now })] += count;
  }
  const concerned = await findConcerned(deps, orgId, policy);
  return { people, administrators, ...concerned, isComplete: !named.areMore };
}

function outcomeFor({
  policy,
  facts,
  owned,
  now,
}: {
  readonly policy: SignInPolicy;
  readonly facts: Parameters<typeof demandOn>[1];
  readonly owned: OwnedFactors;
  readonly now: Date;
}): Outcome {
  const meetsAt = (moment: Date) => {
    const reached = reachableAcr(policy, owned, moment);
    return reached !== undefined && includesAcr(reached, demandOn(policy, facts, moment).acr);
  };
  if (!meetsAt(now)) return 'lockedOut';
  return meetsAt(lastPolicyMoment) ? 'meets' : 'mustEnrol';
}

/** The people whom a trial looks at one by one, in batches. */
async function* eachNamed(
  deps: FactorDeps,
  orgId: string,
  { withRoles, groupsOf }: NamedPeople,
): AsyncGenerator<PersonWithFactors> {
  const ids = [...new Set([...withRoles, ...groupsOf.keys()])];
  for (let at = 0; at < ids.length; at += batchLength) {
    yield* await readPeople(deps, orgId, ids.slice(at, at + batchLength));
  }
}

/** The applications and service users that the policy concerns. */
async function findConcerned(
  { applications, serviceUsers, caches }: TrySignInPolicyDeps,
  orgId: string,
  policy: SignInPolicy,
): Promise<Pick<PolicyTrial, 'applications' | 'serviceUsers'>> {
  if (Object.keys(policy).length === 0) return { applications: [], serviceUsers: [] };
  const limit = mostTold;
  const found = await applications.page(orgId, { limit });
  const signedIn = found.filter(({ type, active }) => type !== 'api' && active);
  const setters: ServiceUser[] = [];
  if (passwordsAreOff(policy, lastPolicyMoment)) {
    for (const one of await serviceUsers.page(orgId, { limit })) {
      const permissions = permissionsIn(await caches.ownMemberships.get(one.id), orgId);
      if (permissions?.has('user.write') && one.ignorePasswords !== true) setters.push(one);
    }
  }
  return {
    applications: signedIn.map(({ id, name }) => ({ id, name })),
    serviceUsers: setters.map(({ id, name }) => ({ id, name })),
  };
}
