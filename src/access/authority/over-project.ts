/**
 * Who may do what to a project:
 * - `org.read` of its organization reads it, and `org.write` changes it, with its roles, grants and members. Its own members have the
 *   first or both ({@link memberMay}).
 * - `org.write` adds and removes it. Only an owner of the instance chooses its identifier ({@link requireMayChooseProjectId}).
 * - A person needs a fresh sign-in for each of these changes, but not to change how a role is shown.
 */

import { type Membership, permittedOnInstance } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';

/** Whether a member of a project may read or write it. `PROJECT_OWNER` permits both, `PROJECT_OWNER_VIEWER` permits reading. */
export function memberMay(permission: 'org.read' | 'org.write', roles: readonly string[]): boolean {
  return (
    roles.includes('PROJECT_OWNER') || (permission === 'org.read' && roles.includes('PROJECT_OWNER_VIEWER'))
  );
}

/**
 * Requires an owner of the instance if a new project is to have a given identifier.
 * @param mine the roles of the caller
 * @throws AppError `tokens.permissionMissing`
 */
export function requireMayChooseProjectId(
  mine: readonly Membership[],
  project: { readonly id?: string },
): void {
  if (project.id === undefined || permittedOnInstance(mine, 'instance.manage')) return;
  throw new AppError(tokenErrors.permissionMissing, { detail: 'Only an instance owner chooses identifiers' });
}
