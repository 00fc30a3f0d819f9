import type { Role } from '#src/directory/index.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, ownsInstance } from '../http/visit.js';

/** A role of a user, and its identifier in the admin API. */
export interface HeldRole {
  readonly id: string;
  readonly role: Role;
}

/** The roles that a user holds itself, not through a group. Those of the instance are for its owners. */
export async function heldRoles(
  visit: Pick<ConsoleVisit, 'api' | 'me'>,
  orgId: string,
  userId: string,
): Promise<{
  readonly organization: readonly HeldRole[];
  readonly instance: readonly HeldRole[] | undefined;
}> {
  const read = async (path: string) => (await visit.api.get<{ items: HeldRole[] }>(path, { userId })).items;
  const [organization, instance] = await Promise.all([
    read(`${pathTo('/admin/v1/orgs', orgId)}/memberships`),
    ownsInstance(visit) ? read('/admin/v1/memberships') : undefined,
  ]);
  return { organization, instance };
}
