import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import type { Organization } from './organization.js';

/** @throws AppError `directory.organizationNotFound` */
export async function requireOrganization(
  { organizations }: { organizations: { find(orgId: string): Promise<Organization | undefined> } },
  orgId: string,
): Promise<Organization> {
  const found = await organizations.find(orgId);
  if (found === undefined) throw new AppError(directoryErrors.organizationNotFound);
  return found;
}
