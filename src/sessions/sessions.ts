import { type Clock, preciseSeconds } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import type { Session } from './session.js';
import type { AgentSession, AgentState, SessionsStore } from './sessions.store.js';

/** A person who has just authenticated. */
export type SignIn = Pick<Session, 'userId' | 'orgId' | 'userName' | 'displayName' | 'amr' | 'device'>;

interface SignInOptions {
  /** The hash of the agent's former secret. Its sessions move to the new secret (session fixation). */
  readonly before?: string | undefined;
  /** Another write for the session, done at the same time. */
  readonly alongside?: ((session: Session) => Promise<unknown>) | undefined;
}

/** What the stores know about a user agent. */
export interface KnownAgent {
  /** Its live sessions, the latest authentication first. */
  readonly sessions: readonly Session[];
  /** Hashes of its former secrets, the latest first. */
  readonly formerly: readonly string[];
  /** The stamps of the sessions' users, by user; see `RevocationList`. */
  readonly stamps: ReadonlyMap<string, string>;
}

/** A sign-in of a user at a user agent. Its session may have ended. */
interface PastSignIn {
  /** The identifier of its session. */
  readonly id: string;
  readonly time: Date;
}

/** The sessions of user agents. An agent is identified by the hash of the secret in its cookie. */
export interface Sessions {
  readAgent(agentHash: string): Promise<KnownAgent>;
  /**
   * The latest sign-in of each user at the agent, by user, for the absolute life of a session, or until all sessions of the user are
   * ended. It tells that the agent is a browser of the user, and nothing about who is signed in.
   */
  pastSignIns(agentHash: string): Promise<ReadonlyMap<string, PastSignIn>>;
  /** The live sessions of an agent, the latest authentication first. */
  ofAgent(agentHash: string): Promise<Session[]>;
  /**
   * Records that a person has authenticated at the agent. The person's session at that agent is renewed and
   * keeps its `sid`, or a new one begins.
   */
  signIn(agentHash: string, person: SignIn, options?: SignInOptions): Promise<Session>;
  /**
   * Records that the session was used, which restarts its idle time. A session that was renewed or has ended
   * in the meantime stays as it is.
   */
  touch(session: Session): Promise<Session>;
  /** The live session, or undefined when it has ended, expired or never existed. */
  find(userId: string, sessionId: string): Promise<Session | undefined>;
  /** Ends a session, and revokes every access token that was issued in it. It may be called again. */
  end(userId: string, sessionId: string): Promise<void>;
  ofUser(userId: string): Promise<Session[]>;
  /** Ends every session of a person. No agent is a browser of the person any more. */
  endAllOf(userId: string): Promise<void>;
  /** Removes every session of a person whose organization is gone. No token of such a person is valid, so none is revoked. */
  forgetAllOf(userId: string): Promise<void>;
  /** Whether the agent had the earlier hash before its secret was renewed. */
  isSameAgent(agentHash: string, earlier: string): Promise<boolean>;
  /** Moves the sessions of one agent secret to the next. */
  moveAgent(from: string, to: string): Promise<void>;
}

export interface SessionsDeps {
  readonly store: SessionsStore;
  readonly revocations: RevocationList;
  readonly clock: Clock;
  /** Whether the organization of a person exists and is not being removed. */
  readonly stands: (orgId: string) => Promise<boolean>;
  /** A session that is not used for so long ends. */
  readonly idleSeconds: number;
  /** A session ends so long after its last authentication, even if it is used. */
  readonly absoluteSeconds: number;
  readonly accessTokenSeconds: number;
}

/** A session, and the stamp of its user; see `RevocationList`. */
interface LiveSession {
  readonly session: Session;
  readonly stamp: string | undefined;
}

/** A use of a session is written only after this share of the idle time, to save writes. */
const touchEvery = 0.02;

/** An agent names the sessions of so many users. Those who signed in first are forgotten first. */
const mostOfAgent = 20;

