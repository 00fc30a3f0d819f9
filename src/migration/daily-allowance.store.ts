import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** Counts in Redis what each organization has begun within the last 24 hours, for all processes. */
export interface DailyAllowance {
  /**
   * Counts one, if less than `most` were begun within a day. One that fails afterwards has cost its work, and counts too.
   * @returns the seconds until the next one fits. 0: this one was counted
   */
  take(of: { readonly orgId: string; readonly kind: string; readonly most: number }): Promise<number>;
}

const dayMs = 24 * 3_600_000;

/** @returns the milliseconds until the oldest one is a day old. 0: one was added */
const takeScript = `
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', tonumber(ARGV[1]) - tonumber(ARGV[2]))
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then
    local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
    return tonumber(oldest[2]) + tonumber(ARGV[2]) - tonumber(ARGV[1])
  end
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 0`;

/** Opens the counts. Each has at most `most` entries, and vanishes a day after the last one. */
export function createDailyAllowance({
  redis,
  prefix,
  clock,
}: {
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly clock: Clock;
}): DailyAllowance {
  return {
    async take({ orgId, kind, most }) {
      const key = `${prefix}:daily-allowance:${encodeURIComponent(orgId)}/${kind}`;
      const now = clock.now().getTime();
      const waitMs = Number(await redis.eval(takeScript, 1, key, now, dayMs, most, newId()));
      return waitMs <= 0 ? 0 : Math.ceil(waitMs / 1000);
    },
  };
}
