import type { Editor } from '#src/audit/event.js';
import { compareAndSwap } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import {
  type AssignmentDeps,
  type AssignmentTarget,
  announceAssignments,
  assignmentErrors,
  storeOf,
} from './assignment-deps.js';
import { assignmentEvent } from './project-events.js';

/**
 * Removes the roles of a holder in a project.
 * @throws AppError `directory.userGrantNotFound`, `directory.groupGrantNotFound`, `directory.projectMemberNotFound`,
 * `directory.changing`
 */
export async function removeAssignment(
  deps: AssignmentDeps,
  target: AssignmentTarget & { readonly editor: Editor },
): Promise<void> {
  const { orgId, kind, editor } = target;
  const store = storeOf(deps, kind);
  await compareAndSwap(['project', target.projectId, editor.userId], async () => {
    const current = await store.find(orgId, target);
    if (current === undefined) throw new AppError(assignmentErrors[kind].notFound);
    const { projectId, holderId, version: expectedVersion } = current;
    const last = { ...current, version: expectedVersion + 1, lastModified: deps.clock.now() };
    return deps.mongo.transactionOf(orgId, async (transaction) => {
      if (!(await store.remove(orgId, { projectId, holderId, expectedVersion }, transaction)))
        return undefined;
      await deps.events.append([assignmentEvent(kind, 'removed', { assignment: last, editor })], transaction);
      return last;
    });
  });
  await announceAssignments(deps, { orgId, kind, holderIds: [target.holderId] });
}
