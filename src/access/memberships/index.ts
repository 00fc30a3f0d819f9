export { addMembership } from './add-membership.js';
export { createEffectiveMemberships } from './effective-memberships.js';
export { findActivePerson } from './find-active-person.js';
export { keepAnOwner } from './keep-an-owner.js';
export { membershipEvent } from './membership-event.js';
export { createMembershipsStore, type MembershipsStore, membershipIndexes } from './memberships.store.js';
export { removeMembership } from './remove-membership.js';
