import { hashSecret } from '#src/keys/secret-hash.js';
import type { Clock } from '#src/platform/clock.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** What Redis knows of the sessions of people at providers, for as long as a session here may live. */
export interface ProviderSessionsStore {
  /** Notes whose session at the provider of the connection it is. */
  put(session: { connectionId: string; sid: string; userId: string }): Promise<void>;
  /** The person of the session, if somebody signed in by it, and is signed in here. */
  find(session: { connectionId: string; sid: string }): Promise<string | undefined>;
  /**
   * Forgets sessions of a person at providers: all of them, those at the provider of one connection, or one.
   * @param of `sid`: needs the connection
   */
  forget(of: { userId: string; connectionId?: string; sid?: string | undefined }): Promise<void>;
  /** Notes a logout token. Returns whether it was new: each counts once. */
  useLogoutToken(token: { connectionId: string; jti: string; expires: Date }): Promise<boolean>;
  /** Forgets a logout token that could not be followed, so that the provider may send it again. */
  forgetLogoutToken(token: { connectionId: string; jti: string }): Promise<void>;
}

/** As many as a person can have sessions here. Those that end first are forgotten with them. */
const mostOfPerson = 100;

/** Notes a session in the list of its person. Entries whose time is over, and those beyond the most, are removed. */
const noteScript = `
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
  redis.call('ZADD', KEYS[1], ARGV[1] + ARGV[2], ARGV[3])
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[4])
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

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
  return {
    async put({ connectionId, sid, userId }) {
      const name = nameOf(connectionId, sid);
      await Promise.all([
        redis.set(sidKey(name), userId, 'PX', lifeMs),
        redis.eval(noteScript, 1, listKey(userId), clock.now().getTime(), lifeMs, name, mostOfPerson),
      ]);
    },
    async find({ connectionId, sid }) {
      return (await redis.get(sidKey(nameOf(connectionId, sid)))) ?? undefined;
    },
    async forget({ userId, connectionId, sid }) {
      const names = await redis.zrange(listKey(userId), '0', '-1');
      const begin = connectionId === undefined ? '' : `${connectionId}:`;
      const gone = names.filter((name) =>
        sid === undefined ? name.startsWith(begin) : name === nameOf(connectionId ?? '', sid),
      );
      if (gone.length === 0) return;
      // Each key is in a slot of its own.
      await Promise.all([
        ...gone.map((name) => redis.del(sidKey(name))),
        redis.zrem(listKey(userId), ...gone),
      ]);
    },
    async useLogoutToken({ connectionId, jti, expires }) {
      const key = tokenKey(connectionId, jti);
      return (await redis.set(key, '1', 'PXAT', expires.getTime(), 'NX')) === 'OK';
    },
    async forgetLogoutToken({ connectionId, jti }) {
      await redis.del(tokenKey(connectionId, jti));
    },
  };
}
