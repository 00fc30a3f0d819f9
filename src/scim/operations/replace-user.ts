import { changeUser } from '#src/directory/users/change-user.js';
import type { User } from '#src/directory/users/user.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { parseUserResource } from '../resources/parse-user.js';
import { requireOverCredentials, type ScimContext, type ScimDeps } from './context.js';

/**
 * Replaces a user (RFC 7644 section 3.5.1). Attributes that the body lacks are cleared, except `active` and `password`,
 * which stay as they are.
 */
export async function replaceUser(
  deps: ScimDeps,
  context: ScimContext,
  request: { id: string; body: unknown; alongside?: (transaction: Transaction, user: User) => Promise<void> },
): Promise<User> {
  const { id, alongside } = request;
  const { profile, password, activeGiven } = parseUserResource(request.body);
  const user = await changeUser(deps, {
    organization: context.organization,
    id,
    editor: context.editor,
    change: (current) => ({
      profile: activeGiven ? profile : { ...profile, active: current.active },
      ...(password !== undefined && { password }),
    }),
    beforeCredentials: () => requireOverCredentials(deps, context, id),
    ...(alongside && { alongside }),
  });
  await deps.userCounter.changed(context.organization.id);
  return user;
}
