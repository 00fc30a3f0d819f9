import { requireAuthority } from '#src/access/authority/index.js';
import { profileWrittenBy, type User, userSeenBy } from '#src/directory/index.js';
import { type ChangeUserRequest, changeUser } from '#src/people/users/index.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { type NamedVersions, requireVersion } from '../protocol/entity-tag.js';
import type { ScimContext, ScimDeps } from './context.js';

/** A PUT or PATCH of a user. */
export interface UserRequest {
  readonly id: string;
  readonly body: unknown;
  /** The versions that the client expects. Undefined if it expects none. */
  readonly expected?: NamedVersions | undefined;
  /** Writes in the transaction of the change. */
  readonly alongside?: (transaction: Transaction, user: User) => Promise<void>;
}

/**
 * Changes a user who has no more rights than the caller: see {@link requireAuthority}.
 * @param request `change`: of the user as the caller sees it
 * @throws AppError `directory.userOutranksCaller`, `scim.versionChanged`, `directory.lastAbleOwner`, and the errors of {@link changeUser}
 */
export async function changeForCaller(
  deps: ScimDeps,
  { organization, editor, refuseOldSignIn, connectionClient: client }: ScimContext,
  { id, expected, alongside, change }: Omit<UserRequest, 'body'> & Pick<ChangeUserRequest, 'change'>,
): Promise<User> {
  const user = await changeUser(deps, {
    organization,
    id,
    editor,
    change(current) {
      const { profile, ...others } = change(userSeenBy(current, client));
      return { ...others, profile: profileWrittenBy(profile, { current, client }) };
    },
    beforeChange: authorityOver(deps, { organization, editor }, id),
    precondition: requireVersion(expected, 'user'),
    beforeCredentials: () => {
      refuseOldSignIn?.();
      return requireAuthority(deps, {
        callerId: editor.userId,
        orgId: organization.id,
        userId: id,
        purpose: 'credentials',
      });
    },
    beforeSignInChange: () => refuseOldSignIn?.(),
    beforeLoss: () => deps.ableOwners.keepIfOwner(id, editor),
    ...(alongside && { alongside }),
  });
  await deps.userCounter.changed(organization.id);
  return user;
}

/**
 * Begins to look up whether the user has no more rights than the caller, while the user is read. The returned function waits
 * for the outcome. It is called once it is known that the organization has the user.
 */
export function authorityOver(
  deps: ScimDeps,
  { organization, editor }: Pick<ScimContext, 'organization' | 'editor'>,
  userId: string,
): () => Promise<void> {
  const { id: orgId } = organization;
  const outcome = requireAuthority(deps, { callerId: editor.userId, orgId, userId, purpose: 'change' });
  // The outcome may be of no interest: the user does not exist, or nothing changes.
  outcome.catch(() => undefined);
  return () => outcome;
}
