import type { EventsStore } from '#src/audit/events.store.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { directoryErrors } from '../errors.js';
import type { AssignmentName, AssignmentsStore } from './assignments.store.js';
import type { AssignmentKind } from './project.js';
import type { ProjectRolesStore } from './project-roles.store.js';
import { requireMemberRoles, requireRoles } from './project-rules.js';
import type { ProjectsStore } from './projects.store.js';

export interface AssignmentDeps {
  readonly mongo: Mongo;
  readonly projects: ProjectsStore;
  readonly projectRoles: ProjectRolesStore;
  readonly userGrants: AssignmentsStore;
  readonly projectMembers: AssignmentsStore;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/** An assignment, and the editor that changes it. */
export interface AssignmentTarget extends AssignmentName {
  readonly orgId: string;
  readonly kind: AssignmentKind;
}

export function storeOf(
  { userGrants, projectMembers }: Pick<AssignmentDeps, 'userGrants' | 'projectMembers'>,
  kind: AssignmentKind,
): AssignmentsStore {
  return kind === 'grant' ? userGrants : projectMembers;
}

/** The errors for an assignment that is missing, or that exists already. */
export const assignmentErrors = {
  grant: { notFound: directoryErrors.userGrantNotFound, exists: directoryErrors.userGrantExists },
  member: { notFound: directoryErrors.projectMemberNotFound, exists: directoryErrors.projectMemberExists },
} as const;

/**
 * Returns the roles of an assignment after checking them. The roles of a grant must be roles of the project. The call
 * locks the project until the transaction ends. Meanwhile neither the project nor a role can be removed.
 * @throws AppError `directory.projectNotFound`, `directory.projectRoleNotFound`, `directory.valueInvalid`,
 * `directory.valueMissing`
 */
export async function requireAssignable(
  { projects, projectRoles }: AssignmentDeps,
  { orgId, kind, projectId, roles: given }: AssignmentTarget & { roles: readonly string[] },
  transaction: Transaction,
): Promise<string[]> {
  const roles = kind === 'grant' ? requireRoles(given) : requireMemberRoles(given);
  if (!(await projects.lock(orgId, projectId, transaction))) {
    throw new AppError(directoryErrors.projectNotFound);
  }
  if (kind === 'member') return roles;
  const wanted = roles.map((key) => ({ projectId, key }));
  if ((await projectRoles.findMany(orgId, wanted, transaction)).length < roles.length) {
    throw new AppError(directoryErrors.projectRoleNotFound);
  }
  return roles;
}
