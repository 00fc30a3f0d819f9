import type { Clock } from '#src/platform/clock.js';
import type { AgentState, SessionsStore } from './sessions.store.js';

export interface AgentStateDeps {
  readonly store: SessionsStore;
  readonly clock: Clock;
  /** A session ends so long after its last authentication, even if it is used. */
  readonly absoluteSeconds: number;
}

/** An agent names the sessions of so many users. Those who signed in first are forgotten first. */
export const mostOfAgent = 20;

/** The state of an agent without sign-ins that are too old for a session. A renewed secret would keep them for ever. */
export async function readAgentState(
  { store, clock, absoluteSeconds }: AgentStateDeps,
  agentHash: string,
): Promise<AgentState> {
  const { named, formerly } = await store.readAgent(agentHash);
  const since = clock.now().getTime() - absoluteSeconds * 1000;
  const timeOf = (authTime: Date | undefined) => authTime?.getTime() ?? since;
  const stillNamed = named
    .filter(({ authTime }) => authTime === undefined || authTime.getTime() > since)
    .sort((a, b) => timeOf(b.authTime) - timeOf(a.authTime))
    .slice(0, mostOfAgent);
  return { named: stillNamed, formerly };
}
