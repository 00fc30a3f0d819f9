import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { directoryErrors } from '../errors.js';
import type { ServiceUsersStore } from '../service-users/service-users.store.js';
import type { MembershipsStore } from './memberships.store.js';

/**
 * Refuses a transaction after which nobody could administer the instance any more. Of two that take an owner away
 * at once one is repeated, and then sees what the other left. A person is not counted: only service users call
 * the interfaces.
 * @throws AppError `directory.lastOwner`
 */
export async function keepAnOwner(
  deps: { memberships: MembershipsStore; serviceUsers: ServiceUsersStore },
  transaction: Transaction,
): Promise<void> {
  const owners = await deps.memberships.lockInstanceMembers(transaction);
  if (!(await deps.serviceUsers.anyActive(owners, transaction))) {
    throw new AppError(directoryErrors.lastOwner);
  }
}
