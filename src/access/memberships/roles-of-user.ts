import type { Membership } from '#src/directory/index.js';
import type { MembershipsStore } from './memberships.store.js';

/**
 * Returns the roles of one user in an organization, or without an organization in the instance. They are the user's own, without those
 * of its groups. There are only a few.
 */
export async function rolesOfUser(
  { memberships }: { readonly memberships: Pick<MembershipsStore, 'ofUser' | 'ofMembers'> },
  { userId, orgId }: { userId: string; orgId: string | undefined },
): Promise<Membership[]> {
  if (orgId !== undefined) return memberships.ofMembers(orgId, [userId]);
  return (await memberships.ofUser(userId)).filter((held) => held.orgId === undefined);
}
