import { hashSecret } from '#src/keys/secret-hash.js';
import type { Clock } from '#src/platform/clock.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** What Redis knows of the sessions of people at providers, for as long as a session here may live. */
export interface ProviderSessionsStore {
  /** Notes whose session at the provider of the connection it is. */
  put(session: { connectionId: string; sid: string; userId: string }): Promise<void>;
  /** The person of the session, if somebody signed in by it, and is signed in here. */
  find(session: { connectionId: string; sid: string }): Promise<string | undefined>;
  /** Forgets sessions of a person at providers: all of them, or those at the provider of one connection. */
  forget(of: { userId: string; connectionId?: string }): Promise<void>;
  /** Forgets these sessions of a person. */
  forgetNamed(userId: string, named: readonly { connectionId: string; sid: string }[]): Promise<void>;
  /** Notes a logout token. Returns whether it was new: each counts once. */
  useLogoutToken(token: { connectionId: string; jti: string; expires: Date }): Promise<boolean>;
  /** Forgets a logout token that could not be followed, so that the provider may send it again. */
  forgetLogoutToken(token: { connectionId: string; jti: string }): Promise<void>;
}

/** As many as a person can have sessions here. Those that end first give way. */
const mostOfPerson = 100;

/**
 * Notes a session in the list of its person. Entries whose time is over, and those beyond the most, are removed. Returns the names of the latter: their
 * keys would outlive the list, and nothing could forget them.
 */
const noteScript = `
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
  redis.call('ZADD', KEYS[1], ARGV[1] + ARGV[2], ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  local beyond = redis.call('ZRANGE', KEYS[1], 0, -1 - ARGV[4])
  if #beyond > 0 then redis.call('ZREM', KEYS[1], unpack(beyond)) end
  return beyond`;

/** Removes the key of a session, unless it is of somebody else by now: a provider may give two people of a browser the same session. */
const removeScript = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('DEL', KEYS[1])`;

export function createProviderSessions({
  redis,
  prefix,
  clock,
  lifeSeconds,
}: {
  redis: RedisConnection;
  prefix: string;
  clock: Clock;
  /** The longest life of a session. */
  lifeSeconds: number;
}): ProviderSessionsStore {
  const lifeMs = lifeSeconds * 1000;
  /** What an entry in the list of a person is called: it ends the key of the session. */
  const nameOf = (connectionId: string, sid: string) => `${connectionId}:${hashSecret(sid)}`;
  const sidKey = (name: string) => `${prefix}:connection-sid:${name}`;
  const listKey = (userId: string) => `${prefix}:connection-sids:${encodeURIComponent(userId)}`;
  const tokenKey = (connectionId: string, jti: string) =>
    `${prefix}:connection-logout:${connectionId}:${hashSecret(jti)}`;
  /** Removes the keys of sessions of a person. Each is in a slot of its own. */
  const removeKeys = async (userId: string, names: readonly string[]) => {
    await Promise.all(names.map((name) => redis.eval(removeScript, 1, sidKey(name), userId)));
  };
  const forgetNames = async (userId: string, names: readonly string[]) => {
    if (names.length === 0) return;
    await Promise.all([removeKeys(userId, names), redis.zrem(listKey(userId), ...names)]);
  };
  return {
    async put({ connectionId, sid, userId }) {
      const name = nameOf(connectionId, sid);
      const note = [clock.now().getTime(), lifeMs, name, mostOfPerson] as const;
      const [beyond] = await Promise.all([
        redis.eval(noteScript, 1, listKey(userId), ...note) as Promise<string[]>,
        redis.set(sidKey(name), userId, 'PX', lifeMs),
      ]);
      await removeKeys(userId, beyond);
    },
    async find({ connectionId, sid }) {
      return (await redis.get(sidKey(nameOf(connectionId, sid)))) ?? undefined;
    },
    async forget({ userId, connectionId }) {
      const names = await redis.zrange(listKey(userId), '0', '-1');
      const begin = connectionId === undefined ? '' : `${connectionId}:`;
      await forgetNames(
        userId,
        names.filter((name) => name.startsWith(begin)),
      );
    },
    forgetNamed: (userId, named) =>
      forgetNames(
        userId,
        named.map(({ connectionId, sid }) => nameOf(connectionId, sid)),
      ),
    async useLogoutToken({ connectionId, jti, expires }) {
      const key = tokenKey(connectionId, jti);
      return (await redis.set(key, '1', 'PXAT', expires.getTime(), 'NX')) === 'OK';
    },
    async forgetLogoutToken({ connectionId, jti }) {
      await redis.del(tokenKey(connectionId, jti));
    },
  };
}
