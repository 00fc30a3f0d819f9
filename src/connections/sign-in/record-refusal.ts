import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import { createLru } from '#src/platform/lru.js';
import type { PersonRefusal } from '../identities/sign-in-refusal.js';
import type { ProviderProblem } from '../provider/index.js';
import type { Connection } from '../registry/connection.js';

/** Why a sign-in by a connection was refused. */
export interface SignInRefusal {
  readonly reason: ProviderProblem | PersonRefusal | 'connectionOff';
  /** For the owner of the connection, without any text of the provider. '' if the reason says it all. */
  readonly detail: string;
  /** The person, if it is known. */
  readonly userId?: string;
}

/** Tells the owner of a connection why sign-ins were refused. */
export type RecordRefusal = (connection: Connection, refusal: SignInRefusal) => Promise<void>;

/** The time between two events of the same reason, of one connection and process, in milliseconds. Anybody can cause refusals. */
const quietMs = 10_000;

/**
 * Returns the function that records the event `connection.signIn.failed`, at most once in 10 seconds for each connection, reason and person. It
 * never throws.
 */
export function createRecordRefusal({
  events,
  clock,
  logger,
  measures,
}: {
  events: Pick<EventsStore, 'record'>;
  clock: Clock;
  logger: Logger;
  measures?: { connectionUsed(outcome: string): void } | undefined;
}): RecordRefusal {
  const recorded = createLru<number>({ max: 10_000 });
  return async ({ id, orgId, name, version }, { reason, detail, userId }) => {
    measures?.connectionUsed(reason);
    const now = clock.now();
    const key = JSON.stringify([id, reason, userId]);
    if (Math.abs(now.getTime() - (recorded.get(key) ?? -quietMs)) < quietMs) return;
    recorded.set(key, now.getTime());
    const payload = {
      name,
      reason,
      ...(detail !== '' && { detail }),
      ...(userId !== undefined && { userId }),
    };
    const editor = { userId: userId ?? orgId, service: 'login' };
    try {
      await events.record(
        newEvent('connection.signIn.failed', {
          ...{ aggregate: 'connection', id, orgId, editor, sequence: version, date: now, payload },
        }),
      );
    } catch (error) {
      logger.warn({ err: error, orgId, connectionId: id }, 'the refusal of a sign-in was not recorded');
    }
  };
}
