import type { RedisConnection } from '#src/platform/redis.js';
import type { Session } from './session.js';

/**
 * Sessions and the user agents that hold them, in Redis. A session is a key of its own beside an index of its
 * user's sessions, both in one hash slot; an agent only names sessions, so that ending one is a single change.
 */
export interface SessionsStore {
  put(session: Session): Promise<void>;
  /**
   * Gives a session another end, in one step, where it is still of the same authentication: one that was renewed or
   * has ended meanwhile stays as it is. @returns whether it got it
   */
  prolong(session: Session): Promise<boolean>;
  find(userId: string, id: string): Promise<Session | undefined>;
  ofUser(userId: string): Promise<Session[]>;
  remove(userId: string, id: string): Promise<void>;
  /** Identifiers of the agent's sessions by user. */
  ofAgent(agentHash: string): Promise<{ userId: string; id: string }[]>;
  addToAgent(agentHash: string, session: Pick<Session, 'userId' | 'id'>): Promise<void>;
  /** Gives the agent's sessions to an agent of another secret; the old one forgets them soon after. */
  moveAgent(from: string, to: string): Promise<void>;
  /** The secrets' hashes that the agent had before, the latest first. */
  formerly(agentHash: string): Promise<string[]>;
}

/** How long an agent's old secret still finds its old sessions: tabs that were loading when it changed. */
const graceMs = 60_000;
const formerLimit = 5;
const formerField = 'former';
const userField = 'user:';

/** Writes a session over its earlier state, and its end into the index of its user. */
const prolongScript = `
  local found = redis.call('GET', KEYS[1])
  if not found or cjson.decode(found)['authTime'] ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[5])
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
  return 1`;

export function createSessionsStore(deps: {
  redis: RedisConnection;
  prefix: string;
  /** Longest that any session lives. */
  lifeSeconds: number;
}): SessionsStore {
  const { redis, prefix, lifeSeconds } = deps;
  const agentKey = (hash: string) => `${prefix}:agent:${hash}`;
  // Encoded, since a brace in an identifier would change the hash slot.
  const userKey = (userId: string) => `${prefix}:sessions:{${encodeURIComponent(userId)}}`;
  const sessionKey = (userId: string, id: string) => `${userKey(userId)}:${id}`;

  return {
    async put(session) {
      const { userId, id, expires } = session;
      const now = Date.now();
      const life = Math.max(1, expires.getTime() - now);
      await redis
        .multi()
        .set(sessionKey(userId, id), JSON.stringify(session), 'PX', life)
        .zremrangebyscore(userKey(userId), 0, now)
        .zadd(userKey(userId), now + life, id)
        .pexpire(userKey(userId), lifeSeconds * 1000)
        .exec();
    },
    async prolong(session) {
      const { userId, id, authTime, expires } = session;
      const now = Date.now();
      const life = Math.max(1, expires.getTime() - now);
      const keys = [sessionKey(userId, id), userKey(userId)] as const;
      const text = JSON.stringify(session);
      const index = [now + life, id, lifeSeconds * 1000] as const;
      return (await redis.eval(prolongScript, 2, ...keys, authTime.toJSON(), text, life, ...index)) === 1;
    },
    find: async (userId, id) => toSession(await redis.get(sessionKey(userId, id))),
    async ofUser(userId) {
      const ids = await redis.zrange(userKey(userId), '0', '-1');
      if (ids.length === 0) return [];
      const found = await redis.mget(...ids.map((id) => sessionKey(userId, id)));
      return found.flatMap((text) => toSession(text) ?? []);
    },
    async remove(userId, id) {
      await redis.multi().del(sessionKey(userId, id)).zrem(userKey(userId), id).exec();
    },

    async ofAgent(agentHash) {
      const fields = Object.entries(await redis.hgetall(agentKey(agentHash)));
      return fields
        .filter(([field]) => field.startsWith(userField))
        .map(([field, id]) => ({ userId: field.slice(userField.length), id }));
    },
    async addToAgent(agentHash, { userId, id }) {
      const key = agentKey(agentHash);
      await redis
        .multi()
        .hset(key, userField + userId, id)
        .pexpire(key, lifeSeconds * 1000)
        .exec();
    },
    async moveAgent(from, to) {
      const { [formerField]: before, ...fields } = await redis.hgetall(agentKey(from));
      const former = [from, ...(before?.split(' ') ?? [])].slice(0, formerLimit).join(' ');
      const key = agentKey(to);
      await redis
        .multi()
        .hset(key, { ...fields, [formerField]: former })
        .pexpire(key, lifeSeconds * 1000)
        .exec();
      await redis.pexpire(agentKey(from), graceMs);
    },
    async formerly(agentHash) {
      return (await redis.hget(agentKey(agentHash), formerField))?.split(' ') ?? [];
    },
  };
}

function toSession(text: string | null | undefined): Session | undefined {
  if (text == null) return undefined;
  const { authTime, created, expires, ...rest } = JSON.parse(text);
  return { ...rest, authTime: new Date(authTime), created: new Date(created), expires: new Date(expires) };
}
