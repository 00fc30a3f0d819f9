export type { AbleOwners } from './able-owners.js';
export { addMembership } from './add-membership.js';
export { findActivePerson } from './find-active-person.js';
export { keepAnOwner } from './keep-an-owner.js';
export { membershipEvent } from './membership-event.js';
export { createMembershipsStore, type MembershipsStore } from './memberships.store.js';
export { removeMembership } from './remove-membership.js';
export { requireMembership } from './require-membership.js';
export { rolesOfUser } from './roles-of-user.js';
