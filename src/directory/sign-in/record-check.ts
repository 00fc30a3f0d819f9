import type { EventType } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { Clock } from '#src/platform/clock.js';
import type { User } from '../users/user.js';
import { userEvent } from '../users/user-events.js';

export interface RecordCheckDeps {
  readonly events: EventsStore;
  readonly clock: Clock;
}

/** Records the outcome of an authentication attempt. The user does not change, so its version stays. */
export async function recordCheck(
  { events, clock }: RecordCheckDeps,
  user: User,
  happened: readonly EventType[],
): Promise<void> {
  const at = { ...user, lastModified: clock.now() };
  const editor = { userId: user.id, service: 'login' };
  for (const type of happened) await events.record(userEvent(type, at, editor));
}
