import type { MembershipsStore } from '#src/access/memberships/index.js';
import { factsAskedBy, type Membership, type SignInPolicy } from '#src/directory/index.js';
import type { GroupMembersStore, GroupsStore } from '#src/people/groups/index.js';

export interface NamedPeopleDeps {
  readonly memberships: Pick<MembershipsStore, 'page'>;
  readonly groups: Pick<GroupsStore, 'holding'>;
  readonly groupMembers: Pick<GroupMembersStore, 'page'>;
}

/** The people of an organization of whom a policy may demand more than of everybody. */
export interface NamedPeople {
  /** People with a role in the organization or in the instance, and service users. */
  readonly withRoles: ReadonlySet<string>;
  /** The members of the groups that the policy names, each with these groups. */
  readonly groupsOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether there are more than a trial looks at. */
  readonly areMore: boolean;
}

/** The most people whom a trial looks at one by one. */
const mostNamed = 20_000;
const pageLength = 1_000;
const roles = ['ORG_OWNER', 'ORG_USER_MANAGER', 'ORG_USER_VIEWER'] as const;

/** Finds the people of whom the policy may demand more, and everybody with a role. */
export async function findNamedPeople(
  deps: NamedPeopleDeps,
  orgId: string,
  policy: SignInPolicy,
): Promise<NamedPeople> {
  const withRoles = new Set<string>();
  const groupsOf = new Map<string, Set<string>>();
  let left = mostNamed;
  for (const scope of [orgId, undefined]) {
    left = await eachPage(
      left,
      (page) => deps.memberships.page(scope, page),
      (found: Membership) => {
        withRoles.add(found.userId);
        return found.id;
      },
    );
  }
  const holding = await Promise.all(roles.map((role) => deps.groups.holding(orgId, role)));
  for (const groupId of new Set(holding.flat())) {
    left = await eachPage(
      left,
      (page) => deps.groupMembers.page(orgId, groupId, page),
      (userId: string) => {
        withRoles.add(userId);
        return userId;
      },
    );
  }
  for (const groupId of factsAskedBy(policy).groups) {
    left = await eachPage(
      left,
      (page) => deps.groupMembers.page(orgId, groupId, page),
      (userId: string) => {
        groupsOf.set(userId, (groupsOf.get(userId) ?? new Set()).add(groupId));
        return userId;
      },
    );
  }
  return { withRoles, groupsOf, areMore: left < 0 };
}

/**
 * Reads a list by pages until `left` items were read.
 * @param take returns the key of the item, after which the next page begins
 * @returns how many items are left, or -1 if the list has more
 */
async function eachPage<T>(
  left: number,
  read: (page: { after?: string; limit: number }) => Promise<readonly T[]>,
  take: (item: T) => string,
): Promise<number> {
  let after: string | undefined;
  let rest = left;
  while (rest >= 0) {
    const items = await read({ limit: pageLength, ...(after !== undefined && { after }) });
    for (const item of items) after = take(item);
    rest -= items.length;
    if (items.length < pageLength) return rest;
  }
  return -1;
}
