/**
 * Who may do what to a service user:
 * - `org.read` of its organization reads it. `org.write` adds it.
 * - Whoever changes or removes it, or gives it secrets, keys and tokens, could take each of its roles away
 *   ({@link requireOverServiceUser}).
 * - A person needs a fresh sign-in to give it secrets, keys and tokens or take them away, to remove it, and for a change of how it proves
 *   itself. To add or stop it, a person needs none ({@link keepsProofs}).
 */

import type { Membership } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { mayTakeAway } from './may-take-away.js';
import { namesOnly } from './names-only.js';

/**
 * Requires authority wherever the service user has a role. Otherwise the owner of an organization could impersonate or stop a service
 * user with wider powers.
 * @throws AppError `tokens.permissionMissing`
 */
export function requireOverServiceUser(roles: {
  readonly ofCaller: readonly Membership[];
  readonly ofServiceUser: readonly Membership[];
}): void {
  if (!roles.ofServiceUser.every((held) => mayTakeAway(roles.ofCaller, held)))
    throw new AppError(tokenErrors.permissionMissing);
}

/** Whether a change of a service user leaves how it proves itself, and does not start it. */
export function keepsProofs(change: { readonly active?: boolean }): boolean {
  return change.active !== true && namesOnly(change, harmless);
}

/** What changes nothing about how a service user proves itself. `active` is harmless if it is false. */
const harmless = [
  'name',
  'description',
  'active',
  'ignorePasswordOnCreate',
  'ignorePasswords',
  'plainScimErrors',
  'version',
];
