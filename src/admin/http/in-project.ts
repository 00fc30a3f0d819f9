import { memberMay } from '#src/access/authority/index.js';
import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { AdminNeeds } from '../needs/needs.js';
import { callerOf, inOrganization } from './caller.js';
import { type Hook, needing } from './describe-callers.js';
import { orNotFound } from './or-not-found.js';

/**
 * Requires permission to read or write the organization of the path, or membership of the project of the path: see
 * {@link memberMay}. Only users of its organization are members of a project. The project must exist in the organization.
 */
export function inProject(
  deps: Pick<AdminNeeds, 'caches' | 'projects' | 'projectMembers'>,
  permission: 'org.read' | 'org.write',
): Hook {
  const inIts = inOrganization(deps, permission);
  const ofProject = permission === 'org.read' ? 'PROJECT_OWNER or PROJECT_OWNER_VIEWER' : 'PROJECT_OWNER';
  return needing(`${inIts.needs}, or in the project ${ofProject}`, async (request) => {
    const { orgId, projectId } = request.params as { orgId: string; projectId: string };
    try {
      await inIts(request);
    } catch (error) {
      if (!(error instanceof AppError) || !['forbidden', 'notFound'].includes(error.definition.kind)) {
        throw error;
      }
      const { userId } = callerOf(request);
      const member = await deps.projectMembers.find(orgId, { projectId, holderId: userId });
      if (!memberMay(permission, member?.roles ?? [])) throw error;
    }
    await orNotFound(deps.projects.find(orgId, projectId), directoryErrors.projectNotFound);
  });
}
