import { keptChanges } from '#src/audit/changes.js';
import type { Target } from '#src/directory/index.js';
import { requireName } from '#src/organizations/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { Project } from './project.js';
import { requireAudienceOrgIds } from './project-rules.js';
import { type WriteProjectDeps, writeProject } from './write-project.js';

/**
 * Changes the name of a project, or the organizations whose clients may ask for its audience. If nothing differs, nothing
 * is written.
 * @throws AppError `directory.valueInvalid`, `directory.valueMissing` and the errors of {@link writeProject}
 */
export async function changeProject(
  deps: WriteProjectDeps & {
    readonly caches: { readonly projectClaims: Pick<Cache<unknown>, 'invalidate'> };
  },
  target: Target,
  change: { readonly name?: string; readonly audienceOrgIds?: readonly string[] },
): Promise<Project> {
  const changed = await writeProject(deps, target, async (current) => {
    const name = requireName('name', change.name ?? current.name);
    const audienceOrgIds = requireAudienceOrgIds(change.audienceOrgIds ?? current.audienceOrgIds);
    const project = { ...current, name, audienceOrgIds };
    const attributes = [
      ...(name === current.name ? [] : (['name'] as const)),
      ...(audienceOrgIds.join() === current.audienceOrgIds.join() ? [] : (['audienceOrgIds'] as const)),
    ];
    if (attributes.length === 0) return { project: current, happened: [] };
    const payload = { attributes, ...keptChanges(current, project, attributes) };
    return { project, happened: [['project.changed', payload]] };
  });
  await deps.caches.projectClaims.invalidate(target.id);
  return changed;
}
