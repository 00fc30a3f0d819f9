import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { StoreBound } from '#src/platform/redis/store-bound.js';

/** The decision about one attempt to authenticate. */
export interface Attempt {
  readonly allowed: boolean;
  /** Whether this is the last attempt before the lock. If it fails, the subject is locked. */
  readonly last: boolean;
  /** Seconds until the next attempt is allowed. */
  readonly retryAfterSeconds: number;
}

/** What stands against a subject at present. */
interface Standing {
  /** Attempts that count. */
  readonly failures: number;
  /** Milliseconds until the lock ends. 0 if the subject is not locked. */
  readonly lockedMs: number;
}

/**
 * Counts attempts in Redis. Each attempt counts before it is made, so that parallel attempts cannot exceed the limit.
 */
export interface LoginAttempts {
  /**
   * Counts an attempt of a subject such as `password:{userId}`. At the limit, it locks the subject for a while.
   * @throws AppError `directory.attemptsFull` for a subject that anybody can make, if it has no attempts yet
   */
  begin(subject: string, limit: number): Promise<Attempt>;
  /** Forgets the earlier attempts, because one succeeded. */
  forget(subject: string): Promise<void>;
  /** Subtracts an attempt that was not made or does not count. */
  takeBack(subject: string): Promise<void>;
  /** Returns what stands against a subject, without an attempt. */
  standing(subject: string, limit: number): Promise<Standing>;
}

/**
 * The subjects that anybody can make, without a sign-in. Only they count for a bound. There are no more subjects of accounts than users, and
 * a refusal of one would tell that the account exists.
 */
const ofSignIns = /^(name|address|passkey):/;
/** Those that cost no check of a password. So they have a bound of their own, and filling it stops no sign-in. */
const ofForms = /^(mail-address|register-address):/;

/** @returns -1 if the subject has no attempts, and ARGV[3] forbids to begin with one */
const beginScript = `
  if ARGV[3] == '1' and redis.call('EXISTS', KEYS[1]) == 0 then return {-1, 0} end
  local count = redis.call('INCR', KEYS[1])
  local limit = tonumber(ARGV[1])
  if count == 1 or count == limit then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return {count, redis.call('PTTL', KEYS[1])}`;

/** @returns 1 if no attempt is left, and nothing is stored any more */
const takeBackScript = `
  if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('DECR', KEYS[1]) > 0 then return 0 end
  return redis.call('DEL', KEYS[1])`;

const standingScript = `
  return {tonumber(redis.call('GET', KEYS[1]) or '0'), redis.call('PTTL', KEYS[1])}`;

/**
 * @param deps `lockSeconds` is how long an attempt counts, and how long the lock lasts. The bounds are those of callers who are not signed
 * in: of their sign-ins, and of their forms for a mail or a registration
 */
export function createLoginAttempts(deps: {
  redis: RedisConnection;
  prefix: string;
  lockSeconds: number;
  bounds: { readonly signIns: StoreBound; readonly forms: StoreBound };
}): LoginAttempts {
  const { redis, prefix, lockSeconds, bounds } = deps;
  const lifeMs = lockSeconds * 1000;
  const keyOf = (subject: string) => `${prefix}:login-attempts:${encodeURIComponent(subject)}`;
  const boundOf = (subject: string) => {
    if (ofSignIns.test(subject)) return bounds.signIns;
    return ofForms.test(subject) ? bounds.forms : undefined;
  };
  const removed = (subject: string) => boundOf(subject)?.remove({ key: keyOf(subject), lifeMs });
  return {
    async begin(subject, limit) {
      const key = keyOf(subject);
      const bound = boundOf(subject);
      const answer = await redis.eval(beginScript, 1, key, limit, lifeMs, bound?.isFull() ? '1' : '0');
      const [count, leftMs] = answer as [number, number];
      if (count === -1)
        throw new AppError(directoryErrors.attemptsFull, { retryAfterSeconds: bound?.secondsLeft() ?? 1 });
      // At the limit the life begins anew. The entry then counts twice until the end of its first life.
      if (count === 1 || count === limit) bound?.add({ key, lifeMs });
      return {
        allowed: count <= limit,
        last: count === limit,
        retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      };
    },
    async forget(subject) {
      if ((await redis.del(keyOf(subject))) === 1) removed(subject);
    },
    async takeBack(subject) {
      if ((await redis.eval(takeBackScript, 1, keyOf(subject))) === 1) removed(subject);
    },
    async standing(subject, limit) {
      const answer = await redis.eval(standingScript, 1, keyOf(subject));
      const [failures, leftMs] = answer as [number, number];
      return { failures, lockedMs: failures >= limit ? Math.max(0, leftMs) : 0 };
    },
  };
}
