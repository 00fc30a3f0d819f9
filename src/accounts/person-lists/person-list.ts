import type { Editor, Event, EventType } from '#src/audit/event.js';
import { newEvent } from '#src/audit/new-event.js';
import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';

/** What a person has beside the user: links to accounts at identity providers, or WebAuthn credentials. By the keys of its items. */
export interface PersonList<Item> {
  /** Identifies the list in its events. */
  readonly id: string;
  readonly orgId: string;
  readonly userId: string;
  readonly items: Readonly<Record<string, Item>>;
  readonly version: number;
  /** Counts the uses of items that were written, which are no changes. Absent before the first one. */
  readonly uses?: number;
  readonly created: Date;
  readonly lastModified: Date;
}

/** What differs between the lists. */
export interface PersonListKind<Item> {
  readonly event: EventType;
  readonly aggregate: 'identity_links' | 'webauthn_credentials';
  /** The most items of a person. */
  readonly most: number;
  /**
   * The key that no other person of the organization may have for an item. Undefined if others may have the same. Other organizations may
   * always.
   */
  uniqueKey(item: Item): string | undefined;
  /** The key that nobody of any organization may have for an item. Undefined if others may have the same. */
  instanceKey?(item: Item): string | undefined;
}

/** Returns the event of a list that was written. It counts the items, and has none of their values. */
export function personListEvent<Item>(
  { event, aggregate }: PersonListKind<Item>,
  { id, orgId, userId, items, version: sequence, lastModified: date }: PersonList<Item>,
  editor: Editor,
): Event {
  const payload = { userId, count: Object.keys(items).length };
  return newEvent(event, { aggregate, id, orgId, editor, sequence, date, payload });
}

/** @throws AppError `directory.valueInvalid` when a person would have too many items */
export function requireFewItems(
  { most }: Pick<PersonListKind<never>, 'most'>,
  name: string,
  items: object,
): void {
  if (Object.keys(items).length > most) throw invalidItem(`${name} has more than ${most} items`);
}

export function invalidItem(detail: string): AppError {
  return new AppError(directoryErrors.valueInvalid, { detail });
}
