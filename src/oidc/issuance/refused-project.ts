import type { ProjectClaim } from '#src/access/projects/index.js';
import type { Cache } from '#src/platform/redis/cache.js';

export interface RefusedProjectDeps {
  readonly caches: { readonly projectClaims: Pick<Cache<ProjectClaim | undefined>, 'get'> };
}

/**
 * Returns the message about the first project of an audience that does not accept the client. A project accepts the clients of its organization, and of those that it names. Otherwise every organization of the instance
 * could make valid tokens for the applications of the project. An identifier that no project has or had is nobody's.
 * @param audience identifiers of projects. Those of clients are ignored
 * @param orgId the organization of the client
 */
export async function refusedProject(
  { caches }: RefusedProjectDeps,
  audience: readonly string[],
  orgId: string,
): Promise<string | undefined> {
  if (audience.length === 0) return undefined;
  const claims = await Promise.all(audience.map((id) => caches.projectClaims.get(id)));
  for (const [index, id] of audience.entries()) {
    const claim = claims[index];
    if (claim === undefined || claim.orgId === orgId || claim.audienceOrgIds.includes(orgId)) continue;
    return `The project ${id} does not accept tokens of this client`;
  }
  return undefined;
}
