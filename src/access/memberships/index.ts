export type { AbleOwners } from './able-owners.js';
export { addMembership } from './add-membership.js';
export { endConnectedSignIns } from './end-connected-sign-ins.js';
export { findActivePerson } from './find-active-person.js';
export { hasRoleOutside } from './has-role-outside.js';
export { keepAnOwner } from './keep-an-owner.js';
export { membershipEvent } from './membership-event.js';
export {
  createMembershipsStore,
  type MembershipsStore,
  membershipHomesUpgrade,
} from './memberships.store.js';
export { type PolicyForCaches, policyFor } from './policy-for.js';
export { removeMembership } from './remove-membership.js';
export { requireMembership } from './require-membership.js';
export { rolesOfUser } from './roles-of-user.js';
