import type { RedisConnection } from '#src/platform/redis/redis.js';

/** What an attempt to prove something was allowed to do. */
export interface Attempt {
  readonly allowed: boolean;
  /** The last one before the lock: should it fail, the subject is locked. */
  readonly last: boolean;
  /** Seconds until the next attempt is allowed. */
  readonly retryAfterSeconds: number;
}

/** Counts attempts before they are made, so that many at once cannot exceed the limit. Kept in Redis. */
export interface LoginAttempts {
  /** Counts an attempt of a subject such as `password:{userId}`, and locks it for a while at the limit. */
  begin(subject: string, limit: number): Promise<Attempt>;
  /** The attempt succeeded: those before are forgotten. */
  forget(subject: string): Promise<void>;
  /** The attempt was not made, or does not count. */
  takeBack(subject: string): Promise<void>;
}

const beginScript = `
  local count = redis.call('INCR', KEYS[1])
  local limit = tonumber(ARGV[1])
  if count == 1 or count == limit then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return {count, redis.call('PTTL', KEYS[1])}`;

const takeBackScript = `
  if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('DECR', KEYS[1]) end
  return 0`;

/** @param deps `lockSeconds` is how long attempts are counted, and how long the lock lasts */
export function createLoginAttempts(deps: {
  redis: RedisConnection;
  prefix: string;
  lockSeconds: number;
}): LoginAttempts {
  const { redis, prefix, lockSeconds } = deps;
  const keyOf = (subject: string) => `${prefix}:login-attempts:${encodeURIComponent(subject)}`;
  return {
    async begin(subject, limit) {
      const answer = await redis.eval(beginScript, 1, keyOf(subject), limit, lockSeconds * 1000);
      const [count, leftMs] = answer as [number, number];
      return {
        allowed: count <= limit,
        last: count === limit,
        retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      };
    },
    async forget(subject) {
      await redis.del(keyOf(subject));
    },
    async takeBack(subject) {
      await redis.eval(takeBackScript, 1, keyOf(subject));
    },
  };
}
