import type { GroupGeneration, GroupMembersStore } from '#src/people/groups/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { AssignmentsStore } from './assignments.store.js';

/** The roles that somebody has in some projects. */
export interface HeldRoles {
  /** Sorted. A project without roles is left out. */
  readonly byProject: ReadonlyMap<string, readonly string[]>;
  /** Whether there are more roles than were read. */
  readonly isCut: boolean;
}

/** A user or service user. */
interface Holder {
  readonly orgId: string;
  readonly id: string;
}

/** The project roles of users who use tokens: those of their own grants, and those of the grants of their groups. */
export interface ProjectRolesOfUsers {
  /**
   * Returns the roles in these projects. A user has roles only in projects of its organization. They are cached with this object of
   * the user. The result is the same object until something changes.
   */
  of(user: Holder, projectIds: readonly string[]): Promise<HeldRoles>;
}

/** The most groups of a user whose grants count. */
const mostGroups = 10_000;
/** The most sets of projects that are cached for a user. Different applications ask for different ones. */
const mostCached = 20;

interface Kept {
  readonly generation: GroupGeneration;
  readonly bySet: Map<string, Promise<HeldRoles>>;
}

/**
 * Keeps the roles with the cached user (`people/users/people.ts`) or service user. A change of its grants or of its groups makes it
 * another object. A change of the grants of a group begins another generation of the groups of its organization.
 */
export function createProjectRolesOfUsers({
  userGrants,
  groupGrants,
  groupMembers,
  caches,
}: {
  userGrants: Pick<AssignmentsStore, 'rolesOf'>;
  groupGrants: Pick<AssignmentsStore, 'rolesOf'>;
  groupMembers: Pick<GroupMembersStore, 'groupsOf'>;
  caches: { readonly groupGenerations: Cache<GroupGeneration> };
}): ProjectRolesOfUsers {
  const known = new WeakMap<object, Kept>();

  async function read(
    { orgId, id }: Holder,
    { projectIds, hasGroups }: { projectIds: readonly string[]; hasGroups: boolean },
  ): Promise<HeldRoles> {
    const ofGroups = async () => {
      const holderIds = hasGroups ? await groupMembers.groupsOf(orgId, id, mostGroups + 1) : [];
      const found = await groupGrants.rolesOf(orgId, { holderIds, projectIds });
      return { ...found, isCut: found.isCut || holderIds.length > mostGroups };
    };
    const found = await Promise.all([userGrants.rolesOf(orgId, { holderIds: [id], projectIds }), ofGroups()]);
    const byProject = new Map<string, readonly string[]>();
    for (const projectId of projectIds) {
      const roles = new Set(found.flatMap((some) => [...(some.byProject.get(projectId) ?? [])]));
      if (roles.size > 0) byProject.set(projectId, [...roles].sort());
    }
    return { byProject, isCut: found.some(({ isCut }) => isCut) };
  }

  return {
    async of(user, projectIds) {
      // Before the grants are read: what changes afterwards begins another generation.
      const generation = await caches.groupGenerations.get(user.orgId);
      const before = known.get(user);
      const cached = before?.generation === generation ? before : { generation, bySet: new Map() };
      if (cached !== before) known.set(user, cached);
      const key = projectIds.join(' ');
      const held = cached.bySet.get(key);
      if (held !== undefined) return held;
      const reading = read(user, { projectIds, hasGroups: generation.hasGroups });
      if (cached.bySet.size < mostCached) {
        cached.bySet.set(key, reading);
        reading.catch(() => cached.bySet.delete(key));
      }
      return reading;
    },
  };
}
