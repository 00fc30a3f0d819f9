import { identifierReservations } from './reservations.js';
import type { SectionContext } from './section.js';
import type { SectionDeps } from './section-deps.js';

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
  }: Pick<SectionDeps, 'applications' | 'projects' | 'serviceUsers' | 'users'>,
  { orgId, findReserved, ids }: Pick<SectionContext, 'orgId' | 'findReserved'> & { ids: readonly string[] },
): Promise<Set<string>> {
  const [people, programs, clients, projectOwners, names] = await Promise.all([
    users.organizationsOf(ids),
    serviceUsers.takenIds(ids),
    applications.findMany(ids),
    projects.claimsOf(ids),
    findReserved(ids.flatMap(identifierReservations)),
  ]);
  const ofProjects = [...projectOwners].filter(([, owner]) => !owner.removed || owner.orgId !== orgId);
  return new Set([
    ...people.keys(),
    ...programs,
    ...clients.map(({ id }) => id),
    ...ofProjects.map(([id]) => id),
    ...ids.filter((id) => identifierReservations(id).some((name) => names.has(name))),
  ]);
}
