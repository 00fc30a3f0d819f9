import { covers, directoryErrors, type Membership, permissionsIn, type Role } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';

/**
 * Called with the roles of a group. Throws if the caller could not give them. A change of members calls it before it writes anything,
 * and again in each transaction, because the roles may change between two transactions.
 */
export type CheckGroupRoles = (roles: readonly Role[]) => Promise<void>;

/**
 * Requires that the caller could give the roles that a group holds. Whoever changes the members of a group gives and takes its roles.
 * @throws AppError `directory.groupOutranksCaller`
 */
export async function requireGroupAuthority(
  { caches }: { caches: { readonly memberships: Cache<Membership[]> } },
  { callerId, orgId, roles }: { callerId: string; orgId: string; roles: readonly Role[] },
): Promise<void> {
  if (roles.length === 0) return;
  const mine = await caches.memberships.get(callerId);
  if (permissionsIn(mine, orgId)?.has('org.write')) return;
  const created = new Date(0);
  const held = roles.map((role): Membership => ({ id: '', userId: '', role, orgId, created }));
  if (!covers(mine, held)) throw new AppError(directoryErrors.groupOutranksCaller);
}
