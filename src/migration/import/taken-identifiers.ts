import type { Container } from '#src/container.js';

/**
 * Which of these identifiers something has that a token could name: a user, a service user, an application, or a
 * project, also one that another organization removed. A new thing of such an identifier could pass for the other one.
 * @param orgId may have what it removed again
 */
export async function takenIdentifiers(
  {
    applications,
    projects,
    serviceUsers,
    users,
  }: Pick<Container, 'applications' | 'projects' | 'serviceUsers' | 'users'>,
  { orgId, ids }: { orgId: string; ids: readonly string[] },
): Promise<Set<string>> {
  const [people, programs, clients, claims] = await Promise.all([
    users.organizationsOf(ids),
    serviceUsers.takenIds(ids),
    applications.findMany(ids),
    projects.claimsOf(ids),
  ]);
  const claimed = [...claims].filter(([, claim]) => !claim.removed || claim.orgId !== orgId);
  return new Set([
    ...people.keys(),
    ...programs,
    ...clients.map(({ id }) => id),
    ...claimed.map(([id]) => id),
  ]);
}
