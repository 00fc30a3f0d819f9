import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import type { Organization } from './organization.js';

/**
 * Returns the organization with this identifier.
 * @param find the look-up of the store or of the cache
 * @throws AppError `directory.organizationNotFound`
 */
export async function requireOrganization(
  find: (orgId: string) => Promise<Organization | undefined>,
  orgId: string,
): Promise<Organization> {
  const found = await find(orgId);
  if (found === undefined) throw new AppError(directoryErrors.organizationNotFound);
  return found;
}
