import { removeUser } from '#src/directory/users/remove-user.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { ScimContext, ScimDeps } from './context.js';

/** Deletes a user (RFC 7644 section 3.6). */
export async function deleteUser(
  deps: ScimDeps,
  context: ScimContext,
  request: { id: string; alongside?: (transaction: Transaction) => Promise<void> },
): Promise<void> {
  const { organization, editor } = context;
  await removeUser(deps, { orgId: organization.id, editor, ...request });
  await deps.userCounter.changed(organization.id);
}
