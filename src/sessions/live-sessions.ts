import { preciseSeconds } from '#src/platform/clock.js';
import { createLru } from '#src/platform/lru.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import { type AgentStateDeps, readAgentState } from './agent-state.js';
import type { Session } from './session.js';

/** What the stores know about a user agent. */
export interface KnownAgent {
  /** Its live sessions, the latest authentication first. */
  readonly sessions: readonly Session[];
  /** Hashes of its former secrets, the latest first. */
  readonly formerly: readonly string[];
  /** The stamps of the sessions' users, by user; see `RevocationList`. */
  readonly stamps: ReadonlyMap<string, string>;
}

/** Reads the sessions that have not ended. */
export interface LiveSessions {
  readAgent(agentHash: string): Promise<KnownAgent>;
  /** The live sessions of an agent, the latest authentication first. */
  ofAgent(agentHash: string): Promise<Session[]>;
  /** The live session, or undefined when it has ended, expired or never existed. */
  find(userId: string, sessionId: string): Promise<Session | undefined>;
  ofUser(userId: string): Promise<Session[]>;
}

export interface LiveSessionsDeps extends AgentStateDeps {
  readonly revocations: RevocationList;
  /** Whether the organization of a person exists and is not being removed. */
  readonly stands: (orgId: string) => Promise<boolean>;
  /**
   * Whether the connection by which a session began is switched on, and was not switched off since, and may still sign this person in. Other
   * sessions need no look-up.
   */
  readonly connectionServes: (signIn: ConnectedSignIn) => Promise<boolean>;
  /** How long the sessions of the people of an organization may live, where that is shorter than in the instance. */
  readonly livesOf: (orgId: string) => Promise<SessionLives>;
}

/** Times in seconds. Absent: as in the instance. */
interface SessionLives {
  readonly sessionSeconds?: number;
  readonly sessionIdleSeconds?: number;
}

/** A sign-in by a connection of an organization, at a time. */
interface ConnectedSignIn {
  readonly orgId: string;
  readonly userId: string;
  readonly connectionId: string;
  readonly since: Date;
}

/** What identifies a session. */
type SessionName = Pick<Session, 'userId' | 'id'>;

/** The agents of which a process remembers the sessions. Each takes some hundred bytes. */
const mostRemembered = 10_000;

/**
 * Returns the part of the sessions that reads. The process remembers which sessions it found last at an agent, and reads these in one message
 * with the state of the agent. Only those count that the agent still names.
 * @returns `remember`: for sessions that have just begun at an agent
 */
export function createLiveSessions(
  deps: LiveSessionsDeps,
): LiveSessions & { remember(agentHash: string, sessions: readonly SessionName[]): void } {
  const { store } = deps;
  const remembered = createLru<readonly SessionName[]>({ max: mostRemembered });

  function remember(agentHash: string, sessions: readonly SessionName[]): void {
    if (sessions.length === 0) remembered.delete(agentHash);
    else
      remembered.set(
        agentHash,
        sessions.map(({ userId, id }) => ({ userId, id })),
      );
  }

  async function readAgent(agentHash: string): Promise<KnownAgent> {
    const early = remembered.get(agentHash) ?? [];
    const [{ named, formerly }, ...read] = await Promise.all([
      readAgentState(deps, agentHash),
      ...early.map((name) => readSession(deps, name)),
    ]);
    const found = named.map(({ userId, id }) => {
      const at = early.findIndex((one) => one.id === id && one.userId === userId);
      return whileLive(deps, read[at] ?? readSession(deps, { userId, id }));
    });
    const live = inOrder(await Promise.all(found));
    remember(
      agentHash,
      live.map(({ session }) => session),
    );
    const stamps = live.flatMap(({ session, stamp }) =>
      stamp === undefined ? [] : [[session.userId, stamp] as const],
    );
    return { sessions: live.map(({ session }) => session), formerly, stamps: new Map(stamps) };
  }

  return {
    remember,
    readAgent,
    ofAgent: async (agentHash) => [...(await readAgent(agentHash)).sessions],
    find: async (userId, id) => (await whileLive(deps, readSession(deps, { userId, id })))?.session,
    async ofUser(userId) {
      const stored = await store.ofUser(userId);
      const found = await Promise.all(
        stored.map((session) => whileLive(deps, readSession(deps, session, Promise.resolve(session)))),
      );
      return inOrder(found).map(({ session }) => session);
    },
  };
}

/** A session, and the stamp of its user; see `RevocationList`. */
interface LiveSession {
  readonly session: Session;
  readonly stamp: string | undefined;
}

/** A session as it is stored, and what the revocations say of it since a time. */
interface StoredSession {
  readonly session: Session | undefined;
  readonly stateSince: Awaited<ReturnType<RevocationList['lookUp']>>;
}

/**
 * Reads a session. Redis may have been restored from an old copy, so the revocations are read too, at the same time: they know the ended
 * sessions.
 */
async function readSession(
  { store, revocations }: LiveSessionsDeps,
  { userId, id }: SessionName,
  read = store.find(userId, id),
): Promise<StoredSession> {
  const [session, stateSince] = await Promise.all([
    read,
    revocations.lookUp({ jti: id, sub: userId, session: id }),
  ]);
  return { session, stateSince };
}

/** Returns a session that was read, if it is live. */
async function whileLive(
  deps: LiveSessionsDeps,
  stored: StoredSession | Promise<StoredSession>,
): Promise<LiveSession | undefined> {
  const { clock, stands, livesOf } = deps;
  const { session, stateSince } = await stored;
  if (session === undefined || session.expires <= clock.now()) return undefined;
  if (!(await stands(session.orgId))) return undefined;
  if (hasOutlived(session, await livesOf(session.orgId), clock.now())) return undefined;
  if (!(await connectionsServe(deps, session))) return undefined;
  const { revoked, stamp } = stateSince(preciseSeconds(session.authTime));
  return revoked ? undefined : { session, stamp };
}

/** Whether a session is older, or was longer idle, than its organization allows by now. */
function hasOutlived({ authTime, lastUsed }: Session, lives: SessionLives, now: Date): boolean {
  const isOver = (since: Date, seconds = Number.POSITIVE_INFINITY) =>
    since.getTime() + seconds * 1000 <= now.getTime();
  return isOver(authTime, lives.sessionSeconds) || isOver(lastUsed, lives.sessionIdleSeconds);
}

/** Whether every connection by which a session began serves it, and its session there has not ended. Other sessions need no look-up. */
async function connectionsServe(
  { connectionServes, clock }: Pick<LiveSessionsDeps, 'connectionServes' | 'clock'>,
  { orgId, userId, proofs }: Session,
): Promise<boolean> {
  for (const proof of proofs) {
    if (proof.kind !== 'connection') continue;
    const { connectionId, begun, until } = proof;
    if (until !== undefined && until <= clock.now().getTime()) return false;
    if (!(await connectionServes({ orgId, userId, connectionId, since: new Date(begun) }))) return false;
  }
  return true;
}

/** The latest authentication first. */
function inOrder(found: readonly (LiveSession | undefined)[]): LiveSession[] {
  return found
    .filter((one) => one !== undefined)
    .sort((a, b) => b.session.authTime.getTime() - a.session.authTime.getTime());
}
