import { directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { ProjectRoleDeps } from './add-project-role.js';
import type { AssignmentsStore } from './assignments.store.js';
import { writeProject } from './write-project.js';

/**
 * Removes a role from a project. A role that a grant uses cannot be removed.
 * @throws AppError `directory.projectRoleNotFound`, `directory.projectRoleInUse` and the errors of {@link writeProject}
 */
export async function removeProjectRole(
  deps: ProjectRoleDeps & { readonly userGrants: AssignmentsStore; readonly groupGrants: AssignmentsStore },
  target: Target,
  key: string,
): Promise<void> {
  const { orgId, id: projectId } = target;
  await writeProject(deps, target, async (project, { transaction }) => {
    if ((await deps.projectRoles.find(orgId, { projectId, key }, transaction)) === undefined) {
      throw new AppError(directoryErrors.projectRoleNotFound);
    }
    for (const grants of [deps.userGrants, deps.groupGrants]) {
      if (await grants.anyOf(orgId, { projectId, role: key }, transaction)) {
        throw new AppError(directoryErrors.projectRoleInUse);
      }
    }
    await deps.projectRoles.remove(orgId, { projectId, key }, transaction);
    return { project, happened: [['project.role.removed', { key }]] };
  });
}
