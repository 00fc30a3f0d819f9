import { removeUser } from '#src/directory/users/remove-user.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { authorityOver } from './change-for-caller.js';
import type { ScimContext, ScimDeps } from './context.js';

/**
 * Deletes a user who has no more rights than the caller (RFC 7644 section 3.6).
 * @throws AppError `directory.userOutranksCaller`, and the errors of {@link removeUser}
 */
export async function deleteUser(
  deps: ScimDeps,
  context: ScimContext,
  request: { id: string; alongside?: (transaction: Transaction) => Promise<void> },
): Promise<void> {
  const { organization, editor } = context;
  const beforeChange = authorityOver(deps, context, request.id);
  await removeUser(deps, { orgId: organization.id, editor, beforeChange, ...request });
  await deps.userCounter.changed(organization.id);
}
