import type { EventsStore } from '#src/audit/events.store.js';
import type { User } from '#src/directory/users/user.js';

/** When credentials were set. */
export interface CredentialTimes {
  /** When the latest import gave the user one. Undefined if none did, as far as is noted. */
  readonly imported: Date | undefined;
  /** When the present one was set. Undefined if the user has none. */
  readonly current: Date | undefined;
}

/**
 * Returns whether an import gave the user the present credential, or the user has none and no import gave one. Then nobody has changed it
 * since. A user whom an earlier version imported has no note. Its credential is the imported one if it is as old as the user.
 */
export async function isAsImported(
  { events }: { events: Pick<EventsStore, 'search'> },
  { id, created, imported }: User,
  times: CredentialTimes,
): Promise<boolean> {
  if (times.imported !== undefined) return isSameTime(times.imported, times.current);
  if (times.current === undefined) return true;
  if (!isSameTime(imported ?? created, times.current)) return false;
  // A person who registered, or whom a client added, has chosen the password here.
  const eventTypes = ['user.human.added'] as const;
  const [added] = await events.search({ aggregateId: id, eventTypes, limit: 1, ascending: true });
  return added?.editor.service === 'import';
}

export function isSameTime(a: Date, b: Date | undefined): boolean {
  return a.getTime() === b?.getTime();
}
