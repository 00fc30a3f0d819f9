import type { Cache } from '#src/platform/redis/cache.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import type { User } from '../users/user.js';
import type { GroupMembersStore } from './group-members.store.js';
import type { GroupsStore } from './groups.store.js';
import { usersPerStep } from './users-per-step.js';

/** A group as claims and pages name it. */
export interface NamedGroup {
  readonly id: string;
  readonly name: string;
}

/** The groups of people who use tokens. */
export interface UserGroups {
  /** Returns at most 1,001 groups of a user, by name. They are kept with this object of the user. */
  of(user: User): Promise<readonly NamedGroup[]>;
}

/** More groups than any response names. */
const mostGroups = 1_001;

/**
 * Keeps the groups with the cached user (`users/people.ts`). A change of members gives each of them a new stamp, so that the next use of
 * a token reads the user and the groups again.
 */
export function createUserGroups({
  groups,
  groupMembers,
}: {
  groups: Pick<GroupsStore, 'namesOf'>;
  groupMembers: Pick<GroupMembersStore, 'groupsOf'>;
}): UserGroups {
  const known = new WeakMap<User, Promise<readonly NamedGroup[]>>();
  async function read({ orgId, id }: User): Promise<readonly NamedGroup[]> {
    const names = await groups.namesOf(orgId, await groupMembers.groupsOf(orgId, id, mostGroups));
    return [...names]
      .map(([groupId, name]) => ({ id: groupId, name }))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }
  return {
    of(user) {
      const kept = known.get(user);
      if (kept !== undefined) return kept;
      const reading = read(user);
      known.set(user, reading);
      reading.catch(() => known.delete(user));
      return reading;
    },
  };
}

/** What tells other processes of changes. */
export interface AnnounceDeps {
  readonly revocations: Pick<RevocationList, 'restamp'>;
  readonly caches: { readonly memberships: Cache<unknown> };
}

/**
 * Tells every process that the groups of these users have changed. Call it after the commit. It never fails.
 * @param changed `holdsRoles`: whether the roles of the users have changed with the groups
 */
export async function announceMembers(
  { revocations, caches }: AnnounceDeps,
  { userIds, holdsRoles }: { userIds: readonly string[]; holdsRoles: boolean },
): Promise<void> {
  await Promise.all(
    userIds.flatMap((userId) => [
      revocations.restamp(userId),
      ...(holdsRoles ? [caches.memberships.invalidate(userId)] : []),
    ]),
  );
}

/** {@link announceMembers} for all members of a group. */
export async function announceGroup(
  deps: AnnounceDeps & { groupMembers: Pick<GroupMembersStore, 'page'> },
  { orgId, groupId, holdsRoles }: { orgId: string; groupId: string; holdsRoles: boolean },
): Promise<void> {
  let after: string | undefined;
  do {
    const userIds = await deps.groupMembers.page(orgId, groupId, { after, limit: usersPerStep });
    await announceMembers(deps, { userIds, holdsRoles });
    after = userIds.length < usersPerStep ? undefined : userIds.at(-1);
  } while (after !== undefined);
}
