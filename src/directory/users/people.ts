import { LRUCache } from 'lru-cache';
import type { User } from './user.js';

/** Users as tokens are used: held in memory as long as the stamp of the revocation list says that they are as read. */
export interface People {
  /**
   * The user as of when the stamp was read, or later.
   * @param stamp of `RevocationList`; undefined reads the store
   */
  find(orgId: string, id: string, stamp: string | undefined): Promise<User | undefined>;
  /** The user as held in memory, and the stamp that must still be the user's for that to be so. */
  held(orgId: string, id: string): HeldPerson | undefined;
}

export interface HeldPerson {
  readonly user: User;
  readonly stamp: string;
}

const max = 10_000;
/** Upper bound on staleness should a process end between a commit and its announcement. */
const ttl = 60_000;

export function createPeople({
  users,
}: {
  users: { find(orgId: string, id: string): Promise<User | undefined> };
}): People {
  const held = new LRUCache<string, HeldPerson>({ max, ttl });
  const keyOf = (orgId: string, id: string) => `${orgId} ${id}`;
  return {
    async find(orgId, id, stamp) {
      if (stamp === undefined) return users.find(orgId, id);
      const key = keyOf(orgId, id);
      const known = held.get(key);
      if (known?.stamp === stamp) return known.user;
      const user = await users.find(orgId, id);
      if (user !== undefined) held.set(key, { user, stamp });
      return user;
    },
    held: (orgId, id) => held.get(keyOf(orgId, id)),
  };
}
