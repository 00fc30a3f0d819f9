import type { User } from '#src/directory/index.js';
import { createLru } from '#src/platform/lru.js';

/**
 * Caches users for the use of tokens. A cached user is current if its stamp equals the stamp of the revocation list.
 */
export interface People {
  /**
   * Returns the user as it was when the stamp was read, or newer.
   * @param stamp from `RevocationList`. Undefined reads the store.
   */
  find(orgId: string, id: string, stamp: string | undefined): Promise<User | undefined>;
  /** Returns the cached user and its stamp. The user is current only if the revocation list has the same stamp. */
  held(orgId: string, id: string): HeldPerson | undefined;
}

interface HeldPerson {
  readonly user: User;
  readonly stamp: string;
}

const max = 10_000;
/**
 * Longest time that a cached user can be stale, in milliseconds. It matters if a process ends between a commit and its
 * announcement.
 */
const ttl = 60_000;

/** @param deps `stands`: whether the organization of a user exists and is not being removed */
export function createPeople({
  users,
  stands,
}: {
  users: { find(orgId: string, id: string): Promise<User | undefined> };
  stands: (orgId: string) => Promise<boolean>;
}): People {
  const held = createLru<HeldPerson>({ max, ttl });
  const keyOf = (orgId: string, id: string) => `${orgId} ${id}`;
  return {
    async find(orgId, id, stamp) {
      if (!(await stands(orgId))) return undefined;
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
