import type { WorkerContainer } from '#src/rooms.js';
import { removeGoneMembers } from '#src/people/groups/index.js';
import type { Logger } from '#src/platform/logger.js';

/** Removes memberships of users who are gone: see remove-gone-members.ts. */
export function groupMembersWorker({ organizations, groups, groupMembers, users, mongo }: WorkerContainer) {
  return async (logger: Logger): Promise<void> => {
    await removeGoneMembers({ organizations, groups, groupMembers, users, mongo, logger });
  };
}
