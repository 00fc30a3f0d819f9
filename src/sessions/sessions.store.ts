import { amrOf, proofsOfMethods } from '#src/authentication/proofs/index.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { Session } from './session.js';

/** The latest session of a user at a user agent. */
export interface AgentSession {
  readonly userId: string;
  readonly id: string;
  /** When the user last authenticated there. Absent if an earlier version wrote the state. */
  readonly authTime?: Date;
}

/** The stored state of a user agent. */
export interface AgentState {
  /** The latest session of each user who signed in there. It may have ended. */
  readonly named: readonly AgentSession[];
  /** Hashes of its former secrets, the latest first. */
  readonly formerly: readonly string[];
}

/**
 * Sessions and their user agents, in Redis. A session is a key of its own, beside an index of its user's
 * sessions in the same hash slot. An agent only names its sessions, so that ending a session is one change.
 */
export interface SessionsStore {
  /**
   * Writes a session. A user has at most {@link mostOfUser}. Beyond that, those that end first are removed, as if their time were
   * over.
   */
  put(session: Session): Promise<void>;
  /**
   * Moves the end of a session, atomically. A session that was renewed or has ended in the meantime stays as
   * it is.
   * @returns whether the end was moved
   */
  prolong(session: Session): Promise<boolean>;
  find(userId: string, id: string): Promise<Session | undefined>;
  ofUser(userId: string): Promise<Session[]>;
  remove(userId: string, id: string): Promise<void>;
  /** Makes every agent at which the user signed in until then unknown. */
  forgetAgentsOf(userId: string, until: Date): Promise<void>;
  /** The latest time that {@link forgetAgentsOf} got for the user. */
  agentsForgotten(userId: string): Promise<Date | undefined>;
  readAgent(agentHash: string): Promise<AgentState>;
  addToAgent(agentHash: string, session: AgentSession): Promise<void>;
  /**
   * Moves the state of an agent to its next secret, in one round trip. The former secret expires soon after.
   * @param state `isFirst`: nothing is stored under the former secret
   */
  moveAgent(from: string, to: string, state: AgentState & { readonly isFirst?: boolean }): Promise<void>;
}

/**
 * How long a former secret still finds its sessions. Tabs that were loading during the change still send it.
 */
const graceMs = 60_000;
const formerLimit = 5;
/** The sessions that a user may have. Each takes about a kilobyte for up to MUSTER_SESSION_ABSOLUTE_SECONDS. */
export const mostOfUser = 100;
const formerField = 'former';
const userField = 'user:';
/** Beside the field of the user. Earlier versions ignore it. */
const timeField = 'time:';

/** Writes a session over its earlier state, and its end into the index of its user. */
const prolongScript = `
  local found = redis.call('GET', KEYS[1])
  if not found then return 0 end
  local session = cjson.decode(found)
  if (session['proved'] or session['authTime']) ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[5])
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
  return 1`;

/**
 * Writes a session, and its end into the index of its user. Expired entries of the index are removed.
 * @returns those that end first, beyond the most that a user may have
 */
const putScript = `
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  redis.call('ZREMRANGEBYSCORE', KEYS[2], 0, ARGV[3])
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[5])
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
  return redis.call('ZRANGE', KEYS[2], 0, -1 - ${mostOfUser})`;

