import { type Clock, preciseSeconds } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import type { Session } from './session.js';
import type { SessionsStore } from './sessions.store.js';

/** Somebody who has just proved who they are. */
export type SignIn = Pick<Session, 'userId' | 'orgId' | 'userName' | 'displayName' | 'amr'>;

/** The sessions of user agents. An agent is known by the hash of the secret in its cookie. */
export interface Sessions {
  /** The live sessions of an agent, the latest authentication first. */
  ofAgent(agentHash: string): Promise<Session[]>;
  /**
   * A person has authenticated at the agent: the session that the agent has of the person is refreshed and keeps
   * its `sid`, or a new one begins. Give the agent a new secret first (`renewAgent`), against fixation.
   */
  signIn(agentHash: string, person: SignIn): Promise<Session>;
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
    return session !== undefined && (await isLive(session)) ? session : undefined;
  }

  /**
   * A Redis that was set back to an old copy must not bring ended sessions to life: the revocations know them.
   */
  async function isLive({ id, userId, authTime, expires }: Session): Promise<boolean> {
    if (expires <= clock.now()) return false;
    const issuedAt = preciseSeconds(authTime);
    return !(await revocations.isRevoked({ jti: id, sub: userId, session: id, issuedAt }));
  }

  async function onlyLive(sessions: Session[]): Promise<Session[]> {
    const live = await Promise.all(sessions.map(isLive));
    return sessions
      .filter((_, index) => live[index])
      .sort((a, b) => b.authTime.getTime() - a.authTime.getTime());
  }

  async function ofUser(userId: string): Promise<Session[]> {
    return onlyLive(await store.ofUser(userId));
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
    async ofAgent(agentHash) {
      const named = await store.ofAgent(agentHash);
      const found = await Promise.all(named.map(({ userId, id }) => store.find(userId, id)));
      return onlyLive(found.filter((session) => session !== undefined));
    },
    async signIn(agentHash, { userId, orgId, userName, displayName, amr }) {
      const known = (await store.ofAgent(agentHash)).find((session) => session.userId === userId);
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
      await store.put(session);
      await store.addToAgent(agentHash, session);
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
      return agentHash === earlier || (await store.formerly(agentHash)).includes(earlier);
    },
    moveAgent: (from, to) => store.moveAgent(from, to),
  };
}
