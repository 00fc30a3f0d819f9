import { removeGoneMembers } from '#src/people/groups/index.js';
import type { Logger } from '#src/platform/logger.js';
import type { WorkerRooms } from '#src/rooms.js';

/** Removes memberships of users who are gone: see remove-gone-members.ts. */
export function groupMembersWorker({
  organizations,
  groups,
  groupMembers,
  users,
  mongo,
}: Pick<WorkerRooms, 'groupMembers' | 'groups' | 'mongo' | 'organizations' | 'users'>) {
  return async (logger: Logger): Promise<void> => {
    await removeGoneMembers({ organizations, groups, groupMembers, users, mongo, logger });
  };
}
