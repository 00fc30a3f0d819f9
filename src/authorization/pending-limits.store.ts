import type { RedisConnection } from '#src/platform/redis/redis.js';

/** What became of asking for a place. */
export interface PlaceAnswer {
  readonly allowed: boolean;
  /** Seconds until a place becomes free at the latest; 0 where there was one. */
  readonly retryAfterSeconds: number;
}

/** What an address has begun and not finished, kept in Redis: at most so many at once, each for so long. */
export interface WaitingPlaces {
  /** Takes a place for what has this identifier, unless as many are taken as may be. */
  take(holder: string, id: string, bounds: { limit: number; seconds: number }): Promise<PlaceAnswer>;
  /** Harmless where there is none. */
  giveBack(holder: string, id: string): Promise<void>;
}

/** By the clock of Redis, which all processes share. @returns 0, or milliseconds until the first place ends */
const takeScript = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now)
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then
    return math.max(1, redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] - now)
  end
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 0`;

export function createWaitingPlaces({
  redis,
  prefix,
}: {
  redis: RedisConnection;
  prefix: string;
}): WaitingPlaces {
  const keyOf = (holder: string) => `${prefix}:waiting:${encodeURIComponent(holder)}`;
  return {
    async take(holder, id, { limit, seconds }) {
      const left = (await redis.eval(takeScript, 1, keyOf(holder), limit, seconds * 1000, id)) as number;
      return { allowed: left === 0, retryAfterSeconds: Math.ceil(left / 1000) };
    },
    async giveBack(holder, id) {
      await redis.zrem(keyOf(holder), id);
    },
  };
}
