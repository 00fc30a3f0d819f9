import type { GroupMembersStore } from '../groups/group-members.store.js';
import type { GroupsStore } from '../groups/groups.store.js';
import type { UsersStore } from '../users/users.store.js';
import type { MembershipsStore } from './memberships.store.js';
import type { Membership } from './roles.js';

export interface EffectiveMembershipsDeps {
  readonly memberships: Pick<MembershipsStore, 'ofUser'>;
  readonly users: Pick<UsersStore, 'organizationOf'>;
  readonly groups: Pick<GroupsStore, 'rolesOf'>;
  readonly groupMembers: Pick<GroupMembersStore, 'groupsOf'>;
}

/** The most groups of a user whose roles count. */
const mostGroups = 10_000;

/**
 * Returns every role of a user or service user: its own, in all organizations, and those of its groups. A role that comes from a group
 * has the identifier of the group.
 */
export async function effectiveMemberships(
  { memberships, users, groups, groupMembers }: EffectiveMembershipsDeps,
  userId: string,
): Promise<Membership[]> {
  const [own, orgId] = await Promise.all([memberships.ofUser(userId), users.organizationOf(userId)]);
  // Only people are members of groups.
  if (orgId === undefined) return own;
  const groupIds = await groupMembers.groupsOf(orgId, userId, mostGroups);
  const ofGroups = await groups.rolesOf(orgId, groupIds);
  const inherited = [...ofGroups].flatMap(([id, { roles, created }]) =>
    roles.map((role): Membership => ({ id, userId, role, orgId, created })),
  );
  return [...own, ...inherited];
}
