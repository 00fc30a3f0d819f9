import type { Editor, Event } from '#src/audit/event.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Membership } from '#src/directory/index.js';

/**
 * Returns the event of a membership. A membership has two events: version 1 when it is added, version 2 when it is
 * removed.
 */
export function membershipEvent(
  type: 'member.added' | 'member.removed',
  { id, userId, role, orgId }: Membership,
  { editor, date }: { editor: Editor; date: Date },
): Event {
  const sequence = type === 'member.added' ? 1 : 2;
  return newEvent(type, {
    aggregate: 'member',
    id,
    orgId,
    editor,
    sequence,
    date,
    payload: { userId, role },
  });
}
