import type { Editor, Event } from '#src/audit/event.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Assignment, AssignmentKind } from './project.js';

const names = { grant: 'user.grant', member: 'project.member' } as const;
const aggregates = { grant: 'user_grant', member: 'project_member' } as const;

/** Returns one event of an assignment. Its sequence is the version of the assignment, its date the last change. */
export function assignmentEvent(
  kind: AssignmentKind,
  happened: 'added' | 'changed' | 'removed',
  { assignment, editor }: { assignment: Assignment; editor: Editor },
): Event {
  const { id, orgId, projectId, userId, roles, version: sequence, lastModified: date } = assignment;
  const payload = { projectId, userId, roles: [...roles] };
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
