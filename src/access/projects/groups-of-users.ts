import type { User } from '#src/directory/index.js';
import {
  type GroupGeneration,
  type GroupMembersStore,
  type GroupsStore,
  type NamedGroup,
  toNamedGroups,
  type UserGroups,
} from '#src/people/groups/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { AssignmentsStore } from './assignments.store.js';

/** Which groups of a user an application gets. */
export interface GroupSelection {
  /** If not empty, only groups whose name begins with it, in any letter case. */
  readonly prefix: string;
  /** Only groups that have roles in this project. */
  readonly assignedIn?: string;
}

/** The groups of a user that a selection leaves, by name. `isCut`: there may be more. */
export interface SelectedGroups {
  readonly groups: readonly NamedGroup[];
  readonly isCut: boolean;
}

/** The groups of people who use tokens, as applications get them. */
export interface GroupsOfUsers {
  /** Returns the groups. They are cached with this object of the user. The result is the same object until something changes. */
  of(user: User, selection: GroupSelection): Promise<SelectedGroups>;
}

/** The most groups of a user that a selection is made from. */
const mostGroups = 10_000;
/** The most selected groups. No claim has so many. */
const mostSelected = 1_000;
/** The most selections that are cached for a user. Different applications have different ones. */
const mostCached = 20;

interface Kept {
  readonly generation: GroupGeneration;
  readonly bySelection: Map<string, Promise<SelectedGroups>>;
}

/** A text that is the same for the same selection. No identifier of a project has a space. */
export function selectionKey({ prefix, assignedIn = '*' }: GroupSelection): string {
  return `${assignedIn} ${prefix}`;
}

/**
 * Keeps the groups with the cached user, as `people/groups/user-groups.ts` does. A change of the grants of a group begins another
 * generation of the groups of its organization.
 */
export function createGroupsOfUsers({
  userGroups,
  groups,
  groupMembers,
  groupGrants,
  caches,
}: {
  userGroups: UserGroups;
  groups: Pick<GroupsStore, 'namesOf'>;
  groupMembers: Pick<GroupMembersStore, 'groupsOf'>;
  groupGrants: Pick<AssignmentsStore, 'holdersAmong'>;
  caches: { readonly groupGenerations: Cache<GroupGeneration> };
}): GroupsOfUsers {
  const known = new WeakMap<User, Kept>();
  const everything = new WeakMap<readonly NamedGroup[], SelectedGroups>();

  async function all(user: User): Promise<SelectedGroups> {
    const named = await userGroups.of(user);
    const cached = everything.get(named) ?? { groups: named, isCut: false };
    everything.set(named, cached);
    return cached;
  }

  async function select(
    { orgId, id }: User,
    { prefix, assignedIn }: GroupSelection,
  ): Promise<SelectedGroups> {
    const ids = await groupMembers.groupsOf(orgId, id, mostGroups + 1);
    const assigned =
      assignedIn === undefined
        ? ids
        : await groupGrants.holdersAmong(orgId, { projectId: assignedIn, holderIds: ids });
    const names = await groups.namesOf(orgId, assigned, prefix);
    const sorted = toNamedGroups(names);
    return {
      groups: sorted.slice(0, mostSelected),
      isCut: ids.length > mostGroups || sorted.length > mostSelected,
    };
  }

  return {
    async of(user, selection) {
      if (selection.prefix === '' && selection.assignedIn === undefined) return all(user);
      // Before the groups are read: what changes afterwards begins another generation.
      const generation = await caches.groupGenerations.get(user.orgId);
      const before = known.get(user);
      const cached = before?.generation === generation ? before : { generation, bySelection: new Map() };
      if (cached !== before) known.set(user, cached);
      const key = selectionKey(selection);
      const held = cached.bySelection.get(key);
      if (held !== undefined) return held;
      const reading = generation.hasGroups
        ? select(user, selection)
        : Promise.resolve({ groups: [], isCut: false });
      if (cached.bySelection.size < mostCached) {
        cached.bySelection.set(key, reading);
        reading.catch(() => cached.bySelection.delete(key));
      }
      return reading;
    },
  };
}
