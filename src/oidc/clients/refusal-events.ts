import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { WindowCounts } from '#src/platform/redis/window-counts.js';
import type { Client } from './client.js';
import type { Refusal } from './refusal.js';

/** The most events of an organization per minute. Counts of other processes are up to a second old, which may add a few. */
const maxEventsOfOrganization = 60;

/** Writes events about refusals in the background. A problem with the store is logged, and nobody waits for it. */
interface RefusalEvents {
  /**
   * @param counts how many refusals the event is about, and since when
   * @returns false if the organization has had its events of this minute
   */
  write(refusal: Refusal, counts: Readonly<Record<string, unknown>>): boolean;
  /** Waits until everything is written that was begun. */
  settled(): Promise<void>;
}

/** What {@link createRefusalEvents} uses. */
export interface RefusalEventsDeps {
  readonly events: Pick<EventsStore, 'record'>;
  readonly rateCounts: Pick<WindowCounts, 'add' | 'read'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Opens the writer of events about refusals. */
export function createRefusalEvents({ events, rateCounts, clock, logger }: RefusalEventsDeps): RefusalEvents {
  const writing = new Set<Promise<void>>();
  return {
    write({ client, userAgent, ...refusal }, counts) {
      const { type, aggregate, about } = subjectOf(client, refusal);
      const name = `refusal-events:${about.orgId}`;
      if (rateCounts.read(name) >= maxEventsOfOrganization) return false;
      rateCounts.add(name);
      const event = newEvent(type, {
        aggregate,
        id: about.id,
        orgId: about.orgId,
        editor: { userId: about.id, service: 'oidc' },
        sequence: about.version,
        date: clock.now(),
        payload: { ...refusal, ...(userAgent !== undefined && { userAgent }), ...counts },
      });
      const work: Promise<void> = events
        .record(event)
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'a refused authentication could not be recorded'),
        )
        .finally(() => writing.delete(work));
      writing.add(work);
      return true;
    },
    async settled() {
      await Promise.all(writing);
    },
  };
}

/** Whose event a refusal is. */
function subjectOf(client: Client, { reason }: Pick<Refusal, 'reason'>) {
  const isAboutToken = reason === 'tokenNotForClient' || reason === 'projectRefusesClient';
  return client.kind === 'application'
    ? ({
        type: isAboutToken ? 'application.introspection.failed' : 'application.authentication.failed',
        aggregate: 'application',
        about: client.application,
      } as const)
    : ({ type: 'user.machine.authentication.failed', aggregate: 'user', about: client.serviceUser } as const);
}
