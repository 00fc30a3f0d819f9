import type { Membership, User } from '#src/directory/index.js';
import type { Cache } from '#src/platform/redis/cache.js';

/**
 * Whether a user has a role outside of its organization: in the instance, or in another organization. The owner of an organization must sign
 * in nobody of them by a service of its own choice.
 */
export async function hasRoleOutside(
  { memberships }: { readonly memberships: Pick<Cache<Membership[]>, 'get'> },
  { id, orgId }: Pick<User, 'id' | 'orgId'>,
): Promise<boolean> {
  return (await memberships.get(id)).some((membership) => membership.orgId !== orgId);
}
