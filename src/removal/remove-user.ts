import { type AbleOwners, type MembershipsStore, membershipEvent } from '#src/access/memberships/index.js';
import { type RevokeUserTokensDeps, revokeUserTokens } from '#src/accounts/index.js';
import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { compareAndSwap, directoryErrors, type User } from '#src/directory/index.js';
import type { GroupMembersStore, GroupsStore } from '#src/people/groups/index.js';
import { type UsersStore, userEvent, writeUser } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { type BelongingsDeps, removeBelongings } from './remove-belongings.js';

interface RemoveUserDeps extends RevokeUserTokensDeps, BelongingsDeps {
  readonly mongo: Mongo;
  readonly users: UsersStore;
  readonly memberships: MembershipsStore;
  readonly ableOwners: Pick<AbleOwners, 'keep' | 'keepInsteadOf'>;
  readonly groups: Pick<GroupsStore, 'touch'>;
  readonly groupMembers: Pick<GroupMembersStore, 'removeUser'>;
  readonly events: EventsStore;
  readonly caches: { readonly memberships: Cache<unknown> };
  /** What providers would be shown when the person signs out. */
  readonly logoutHints: { forget(of: { orgId: string; userId: string }): Promise<void> };
  /** By what providers name the sessions of the person there. */
  readonly providerSessions: { forget(of: { userId: string }): Promise<void> };
}

/**
 * Removes a user with its roles, groups, grants, metadata and access tokens, and records `user.removed`. It cannot be restored.
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
  const { users, memberships, groupMembers, events, clock } = deps;
  const { orgId, id, editor, alongside } = request;
  const removed = await compareAndSwap(['user', id, editor.userId], async () => {
    const current = await users.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.userNotFound);
    await request.beforeChange?.();
    request.precondition?.(current);
    return writeUser(deps, current, async (transaction) => {
      if (!(await users.remove(orgId, { id, expectedVersion: current.version }, transaction)))
        return undefined;
      const date = clock.now();
      const last = { ...current, version: current.version + 1, lastModified: date };
      const roles = await memberships.removeAll(id, transaction);
      const groupIds = await groupMembers.removeUser(orgId, id, transaction);
      // The cache has the roles of groups too.
      if (groupIds.length > 0) await deps.ableOwners.keepInsteadOf(id, editor)(transaction);
      else await deps.ableOwners.keep({ roles, editor }, transaction);
      const owner = { orgId, userId: id, editor, date };
      const belongings = await removeBelongings(deps, owner, transaction);
      await events.append(
        [
          userEvent('user.removed', last, editor, { userName: current.userName }),
          ...roles.map((membership) => membershipEvent('member.removed', membership, { editor, date })),
          ...belongings,
        ],
        transaction,
      );
      await alongside?.(transaction);
      // This step is last, because Redis receives the revocation before the commit. If a step above fails, the user
      // must stay signed in.
      await revokeUserTokens(deps, id, transaction);
      return { roles, groupIds };
    });
  });
  await deps.logoutHints.forget({ orgId, userId: id });
  await deps.providerSessions.forget({ userId: id });
  // A group that took the user as a member meanwhile: see `dropGone`.
  const groupIds = [...removed.groupIds, ...(await groupMembers.removeUser(orgId, id))];
  if (groupIds.length > 0) await deps.groups.touch(orgId, groupIds, clock.now());
  if (removed.roles.length > 0 || groupIds.length > 0) await deps.caches.memberships.invalidate(id);
}
