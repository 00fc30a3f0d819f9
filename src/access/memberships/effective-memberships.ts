import type { Membership } from '#src/directory/index.js';
import type { GroupGeneration, GroupMembersStore, GroupsStore } from '#src/people/groups/index.js';
import type { UsersStore } from '#src/people/users/index.js';
import { createLru } from '#src/platform/lru.js';
import type { Cache } from '#src/platform/redis/cache.js';

interface EffectiveMembershipsDeps {
  /** The roles that users have themselves. */
  readonly direct: Cache<Membership[]>;
  /** Keyed by the organization. The value is another object after each change of the roles that come from groups. */
  readonly groupGenerations: Cache<GroupGeneration>;
  readonly users: Pick<UsersStore, 'organizationOf'>;
  readonly groups: Pick<GroupsStore, 'rolesOf'>;
  readonly groupMembers: Pick<GroupMembersStore, 'groupsOf'>;
}

/** The roles of a user that come from groups, and the state of the groups in which they were read. */
interface Inherited {
  readonly orgId: string | undefined;
  readonly generation: GroupGeneration | undefined;
  readonly memberships: readonly Membership[];
}

/** The most groups of a user whose roles count. */
const mostGroups = 10_000;
const max = 10_000;
const ttl = 60_000;

/**
 * Returns a cache of every role of a user or service user: its own, in all organizations, and those of its groups. A role that comes from
 * a group has the identifier of the group. A group may have any number of members, so a change of its roles drops no entry of a
 * member. It begins another generation of the organization, and entries of earlier ones are read again when they are used.
 */
export function createEffectiveMemberships(deps: EffectiveMembershipsDeps): Cache<Membership[]> {
  const known = createLru<Inherited>({ max, ttl });

  async function inherited(userId: string): Promise<readonly Membership[]> {
    const cached = known.get(userId);
    const orgId = cached === undefined ? await deps.users.organizationOf(userId) : cached.orgId;
    // Before the groups are read: what changes afterwards begins another generation.
    const generation = orgId === undefined ? undefined : await deps.groupGenerations.get(orgId);
    if (cached !== undefined && cached.generation === generation) return cached.memberships;
    // Only people are members of groups.
    const memberships = orgId !== undefined && generation?.hasGroups ? await read(orgId, userId) : [];
    known.set(userId, { orgId, generation, memberships });
    return memberships;
  }

  async function read(orgId: string, userId: string): Promise<Membership[]> {
    const groupIds = await deps.groupMembers.groupsOf(orgId, userId, mostGroups);
    const ofGroups = await deps.groups.rolesOf(orgId, groupIds);
    return [...ofGroups].flatMap(([id, { roles, created }]) =>
      roles.map((role): Membership => ({ id, userId, role, orgId, created })),
    );
  }

  return {
    async get(userId) {
      const [direct, ofGroups] = await Promise.all([deps.direct.get(userId), inherited(userId)]);
      return ofGroups.length === 0 ? direct : [...direct, ...ofGroups];
    },
    async invalidate(userId) {
      known.delete(userId);
      await deps.direct.invalidate(userId);
    },
  };
}