/** Writes fields of an agent, and prolongs its life. */
const writeAgentScript = `
  redis.call('HSET', KEYS[1], unpack(ARGV, 2))
  redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

export function createSessionsStore(deps: {
  redis: RedisConnection;
  prefix: string;
  /** The longest life of a session. */
  lifeSeconds: number;
}): SessionsStore {
  const { redis, prefix, lifeSeconds } = deps;
  const agentKey = (hash: string) => `${prefix}:agent:${hash}`;
  // Encoded, because a brace in an identifier would change the hash slot.
  const userKey = (userId: string) => `${prefix}:sessions:{${encodeURIComponent(userId)}}`;
  const forgottenKey = (userId: string) => `${prefix}:agents-forgotten:${encodeURIComponent(userId)}`;
  const sessionKey = (userId: string, id: string) => `${userKey(userId)}:${id}`;

  async function writeAgent(hash: string, fields: readonly (readonly [name: string, value: string])[]) {
    await redis.eval(writeAgentScript, 1, agentKey(hash), lifeSeconds * 1000, ...fields.flat());
  }

  async function remove(userId: string, id: string): Promise<void> {
    await redis.multi().del(sessionKey(userId, id)).zrem(userKey(userId), id).exec();
  }

  return {
    async put(session) {
      const { userId, id, expires } = session;
      const now = Date.now();
      const life = Math.max(1, expires.getTime() - now);
      const keys = [sessionKey(userId, id), userKey(userId)] as const;
      const index = [now, now + life, id, lifeSeconds * 1000] as const;
      const text = toText(session);
      const surplus = (await redis.eval(putScript, 2, ...keys, text, life, ...index)) as string[];
      await Promise.all(surplus.filter((other) => other !== id).map((other) => remove(userId, other)));
    },
    async prolong(session) {
      const { userId, id, authTime, proved = authTime, expires } = session;
      const now = Date.now();
      const life = Math.max(1, expires.getTime() - now);
      const keys = [sessionKey(userId, id), userKey(userId)] as const;
      const text = toText(session);
      const index = [now + life, id, lifeSeconds * 1000] as const;
      return (await redis.eval(prolongScript, 2, ...keys, proved.toJSON(), text, life, ...index)) === 1;
    },
    find: async (userId, id) => toSession(await redis.get(sessionKey(userId, id))),
    async ofUser(userId) {
      const ids = await redis.zrange(userKey(userId), '0', '-1');
      if (ids.length === 0) return [];
      const found = await redis.mget(...ids.map((id) => sessionKey(userId, id)));
      return found.flatMap((text) => toSession(text) ?? []);
    },
    remove,

    async forgetAgentsOf(userId, until) {
      // No agent remembers an earlier sign-in for longer.
      await redis.set(forgottenKey(userId), until.getTime(), 'PX', lifeSeconds * 1000);
    },
    async agentsForgotten(userId) {
      const until = await redis.get(forgottenKey(userId));
      return until == null ? undefined : new Date(Number(until));
    },
    async readAgent(agentHash) {
      const { [formerField]: formerly, ...fields } = await redis.hgetall(agentKey(agentHash));
      const named = Object.entries(fields)
        .filter(([field]) => field.startsWith(userField))
        .map(([field, id]) => agentSession(field.slice(userField.length), id, fields));
      return { named, formerly: formerly?.split(' ') ?? [] };
    },
    addToAgent: (agentHash, session) => writeAgent(agentHash, fieldsOf(session)),
    async moveAgent(from, to, { named, formerly, isFirst = false }) {
      const former = [from, ...formerly].slice(0, formerLimit).join(' ');
      const sessions = named.flatMap(fieldsOf);
      await Promise.all([
        writeAgent(to, [[formerField, former], ...sessions]),
        !isFirst && redis.pexpire(agentKey(from), graceMs),
      ]);
    },
  };
}

function agentSession(userId: string, id: string, fields: Readonly<Record<string, string>>): AgentSession {
  const time = fields[timeField + userId];
  return { userId, id, ...(time !== undefined && { authTime: new Date(Number(time)) }) };
}

function fieldsOf({ userId, id, authTime }: AgentSession): (readonly [name: string, value: string])[] {
  const time = authTime && ([timeField + userId, String(authTime.getTime())] as const);
  return [[userField + userId, id], ...(time === undefined ? [] : [time])];
}

/** A session as Redis keeps it. Processes of the earlier version read `amr`. */
function toText(session: Session): string {
  return JSON.stringify({ ...session, amr: amrOf(session.proofs) });
}

function toSession(text: string | null | undefined): Session | undefined {
  if (text == null) return undefined;
  // Sessions of earlier versions do not say when they were last used, and tell only the methods of their proofs.
  const { authTime, proved, created, expires, lastUsed = authTime, amr, proofs, ...rest } = JSON.parse(text);
  return {
    ...rest,
    proofs: proofs ?? proofsOfMethods(amr, Date.parse(authTime)),
    authTime: new Date(authTime),
    ...(proved !== undefined && { proved: new Date(proved) }),
    created: new Date(created),
    lastUsed: new Date(lastUsed),
    expires: new Date(expires),
  };
}
