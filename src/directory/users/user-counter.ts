import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { newId } from '#src/platform/ids.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { UsersStore } from './users.store.js';

/**
 * Exact counts for list answers without counting a large organization on every page. Each change of an
 * organization's users gives it a new generation in Redis; a count is kept as long as its generation stands.
 */
export interface UserCounter {
  /** Users that fulfil the filter. */
  count(orgId: string, filter?: Record<string, unknown>): Promise<number>;
  /** To be called after a change is committed. Never fails: kept counts also expire on their own. */
  changed(orgId: string): Promise<void>;
}

/** How long a count is believed should the message of a change be lost. */
const ttlMs = 30_000;
const generationSeconds = 30 * 24 * 3600;

export function createUserCounter(deps: {
  users: UsersStore;
  redis: RedisConnection;
  prefix: string;
}): UserCounter {
  const counts = new LRUCache<string, number>({ max: 5_000, ttl: ttlMs });
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
    async changed(orgId) {
      await deps.redis.set(generationKey(orgId), newId(), 'EX', generationSeconds).catch(() => undefined);
    },
  };
}
