import type { User } from '#src/directory/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { SeenUsers } from '../users/seen-users.js';
import type { GroupGeneration } from './group.js';
import type { GroupMembersStore } from './group-members.store.js';
import type { GroupNames } from './group-names.js';

/** A group as claims and pages name it. */
export interface NamedGroup {
  readonly id: string;
  readonly name: string;
}

/** The groups of people who use tokens. */
export interface UserGroups {
  /** Returns at most 1,001 groups of a user, by name. They are kept with this object of the user, which is the same array until they change. */
  of(user: User): Promise<readonly NamedGroup[]>;
}

/** More groups than any response names. */
const mostGroups = 1_001;

interface Kept {
  readonly generation: GroupGeneration;
  readonly groups: Promise<readonly NamedGroup[]>;
}

/**
 * Keeps the groups with the cached user (`users/people.ts`). A change of members gives each of them a new stamp, so that the next use of
 * a token reads the user and the groups again. A change of a group begins another generation of the groups of its organization.
 */
export function createUserGroups({
  groupNames,
  groupMembers,
  caches,
}: {
  groupNames: GroupNames;
  groupMembers: Pick<GroupMembersStore, 'groupsOf'>;
  caches: { readonly groupGenerations: Cache<GroupGeneration> };
}): UserGroups {
  const known = new WeakMap<User, Kept>();
  async function read({ orgId, id }: User): Promise<readonly NamedGroup[]> {
    return toNamedGroups(await groupNames.of(orgId, await groupMembers.groupsOf(orgId, id, mostGroups)));
  }
  return {
    async of(user) {
      const generation = await caches.groupGenerations.get(user.orgId);
      const cached = known.get(user);
      if (cached?.generation === generation) return cached.groups;
      const reading = generation.hasGroups ? read(user) : Promise.resolve([]);
      known.set(user, { generation, groups: reading });
      reading.catch(() => known.delete(user));
      return reading;
    },
  };
}

/** Returns groups by name. @param names by identifier */
export function toNamedGroups(names: ReadonlyMap<string, string>): NamedGroup[] {
  return [...names]
    .map(([id, name]) => ({ id, name }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** What tells other processes of changes. */
export interface AnnounceDeps {
  readonly seenUsers: Pick<SeenUsers, 'restamp'>;
  readonly caches: { readonly groupGenerations: Cache<unknown> };
}

/**
 * Tells every process that the groups of these users have changed. Call it after the commit. It never fails.
 * @param changed `holdsRoles`: whether the roles of the users have changed with the groups
 */
export async function announceMembers(
  deps: AnnounceDeps,
  { orgId, userIds, holdsRoles }: { orgId: string; userIds: readonly string[]; holdsRoles: boolean },
): Promise<void> {
  await deps.seenUsers.restamp(...userIds);
  if (holdsRoles) await announceGroups(deps, orgId);
}

/** Tells every process that a group was added or removed, or has another name or other roles. It costs the same for any number of members. */
export async function announceGroups({ caches }: Pick<AnnounceDeps, 'caches'>, orgId: string): Promise<void> {
  await caches.groupGenerations.invalidate(orgId);
}
