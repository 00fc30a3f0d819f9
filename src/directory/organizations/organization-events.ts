import type { Editor, Event, EventType } from '#src/audit/event.js';
import { newId } from '#src/platform/ids.js';
import type { Organization } from './organization.js';

/** One event of an organization: its version is the sequence, its last change the date. */
export function organizationEvent(
  type: EventType,
  organization: Organization,
  { editor, payload }: { editor: Editor; payload: Record<string, unknown> },
): Event {
  return {
    id: newId(),
    type,
    aggregate: { id: organization.id, type: 'org', resourceOwner: organization.id },
    editor,
    sequence: organization.version,
    creationDate: organization.lastModified,
    payload,
  };
}
