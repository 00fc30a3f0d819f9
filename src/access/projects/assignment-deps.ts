import type { EventsStore } from '#src/audit/events.store.js';
import { directoryErrors } from '#src/directory/index.js';
import { announceGroups, type GroupsStore } from '#src/people/groups/index.js';
import { type RequireUserDeps, requireUser } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import type { AssignmentName, AssignmentsStore } from './assignments.store.js';
import type { AssignmentKind } from './project.js';
import type { ProjectRolesStore } from './project-roles.store.js';
import { requireMemberRoles, requireRoles } from './project-rules.js';
import type { ProjectsStore } from './projects.store.js';

export interface AssignmentDeps extends AnnounceAssignmentsDeps {
  readonly mongo: Mongo;
  readonly projects: ProjectsStore;
  readonly projectRoles: ProjectRolesStore;
  readonly userGrants: AssignmentsStore;
  readonly groupGrants: AssignmentsStore;
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
  {
    userGrants,
    groupGrants,
    projectMembers,
  }: Pick<AssignmentDeps, 'userGrants' | 'groupGrants' | 'projectMembers'>,
  kind: AssignmentKind,
): AssignmentsStore {
  return { grant: userGrants, groupGrant: groupGrants, member: projectMembers }[kind];
}

/** The errors for an assignment that is missing, or that exists already. */
export const assignmentErrors = {
  grant: { notFound: directoryErrors.userGrantNotFound, exists: directoryErrors.userGrantExists },
  groupGrant: { notFound: directoryErrors.groupGrantNotFound, exists: directoryErrors.groupGrantExists },
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
  const roles = kind === 'member' ? requireMemberRoles(given) : requireRoles(given);
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

export type RequireHolderDeps = RequireUserDeps & { readonly groups: Pick<GroupsStore, 'lock'> };

/**
 * Makes sure that the holder of an assignment exists in the organization until the transaction ends.
 * @throws AppError `directory.userNotFound`, `directory.groupNotFound`
 */
export async function requireHolder(
  deps: RequireHolderDeps,
  { orgId, kind, holderId }: AssignmentTarget,
  transaction: Transaction,
): Promise<void> {
  if (kind !== 'groupGrant') return requireUser(deps, { orgId, userId: holderId }, transaction);
  if (!(await deps.groups.lock(orgId, holderId, transaction)))
    throw new AppError(directoryErrors.groupNotFound);
}

/** What tells other processes of changed roles. */
interface AnnounceAssignmentsDeps {
  readonly revocations: Pick<RevocationList, 'restamp'>;
  readonly caches: { readonly serviceUsers: Cache<unknown>; readonly groupGenerations: Cache<unknown> };
}

/**
 * Tells every process that the roles of these holders have changed. The roles are cached with users and service users
 * (`held-roles.ts`), and those of groups also under the generation of the organization. Call it after the commit. It never fails.
 */
export async function announceAssignments(
  { revocations, caches }: AnnounceAssignmentsDeps,
  { orgId, kind, holderIds }: { orgId: string; kind: AssignmentKind; holderIds: readonly string[] },
): Promise<void> {
  if (holderIds.length === 0 || kind === 'member') return;
  if (kind === 'groupGrant') return announceGroups({ caches }, orgId);
  await Promise.all([
    revocations.restamp(...holderIds),
    ...holderIds.map((id) => caches.serviceUsers.invalidate(id)),
  ]);
}
