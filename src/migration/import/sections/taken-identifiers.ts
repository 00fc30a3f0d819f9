import type { Container } from '#src/container.js';
import { identifierClaims } from './reservations.js';
import type { SectionContext } from './section.js';

/**
 * Which of these identifiers something has that a token could name: a user, a service user, an application, or a
 * project, also one that another organization removed, or would have after a dry run. A new thing of such an identifier
 * could pass for the other one.
 * @param orgId may have what it removed again
 */
export async function takenIdentifiers(
  {
    applications,
    projects,
    serviceUsers,
    users,
  }: Pick<Container, 'applications' | 'projects' | 'serviceUsers' | 'users'>,
  { orgId, claimed, ids }: Pick<SectionContext, 'orgId' | 'claimed'> & { ids: readonly string[] },
): Promise<Set<string>> {
  const [people, programs, clients, projectClaims, names] = await Promise.all([
    users.organizationsOf(ids),
    serviceUsers.takenIds(ids),
    applications.findMany(ids),
    projects.claimsOf(ids),
    claimed(ids.flatMap(identifierClaims)),
  ]);
  const ofProjects = [...projectClaims].filter(([, claim]) => !claim.removed || claim.orgId !== orgId);
  return new Set([
    ...people.keys(),
    ...programs,
    ...clients.map(({ id }) => id),
    ...ofProjects.map(([id]) => id),
    ...ids.filter((id) => identifierClaims(id).some((name) => names.has(name))),
  ]);
}
