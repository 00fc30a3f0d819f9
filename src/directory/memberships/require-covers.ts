import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import type { MembershipsStore } from './memberships.store.js';
import { type Membership, permissionsIn, permissionsOf, permittedOnInstance } from './roles.js';

/** Returns whether the first memberships give every permission that the second ones give, in the same places. */
export function covers(mine: readonly Membership[], theirs: readonly Membership[]): boolean {
  return theirs.every(({ role, orgId }) =>
    permissionsOf[role].every((permission) =>
      orgId === undefined
        ? permittedOnInstance(mine, permission)
        : permissionsIn(mine, orgId)?.has(permission) === true,
    ),
  );
}

/**
 * Requires that the caller has all permissions of the user. A caller that changes the credentials of a user can sign in
 * as that user. Otherwise the caller would gain permissions.
 * @param mine the memberships of the caller
 * @throws AppError `tokens.permissionMissing`
 */
export async function requireCovers(
  { memberships }: { readonly memberships: Pick<MembershipsStore, 'ofUser'> },
  { mine, userId }: { mine: readonly Membership[]; userId: string },
): Promise<void> {
  if (!covers(mine, await memberships.ofUser(userId))) throw new AppError(tokenErrors.permissionMissing);
}
