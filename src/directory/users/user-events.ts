import type { Editor, Event, EventType } from '#src/audit/event.js';
import { newEvent, type Versioned } from '#src/audit/new-event.js';
import type { User, UserProfile } from './user.js';

/** Returns the event of a user that was added. */
export function userAdded(user: User, editor: Editor): Event {
  const email = user.emails.find((candidate) => candidate.primary)?.value;
  return userEvent('user.human.added', user, editor, {
    userName: user.userName,
    displayName: user.displayName,
    ...(email !== undefined && { email }),
    ...(user.externalId !== undefined && { externalId: user.externalId }),
    active: user.active,
  });
}

/** Returns one event of a user. Its sequence is the version of the user, its date the last change. */
export function userEvent(
  type: EventType,
  { id, orgId, version: sequence, lastModified: date }: Versioned,
  editor: Editor,
  payload?: Record<string, unknown>,
): Event {
  return newEvent(type, {
    aggregate: 'user',
    id,
    orgId,
    editor,
    sequence,
    date,
    ...(payload && { payload }),
  });
}

/** Returns the names of the profile attributes that differ. Events do not contain the values. */
export function changedAttributes(before: UserProfile, after: UserProfile): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof UserProfile>;
  return [...names]
    .filter((name) => !unchangedNames.has(name) && !sameValue(before[name], after[name]))
    .sort();
}

/** Fields of a user that no client writes. */
const unchangedNames = new Set<string>([
  'id',
  'orgId',
  'version',
  'created',
  'lastModified',
  'loginNamesSince',
]);

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keysOfA = Object.keys(a);
  if (keysOfA.length !== Object.keys(b).length) return false;
  return keysOfA.every((key) =>
    sameValue((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}
