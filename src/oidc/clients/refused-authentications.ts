import type { Application } from '#src/clients/applications/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { AccessTokenClaims } from '#src/tokens/access-token-claims.js';
import type { Client } from './client.js';
import type { Refusal } from './refusal.js';
import { createRefusalCounts } from './refusal-counts.js';
import { createRefusalEvents, type RefusalEventsDeps } from './refusal-events.js';

/**
 * Writes refused authentications as events of the application, `application.authentication.failed`, or of the service user,
 * `user.machine.authentication.failed`, so that its owner finds why it fails. A process writes at most two events per client,
 * reason and minute: the first refusal, and then one event with the number of those that followed. All processes together write at most 60 per organization and minute, because whoever
 * knows a client_id can cause them. They never contain a secret.
 */
export interface RefusedAuthentications {
  /** Notes a refusal. It returns at once, and writes in the background. It never throws. */
  note(refusal: Refusal): void;
  /**
   * Notes a malformed request that names this client_id, if an application has it. It looks the application up in the background,
   * so that the answer needs no store. A process has at most 10 such look-ups at a time. Further requests are not noted.
   */
  noteMalformed(
    request: Pick<Refusal, 'endpoint' | 'address' | 'userAgent'> & { readonly clientId: string },
  ): void;
  /**
   * Notes that an API asked about a valid token that is not for it, by the event `application.introspection.failed`. Only an
   * application of the same organization is named, which is looked up in the background as for {@link noteMalformed}. The event that
   * counts further tokens of a minute names the first one.
   */
  noteToken(
    request: Pick<Refusal, 'address' | 'userAgent'> & {
      readonly client: Client;
      readonly token: Pick<AccessTokenClaims, 'audience' | 'clientId' | 'org' | 'sub'>;
      readonly reason: 'tokenNotForClient' | 'projectRefusesClient';
    },
  ): void;
  /** Writes what was counted and not written yet. */
  flush(): Promise<void>;
  /** Flushes, and stops the timer. */
  close(): Promise<void>;
}

/** The longest audience of a token that an event has, in characters. */
const longestAudience = 1_000;

/** The most applications that a process looks up at once for malformed requests. */
const maxLookUps = 10;

/** Opens the record of refused authentications of this process. */
export function createRefusedAuthentications({
  applications,
  ...deps
}: RefusalEventsDeps & {
  readonly applications: Pick<Cache<Application | undefined>, 'get'>;
}): RefusedAuthentications {
  const events = createRefusalEvents(deps);
  const counts = createRefusalCounts(deps.clock, events.write);
  const lookingUp = new Set<Promise<void>>();

  async function flush(): Promise<void> {
    await Promise.all(lookingUp);
    counts.finishAll();
    await events.settled();
  }

  /** Looks an application up, and notes what concerns it. */
  function noteLater(clientId: string, noteOf: (application: Application | undefined) => void): void {
    if (lookingUp.size >= maxLookUps) return;
    const work: Promise<void> = applications
      .get(clientId)
      // If the store is away, the event could not be written either.
      .then(noteOf, () => undefined)
      .finally(() => lookingUp.delete(work));
    lookingUp.add(work);
  }

  return {
    note: counts.note,
    noteMalformed: ({ clientId, ...request }) =>
      noteLater(
        clientId,
        (application) =>
          application &&
          counts.note({
            client: { kind: 'application', application },
            reason: 'requestMalformed',
            ...request,
          }),
      ),
    noteToken({ client, token, ...request }) {
      if (client.kind !== 'application' || counts.noteAgain({ client, reason: request.reason })) return;
      const { clientId, audience, org, sub } = token;
      const { orgId } = client.application;
      noteLater(clientId, (application) => {
        // The client is not an application, but the service user itself.
        const isOurs = (application?.orgId ?? (clientId === sub ? org : undefined)) === orgId;
        const named = isOurs && { clientId, audience: audience.join(' ').slice(0, longestAudience) };
        counts.note({ client, endpoint: 'introspection', ...named, ...request });
      });
    },
    flush,
    async close() {
      counts.stop();
      await flush();
    },
  };
}
