import { createLru } from '#src/platform/lru.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import type { GroupMembersStore } from './group-members.store.js';

/** The groups of users who are read one by one and again, as SCIM clients do. */
export interface RememberedGroups {
  /** Returns at most `limit` groups of the user, as `groupsOf` of the store. */
  of(orgId: string, userId: string, limit: number): Promise<readonly string[]>;
}

interface Kept {
  /** Absent if the user was read once. */
  readonly stamp?: string;
  readonly groupIds: readonly string[];
}

const max = 10_000;
/** No user has a longer identifier. A caller may ask for any, which takes no memory here. */
const longestId = 200;
/** More groups of a user are not kept. */
const mostKept = 20;
/**
 * How long they are kept, in milliseconds. It matters if a process ends between the commit of a change of members and its
 * announcement.
 */
const ttl = 60_000;

const readOnce: Kept = { groupIds: [] };

/**
 * Remembers the groups of a user with the stamp that the user had before they were read. Each change of the groups of a user gives it another
 * stamp (`announceMembers`). The first read asks for no stamp, because most users are not read again soon.
 */
export function createRememberedGroups({
  groupMembers,
  revocations,
}: {
  groupMembers: Pick<GroupMembersStore, 'groupsOf'>;
  revocations: Pick<RevocationList, 'stampOf'>;
}): RememberedGroups {
  const kept = createLru<Kept>({ max, ttl });
  return {
    async of(orgId, userId, limit) {
      if (userId.length > longestId) return groupMembers.groupsOf(orgId, userId, limit);
      const key = `${orgId} ${userId}`;
      const known = kept.get(key);
      if (known === undefined) {
        kept.set(key, readOnce);
        return groupMembers.groupsOf(orgId, userId, limit);
      }
      const stamp = await revocations.stampOf(userId).catch(() => undefined);
      if (stamp !== undefined && known.stamp === stamp) return known.groupIds.slice(0, limit);
      const groupIds = await groupMembers.groupsOf(orgId, userId, limit);
      const isWhole = groupIds.length < limit && groupIds.length <= mostKept;
      if (stamp !== undefined && isWhole) kept.set(key, { stamp, groupIds });
      return groupIds;
    },
  };
}
