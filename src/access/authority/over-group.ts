/**
 * Who may do what to a group:
 * - `user.read` of its organization reads it. `user.write` adds and changes it, and `user.delete` removes it.
 * - Whoever changes the members of a group that holds roles gives and takes these roles ({@link requireGroupAuthority}).
 * - `org.write` sets the roles of a group in the organization. For those in a project, `PROJECT_OWNER` of the project is enough.
 * - A person needs a fresh sign-in for a group that holds a role (`src/scim/operations/change-group.ts`), and to give or take roles.
 */

import { covers, directoryErrors, type Membership, permissionsIn, type Role } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';

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
