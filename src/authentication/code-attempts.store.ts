import type { Clock } from '#src/platform/clock.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { LoginAttempts } from './login-attempts.store.js';

/** The longest lock. */
const longestLockMs = 24 * 3600 * 1000;
/** Wrong codes are forgotten so long after the last one. */
const keptMs = 30 * 24 * 3600 * 1000;

const beginScript = `
  local now, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
  local lockedUntil = tonumber(redis.call('HGET', KEYS[1], 'until') or '0')
  if lockedUntil > now then return {0, lockedUntil - now} end
  local count = redis.call('HINCRBY', KEYS[1], 'count', 1)
  local lock = 0
  if count >= limit then
    lock = math.min(tonumber(ARGV[3]) * 2 ^ (count - limit), tonumber(ARGV[4]))
    redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + lock))
  end
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  return {count, lock}`;

/** Only an attempt that was allowed is taken back. So the lock, if there is one, is its own. */
const takeBackScript = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  redis.call('HDEL', KEYS[1], 'until')
  return redis.call('HINCRBY', KEYS[1], 'count', -1)`;

/**
 * Counts attempts that are locked for longer and longer. Only a right code ends the count, or 30 days without an
 * attempt. The attempt that reaches the limit locks for `lockSeconds`. After the lock one attempt is allowed, which
 * locks twice as long as the one before, up to 24 hours. Patience therefore gains a guesser nothing: from the limit on,
 * no way to spread the attempts over time allows more of them.
 */
export function createCodeAttempts(deps: {
  redis: RedisConnection;
  prefix: string;
  clock: Clock;
  /** The first lock, in seconds. */
  lockSeconds: number;
}): LoginAttempts {
  const { redis, prefix, clock } = deps;
  const lockMs = deps.lockSeconds * 1000;
  const most = Math.max(lockMs, longestLockMs);
  const keyOf = (subject: string) => `${prefix}:code-attempts:${encodeURIComponent(subject)}`;
  return {
    async begin(subject, limit) {
      const now = clock.now().getTime();
      const answer = await redis.eval(
        beginScript,
        1,
        keyOf(subject),
        now,
        limit,
        lockMs,
        most,
        keptMs + most,
      );
      const [count, leftMs] = answer as [number, number];
      return {
        allowed: count > 0,
        last: count >= limit,
        retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      };
    },
    async forget(subject) {
      await redis.del(keyOf(subject));
    },
    async takeBack(subject) {
      await redis.eval(takeBackScript, 1, keyOf(subject));
    },
    async standing(subject) {
      const [failures, until] = await redis.hmget(keyOf(subject), 'count', 'until');
      const lockedMs = Number(until ?? 0) - clock.now().getTime();
      return { failures: Number(failures ?? 0), lockedMs: Math.max(0, lockedMs) };
    },
  };
}
