import type { Proof, TimedProof } from '#src/authentication/proofs/index.js';
import { preciseSeconds } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import { mostOfAgent, readAgentState } from './agent-state.js';
import type { ConnectionSessionsStore } from './connection-sessions.store.js';
import { createLiveSessions, type LiveSessions, type LiveSessionsDeps } from './live-sessions.js';
import { forgetAtProviders, type NamesAtProviders, nameAtProviders } from './names-at-providers.js';
import { connectionIdsOf, type Session } from './session.js';
import type { AgentSession, AgentState } from './sessions.store.js';

export type { KnownAgent } from './live-sessions.js';

/** A person who has just authenticated. */
export interface SignIn extends Pick<Session, 'userId' | 'orgId' | 'userName' | 'displayName' | 'device'> {
  /**
   * What the person proved. A proof without a time was given in this sign-in, and counts from the moment at which the session begins. One
   * with a time is of the live session of this person at the agent.
   */
  readonly proofs: readonly (Proof | TimedProof)[];
}

/** The session whose proofs were to count has ended. */
export class SessionEndedError extends Error {
  constructor() {
    super('The session has ended');
    this.name = 'SessionEndedError';
  }
}

interface SignInOptions {
  /** The hash of the agent's former secret. Its sessions move to the new secret (session fixation). */
  readonly before?: string | undefined;
  /** What {@link Sessions.pastSignIns} has just said of `before`, which is then not read again. */
  readonly past?: PastSignIns | undefined;
  /** Another write for the session, done at the same time. */
  readonly alongside?: ((session: Session) => Promise<unknown>) | undefined;
}

/** A sign-in of a user at a user agent. Its session may have ended. */
interface PastSignIn {
  /** The identifier of its session. */
  readonly id: string;
  readonly time: Date;
}

/** The latest sign-in of each user at an agent, by user, and the state of the agent from which they follow. */
export type PastSignIns = ReadonlyMap<string, PastSignIn> & { readonly state: AgentState };

/** The sessions of user agents. An agent is identified by the hash of the secret in its cookie. */
export interface Sessions extends LiveSessions {
  /**
   * The latest sign-in of each user at the agent, by user, for the absolute life of a session, or until all sessions of the user are
   * ended. It tells that the agent is a browser of the user, and nothing about who is signed in.
   */
  pastSignIns(agentHash: string): Promise<PastSignIns>;
  /**
   * Records that a person has authenticated at the agent. The person's session at that agent is renewed and
   * keeps its `sid`, or a new one begins.
   * @throws SessionEndedError if proofs of the live session were to count, and it has ended in the meantime
   */
  signIn(agentHash: string, person: SignIn, options?: SignInOptions): Promise<Session>;
  /**
   * Records that the session was used, which restarts its idle time. A session that was renewed or has ended
   * in the meantime stays as it is.
   */
  touch(session: Session): Promise<Session>;
  /** Ends a session, and revokes every access token that was issued in it. It may be called again. */
  end(userId: string, sessionId: string): Promise<void>;
  /**
   * Ends every session that began by a connection, and revokes the access tokens that were issued in it. It may be called again, and then ends
   * those that an interrupted call left.
   */
  endAllOfConnection(connectionId: string): Promise<void>;
  /** Ends every session of a person. No agent is a browser of the person any more. */
  endAllOf(userId: string): Promise<void>;
  /** Removes every session of a person whose organization is gone. No token of such a person is valid, so none is revoked. */
  forgetAllOf(userId: string): Promise<void>;
  /** Whether the agent had the earlier hash before its secret was renewed. */
  isSameAgent(agentHash: string, earlier: string): Promise<boolean>;
  /** Moves the sessions of one agent secret to the next. */
  moveAgent(from: string, to: string): Promise<void>;
}

