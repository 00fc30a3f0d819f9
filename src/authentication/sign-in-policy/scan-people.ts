import type { MembershipsStore } from '#src/access/memberships/index.js';
import type { AccountsStore } from '#src/accounts/index.js';
import { hasServingLink, type IdentityLinksStore } from '#src/accounts/person-lists/index.js';
import { factsAskedBy, policyOf, type SignInPolicy } from '#src/directory/index.js';
import type { GroupMembersStore, GroupsStore } from '#src/people/groups/index.js';
import { mostTold, type Outcomes, outcomeFor, type UnfitAdministrator } from './outcome.js';
import { groupsWithRoles, type SpecialPeopleDeps } from './special-people.js';

export interface ScanPeopleDeps {
  readonly accounts: Pick<AccountsStore, 'factorsPage'>;
  readonly memberships: Pick<MembershipsStore, 'withRoleAmong' | 'withRoleOutside'>;
  readonly groups: Pick<GroupsStore, 'holding'>;
  readonly groupMembers: Pick<GroupMembersStore, 'groupsBetween'>;
  readonly identityLinks: Pick<IdentityLinksStore, 'findMany'>;
  readonly caches: SpecialPeopleDeps['caches'];
}

/** How far a scan is. It is small, so that a job can keep it. */
export interface PeopleScan {
  /** The identifier of the last person who was looked at. Absent at the beginning. */
  readonly after?: string;
  /** How many users were looked at. */
  readonly looked: number;
  readonly people: Outcomes;
  readonly administrators: readonly UnfitAdministrator[];
}

/** The beginning of a scan. */
export const newScan: PeopleScan = {
  looked: 0,
  people: { meets: 0, mustEnrol: 0, lockedOut: 0 },
  administrators: [],
};

const pageLength = 1_000;

/**
 * Looks at every person of an organization in the order of their identifiers, and yields after each page how far it is. Each page takes
 * five queries: for factors, roles, membership of the groups that the policy names, links to other providers, and roles outside of people with links.
 * @param trial `now`: the moment of the trial. `from`: where an earlier scan stopped
 */
export async function* scanPeople(
  deps: ScanPeopleDeps,
  trial: { orgId: string; policy: SignInPolicy; now: Date; from: PeopleScan },
): AsyncGenerator<PeopleScan> {
  const { orgId, policy, now } = trial;
  const named = factsAskedBy(policy).groups;
  const powerful = new Set(await groupsWithRoles(deps, orgId));
  const groupIds = [...new Set([...named, ...powerful])];
  let scan = trial.from;
  for (;;) {
    const page = await deps.accounts.factorsPage(orgId, { after: scan.after, limit: pageLength });
    const [first, last] = [page[0]?.id, page.at(-1)?.id];
    if (first === undefined || last === undefined) return;
    const ids = page.map(({ id }) => id);
    const [withRole, groupsOf, links] = await Promise.all([
      deps.memberships.withRoleAmong(ids),
      deps.groupMembers.groupsBetween(orgId, { groupIds, first, last }),
      deps.identityLinks.findMany(orgId, ids),
    ]);
    const connections = links.length === 0 ? [] : await deps.caches.connections.get(orgId);
    const linked = links
      .filter(({ items }) => hasServingLink(items, connections))
      .map(({ userId }) => userId);
    const ofConnections = new Set(linked);
    for (const userId of await deps.memberships.withRoleOutside(orgId, linked)) ofConnections.delete(userId);
    const people = { ...scan.people };
    const administrators = [...scan.administrators];
    for (const { id: userId, userName, ...factors } of page) {
      if (!factors.active) continue;
      const groups = groupsOf.get(userId) ?? new Set<string>();
      const roles = withRole.has(userId) || [...groups].some((id) => powerful.has(id));
      const owned = { ...factors, connection: ofConnections.has(userId) };
      const outcome = outcomeFor({ policy: policyOf(policy, userId), facts: { roles, groups }, owned, now });
      people[outcome]++;
      const isTold = roles && outcome !== 'meets' && administrators.length < mostTold;
      if (isTold) administrators.push({ userId, userName, outcome });
    }
    scan = { after: last, looked: scan.looked + page.length, people, administrators };
    yield scan;
    if (page.length < pageLength) return;
  }
}
