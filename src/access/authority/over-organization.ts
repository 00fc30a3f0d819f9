/**
 * Who may do what to an organization:
 * - `org.create` adds it. `org.read` reads it. `org.write` changes its settings and its domains.
 * - Only an owner of the instance changes its list of domains and its quotas ({@link requireOverOrganization}), and says that a domain
 *   is verified ({@link requireMayVerify}).
 * - Only an owner of the instance removes it. For such an owner, an organization whose removal has begun is still there.
 * - A person needs a fresh sign-in for what changes who may sign in, or what a sign-in takes ({@link keepsSignIns}).
 */

import { type Membership, permittedOnInstance } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { namesOnly } from './names-only.js';

/**
 * Requires an owner of the instance if a change names domains or quotas.
 * @param mine the roles of the caller
 * @throws AppError `tokens.permissionMissing`
 */
export function requireOverOrganization(
  mine: readonly Membership[],
  change: { readonly domains?: unknown; readonly quotas?: unknown },
): void {
  const isForOwners = change.domains !== undefined || change.quotas !== undefined;
  if (isForOwners) requireOwner(mine);
}

/**
 * Requires an owner of the instance if a domain is to be verified. Users sign in under a verified domain. An organization that verified a
 * foreign domain would receive the login names of that domain.
 * @param mine the roles of the caller
 * @throws AppError `tokens.permissionMissing`
 */
export function requireMayVerify(
  mine: readonly Membership[],
  domain: { readonly isVerified?: boolean },
): void {
  if (domain.isVerified === true) requireOwner(mine);
}

/** Whether a change of an organization leaves who may sign in, and what a sign-in takes. */
export function keepsSignIns(change: { readonly login?: object }): boolean {
  return namesOnly(change, harmless) && namesOnly(change.login ?? {}, harmlessOfLogin);
}

const harmless = ['name', 'login', 'plainScimErrors', 'uniqueExternalId', 'quotas', 'version'];
const harmlessOfLogin = ['logoUrl', 'faviconUrl', 'brandColor'];

function requireOwner(mine: readonly Membership[]): void {
  if (!permittedOnInstance(mine, 'instance.manage')) throw new AppError(tokenErrors.permissionMissing);
}
