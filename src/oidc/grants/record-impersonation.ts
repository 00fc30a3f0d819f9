import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Subject } from '../issuance/subject.js';

export interface RecordImpersonationDeps {
  readonly mongo: Mongo;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/** Records an impersonation before the tokens are sent. Without an actor it writes nothing. */
export async function recordImpersonation(
  { mongo, events, clock }: RecordImpersonationDeps,
  {
    actors,
    subject,
    clientId,
    scope,
    audience,
  }: {
    /** The current actor first. */
    actors: readonly string[];
    subject: Subject;
    clientId: string;
    scope: string;
    audience: readonly string[];
  },
): Promise<void> {
  const [actorId] = actors;
  if (actorId === undefined) return;
  const { id, orgId, version } = subject.user;
  const event = newEvent('user.impersonated', {
    aggregate: 'user',
    id,
    orgId,
    editor: { userId: actorId, service: 'oidc' },
    sequence: version,
    date: clock.now(),
    payload: { clientId, scope, audience: [...audience], actors: [...actors] },
  });
  await mongo.transactionOf(orgId, (transaction) => events.append([event], transaction));
}
