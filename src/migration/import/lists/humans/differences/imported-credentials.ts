import type { Account } from '#src/accounts/index.js';
import type { EventType } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { User } from '#src/directory/index.js';

interface ImportedDeps {
  readonly events: Pick<EventsStore, 'search'>;
}

/** When credentials were set. */
interface CredentialTimes {
  /** When the latest import gave the user one. Undefined if none did, as far as is noted. */
  readonly imported: Date | undefined;
  /** When the present one was set. Undefined if the user has none. */
  readonly current: Date | undefined;
  /** The events of every change of such a credential, also of its removal. */
  readonly changes: readonly EventType[];
}

/**
 * Returns whether an import gave the user the present credential, or the import that added the user gave none and nobody has set one since.
 * A user may have no note: an earlier version imported it, or no import gave it a credential. Then the events tell. A present credential
 * without a note is the imported one if it is as old as the user.
 */
export async function isAsImported(
  deps: ImportedDeps,
  user: User,
  { imported, current, changes }: CredentialTimes,
): Promise<boolean> {
  if (imported !== undefined) return isSameTime(imported, current);
  if (current !== undefined && !isSameTime(user.imported ?? user.created, current)) return false;
  return isLatestOfImport(deps, user, current === undefined ? changes : []);
}

/**
 * Returns whether the user came from the source of imports. A record without an identifier may change only such a user: somebody who
 * registered under the name is perhaps another person. A note about credentials is only of an import, or of a migration hook, which has
 * asked the source.
 */
export async function isFromSource(
  deps: ImportedDeps,
  { user, importedCredentials }: Account,
): Promise<boolean> {
  if (user.imported !== undefined || importedCredentials !== undefined) return true;
  return isLatestOfImport(deps, user, []);
}

/** Whether an import added the user, and none of the changes has happened since. */
async function isLatestOfImport(
  { events }: ImportedDeps,
  { id }: User,
  changes: readonly EventType[],
): Promise<boolean> {
  const eventTypes = ['user.human.added', ...changes] as const;
  const [latest] = await events.search({ aggregateId: id, eventTypes, limit: 1, ascending: false });
  return latest?.type === 'user.human.added' && latest.editor.service === 'import';
}

export function isSameTime(a: Date, b: Date | undefined): boolean {
  return a.getTime() === b?.getTime();
}
