import type { RedisConnection } from '#src/platform/redis/redis.js';

/** The decision about one attempt to authenticate. */
export interface Attempt {
  readonly allowed: boolean;
  /** Whether this is the last attempt before the lock. If it fails, the subject is locked. */
  readonly last: boolean;
  /** Seconds until the next attempt is allowed. */
  readonly retryAfterSeconds: number;
}

/** What stands against a subject at present. */
export interface Standing {
  /** Attempts that count. */
  readonly failures: number;
  /** Milliseconds until the lock ends. 0 if the subject is not locked. */
  readonly lockedMs: number;
}

/**
 * Counts attempts in Redis. Each attempt counts before it is made, so that parallel attempts cannot exceed the limit.
 */
export interface LoginAttempts {
  /** Counts an attempt of a subject such as `password:{userId}`. At the limit, it locks the subject for a while. */
  begin(subject: string, limit: number): Promise<Attempt>;
  /** Forgets the earlier attempts, because one succeeded. */
  forget(subject: string): Promise<void>;
  /** Subtracts an attempt that was not made or does not count. */
  takeBack(subject: string): Promise<void>;
  /** Returns what stands against a subject, without an attempt. */
  standing(subject: string, limit: number): Promise<Standing>;
}

const beginScript = `
  local count = redis.call('INCR', KEYS[1])
  local limit = tonumber(ARGV[1])
  if count == 1 or count == limit then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return {count, redis.call('PTTL', KEYS[1])}`;

const takeBackScript = `
  if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('DECR', KEYS[1]) end
  return 0`;

const standingScript = `
  return {tonumber(redis.call('GET', KEYS[1]) or '0'), redis.call('PTTL', KEYS[1])}`;

/** @param deps `lockSeconds` is how long an attempt counts, and how long the lock lasts */
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
    async standing(subject, limit) {
      const answer = await redis.eval(standingScript, 1, keyOf(subject));
      const [failures, leftMs] = answer as [number, number];
      return { failures, lockedMs: failures >= limit ? Math.max(0, leftMs) : 0 };
    },
  };
}
