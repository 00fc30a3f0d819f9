import type { OpenedPeople } from '#src/people/index.js';
import { chosenLanguage } from '#src/people/users/index.js';
import type { OpenedSessions } from '#src/sessions/open-sessions.js';
import type { Session } from '#src/sessions/session.js';

/** A session with the names that its person has now. */
export interface SignedIn extends Session {
  /** The language that the person chose, if any. */
  readonly language: string | undefined;
}

/** The sessions of a browser, the latest authentication first. A session without its person keeps the names of the sign-in. */
export async function signedInAt(
  { sessions, people }: Pick<OpenedSessions, 'sessions'> & Pick<OpenedPeople, 'people'>,
  agentHash: string,
): Promise<SignedIn[]> {
  const known = await sessions.readAgent(agentHash);
  return Promise.all(
    known.sessions.map(async (session) => {
      const user = await people.find(session.orgId, session.userId, known.stamps.get(session.userId));
      if (user === undefined) return { ...session, language: undefined };
      const { userName, displayName } = user;
      return { ...session, userName, displayName, language: chosenLanguage(user) };
    }),
  );
}

/** The only organization of the people of these sessions. Undefined for people of several, and without sessions. */
export function homeOf(sessions: readonly SignedIn[]): string | undefined {
  const [first, ...others] = sessions;
  return others.every(({ orgId }) => orgId === first?.orgId) ? first?.orgId : undefined;
}

/** The language of the only person of these sessions. Undefined for several people, and for one who chose none. */
export function languageOf(sessions: readonly SignedIn[]): string | undefined {
  const [first, ...others] = sessions;
  return others.every(({ userId }) => userId === first?.userId) ? first?.language : undefined;
}
