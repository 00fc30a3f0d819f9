import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { UserTotalsStore } from '#src/organizations/index.js';
import { newId } from '#src/platform/ids.js';
import { createLru } from '#src/platform/lru.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { comparableForm } from '../queries/condition.js';
import type { ResourceQuery } from '../queries/query.js';
import type { UsersStore } from '../users/users.store.js';

/**
 * Returns exact counts for lists without counting a large organization for every page. The number of all users is a stored total.
 * For other counts, each change of the users of an organization sets a new generation in Redis. A cached count is valid for one
 * generation.
 */
export interface UserCounter {
  /** Returns the number of users that match the filter. */
  count(orgId: string, filter?: ResourceQuery): Promise<number>;
  /**
   * Call this after the commit of a change. It never fails. If Redis is unavailable, cached counts expire on their own. Changes of one
   * turn of the event loop, which are mostly of one transaction, are told together.
   */
  changed(orgId: string): Promise<void>;
}

/** Longest use of a cached count if the message about a change is lost, in milliseconds. */
const ttlMs = 30_000;
const generationSeconds = 30 * 24 * 3600;
/** One of so many turns with changes looks whether the changes of the total are to be joined. */
const turnsForFold = 32;

export function createUserCounter(deps: {
  users: Pick<UsersStore, 'count'>;
  userTotals: Pick<UserTotalsStore, 'fold'>;
  redis: RedisConnection;
  prefix: string;
}): UserCounter {
  const counts = createLru<number>({ max: 5_000, ttl: ttlMs });
  const generationKey = (orgId: string) => `${deps.prefix}:users-generation:${orgId}`;
  /** By organization, until they are told. */
  const changes = new Map<string, Promise<void>>();

  async function tell(orgId: string): Promise<void> {
    await turn();
    // A change from now on may be younger than the new generation.
    changes.delete(orgId);
    await deps.redis.set(generationKey(orgId), newId(), 'EX', generationSeconds).catch(() => undefined);
  }

  return {
    async count(orgId, filter) {
      if (filter === undefined) return deps.users.count(orgId);
      const generation = await deps.redis.get(generationKey(orgId));
      if (generation === null) {
        await deps.redis.set(generationKey(orgId), newId(), 'EX', generationSeconds, 'NX');
        return deps.users.count(orgId, filter);
      }
      const query = createHash('sha256')
        .update(JSON.stringify(comparableForm(filter, 'user')))
        .digest('base64url');
      const key = `${orgId}:${generation}:${query}`;
      const known = counts.get(key);
      if (known !== undefined) return known;
      const counted = await deps.users.count(orgId, filter);
      counts.set(key, counted);
      return counted;
    },
    async changed(orgId) {
      const others = changes.get(orgId);
      if (others !== undefined) return others;
      const told = tell(orgId);
      changes.set(orgId, told);
      await told;
      // A change that fails to join others leaves the total as it is.
      if (Math.random() * turnsForFold < 1) await deps.userTotals.fold(orgId).catch(() => undefined);
    },
  };
}
