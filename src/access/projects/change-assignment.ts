import { isDeepStrictEqual } from 'node:util';
import type { Editor } from '#src/audit/event.js';
import { compareAndSwap } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import {
  type AssignmentDeps,
  type AssignmentTarget,
  announceAssignments,
  assignmentErrors,
  requireAssignable,
  storeOf,
} from './assignment-deps.js';
import type { Assignment } from './project.js';
import { assignmentEvent } from './project-events.js';

/**
 * Replaces the roles of a holder in a project. If the roles are the same, nothing is written.
 * @throws AppError `directory.userGrantNotFound`, `directory.groupGrantNotFound`, `directory.projectMemberNotFound`,
 * `directory.projectRoleNotFound`, `directory.valueInvalid`, `directory.valueMissing`, `directory.changing`
 */
export async function changeAssignment(
  deps: AssignmentDeps,
  change: AssignmentTarget & { readonly roles: readonly string[]; readonly editor: Editor },
): Promise<Assignment> {
  const { orgId, kind, editor } = change;
  const store = storeOf(deps, kind);
  const changed = await compareAndSwap(['project', change.projectId, editor.userId], async () => {
    const current = await store.find(orgId, change);
    if (current === undefined) throw new AppError(assignmentErrors[kind].notFound);
    return deps.mongo.transactionOf(orgId, async (transaction) => {
      const roles = await requireAssignable(deps, change, transaction);
      if (isDeepStrictEqual(roles, current.roles)) return current;
      const expectedVersion = current.version;
      const assignment = {
        ...current,
        roles,
        version: expectedVersion + 1,
        lastModified: deps.clock.now(),
      };
      if (!(await store.replace(orgId, { assignment, expectedVersion }, transaction))) return undefined;
      const former = current.roles;
      const event = assignmentEvent(kind, 'changed', { assignment, former, editor });
      await deps.events.append([event], transaction);
      return assignment;
    });
  });
  await announceAssignments(deps, { orgId, kind, holderIds: [change.holderId] });
  return changed;
}