export interface SessionsDeps extends LiveSessionsDeps {
  /** A session that is not used for so long ends. */
  readonly idleSeconds: number;
  readonly accessTokenSeconds: number;
  readonly connectionSessions: ConnectionSessionsStore;
  /** By what providers name the sessions of a person there. */
  readonly providerSessions: NamesAtProviders & {
    forget(of: { userId: string; connectionId?: string }): Promise<void>;
  };
}

/** A use of a session is written only after this share of the idle time, to save writes. */
const touchEvery = 0.02;
/** The sessions of a connection that end together. */
const atOnce = 50;

export function createSessions(deps: SessionsDeps): Sessions {
  const { store, connectionSessions, providerSessions, clock } = deps;
  const absoluteMs = deps.absoluteSeconds * 1000;
  const { remember, ...live } = createLiveSessions(deps);

  const expiryOf = (authTime: Date, now: Date) =>
    new Date(Math.min(now.getTime() + deps.idleSeconds * 1000, authTime.getTime() + absoluteMs));

  return {
    ...live,
    pastSignIns: (agentHash) => pastSignIns(deps, agentHash),
    async signIn(agentHash, person, { before, past, alongside } = {}) {
      const { userId } = person;
      const { named, formerly } = past?.state ?? (await readAgentState(deps, before ?? agentHash));
      const known = named.find((session) => session.userId === userId);
      const earlier = known && (await live.find(userId, known.id));
      const session = sessionOf(person, { earlier, now: clock.now(), expiryOf });
      // Before the session: one that is missing here would outlive the connection.
      for (const connectionId of connectionIdsOf(session))
        await connectionSessions.add(connectionId, session);
      const others = named.filter((other) => other.userId !== userId).slice(0, mostOfAgent - 1);
      await Promise.all([
        store.put(session),
        before === undefined
          ? store.addToAgent(agentHash, session)
          : store.moveAgent(before, agentHash, {
              ...{ named: [...others, session], formerly },
              isFirst: named.length === 0 && formerly.length === 0,
            }),
        alongside?.(session),
      ]);
      remember(agentHash, [session, ...others]);
      await nameAtProviders(deps.providerSessions, session);
      return session;
    },
    async touch(session) {
      const now = clock.now();
      const { sessionIdleSeconds = deps.idleSeconds } = await deps.livesOf(session.orgId);
      const idle = Math.min(deps.idleSeconds, sessionIdleSeconds) * 1000;
      if (now.getTime() - session.lastUsed.getTime() < idle * touchEvery) return session;
      const touched = { ...session, lastUsed: now, expires: expiryOf(session.authTime, now) };
      return (await store.prolong(touched)) ? touched : session;
    },
    end: (userId, sessionId) => endSome(deps, userId, [{ id: sessionId }]),
    async endAllOfConnection(connectionId) {
      for (;;) {
        const some = await connectionSessions.first(connectionId, atOnce);
        if (some.length === 0) return;
        const userIds = new Set(some.map(({ userId }) => userId));
        const endOf = async (userId: string) => {
          const own = some.filter((session) => session.userId === userId);
          await endSome(deps, userId, own);
          // Also of sessions whose time was over before.
          await providerSessions.forget({ userId, connectionId });
        };
        await Promise.all([...userIds].map(endOf));
        await connectionSessions.remove(connectionId, some);
      }
    },
    async endAllOf(userId) {
      await store.forgetAgentsOf(userId, clock.now());
      await endSome(deps, userId, await store.ofUser(userId));
    },
    async forgetAllOf(userId) {
      for (const { id } of await store.ofUser(userId)) await store.remove(userId, id);
      await providerSessions.forget({ userId });
    },
    async isSameAgent(agentHash, earlier) {
      return agentHash === earlier || (await store.readAgent(agentHash)).formerly.includes(earlier);
    },
    moveAgent: async (from, to) => store.moveAgent(from, to, await readAgentState(deps, from)),
  };
}

