import { directoryErrors, type Membership } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { MembershipsStore } from './memberships.store.js';

/**
 * Returns a role. With an organization, only a role in that organization is found. Without one, only a role of the instance is found.
 * @throws AppError `directory.membershipNotFound`
 */
export async function requireMembership(
  { memberships }: { readonly memberships: Pick<MembershipsStore, 'find'> },
  { id, orgId }: { id: string; orgId: string | undefined },
): Promise<Membership> {
  const found = await memberships.find(id);
  if (found === undefined || found.orgId !== orgId) throw new AppError(directoryErrors.membershipNotFound);
  return found;
}
