import type { Editor, Event, EventType } from '#src/audit/event.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Organization } from './organization.js';

/** One event of an organization: its version is the sequence, its last change the date. */
export function organizationEvent(
  type: EventType,
  { id, version: sequence, lastModified: date }: Organization,
  { editor, payload }: { editor: Editor; payload: Record<string, unknown> },
): Event {
  return newEvent(type, { aggregate: 'org', id, orgId: id, editor, sequence, date, payload });
}
