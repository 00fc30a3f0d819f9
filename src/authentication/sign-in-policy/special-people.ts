import type { MembershipsStore } from '#src/access/memberships/index.js';
import { hasServingLink, type IdentityLinksStore } from '#src/accounts/person-lists/index.js';
import { factsAskedBy, type SignInPolicy } from '#src/directory/index.js';
import { type GroupMembersStore, type GroupsStore, groupRoles } from '#src/people/groups/index.js';
import type { Cache } from '#src/platform/redis/cache.js';

export interface SpecialPeopleDeps {
  readonly memberships: Pick<MembershipsStore, 'page' | 'pageOutside' | 'withRoleOutside'>;
  readonly groups: Pick<GroupsStore, 'holding'>;
  readonly groupMembers: Pick<GroupMembersStore, 'page'>;
  readonly identityLinks: Pick<IdentityLinksStore, 'pageOfAll'>;
  readonly caches: {
    /** All connections of an organization. */
    readonly connections: Pick<Cache<readonly { readonly id: string; readonly enabled: boolean }[]>, 'get'>;
  };
}

/** The people of an organization of whom totals do not tell what a policy does to them. */
export interface SpecialPeople {
  /** People with a role in any organization or in the instance, and service users. */
  readonly withRoles: ReadonlySet<string>;
  /** The members of the groups that the policy names, each with these groups. */
  readonly groupsOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** People with a link to another identity provider that signs them in. It signs in nobody with a role outside of the organization. */
  readonly linked: ReadonlySet<string>;
}

/** The most people whom a request looks at one by one. */
const mostSpecial = 20_000;
const pageLength = 1_000;
/** Returns the groups that hold a role in the organization. */
export async function groupsWithRoles(
  { groups }: Pick<SpecialPeopleDeps, 'groups'>,
  orgId: string,
): Promise<string[]> {
  const holding = await Promise.all(groupRoles.map((role) => groups.holding(orgId, role)));
  return [...new Set(holding.flat())];
}

/** Finds the people who are to be looked at one by one. Undefined if there are more than {@link mostSpecial}. */
export async function findSpecialPeople(
  deps: SpecialPeopleDeps,
  orgId: string,
  policy: SignInPolicy,
): Promise<SpecialPeople | undefined> {
  const withRoles = new Set<string>();
  const linked = new Set<string>();
  const groupsOf = new Map<string, Set<string>>();
  const connections = await deps.caches.connections.get(orgId);
  const lists: List[] = [
    ...roleLists(deps, orgId).map((page) =>
      listOf(
        page,
        ({ id }) => id,
        ({ userId }) => withRoles.add(userId),
      ),
    ),
    ...(await groupsWithRoles(deps, orgId)).map((groupId) =>
      membersList(deps, { orgId, groupId }, (userId) => withRoles.add(userId)),
    ),
    ...factsAskedBy(policy).groups.map((groupId) =>
      membersList(deps, { orgId, groupId }, (userId) =>
        groupsOf.set(userId, (groupsOf.get(userId) ?? new Set()).add(groupId)),
      ),
    ),
    listOf(
      (page) => deps.identityLinks.pageOfAll(orgId, page),
      ({ userId }) => userId,
      ({ userId, items }) => {
        if (hasServingLink(items, connections)) linked.add(userId);
      },
    ),
  ];
  let left = mostSpecial;
  for (const readPage of lists) {
    for (let isMore = true; isMore; ) {
      const read = await readPage();
      left -= read;
      if (left < 0) return undefined;
      isMore = read === pageLength;
    }
  }
  const ids = [...linked];
  for (let at = 0; at < ids.length; at += pageLength) {
    const outside = await deps.memberships.withRoleOutside(orgId, ids.slice(at, at + pageLength));
    for (const userId of outside) linked.delete(userId);
  }
  return { withRoles, groupsOf, linked };
}

/** The lists of roles: those in the organization, those of the instance, and those that people of the organization have elsewhere. */
function roleLists({ memberships }: Pick<SpecialPeopleDeps, 'memberships'>, orgId: string) {
  type Page = { after?: string; limit: number };
  return [
    (page: Page) => memberships.page(orgId, page),
    (page: Page) => memberships.page(undefined, page),
    (page: Page) => memberships.pageOutside(orgId, page),
  ];
}

/** Takes the next page of a list. Returns how many items it had. */
type List = () => Promise<number>;

function listOf<T>(
  read: (page: { after?: string; limit: number }) => Promise<readonly T[]>,
  keyOf: (item: T) => string,
  take: (item: T) => unknown,
): List {
  let after: string | undefined;
  return async () => {
    const items = await read({ limit: pageLength, ...(after !== undefined && { after }) });
    for (const item of items) {
      take(item);
      after = keyOf(item);
    }
    return items.length;
  };
}

function membersList(
  { groupMembers }: Pick<SpecialPeopleDeps, 'groupMembers'>,
  { orgId, groupId }: { orgId: string; groupId: string },
  take: (userId: string) => unknown,
): List {
  return listOf(
    (page) => groupMembers.page(orgId, groupId, page),
    (userId) => userId,
    take,
  );
}
