import type { Editor, Event } from '#src/audit/event.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Membership } from './roles.js';

/** A membership has two events in its life: 1 is that it was added, 2 that it was removed. */
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
