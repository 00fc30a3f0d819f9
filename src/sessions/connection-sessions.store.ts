import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { Session } from './session.js';

type NamedSession = Pick<Session, 'userId' | 'id'>;

/** The sessions that began by each connection, in Redis, for as long as a token of them may live. They may have ended. */
export interface ConnectionSessionsStore {
  add(connectionId: string, session: NamedSession): Promise<void>;
  /** Returns the sessions whose tokens expire first. */
  first(connectionId: string, limit: number): Promise<NamedSession[]>;
  remove(connectionId: string, sessions: readonly NamedSession[]): Promise<void>;
}

/** Adds a session, and removes those whose tokens have expired. */
const addScript = `
  redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, ARGV[1])
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[3])
  return redis.call('PEXPIRE', KEYS[1], ARGV[4])`;

export function createConnectionSessions({
  redis,
  prefix,
  lifeSeconds,
}: {
  redis: RedisConnection;
  prefix: string;
  /** The longest life of a session and of a token that was issued at its end. */
  lifeSeconds: number;
}): ConnectionSessionsStore {
  const keyOf = (id: string) => `${prefix}:connection-sessions:${encodeURIComponent(id)}`;
  return {
    async add(connectionId, session) {
      const now = Date.now();
      const life = lifeSeconds * 1000;
      await redis.eval(addScript, 1, keyOf(connectionId), now, now + life, memberOf(session), life);
    },
    async first(connectionId, limit) {
      const members = await redis.zrange(keyOf(connectionId), '0', String(limit - 1));
      return members.map((member) => JSON.parse(member));
    },
    async remove(connectionId, sessions) {
      await redis.zrem(keyOf(connectionId), ...sessions.map(memberOf));
    },
  };
}

function memberOf({ userId, id }: NamedSession): string {
  return JSON.stringify({ userId, id });
}
