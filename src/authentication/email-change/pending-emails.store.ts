import type { RedisConnection } from '#src/platform/redis/redis.js';

/** An address that a user wants, until the user proves to read its mail. */
interface PendingEmail {
  readonly email: string;
  /** The hash of the code that was mailed to the address. */
  readonly hash: string;
}

/**
 * Addresses that wait for the code that was mailed to them, one for each name, such as the identifier of a user. Redis keeps each for 15
 * minutes.
 */
export interface PendingEmailsStore {
  /** Replaces what waits under the name. */
  put(name: string, pending: PendingEmail): Promise<void>;
  find(name: string): Promise<PendingEmail | undefined>;
  /** Counts a try to enter the code. Returns the address that waits. Undefined if there is none, or after five tries. */
  begin(name: string): Promise<PendingEmail | undefined>;
  /** Removes the address with this hash. If several callers do so, one succeeds. */
  take(name: string, hash: string): Promise<boolean>;
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

const keyOfKind = {
  pendingEmail: (prefix: string, name: string) => `${prefix}:pending-email:${name}`,
  mailCode: (prefix: string, name: string) => `${prefix}:mail-code:${name}`,
} as const;

export function createPendingEmailsStore({
  redis,
  prefix,
  kind = 'pendingEmail',
}: {
  redis: RedisConnection;
  prefix: string;
  /** What the codes are for. No code of one kind is one of the other. */
  kind?: keyof typeof keyOfKind;
}): PendingEmailsStore {
  const keyOf = (name: string) => keyOfKind[kind](prefix, encodeURIComponent(name));
  return {
    async put(name, { email, hash }) {
      await redis.eval(putScript, 1, keyOf(name), email, hash, lifeMs);
    },
    async find(name) {
      const { email, hash } = await redis.hgetall(keyOf(name));
      return email === undefined || hash === undefined ? undefined : { email, hash };
    },
    async begin(name) {
      const found = await redis.eval(beginScript, 1, keyOf(name), mostTries);
      if (!Array.isArray(found)) return undefined;
      const [email, hash] = found as [string, string];
      return { email, hash };
    },
    take: async (name, hash) => (await redis.eval(takeScript, 1, keyOf(name), hash)) === 1,
  };
}
