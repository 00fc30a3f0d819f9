import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { newId } from '#src/platform/ids.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { UsersStore } from './users.store.js';

/**
 * Returns exact counts for lists without counting a large organization for every page. Each change of the users of an
 * organization sets a new generation in Redis. A cached count is valid for one generation.
 */
export interface UserCounter {
  /** Returns the number of users that match the filter. */
  count(orgId: string, filter?: Record<string, unknown>): Promise<number>;
  /** Returns about how many users the organization has. The number may be a minute old. */
  estimate(orgId: string): Promise<number>;
  /**
   * Call this after the commit of a change. It never fails. If Redis is unavailable, cached counts expire on their own.
   */
  changed(orgId: string): Promise<void>;
}

/** Longest use of a cached count if the message about a change is lost, in milliseconds. */
const ttlMs = 30_000;
/** Longest use of an estimate, in milliseconds. */
const estimateMs = 60_000;
const generationSeconds = 30 * 24 * 3600;

export function createUserCounter(deps: {
  users: UsersStore;
  redis: RedisConnection;
  prefix: string;
}): UserCounter {
  const counts = new LRUCache<string, number>({ max: 5_000, ttl: ttlMs });
  const estimates = new LRUCache<string, Promise<number>>({ max: 5_000, ttl: estimateMs });
  const generationKey = (orgId: string) => `${deps.prefix}:users-generation:${orgId}`;

  return {
    async count(orgId, filter) {
      const generation = await deps.redis.get(generationKey(orgId));
      if (generation === null) {
        await deps.redis.set(generationKey(orgId), newId(), 'EX', generationSeconds, 'NX');
        return deps.users.count(orgId, filter);
      }
      const query = createHash('sha256')
        .update(JSON.stringify(filter ?? {}))
        .digest('base64url');
      const key = `${orgId}:${generation}:${query}`;
      const known = counts.get(key);
      if (known !== undefined) return known;
      const counted = await deps.users.count(orgId, filter);
      counts.set(key, counted);
      return counted;
    },
    estimate(orgId) {
      const known = estimates.get(orgId);
      if (known !== undefined) return known;
      // Those who ask meanwhile wait for the same count.
      const counting = deps.users.count(orgId);
      estimates.set(orgId, counting);
      counting.catch(() => estimates.delete(orgId));
      return counting;
    },
    async changed(orgId) {
      await deps.redis.set(generationKey(orgId), newId(), 'EX', generationSeconds).catch(() => undefined);
    },
  };
}
