export { addAssignment } from './add-assignment.js';
export { addProject, reserveProjectId, type WriteNewProjectDeps, writeNewProject } from './add-project.js';
export { addProjectRole } from './add-project-role.js';
export { announceAssignments, assignmentErrors, storeOf } from './assignment-deps.js';
export type { AssignmentsStore } from './assignments.store.js';
export { changeAssignment } from './change-assignment.js';
export { changeProject } from './change-project.js';
export { changeProjectRole } from './change-project-role.js';
export {
  type GroupSelection,
  type GroupsOfUsers,
  type SelectedGroups,
  selectionKey,
} from './groups-of-users.js';
export type { HeldRoles, ProjectRolesOfUsers } from './held-roles.js';
export {
  type Assignment,
  type AssignmentKind,
  type HolderField,
  holderFields,
  type Project,
  type ProjectRole,
  projectMemberRoles,
} from './project.js';
export { assignmentEvent, removalEvents } from './project-events.js';
export type { ProjectRolesStore } from './project-roles.store.js';
export {
  type RoleSettings,
  requireAudienceOrgIds,
  requireMemberRoles,
  requireProjectId,
  requireRole,
  requireRoles,
} from './project-rules.js';
export type { ProjectClaim, ProjectsStore } from './projects.store.js';
export { removeAssignment } from './remove-assignment.js';
export { removeProjectRole } from './remove-project-role.js';
export type { WriteProjectDeps } from './write-project.js';
