import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { SeenUsers } from '../users/seen-users.js';
import type { UsersStore } from '../users/users.store.js';
import { membersOf } from './group.js';
import type { GroupMembersStore } from './group-members.store.js';
import { usersPerStep } from './users-per-step.js';

/** An error names at most so many users. */
const mostNamed = 3;

/**
 * Checks that all of these are users of the organization.
 * @throws AppError `directory.memberUnknown`
 */
export async function requireMembers(
  { seenUsers }: { seenUsers: Pick<SeenUsers, 'existing'> },
  orgId: string,
  userIds: ReadonlySet<string>,
): Promise<void> {
  for (const some of inParts(userIds)) {
    const existing = await seenUsers.existing(orgId, some);
    if (existing.size === some.length) continue;
    const unknown = some.filter((userId) => !existing.has(userId)).slice(0, mostNamed);
    const detail = `No users of the organization: ${unknown.map((id) => id.slice(0, 100)).join(', ')}`;
    throw new AppError(directoryErrors.memberUnknown, { detail });
  }
}

export interface DropGoneDeps {
  readonly mongo: Pick<Mongo, 'transactionOf'>;
  readonly users: Pick<UsersStore, 'existing'>;
  readonly groupMembers: Pick<GroupMembersStore, 'remove'>;
}

/**
 * Removes the memberships of users who were removed after {@link requireMembers} saw them. The removal of a user does the same
 * after its commit. So whichever of the two commits last finds what the other wrote.
 * @param target `userIds`: at most {@link usersPerStep}
 * @returns the number of removed memberships
 */
export async function dropGone(
  { mongo, users, groupMembers }: DropGoneDeps,
  { orgId, groupId, userIds }: { orgId: string; groupId: string; userIds: readonly string[] },
): Promise<number> {
  const existing = await users.existing(orgId, userIds);
  if (userIds.every((userId) => existing.has(userId))) return 0;
  // An import may add a user again with the same identifier, and make it a member, after the read. MongoDB then repeats the
  // transaction, which looks again.
  return mongo.transactionOf(orgId, async (transaction) => {
    const now = await users.existing(orgId, userIds, transaction);
    const gone = userIds.filter((userId) => !now.has(userId));
    return groupMembers.remove(orgId, membersOf(groupId, gone), transaction);
  });
}

/** {@link dropGone}, which asks MongoDB only about users whom another caller may have removed. */
export async function dropRemoved(
  deps: DropGoneDeps & { readonly seenUsers: Pick<SeenUsers, 'existing'> },
  target: { orgId: string; groupId: string; userIds: readonly string[] },
): Promise<void> {
  const { orgId, userIds } = target;
  const existing = await deps.seenUsers.existing(orgId, userIds);
  if (existing.size < userIds.length) await dropGone(deps, target);
}

function* inParts(userIds: ReadonlySet<string>): Generator<string[]> {
  const all = [...userIds];
  for (let from = 0; from < all.length; from += usersPerStep) yield all.slice(from, from + usersPerStep);
}
