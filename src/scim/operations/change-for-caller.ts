import { requireCovers } from '#src/directory/memberships/require-covers.js';
import { type ChangeUserRequest, changeUser } from '#src/directory/users/change-user.js';
import type { User } from '#src/directory/users/user.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { ScimContext, ScimDeps } from './context.js';

/** A PUT or PATCH of a user. */
export interface UserRequest {
  readonly id: string;
  readonly body: unknown;
  /** Writes in the transaction of the change. */
  readonly alongside?: (transaction: Transaction, user: User) => Promise<void>;
}

/**
 * Changes a user in the organization of the caller. To change credentials, the current roles of the caller must cover those
 * of the user.
 * @throws AppError `tokens.permissionMissing`, and the errors of {@link changeUser}
 */
export async function changeForCaller(
  deps: ScimDeps,
  { organization, editor }: ScimContext,
  { id, alongside, change }: Omit<UserRequest, 'body'> & Pick<ChangeUserRequest, 'change'>,
): Promise<User> {
  const user = await changeUser(deps, {
    organization,
    id,
    editor,
    change,
    beforeCredentials: async () => {
      const mine = await deps.memberships.ofUser(editor.userId);
      await requireCovers(deps, { mine, userId: id });
    },
    ...(alongside && { alongside }),
  });
  await deps.userCounter.changed(organization.id);
  return user;
}
