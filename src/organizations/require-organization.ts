import { directoryErrors, type Organization } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';

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
