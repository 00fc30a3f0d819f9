import type { Application } from '#src/clients/applications/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
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
  /** Writes what was counted and not written yet. */
  flush(): Promise<void>;
  /** Flushes, and stops the timer. */
  close(): Promise<void>;
}

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

  return {
    note: counts.note,
    noteMalformed({ clientId, ...request }) {
      if (lookingUp.size >= maxLookUps) return;
      const work: Promise<void> = applications
        .get(clientId)
        .then(
          (application) =>
            application &&
            counts.note({
              client: { kind: 'application', application },
              reason: 'requestMalformed',
              ...request,
            }),
          // The store is away. The event could not be written either.
          () => undefined,
        )
        .finally(() => lookingUp.delete(work));
      lookingUp.add(work);
    },
    flush,
    async close() {
      counts.stop();
      await flush();
    },
  };
}