type EndingDeps = Pick<
  SessionsDeps,
  'store' | 'providerSessions' | 'revocations' | 'clock' | 'accessTokenSeconds' | 'absoluteSeconds'
>;

/** Ends sessions of a person together: what names them at providers is compared with the sessions that are left, which are read once. */
async function endSome(
  deps: EndingDeps,
  userId: string,
  sessions: readonly Pick<Session, 'id'>[],
): Promise<void> {
  const ended: Session[] = [];
  try {
    for (const { id } of sessions) {
      const session = await endOne(deps, userId, id);
      if (session !== undefined) ended.push(session);
    }
  } finally {
    // Whoever tries again after an error does not find those that have ended.
    await forgetAtProviders(deps, userId, ended);
  }
}

/** Ends a session. @returns it, if it was there. Its names at providers are not forgotten yet */
async function endOne(
  { store, revocations, clock, accessTokenSeconds, absoluteSeconds }: EndingDeps,
  userId: string,
  sessionId: string,
): Promise<Session | undefined> {
  const now = clock.now();
  const revocation = {
    ...({ kind: 'session', id: sessionId, sub: userId } as const),
    issuedUntil: preciseSeconds(now),
    expires: new Date(now.getTime() + Math.max(accessTokenSeconds, absoluteSeconds) * 1000),
  } as const;
  // The lasting record comes first. The steps after it only make the end visible sooner.
  await revocations.record(revocation);
  await revocations.publish(revocation);
  const ended = await store.find(userId, sessionId);
  await store.remove(userId, sessionId);
  return ended;
}

/**
 * The session of a sign-in.
 * @param known `earlier`: the live session of the same person at the agent, whose identifier stays
 * @throws SessionEndedError if proofs of that session were to count, and it has ended
 */
function sessionOf(
  { userId, orgId, userName, displayName, proofs, device }: SignIn,
  {
    earlier,
    now,
    expiryOf,
  }: { earlier: Session | undefined; now: Date; expiryOf: (authTime: Date, now: Date) => Date },
): Session {
  if (earlier === undefined && proofs.some(isTimed)) throw new SessionEndedError();
  const timed = proofs.map((proof) => (isTimed(proof) ? proof : { ...proof, time: now.getTime() }));
  const authTime = new Date(Math.min(...timed.map(({ time }) => time)));
  return {
    id: earlier?.id ?? newId(),
    ...{ userId, orgId, userName, displayName, authTime },
    proofs: timed,
    proved: now,
    created: earlier?.created ?? now,
    lastUsed: now,
    expires: expiryOf(authTime, now),
    ...(device && { device }),
  };
}

function isTimed(proof: Proof | TimedProof): proof is TimedProof {
  return 'time' in proof;
}

async function pastSignIns(deps: LiveSessionsDeps, agentHash: string): Promise<PastSignIns> {
  const state = await readAgentState(deps, agentHash);
  const { named } = state;
  const known = await Promise.all(named.map((session) => isKnown(deps, session)));
  const signIns = new Map(
    named.flatMap(({ userId, id, authTime }, index) =>
      known[index] && authTime !== undefined ? [[userId, { id, time: authTime }] as const] : [],
    ),
  );
  return Object.assign(signIns, { state });
}

/**
 * Whether a sign-in at an agent still makes the agent known. All sign-ins of a user end by {@link Sessions.endAllOf}, or by a
 * revocation in the transaction of the change. The end of one session, which is a revocation of another kind, does not count.
 */
async function isKnown(
  { store, revocations }: LiveSessionsDeps,
  { userId, id, authTime }: AgentSession,
): Promise<boolean> {
  if (authTime === undefined) return false;
  const [forgotten, stateSince] = await Promise.all([
    store.agentsForgotten(userId),
    revocations.lookUp({ jti: id, sub: userId }),
  ]);
  return authTime > (forgotten ?? 0) && !stateSince(preciseSeconds(authTime)).revoked;
}
