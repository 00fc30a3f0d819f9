import type { RedisConnection } from '#src/platform/redis/redis.js';

/** An address that a user wants, until the user proves to read its mail. */
interface PendingEmail {
  readonly email: string;
  /** The hash of the code that was mailed to the address. */
  readonly hash: string;
}

/** Addresses that wait for their code, one for each user. Redis keeps each for 15 minutes. */
export interface PendingEmailsStore {
  /** Replaces the address that the user wanted before. */
  put(userId: string, pending: PendingEmail): Promise<void>;
  find(userId: string): Promise<PendingEmail | undefined>;
  /** Counts a try to enter the code. Returns the address that waits. Undefined if there is none, or after five tries. */
  begin(userId: string): Promise<PendingEmail | undefined>;
  /** Removes the address with this hash. If several callers do so, one succeeds. */
  take(userId: string, hash: string): Promise<boolean>;
}

const lifeMs = 15 * 60_000;
const mostTries = 5;

const putScript = `
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'email', ARGV[1], 'hash', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])`;

const beginScript = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return false end
  if redis.call('HINCRBY', KEYS[1], 'tries', 1) > tonumber(ARGV[1]) then
    redis.call('DEL', KEYS[1])
    return false
  end
  return redis.call('HMGET', KEYS[1], 'email', 'hash')`;

const takeScript = `
  if redis.call('HGET', KEYS[1], 'hash') ~= ARGV[1] then return 0 end
  return redis.call('DEL', KEYS[1])`;

export function createPendingEmailsStore({
  redis,
  prefix,
}: {
  redis: RedisConnection;
  prefix: string;
}): PendingEmailsStore {
  const keyOf = (userId: string) => `${prefix}:pending-email:${encodeURIComponent(userId)}`;
  return {
    async put(userId, { email, hash }) {
      await redis.eval(putScript, 1, keyOf(userId), email, hash, lifeMs);
    },
    async find(userId) {
      const { email, hash } = await redis.hgetall(keyOf(userId));
      return email === undefined || hash === undefined ? undefined : { email, hash };
    },
    async begin(userId) {
      const found = await redis.eval(beginScript, 1, keyOf(userId), mostTries);
      if (!Array.isArray(found)) return undefined;
      const [email, hash] = found as [string, string];
      return { email, hash };
    },
    take: async (userId, hash) => (await redis.eval(takeScript, 1, keyOf(userId), hash)) === 1,
  };
}
