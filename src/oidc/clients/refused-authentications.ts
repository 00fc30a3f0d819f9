import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Application } from '#src/directory/applications/application.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { AssertionEndpoint } from './check-assertion.js';
import type { ClientCredentials } from './read-client-credentials.js';

/** Why an application could not be authenticated. The caller never learns it. The owner finds it in an event. */
export type RefusalReason =
  /** The request is malformed, or has two proofs at once. */
  | 'requestMalformed'
  | 'applicationInactive'
  /** The application is registered with another method. */
  | 'methodNotRegistered'
  /** The endpoint does not take this method. */
  | 'methodNotAccepted'
  | 'secretWrong'
  /** No valid key of the application made the signature. */
  | 'signatureWrong'
  /** `iss`, `sub`, `aud`, `exp`, `iat`, `nbf` or `jti` is wrong or absent. */
  | 'claimsWrong'
  /** The assertion was used before. */
  | 'assertionUsed';

export interface Refusal {
  readonly application: Application;
  readonly reason: RefusalReason;
  /** How the client tried to authenticate. Absent if that is not certain. */
  readonly method?: ClientCredentials['method'];
  readonly endpoint: AssertionEndpoint;
  /** The address of the caller. */
  readonly address: string;
}

/**
 * Writes refused authentications as events of the application, `application.authentication.failed`, so that its owner finds why
 * a client fails. A process writes at most two events per application, reason and minute: the first refusal, and then one event
 * with the number of those that followed. They never contain a secret.
 */
export interface RefusedAuthentications {
  /** Notes a refusal. It returns at once, and writes in the background. It never throws. */
  note(refusal: Refusal): void;
  /** Writes what was counted and not written yet. */
  flush(): Promise<void>;
  /** Flushes, and stops the timer. */
  close(): Promise<void>;
}

/** Time for which refusals of one reason are counted after the first, in milliseconds. */
const windowMs = 60_000;
/** The most pairs of application and reason that a process counts at once. Further pairs are not recorded. */
const maxCounted = 1_000;

interface Counted {
  readonly first: Date;
  /** Refusals after the first one. */
  count: number;
  latest: Refusal;
}

export function createRefusedAuthentications({
  events,
  clock,
  logger,
}: {
  events: Pick<EventsStore, 'record'>;
  clock: Clock;
  logger: Logger;
}): RefusedAuthentications {
  const counted = new Map<string, Counted>();
  const writing = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function write({ application, ...refusal }: Refusal, counts: Record<string, unknown>): void {
    const event = newEvent('application.authentication.failed', {
      aggregate: 'application',
      id: application.id,
      orgId: application.orgId,
      editor: { userId: application.id, service: 'oidc' },
      sequence: application.version,
      date: clock.now(),
      payload: { ...refusal, ...counts },
    });
    const work: Promise<void> = events
      .record(event)
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'a refused authentication could not be recorded'),
      )
      .finally(() => writing.delete(work));
    writing.add(work);
  }

  function finish(key: string, { count, latest, first }: Counted): void {
    counted.delete(key);
    if (count > 0) write(latest, { count, since: first.toISOString() });
  }

  const isOver = ({ first }: Counted) => clock.now().getTime() - first.getTime() >= windowMs;

  function finishLater(): void {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      for (const [key, known] of counted) if (isOver(known)) finish(key, known);
      if (counted.size > 0) finishLater();
    }, windowMs);
    timer.unref();
  }

  async function flush(): Promise<void> {
    for (const [key, known] of counted) finish(key, known);
    await Promise.all(writing);
  }

  return {
    note(refusal) {
      const key = `${refusal.application.id} ${refusal.reason}`;
      const known = counted.get(key);
      if (known !== undefined && !isOver(known)) {
        known.count++;
        known.latest = refusal;
        return;
      }
      if (known !== undefined) finish(key, known);
      if (counted.size >= maxCounted) return;
      counted.set(key, { first: clock.now(), count: 0, latest: refusal });
      write(refusal, { count: 1 });
      finishLater();
    },
    flush,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await flush();
    },
  };
}
