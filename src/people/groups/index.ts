export { addGroup } from './add-group.js';
export { type ChangeGroupDeps, changeGroup } from './change-group.js';
export { changeGroupRoles, groupRoles } from './change-group-roles.js';
export type { Group, GroupGeneration, GroupProfile, MemberDelta } from './group.js';
export { type CheckGroupRoles, requireGroupAuthority } from './group-authority.js';
export {
  createGroupMembersStore,
  type GroupMembersStore,
  groupMemberIndexes,
} from './group-members.store.js';
export { normalizeGroup } from './group-rules.js';
export { createGroupsStore, type GroupsStore, groupIndexes } from './groups.store.js';
export { removeGoneMembers } from './remove-gone-members.js';
export { dropGone } from './require-members.js';
export {
  announceGroups,
  announceMembers,
  type NamedGroup,
  type UserGroups,
} from './user-groups.js';
export { usersPerStep } from './users-per-step.js';
export { type AppliedSteps, applySteps } from './write-members.js';
