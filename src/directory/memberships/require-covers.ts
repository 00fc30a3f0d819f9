import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import type { MembershipsStore } from './memberships.store.js';
import { type Membership, permissionsIn, permissionsOf, permittedOnInstance } from './roles.js';

/** Whether the first permit, wherever the others hold, all that the others permit. */
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
 * Who changes what a person signs in with can become that person: only for those who gain nothing by it.
 * @param mine the memberships of who asks
 * @throws AppError `tokens.permissionMissing`
 */
export async function requireCovers(
  { memberships }: { readonly memberships: Pick<MembershipsStore, 'ofUser'> },
  { mine, userId }: { mine: readonly Membership[]; userId: string },
): Promise<void> {
  if (!covers(mine, await memberships.ofUser(userId))) throw new AppError(tokenErrors.permissionMissing);
}
