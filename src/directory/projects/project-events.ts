import type { Editor, Event } from '#src/audit/event.js';
import { newId } from '#src/platform/ids.js';
import type { Assignment, AssignmentKind, Project } from './project.js';

/** What happened to a project, and what is to be said of it. */
export type ProjectHappening = readonly [
  type: Extract<Event['type'], `project.${string}`>,
  payload: Record<string, unknown>,
];

/** Events of a project that ends up as given: the last has its version, each earlier one less. */
export function projectEvents(
  { id, orgId, version, lastModified }: Pick<Project, 'id' | 'orgId' | 'version' | 'lastModified'>,
  happened: readonly ProjectHappening[],
  editor: Editor,
): Event[] {
  return happened.map(([type, payload], index) => ({
    id: newId(),
    type,
    aggregate: { id, type: 'project', resourceOwner: orgId },
    editor,
    sequence: version - happened.length + index + 1,
    creationDate: lastModified,
    payload,
  }));
}

const names = { grant: 'user.grant', member: 'project.member' } as const;
const aggregates = { grant: 'user_grant', member: 'project_member' } as const;

/** One event of an assignment: its version is the sequence, its last change the date. */
export function assignmentEvent(
  kind: AssignmentKind,
  happened: 'added' | 'changed' | 'removed',
  { assignment, editor }: { assignment: Assignment; editor: Editor },
): Event {
  const { id, orgId, projectId, userId, roles, version, lastModified } = assignment;
  return {
    id: newId(),
    type: `${names[kind]}.${happened}`,
    aggregate: { id, type: aggregates[kind], resourceOwner: orgId },
    editor,
    sequence: version,
    creationDate: lastModified,
    payload: { projectId, userId, roles: [...roles] },
  };
}