export function createSessions(deps: SessionsDeps): Sessions {
  const { store, revocations, clock } = deps;
  const idleMs = deps.idleSeconds * 1000;
  const absoluteMs = deps.absoluteSeconds * 1000;

  const expiryOf = (authTime: Date, now: Date) =>
    new Date(Math.min(now.getTime() + idleMs, authTime.getTime() + absoluteMs));

  /**
   * The live session. Redis may have been restored from an old copy, so the revocations are checked too, at
   * the same time: they know the ended sessions.
   */
  async function findLive(
    { userId, id }: Pick<Session, 'userId' | 'id'>,
    read = store.find(userId, id),
  ): Promise<LiveSession | undefined> {
    const [session, stateSince] = await Promise.all([
      read,
      revocations.lookUp({ jti: id, sub: userId, session: id }),
    ]);
    if (session === undefined || session.expires <= clock.now()) return undefined;
    if (!(await deps.stands(session.orgId))) return undefined;
    const { revoked, stamp } = stateSince(preciseSeconds(session.authTime));
    return revoked ? undefined : { session, stamp };
  }

  /** The state of an agent without sign-ins that are too old for a session. A renewed secret would keep them for ever. */
  async function readState(agentHash: string): Promise<AgentState> {
    const { named, formerly } = await store.readAgent(agentHash);
    const since = clock.now().getTime() - absoluteMs;
    const timeOf = (authTime: Date | undefined) => authTime?.getTime() ?? since;
    const kept = named
      .filter(({ authTime }) => authTime === undefined || authTime.getTime() > since)
      .sort((a, b) => timeOf(b.authTime) - timeOf(a.authTime))
      .slice(0, mostOfAgent);
    return { named: kept, formerly };
  }

  const find = async (userId: string, id: string) => (await findLive({ userId, id }))?.session;

  /**
   * Whether a sign-in at an agent still makes the agent known. All sign-ins of a user end by {@link Sessions.endAllOf}, or by a
   * revocation in the transaction of the change. The end of one session, which is a revocation of another kind, does not count.
   */
  async function isKnown({ userId, id, authTime }: AgentSession): Promise<boolean> {
    if (authTime === undefined) return false;
    const [forgotten, stateSince] = await Promise.all([
      store.agentsForgotten(userId),
      revocations.lookUp({ jti: id, sub: userId }),
    ]);
    return authTime > (forgotten ?? 0) && !stateSince(preciseSeconds(authTime)).revoked;
  }

  /** The latest authentication first. */
  function inOrder(found: readonly (LiveSession | undefined)[]): LiveSession[] {
    return found
      .filter((one) => one !== undefined)
      .sort((a, b) => b.session.authTime.getTime() - a.session.authTime.getTime());
  }

  async function ofUser(userId: string): Promise<Session[]> {
    const kept = await store.ofUser(userId);
    const found = await Promise.all(kept.map((session) => findLive(session, Promise.resolve(session))));
    return inOrder(found).map(({ session }) => session);
  }

  async function readAgent(agentHash: string): Promise<KnownAgent> {
    const { named, formerly } = await readState(agentHash);
    const live = inOrder(await Promise.all(named.map((session) => findLive(session))));
    const stamps = live.flatMap(({ session, stamp }) =>
      stamp === undefined ? [] : [[session.userId, stamp] as const],
    );
    return { sessions: live.map(({ session }) => session), formerly, stamps: new Map(stamps) };
  }

  async function end(userId: string, sessionId: string): Promise<void> {
    const now = clock.now();
    const revocation = {
      kind: 'session',
      id: sessionId,
      sub: userId,
      issuedUntil: preciseSeconds(now),
      expires: new Date(now.getTime() + Math.max(deps.accessTokenSeconds * 1000, absoluteMs)),
    } as const;
    // The lasting record comes first. The steps after it only make the end visible sooner.
    await revocations.record(revocation);
    await revocations.publish(revocation);
    await store.remove(userId, sessionId);
  }

  return {
    find,
    ofUser,
    end,
    readAgent,
    async pastSignIns(agentHash) {
      const { named } = await readState(agentHash);
      const known = await Promise.all(named.map(isKnown));
      return new Map(
        named.flatMap(({ userId, id, authTime }, index) =>
          known[index] && authTime !== undefined ? [[userId, { id, time: authTime }] as const] : [],
        ),
      );
    },
    ofAgent: async (agentHash) => [...(await readAgent(agentHash)).sessions],
    async signIn(agentHash, { userId, orgId, userName, displayName, amr, device }, options = {}) {
      const { before, alongside } = options;
      const { named, formerly } = await readState(before ?? agentHash);
      const known = named.find((session) => session.userId === userId);
      const earlier = known && (await find(userId, known.id));
      const now = clock.now();
      const session: Session = {
        id: earlier?.id ?? newId(),
        userId,
        orgId,
        userName,
        displayName,
        amr: [...amr],
        authTime: now,
        created: earlier?.created ?? now,
        lastUsed: now,
        expires: expiryOf(now, now),
        ...(device && { device }),
      };
      const others = named.filter((other) => other.userId !== userId).slice(0, mostOfAgent - 1);
      await Promise.all([
        store.put(session),
        before === undefined
          ? store.addToAgent(agentHash, session)
          : store.moveAgent(before, agentHash, { named: [...others, session], formerly }),
        alongside?.(session),
      ]);
      return session;
    },
    async touch(session) {
      const now = clock.now();
      if (now.getTime() - session.lastUsed.getTime() < idleMs * touchEvery) return session;
      const touched = { ...session, lastUsed: now, expires: expiryOf(session.authTime, now) };
      return (await store.prolong(touched)) ? touched : session;
    },
    async endAllOf(userId) {
      await store.forgetAgentsOf(userId, clock.now());
      for (const { id } of await store.ofUser(userId)) await end(userId, id);
    },
    async forgetAllOf(userId) {
      for (const { id } of await store.ofUser(userId)) await store.remove(userId, id);
    },
    async isSameAgent(agentHash, earlier) {
      return agentHash === earlier || (await store.readAgent(agentHash)).formerly.includes(earlier);
    },
    moveAgent: async (from, to) => store.moveAgent(from, to, await readState(from)),
  };
}
