import type { Editor, Event, EventType } from '#src/audit/event.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Organization } from '#src/directory/index.js';

/** Returns one event of an organization. Its sequence is the version of the organization, its date the last change. */
export function organizationEvent(
  type: EventType,
  { id, version: sequence, lastModified: date }: Organization,
  { editor, payload }: { editor: Editor; payload: Record<string, unknown> },
): Event {
  return newEvent(type, { aggregate: 'org', id, orgId: id, editor, sequence, date, payload });
}
