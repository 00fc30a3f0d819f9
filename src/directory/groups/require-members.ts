import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import type { UsersStore } from '../users/users.store.js';
import type { GroupMembersStore } from './group-members.store.js';
import { usersPerStep } from './users-per-step.js';

/** An error names at most so many users. */
const mostNamed = 3;

/**
 * Checks that all of these are users of the organization.
 * @throws AppError `directory.memberUnknown`
 */
export async function requireMembers(
  { users }: { users: Pick<UsersStore, 'existing'> },
  orgId: string,
  userIds: ReadonlySet<string>,
): Promise<void> {
  for (const some of inParts(userIds)) {
    const existing = await users.existing(orgId, some);
    if (existing.size === some.length) continue;
    const unknown = some.filter((userId) => !existing.has(userId)).slice(0, mostNamed);
    const detail = `No users of the organization: ${unknown.map((id) => id.slice(0, 100)).join(', ')}`;
    throw new AppError(directoryErrors.memberUnknown, { detail });
  }
}

/**
 * Removes the memberships of users who were removed after {@link requireMembers} saw them. The removal of a user does the same
 * after its commit. So whichever of the two commits last finds what the other wrote.
 */
export async function dropGone(
  deps: { users: Pick<UsersStore, 'existing'>; groupMembers: Pick<GroupMembersStore, 'remove'> },
  { orgId, groupId, userIds }: { orgId: string; groupId: string; userIds: ReadonlySet<string> },
): Promise<void> {
  for (const some of inParts(userIds)) {
    const existing = await deps.users.existing(orgId, some);
    const gone = some.filter((userId) => !existing.has(userId));
    await deps.groupMembers.remove(orgId, groupId, gone);
  }
}

function* inParts(userIds: ReadonlySet<string>): Generator<string[]> {
  const all = [...userIds];
  for (let from = 0; from < all.length; from += usersPerStep) yield all.slice(from, from + usersPerStep);
}
