import type { Proof, TimedProof } from '#src/authentication/proofs/index.js';
import { preciseSeconds } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import { mostOfAgent, readAgentState } from './agent-state.js';
import type { ConnectionSessionsStore } from './connection-sessions.store.js';
import { createLiveSessions, type LiveSessions, type LiveSessionsDeps } from './live-sessions.js';
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
  readonly providerSessions: {
    put(session: { connectionId: string; sid: string; userId: string }): Promise<void>;
    forget(of: { userId: string; connectionId?: string; sid?: string | undefined }): Promise<void>;
  };
}

/** A use of a session is written only after this share of the idle time, to save writes. */
const touchEvery = 0.02;
/** The sessions of a connection that end together. */
const atOnce = 50;

export function createSessions(deps: SessionsDeps): Sessions {
  const { store, connectionSessions, providerSessions, revocations, clock } = deps;
  const absoluteMs = deps.absoluteSeconds * 1000;
  const live = createLiveSessions(deps);

  const expiryOf = (authTime: Date, now: Date) =>
    new Date(Math.min(now.getTime() + deps.idleSeconds * 1000, authTime.getTime() + absoluteMs));

  async function end(userId: string, sessionId: string): Promise<void> {
    const now = clock.now();
    const revocation = {
      ...({ kind: 'session', id: sessionId, sub: userId } as const),
      issuedUntil: preciseSeconds(now),
      expires: new Date(now.getTime() + Math.max(deps.accessTokenSeconds * 1000, absoluteMs)),
    } as const;
    // The lasting record comes first. The steps after it only make the end visible sooner.
    await revocations.record(revocation);
    await revocations.publish(revocation);
    const ended = await store.find(userId, sessionId);
    await store.remove(userId, sessionId);
    if (ended !== undefined) await forgetAtProviders(deps, ended);
  }

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
      await nameAtProviders(deps, session);
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
    end,
    async endAllOfConnection(connectionId) {
      for (;;) {
        const some = await connectionSessions.first(connectionId, atOnce);
        if (some.length === 0) return;
        await Promise.all(some.map(({ userId, id }) => end(userId, id)));
        // Also of sessions whose time was over before.
        for (const { userId } of some) await providerSessions.forget({ userId, connectionId });
        await connectionSessions.remove(connectionId, some);
      }
    },
    async endAllOf(userId) {
      await store.forgetAgentsOf(userId, clock.now());
      for (const { id } of await store.ofUser(userId)) await end(userId, id);
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

/** Notes by what providers name a session that began. The end of another one may have forgotten it since the person came back from there. */
async function nameAtProviders(
  { providerSessions }: Pick<SessionsDeps, 'providerSessions'>,
  { userId, proofs }: Session,
): Promise<void> {
  for (const named of sidsIn(proofs)) await providerSessions.put({ ...named, userId });
}

/**
 * Forgets by what a provider names a session that has ended, unless another session of the person goes by the same name. A name identifier of SAML
 * stays: a sign-in of the person may be about to begin a session, which a logout there must find.
 */
async function forgetAtProviders(
  { store, providerSessions }: Pick<SessionsDeps, 'store' | 'providerSessions'>,
  { userId, proofs }: Session,
): Promise<void> {
  for (const { connectionId, sid } of sidsIn(proofs)) {
    const others = (await store.ofUser(userId)).flatMap((other) => sidsIn(other.proofs));
    const isHeld = others.some((other) => other.connectionId === connectionId && other.sid === sid);
    if (!isHeld) await providerSessions.forget({ userId, connectionId, sid });
  }
}

/** What names the session at the providers of a sign-in. */
function sidsIn(proofs: readonly TimedProof[]): { connectionId: string; sid: string }[] {
  return proofs.flatMap((proof) =>
    proof.kind === 'connection' && proof.sid !== undefined
      ? [{ connectionId: proof.connectionId, sid: proof.sid }]
      : [],
  );
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
