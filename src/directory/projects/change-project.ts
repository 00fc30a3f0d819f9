import { requireName } from '../organizations/organization-rules.js';
import type { Target } from '../write-step.js';
import type { Project } from './project.js';
import { type WriteProjectDeps, writeProject } from './write-project.js';

/**
 * Changes the name of a project. If the name is the same, nothing is written.
 * @throws AppError `directory.valueInvalid`, `directory.valueMissing` and the errors of {@link writeProject}
 */
export async function changeProject(
  deps: WriteProjectDeps,
  target: Target,
  change: { readonly name?: string },
): Promise<Project> {
  return writeProject(deps, target, async (current) => {
    const name = requireName('name', change.name ?? current.name);
    if (name === current.name) return { project: current, happened: [] };
    return { project: { ...current, name }, happened: [['project.changed', { attributes: ['name'] }]] };
  });
}
