import { isDeepStrictEqual } from 'node:util';
import { keptChanges } from '#src/audit/changes.js';
import { directoryErrors, type Target } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { ProjectRoleDeps } from './add-project-role.js';
import type { ProjectRole } from './project.js';
import { requireRole } from './project-rules.js';
import { writeProject } from './write-project.js';

interface ProjectRoleChange {
  readonly key: string;
  readonly displayName?: string;
  /** Null removes the group. */
  readonly group?: string | null;
}

/**
 * Changes the display name or the group of a role. If nothing differs, nothing is written.
 * @throws AppError `directory.projectRoleNotFound`, `directory.valueInvalid`, `directory.valueMissing` and the errors
 * of {@link writeProject}
 */
export async function changeProjectRole(
  deps: ProjectRoleDeps,
  target: Target,
  { key, displayName, group }: ProjectRoleChange,
): Promise<ProjectRole> {
  const { orgId, id: projectId } = target;
  let changed: ProjectRole | undefined;
  await writeProject(deps, target, async (project, { transaction, now }) => {
    const current = await deps.projectRoles.find(orgId, { projectId, key }, transaction);
    if (current === undefined) throw new AppError(directoryErrors.projectRoleNotFound);
    const { group: formerGroup, ...rest } = current;
    const wantedGroup = group === undefined ? formerGroup : (group ?? undefined);
    const next = {
      ...rest,
      ...requireRole({
        key,
        displayName: displayName ?? current.displayName,
        ...(wantedGroup !== undefined && { group: wantedGroup }),
      }),
    };
    changed = current;
    if (isDeepStrictEqual(next, current)) return { project, happened: [] };
    changed = { ...next, lastModified: now };
    await deps.projectRoles.replace(orgId, changed, transaction);
    return {
      project,
      happened: [['project.role.changed', { key, ...keptChanges(current, next, ['displayName', 'group']) }]],
    };
  });
  if (changed === undefined) throw new AppError(directoryErrors.projectRoleNotFound);
  return changed;
}
