import { type AbleOwners, type MembershipsStore, membershipEvent } from '#src/access/memberships/index.js';
import { type RevokeUserTokensDeps, revokeTokensOf } from '#src/accounts/index.js';
import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { Membership, User } from '#src/directory/index.js';
import type { GroupMembersStore } from '#src/people/groups/index.js';
import { type UsersStore, userEvent } from '#src/people/users/index.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { type BelongingsDeps, removeBelongings } from './remove-belongings.js';

export interface WriteRemovedUsersDeps extends RevokeUserTokensDeps, BelongingsDeps {
  readonly users: Pick<UsersStore, 'remove'>;
  readonly memberships: Pick<MembershipsStore, 'removeAll'>;
  readonly ableOwners: Pick<AbleOwners, 'keep' | 'keepInsteadOf'>;
  readonly groupMembers: Pick<GroupMembersStore, 'removeUsers'>;
  readonly events: Pick<EventsStore, 'append'>;
}

/** The memberships in groups that several users of a transaction may have together. A user with more is removed alone. */
const mostMemberships = 2_000;

/** A user to remove, as it was read, and who removes it. */
export interface RemovedUser {
  readonly current: User;
  readonly editor: Editor;
}

/** What a user had. */
export interface LostRights {
  readonly roles: readonly Membership[];
  readonly groupIds: readonly string[];
}

/**
 * Removes users of one organization with what belongs to them, and ends their sign-ins, in the transaction of the caller. After the
 * transaction, whatever came of it, the caller must announce the users with `RevocationList.restamp`.
 * @param alongside makes further writes in the transaction
 * @returns what each user had; undefined if another caller has changed one of them. The caller then aborts the transaction
 * @throws AppError `directory.lastAbleOwner`
 * @throws an error if several users have more than {@link mostMemberships} memberships
 */
export async function writeRemovedUsers(
  deps: WriteRemovedUsersDeps,
  { orgId, removed }: { orgId: string; removed: readonly RemovedUser[] },
  transaction: Transaction,
  alongside?: (transaction: Transaction) => Promise<void>,
): Promise<Map<RemovedUser, LostRights> | undefined> {
  const { clock } = deps;
  const targets = removed.map(({ current: { id, version } }) => ({ id, expectedVersion: version }));
  const ids = targets.map(({ id }) => id);
  if (!(await deps.users.remove(orgId, targets, transaction))) return undefined;
  const roles = await deps.memberships.removeAll(ids, transaction);
  const groups = await deps.groupMembers.removeUsers(
    orgId,
    ids,
    transaction,
    removed.length > 1 ? { most: mostMemberships } : {},
  );
  // The roles of groups are looked up for all users at once: the transaction waits, and holds its locks.
  const keeping = new Map(
    removed
      .filter(({ current: { id } }) => groups.has(id))
      .map(({ current: { id }, editor }) => [id, deps.ableOwners.keepInsteadOf(id, editor)]),
  );
  const lost = new Map<RemovedUser, LostRights>();
  for (const one of removed) {
    const { id } = one.current;
    const rights = { roles: roles.filter(({ userId }) => userId === id), groupIds: groups.get(id) ?? [] };
    lost.set(one, rights);
    const keep = keeping.get(id);
    if (keep !== undefined) await keep(transaction);
    else await deps.ableOwners.keep({ roles: rights.roles, editor: one.editor }, transaction);
  }
  const date = clock.now();
  const editors = new Map(removed.map(({ current: { id }, editor }) => [id, editor]));
  const belongings = await removeBelongings(deps, { orgId, editors, date }, transaction);
  const ofUsers = [...lost].flatMap(([{ current, editor }, { roles }]) => {
    const last = { ...current, version: current.version + 1, lastModified: date };
    return [
      userEvent('user.removed', last, editor, { userName: current.userName }),
      ...roles.map((membership) => membershipEvent('member.removed', membership, { editor, date })),
    ];
  });
  await deps.events.append([...ofUsers, ...belongings], transaction);
  await alongside?.(transaction);
  // This step is last, because Redis receives the revocations before the commit. If a step above fails, the users must stay signed in.
  await revokeTokensOf(deps, ids, transaction);
  return lost;
}
