import { identifierReservations } from './reservations.js';
import type { SectionContext } from './section.js';
import type { SectionDeps } from './section-deps.js';

/**
 * Returns those of the identifiers that a user, a service user, an application or a project has, or would have after the
 * parts of a dry run. Tokens name these objects, so a new object with a taken identifier could be mistaken for the old
 * one. A project keeps its identifier after its removal. Only its own organization, `orgId`, can use it again.
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
  const [humanUsers, takenByServiceUsers, clients, projectOwners, reserved] = await Promise.all([
    users.organizationsOf(ids),
    serviceUsers.takenIds(ids),
    applications.findMany(ids),
    projects.claimsOf(ids),
    findReserved(ids.flatMap(identifierReservations)),
  ]);
  const ofProjects = [...projectOwners].filter(([, owner]) => !owner.removed || owner.orgId !== orgId);
  return new Set([
    ...humanUsers.keys(),
    ...takenByServiceUsers,
    ...clients.map(({ id }) => id),
    ...ofProjects.map(([id]) => id),
    ...ids.filter((id) => identifierReservations(id).some((name) => reserved.has(name))),
  ]);
}
