import type { Editor, Event } from '#src/audit/event.js';
import { type Happening, newEvent } from '#src/audit/new-event.js';
import type { MemberStep } from './member-steps.js';

/** What steps change in a group. */
export interface MemberChange {
  /** One for those who leave in a step, and one for those who join. */
  readonly happened: readonly (readonly [Editor, Happening])[];
  /** The members who are none after the last step. */
  readonly gone: readonly string[];
  /** The users who are members only after the last step. */
  readonly come: readonly string[];
}

/**
 * Returns what steps change, in this order. A user who is a member already, or is none, is skipped.
 * @param isMember whether a user is a member before the first step
 */
export function changeOfMembers(
  steps: readonly (MemberStep & { readonly editor: Editor })[],
  isMember: (userId: string) => boolean,
): MemberChange {
  const named = new Set(steps.flatMap(({ added, removed }) => [...removed, ...added]));
  const before = new Set([...named].filter(isMember));
  const now = new Set(before);
  const happened: (readonly [Editor, Happening])[] = [];
  for (const { added, removed, editor } of steps) {
    const left = removed.filter((userId) => now.delete(userId));
    const joined = added.filter((userId) => !now.has(userId));
    for (const userId of joined) now.add(userId);
    if (left.length > 0) happened.push([editor, ['group.members.removed', { userIds: left }]]);
    if (joined.length > 0) happened.push([editor, ['group.members.added', { userIds: joined }]]);
  }
  return {
    happened,
    gone: [...before].filter((userId) => !now.has(userId)),
    come: [...now].filter((userId) => !before.has(userId)),
  };
}

/** Returns the events of a change of members. @param group `version`: the version before the change */
export function memberEvents(
  { orgId, groupId, version, date }: { orgId: string; groupId: string; version: number; date: Date },
  { happened }: Pick<MemberChange, 'happened'>,
): Event[] {
  return happened.map(([editor, [type, payload]], index) =>
    newEvent(type, {
      aggregate: 'group',
      id: groupId,
      orgId,
      editor,
      sequence: version + index + 1,
      date,
      payload,
    }),
  );
}
