import type { Transaction } from '#src/platform/mongo/mongo.js';
import { removeUser } from '#src/removal/index.js';
import { type NamedVersions, requireVersion } from '../protocol/entity-tag.js';
import { authorityOver } from './change-for-caller.js';
import type { ScimContext, ScimDeps } from './context.js';

/**
 * Deletes a user who has no more rights than the caller (RFC 7644 section 3.6).
 * @throws AppError `directory.userOutranksCaller`, `scim.versionChanged`, and the errors of {@link removeUser}
 */
export async function deleteUser(
  deps: ScimDeps,
  context: ScimContext,
  request: {
    id: string;
    /** The versions that the client expects. Undefined if it expects none. */
    expected?: NamedVersions | undefined;
    alongside?: (transaction: Transaction) => Promise<void>;
  },
): Promise<void> {
  const { organization, editor } = context;
  const { expected, ...removal } = request;
  const beforeChange = authorityOver(deps, context, request.id);
  const precondition = requireVersion(expected, 'user');
  await removeUser(deps, { orgId: organization.id, editor, beforeChange, precondition, ...removal });
  await deps.userCounter.changed(organization.id);
}
