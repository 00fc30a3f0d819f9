import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { MembershipsStore } from './memberships.store.js';

export interface KeepAnOwnerDeps {
  readonly memberships: Pick<MembershipsStore, 'lockInstanceMembers'>;
  readonly serviceUsers: { anyActive(ids: readonly string[], transaction: Transaction): Promise<boolean> };
}

/**
 * Throws if no active service user with a role of the instance would be left after the transaction. Only service users
 * call the APIs, so people do not count. If two transactions each remove an owner at the same time, MongoDB aborts one
 * of them. That one runs again and sees the result of the other. Call it only if a role of the instance ends or its service user: it
 * writes to the memberships of all owners, so that no two calls succeed at the same time.
 * @throws AppError `directory.lastOwner`
 */
export async function keepAnOwner(deps: KeepAnOwnerDeps, transaction: Transaction): Promise<void> {
  const owners = await deps.memberships.lockInstanceMembers(transaction);
  if (!(await deps.serviceUsers.anyActive(owners, transaction))) {
    throw new AppError(directoryErrors.lastOwner);
  }
}
