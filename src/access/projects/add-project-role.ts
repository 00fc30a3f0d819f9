import { directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { ProjectRole } from './project.js';
import type { ProjectRolesStore } from './project-roles.store.js';
import { type RoleSettings, requireRole } from './project-rules.js';
import { type WriteProjectDeps, writeProject } from './write-project.js';

export type ProjectRoleDeps = WriteProjectDeps & { readonly projectRoles: ProjectRolesStore };

/**
 * Adds a role to a project.
 * @throws AppError `directory.projectRoleExists`, `directory.valueInvalid`, `directory.valueMissing` and the errors of
 * {@link writeProject}
 */
export async function addProjectRole(
  deps: ProjectRoleDeps,
  target: Target,
  added: Partial<RoleSettings> & { readonly key: string },
): Promise<ProjectRole> {
  const { orgId, id: projectId } = target;
  const settings = requireRole(added);
  const { key } = settings;
  const { lastModified: now } = await writeProject(deps, target, async (project, { transaction, now }) => {
    if ((await deps.projectRoles.find(orgId, { projectId, key }, transaction)) !== undefined) {
      throw new AppError(directoryErrors.projectRoleExists);
    }
    const role = { ...settings, orgId, projectId, created: now, lastModified: now };
    await deps.projectRoles.insert(orgId, [role], transaction);
    return { project, happened: [['project.role.added', { key }]] };
  });
  return { ...settings, orgId, projectId, created: now, lastModified: now };
}
