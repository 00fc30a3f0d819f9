import type { Editor } from '#src/audit/event.js';
import { compareAndSwap, directoryErrors, type User } from '#src/directory/index.js';
import type { GroupMembersStore, GroupsStore } from '#src/people/groups/index.js';
import type { UsersStore } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { type BatchRemovedUser, removeAlone } from './batch-removed-users.js';
import type { WriteRemovedUsersDeps } from './write-removed-users.js';

interface RemoveUserDeps extends WriteRemovedUsersDeps {
  readonly mongo: Pick<Mongo, 'transactionOf'>;
  readonly batchRemovedUser: BatchRemovedUser;
  readonly users: Pick<UsersStore, 'find' | 'remove'>;
  readonly groups: Pick<GroupsStore, 'touch'>;
  readonly groupMembers: Pick<GroupMembersStore, 'groupsOf' | 'removeUsers'>;
  readonly caches: { readonly memberships: Cache<unknown> };
  /** What providers would be shown when the person signs out. */
  readonly logoutHints: { forget(of: { orgId: string; userId: string }): Promise<void> };
  /** By what providers name the sessions of the person there. */
  readonly providerSessions: { forget(of: { userId: string }): Promise<void> };
}

/**
 * Removes a user with its roles, groups, grants, metadata and access tokens, and records `user.removed`. It cannot be restored. Simultaneous
 * removals of an organization share a transaction, unless they have writes `alongside`.
 * @throws AppError `directory.userNotFound`, `directory.lastAbleOwner`, `directory.changing`
 */
export async function removeUser(
  deps: RemoveUserDeps,
  request: {
    orgId: string;
    id: string;
    editor: Editor;
    /** Called before the user is removed. Throws if the caller may not remove it. */
    beforeChange?: () => Promise<void>;
    /** Called with the user that is removed. Throws if the caller expects another one. */
    precondition?: ((current: User) => void) | undefined;
    /** Makes further writes in the same transaction. */
    alongside?: (transaction: Transaction) => Promise<void>;
  },
): Promise<void> {
  const { orgId, id, editor, alongside } = request;
  const removed = await compareAndSwap(['user', id, editor.userId], async () => {
    const current = await deps.users.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.userNotFound);
    await request.beforeChange?.();
    request.precondition?.(current);
    const one = { current, editor };
    return alongside === undefined ? deps.batchRemovedUser(one) : removeAlone(deps, one, alongside);
  });
  await deps.logoutHints.forget({ orgId, userId: id });
  await deps.providerSessions.forget({ userId: id });
  const groupIds = [...removed.groupIds, ...(await leaveJoined(deps, orgId, id))];
  if (groupIds.length > 0) await deps.groups.touch(orgId, groupIds, deps.clock.now());
  if (removed.roles.length > 0 || groupIds.length > 0) await deps.caches.memberships.invalidate(id);
}

/** Removes the user from groups that took it as a member meanwhile: see `dropGone`. Returns these groups. */
async function leaveJoined(
  { groupMembers }: Pick<RemoveUserDeps, 'groupMembers'>,
  orgId: string,
  id: string,
): Promise<string[]> {
  // This look is shared with simultaneous removals, and there is hardly ever a group.
  if ((await groupMembers.groupsOf(orgId, id, 1)).length === 0) return [];
  return (await groupMembers.removeUsers(orgId, [id])).get(id) ?? [];
}
