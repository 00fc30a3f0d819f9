import {
  type AssignmentsStore,
  type ProjectRolesStore,
  removalEvents,
  type WriteProjectDeps,
} from '#src/access/projects/index.js';
import { newEvents } from '#src/audit/new-event.js';
import type { ApplicationsStore } from '#src/clients/applications/index.js';
import { compareAndSwap, directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';

type RemoveProjectDeps = WriteProjectDeps & {
  readonly applications: Pick<ApplicationsStore, 'anyOfProject'>;
  readonly projectRoles: ProjectRolesStore;
  readonly userGrants: AssignmentsStore;
  readonly groupGrants: AssignmentsStore;
  readonly projectMembers: AssignmentsStore;
};

/**
 * Removes a project with its roles and members. It cannot be restored. A project with applications or grants cannot be
 * removed.
 * @throws AppError `directory.projectNotFound`, `directory.projectInUse`, `directory.changing`
 */
export async function removeProject(deps: RemoveProjectDeps, { orgId, id, editor }: Target): Promise<void> {
  await compareAndSwap(['project', id, editor.userId], async () => {
    const current = await deps.projects.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.projectNotFound);
    return deps.mongo.transactionOf(orgId, async (transaction) => {
      const date = deps.clock.now();
      const expectedVersion = current.version;
      if (!(await deps.projects.remove(orgId, { id, expectedVersion, date }, transaction))) return undefined;
      const isUsed =
        (await deps.applications.anyOfProject(orgId, id, transaction)) ||
        (await deps.userGrants.anyOf(orgId, { projectId: id }, transaction)) ||
        (await deps.groupGrants.anyOf(orgId, { projectId: id }, transaction));
      if (isUsed) throw new AppError(directoryErrors.projectInUse);
      await deps.projectRoles.removeAll(orgId, id, transaction);
      const members = await deps.projectMembers.removeAll(orgId, { projectId: id }, transaction);
      const last = { ...current, version: expectedVersion + 1, lastModified: date };
      await deps.events.append(
        [
          ...newEvents('project', last, { happened: [['project.removed', { name: current.name }]], editor }),
          ...removalEvents('member', members, { editor, date }),
        ],
        transaction,
      );
      return last;
    });
  });
}
