import { type Clock, preciseSeconds } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import type { Session } from './session.js';
import type { SessionsStore } from './sessions.store.js';

/** Somebody who has just proved who they are. */
export type SignIn = Pick<Session, 'userId' | 'orgId' | 'userName' | 'displayName' | 'amr'>;

/** What is known of a user agent. */
export interface KnownAgent {
  /** Its live sessions, the latest authentication first. */
  readonly sessions: readonly Session[];
  /** Hashes of the secrets that it had before, the latest first. */
  readonly formerly: readonly string[];
  /** Stamps of the sessions' users, by their identifiers; see `RevocationList`. */
  readonly stamps: ReadonlyMap<string, string>;
}

/** The sessions of user agents. An agent is known by the hash of the secret in its cookie. */
export interface Sessions {
  readAgent(agentHash: string): Promise<KnownAgent>;
  /** The live sessions of an agent, the latest authentication first. */
  ofAgent(agentHash: string): Promise<Session[]>;
  /**
   * A person has authenticated at the agent: the session that the agent has of the person is refreshed and keeps
   * its `sid`, or a new one begins.
   * @param before hash of the secret that the agent had until now, whose sessions go to the new one: against fixation
   */
  signIn(agentHash: string, person: SignIn, before?: string): Promise<Session>;
  /** The session was used: its idle life begins anew, unless it was renewed or has ended meanwhile. */
  touch(session: Session): Promise<Session>;
  /** The live session; undefined when it ended, expired or never was. */
  find(userId: string, sessionId: string): Promise<Session | undefined>;
  /** Ends a session and with it every access token that was issued within it. Harmless when it has ended. */
  end(userId: string, sessionId: string): Promise<void>;
  ofUser(userId: string): Promise<Session[]>;
  endAllOf(userId: string): Promise<void>;
  /** Whether an agent is the one that had the earlier hash, before its secret was renewed. */
  isSameAgent(agentHash: string, earlier: string): Promise<boolean>;
  /** Gives what one agent secret holds to its successor. */
  moveAgent(from: string, to: string): Promise<void>;
}

export interface SessionsDeps {
  readonly store: SessionsStore;
  readonly revocations: RevocationList;
  readonly clock: Clock;
  /** A session that is not used for so long ends. */
  readonly idleSeconds: number;
  /** A session ends so long after the last authentication, however much it is used. */
  readonly absoluteSeconds: number;
  readonly accessTokenSeconds: number;
}

/** A session as it is now. */
interface SessionState {
  readonly session: Session;
  readonly isLive: boolean;
  readonly stamp?: string | undefined;
}

/** A use within this part of the idle life is not worth a write. */
const touchEvery = 0.02;

export function createSessions(deps: SessionsDeps): Sessions {
  const { store, revocations, clock } = deps;
  const idleMs = deps.idleSeconds * 1000;
  const absoluteMs = deps.absoluteSeconds * 1000;

  const expiryOf = (authTime: Date, now: Date) =>
    new Date(Math.min(now.getTime() + idleMs, authTime.getTime() + absoluteMs));

  async function find(userId: string, id: string): Promise<Session | undefined> {
    const session = await store.find(userId, id);
    return session !== undefined && (await stateOf(session)).isLive ? session : undefined;
  }

  /**
   * A Redis that was set back to an old copy must not bring ended sessions to life: the revocations know them.
   */
  async function stateOf(session: Session): Promise<SessionState> {
    const { id, userId, authTime, expires } = session;
    if (expires <= clock.now()) return { session, isLive: false };
    const issuedAt = preciseSeconds(authTime);
    const { revoked, stamp } = await revocations.check({ jti: id, sub: userId, session: id, issuedAt });
    return { session, isLive: !revoked, stamp };
  }

  async function onlyLive(sessions: readonly Session[]): Promise<SessionState[]> {
    const states = await Promise.all(sessions.map(stateOf));
    return states
      .filter(({ isLive }) => isLive)
      .sort((a, b) => b.session.authTime.getTime() - a.session.authTime.getTime());
  }

  async function ofUser(userId: string): Promise<Session[]> {
    return (await onlyLive(await store.ofUser(userId))).map(({ session }) => session);
  }

  async function readAgent(agentHash: string): Promise<KnownAgent> {
    const { named, formerly } = await store.readAgent(agentHash);
    const found = await Promise.all(named.map(({ userId, id }) => store.find(userId, id)));
    const live = await onlyLive(found.filter((session) => session !== undefined));
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
    // The lasting record first: what follows only makes it quick to see.
    await revocations.record(revocation);
    await revocations.publish(revocation);
    await store.remove(userId, sessionId);
  }

  return {
    find,
    ofUser,
    end,
    readAgent,
    ofAgent: async (agentHash) => [...(await readAgent(agentHash)).sessions],
    async signIn(agentHash, { userId, orgId, userName, displayName, amr }, before) {
      const { named, formerly } = await store.readAgent(before ?? agentHash);
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
        expires: expiryOf(now, now),
      };
      const others = named.filter((other) => other.userId !== userId);
      await Promise.all([
        store.put(session),
        before === undefined
          ? store.addToAgent(agentHash, session)
          : store.moveAgent(before, agentHash, { named: [...others, session], formerly }),
      ]);
      return session;
    },
    async touch(session) {
      const expires = expiryOf(session.authTime, clock.now());
      if (expires.getTime() - session.expires.getTime() < idleMs * touchEvery) return session;
      const touched = { ...session, expires };
      return (await store.prolong(touched)) ? touched : session;
    },
    async endAllOf(userId) {
      for (const { id } of await store.ofUser(userId)) await end(userId, id);
    },
    async isSameAgent(agentHash, earlier) {
      return agentHash === earlier || (await store.readAgent(agentHash)).formerly.includes(earlier);
    },
    moveAgent: async (from, to) => store.moveAgent(from, to, await store.readAgent(from)),
  };
}
