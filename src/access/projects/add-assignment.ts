import type { Editor } from '#src/audit/event.js';
import { inLine, orConflict } from '#src/directory/index.js';
import { newId } from '#src/platform/ids.js';
import {
  type AssignmentDeps,
  type AssignmentTarget,
  announceAssignments,
  assignmentErrors,
  type RequireHolderDeps,
  requireAssignable,
  requireHolder,
  storeOf,
} from './assignment-deps.js';
import type { Assignment } from './project.js';
import { assignmentEvent } from './project-events.js';

type AddAssignmentDeps = AssignmentDeps & RequireHolderDeps;

/**
 * Gives a user, a service user or a group of the organization roles in a project.
 * @throws AppError `directory.userNotFound`, `directory.groupNotFound`, `directory.projectNotFound`,
 * `directory.projectRoleNotFound`, `directory.userGrantExists`, `directory.groupGrantExists`, `directory.projectMemberExists`,
 * `directory.valueInvalid`, `directory.valueMissing`
 */
export async function addAssignment(
  deps: AddAssignmentDeps,
  added: AssignmentTarget & { readonly roles: readonly string[]; readonly editor: Editor },
): Promise<Assignment> {
  const { orgId, kind, projectId, holderId, editor } = added;
  const write = () =>
    deps.mongo.transactionOf(orgId, async (transaction) => {
      await requireHolder(deps, added, transaction);
      const roles = await requireAssignable(deps, added, transaction);
      const now = deps.clock.now();
      const assignment: Assignment = {
        id: newId(),
        orgId,
        projectId,
        holderId,
        roles,
        version: 1,
        created: now,
        lastModified: now,
      };
      await storeOf(deps, kind).insert(orgId, [assignment], transaction);
      await deps.events.append([assignmentEvent(kind, 'added', { assignment, editor })], transaction);
      return assignment;
    });
  // It locks the project.
  const assignment = await inLine(['project', projectId, editor.userId], write).catch(
    orConflict(assignmentErrors[kind].exists),
  );
  await announceAssignments(deps, { orgId, kind, holderIds: [holderId] });
  return assignment;
}
