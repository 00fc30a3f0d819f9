import { createConnectionSessions } from './connection-sessions.store.js';
import { createSessions } from './sessions.js';
import { createSessionsStore } from './sessions.store.js';

type SessionsDeps = Parameters<typeof createSessions>[0];
type StoreDeps = Parameters<typeof createSessionsStore>[0];

interface OpenSessionsDeps
  extends Pick<
      SessionsDeps,
      'stands' | 'connectionServes' | 'livesOf' | 'revocations' | 'providerSessions' | 'clock'
    >,
    Pick<StoreDeps, 'redis' | 'prefix'> {
  readonly config: {
    readonly sessionIdleSeconds: number;
    readonly sessionAbsoluteSeconds: number;
    readonly accessTokenSeconds: number;
  };
}

/** What the room offers. */
export type OpenedSessions = ReturnType<typeof openSessions>;

/** Opens the sign-ins of all browsers. */
export function openSessions({ config, redis, prefix, ...deps }: OpenSessionsDeps) {
  const absoluteSeconds = config.sessionAbsoluteSeconds;
  return {
    sessions: createSessions({
      ...deps,
      store: createSessionsStore({ redis, prefix, lifeSeconds: absoluteSeconds }),
      connectionSessions: createConnectionSessions({
        redis,
        prefix,
        lifeSeconds: absoluteSeconds + config.accessTokenSeconds,
      }),
      idleSeconds: config.sessionIdleSeconds,
      absoluteSeconds,
      accessTokenSeconds: config.accessTokenSeconds,
    }),
  };
}
