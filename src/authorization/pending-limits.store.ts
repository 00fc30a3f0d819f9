import type { RedisConnection } from '#src/platform/redis/redis.js';

/** Whether an entry was added. */
export interface AddedPending {
  readonly added: boolean;
  /** Seconds until the oldest entry of the holder ends; 0 when the entry was added. */
  readonly retryAfterSeconds: number;
}

/** Bounds what a holder, such as an address, has begun and not finished. Redis keeps each entry for a limited time. */
export interface PendingLimits {
  /** Adds an entry, unless the holder has as many as `limit`. The entry ends by itself after `seconds`. */
  add(holder: string, id: string, bounds: { limit: number; seconds: number }): Promise<AddedPending>;
  /** Removes an entry. Nothing happens when the holder has no such entry. */
  remove(holder: string, id: string): Promise<void>;
}

/** Uses the clock of Redis, which all processes share. @returns 0, or milliseconds until the first entry ends */
const addScript = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now)
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then
    return math.max(1, redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] - now)
  end
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 0`;

export function createPendingLimits({
  redis,
  prefix,
}: {
  redis: RedisConnection;
  prefix: string;
}): PendingLimits {
  const keyOf = (holder: string) => `${prefix}:waiting:${encodeURIComponent(holder)}`;
  return {
    async add(holder, id, { limit, seconds }) {
      const left = (await redis.eval(addScript, 1, keyOf(holder), limit, seconds * 1000, id)) as number;
      return { added: left === 0, retryAfterSeconds: Math.ceil(left / 1000) };
    },
    async remove(holder, id) {
      await redis.zrem(keyOf(holder), id);
    },
  };
}
