import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { UsersStore } from './users.store.js';

export interface RequireUserDeps {
  readonly users: Pick<UsersStore, 'lock'>;
  readonly serviceUsers: Pick<UsersStore, 'lock'>;
}

/**
 * Makes sure that a user or service user of the organization exists until the transaction ends. A user that is being
 * removed therefore gets no new data.
 * @throws AppError `directory.userNotFound`
 */
export async function requireUser(
  { users, serviceUsers }: RequireUserDeps,
  { orgId, userId }: { orgId: string; userId: string },
  transaction: Transaction,
): Promise<void> {
  if (await users.lock(orgId, userId, transaction)) return;
  if (await serviceUsers.lock(orgId, userId, transaction)) return;
  throw new AppError(directoryErrors.userNotFound);
}
