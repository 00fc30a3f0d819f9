/**
 * Who may do what to an application:
 * - `org.read` of its organization reads it. `org.write` adds, changes and removes it, with its secrets and keys.
 * - Only an owner of the instance changes an application through which people administer ({@link requireOverApplication}).
 * - Only an owner of the instance approves an open application, or lets people administer through one (`approve-application.ts`).
 * - Only an owner of the instance names a project that does not exist, which is then added ({@link mayNameNewProject}).
 * - A person needs a fresh sign-in for each of these changes, but not to stop an application ({@link onlyStopsApplication}).
 */

import { type Membership, permittedOnInstance } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { namesOnly } from './names-only.js';

/**
 * Requires an owner of the instance if people administer through the application. Its organization could otherwise lead their tokens to
 * an address of its own.
 * @param mine the roles of the caller
 * @throws AppError `tokens.permissionMissing`
 */
export function requireOverApplication(
  mine: readonly Membership[],
  application: { readonly administers?: boolean },
): void {
  if (application.administers && !permittedOnInstance(mine, 'instance.manage'))
    throw new AppError(tokenErrors.permissionMissing);
}

/** Whether a new or changed application may name a project that does not exist. @param mine the roles of the caller */
export function mayNameNewProject(mine: readonly Membership[]): boolean {
  return permittedOnInstance(mine, 'instance.manage');
}

/** Whether a change does nothing but deactivate the application. This must not wait for a sign-in. */
export function onlyStopsApplication(change: { readonly active?: boolean }): boolean {
  return change.active === false && namesOnly(change, ['active', 'version']);
}
