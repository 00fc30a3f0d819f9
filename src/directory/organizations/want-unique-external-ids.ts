import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import type { UsersStore } from '../users/users.store.js';
import type { Organization } from './organization.js';
import type { OrganizationChange } from './organization-rules.js';

/**
 * Refuses the setting `uniqueExternalId` while two users have the same externalId. Otherwise one of them could not be changed any more.
 * @throws AppError `directory.externalIdsShared`
 */
export async function requireUniqueExternalIds(
  users: Pick<UsersStore, 'sharedExternalId'>,
  { id, uniqueExternalId = false }: Pick<Organization, 'id' | 'uniqueExternalId'>,
  change: Pick<OrganizationChange, 'uniqueExternalId'>,
): Promise<void> {
  if (uniqueExternalId || change.uniqueExternalId !== true) return;
  const shared = await users.sharedExternalId(id);
  if (shared === undefined) return;
  throw new AppError(directoryErrors.externalIdsShared, {
    detail: `Several users have the externalId ${JSON.stringify(shared)}. Give them different ones first`,
  });
}
