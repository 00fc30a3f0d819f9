export { addGroup } from './add-group.js';
export { type AppliedSteps, applySteps } from './apply-steps.js';
export { type ChangeGroupDeps, changeGroup } from './change-group.js';
export { changeGroupRoles, groupRoles } from './change-group-roles.js';
export type { CheckGroupRoles, CheckLostRoles } from './check-group-roles.js';
export { type Group, type GroupGeneration, type GroupProfile, type MemberDelta, membersOf } from './group.js';
export { groupNamesUpgrade } from './group-document.js';
export type { GroupOrder } from './group-list.store.js';
export type { GroupMembersStore } from './group-members.store.js';
export { normalizeGroup } from './group-rules.js';
export type { GroupsStore } from './groups.store.js';
export { removeGoneMembers } from './remove-gone-members.js';
export { dropGone } from './require-members.js';
export {
  announceGroups,
  announceMembers,
  type NamedGroup,
  toNamedGroups,
  type UserGroups,
} from './user-groups.js';
export { usersPerStep } from './users-per-step.js';
