import type { Editor, Event } from '#src/audit/event.js';
import { newId } from '#src/platform/ids.js';
import type { Membership } from './roles.js';

/** Owner of what belongs to no organization; not a possible identifier of one. */
const instance = '*';

/** A membership has two events in its life: 1 is that it was added, 2 that it was removed. */
export function membershipEvent(
  type: 'member.added' | 'member.removed',
  { id, userId, role, orgId }: Membership,
  { editor, date }: { editor: Editor; date: Date },
): Event {
  return {
    id: newId(),
    type,
    aggregate: { id, type: 'member', resourceOwner: orgId ?? instance },
    editor,
    sequence: type === 'member.added' ? 1 : 2,
    creationDate: date,
    payload: { userId, role },
  };
}
