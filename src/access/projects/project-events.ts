import { keptChanges } from '#src/audit/changes.js';
import type { Editor, Event } from '#src/audit/event.js';
import { newEvent } from '#src/audit/new-event.js';
import { type Assignment, type AssignmentKind, holderFields } from './project.js';

const names = { grant: 'user.grant', groupGrant: 'group.grant', member: 'project.member' } as const;
const aggregates = { grant: 'user_grant', groupGrant: 'group_grant', member: 'project_member' } as const;

/**
 * Returns one event of an assignment. Its sequence is the version of the assignment, its date the last change.
 * @param of `former`: the roles before a change
 */
export function assignmentEvent(
  kind: AssignmentKind,
  happened: 'added' | 'changed' | 'removed',
  of: { assignment: Assignment; former?: readonly string[]; editor: Editor },
): Event {
  const { assignment, former, editor } = of;
  const { id, orgId, projectId, holderId, roles, version: sequence, lastModified: date } = assignment;
  const payload = {
    projectId,
    [holderFields[kind]]: holderId,
    roles: [...roles],
    ...(former && keptChanges({ roles: former }, { roles }, ['roles'])),
  };
  return newEvent(`${names[kind]}.${happened}`, {
    aggregate: aggregates[kind],
    id,
    orgId,
    editor,
    sequence,
    date,
    payload,
  });
}

/** Returns the events of assignments that end together, as after the removal of their holder or their project. */
export function removalEvents(
  kind: AssignmentKind,
  removed: readonly Assignment[],
  { editor, date }: { editor: Editor; date: Date },
): Event[] {
  return removed.map((last) => {
    const assignment = { ...last, version: last.version + 1, lastModified: date };
    return assignmentEvent(kind, 'removed', { assignment, editor });
  });
}
