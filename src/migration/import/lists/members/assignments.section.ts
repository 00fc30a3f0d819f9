import {
  type Assignment,
  type AssignmentKind,
  holderFields,
  requireMemberRoles,
  requireRoles,
} from '#src/access/projects/index.js';
import { groupGrantRecord, projectMemberRecord, userGrantRecord } from '../../../format/members.record.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection } from '../section/section.js';
import { differingNames } from '../shared/other-content.js';
import { planRecords } from '../shared/plan-records.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';
import { type AssignmentItem, type AssignmentsDeps, surveyAssignments } from './survey-assignments.js';
import { writeAssignments } from './write-assignments.js';

const readGrant = createRecordReader(userGrantRecord);
const readGroupGrant = createRecordReader(groupGrantRecord);
const readMember = createRecordReader(projectMemberRecord);

/** `userGrants`: which roles of the organization's projects its users have. */
export function userGrantsSection(deps: AssignmentsDeps): ImportSection {
  return section(deps, { key: 'userGrants', errorType: 'user_grant', kind: 'grant' }, (record) => {
    const { projectId, userId: holderId, roleKeys } = readGrant(record);
    return toItem({ projectId, holderId, roles: requireRoles(roleKeys) });
  });
}

/** `groupGrants`: which roles of the organization's projects the members of its groups have. */
export function groupGrantsSection(deps: AssignmentsDeps): ImportSection {
  const named = { key: 'groupGrants', errorType: 'group_grant', kind: 'groupGrant' } as const;
  return section(deps, named, (record) => {
    const { projectId, groupId: holderId, roleKeys } = readGroupGrant(record);
    return toItem({ projectId, holderId, roles: requireRoles(roleKeys) });
  });
}

/** `projectMembers`: which of the organization's users manage its projects. */
export function projectMembersSection(deps: AssignmentsDeps): ImportSection {
  return section(deps, { key: 'projectMembers', errorType: 'project_member', kind: 'member' }, (record) => {
    const { projectId, userId: holderId, roles } = readMember(record);
    return toItem({ projectId, holderId, roles: requireMemberRoles(roles) });
  });
}

function toItem({ projectId, holderId, roles }: Pick<Assignment, 'projectId' | 'holderId' | 'roles'>) {
  const key = `${projectId} ${holderId}`;
  return { id: `${projectId}/${holderId}`, key, projectId, holderId, content: roles };
}

function section(
  deps: AssignmentsDeps,
  { kind, ...named }: Pick<ImportSection, 'key' | 'errorType'> & { kind: AssignmentKind },
  read: (record: unknown) => AssignmentItem,
): ImportSection {
  const rolesName = kind === 'member' ? 'roles' : 'roleKeys';
  return {
    ...named,
    phase: 6,
    forms: ['instance'],
    references: { names: kind === 'groupGrant' ? { groupId: 'group' } : { userId: 'user' } },
    async plan(records, context) {
      const { orgId } = context;
      const planned = await planRecords(records, context, {
        nameOf: nameBy('projectId', holderFields[kind]),
        read,
        survey: (items: readonly AssignmentItem[], findReserved) =>
          surveyAssignments(deps, { orgId, findReserved, kind }, items),
        differences: (stored, given) => differingNames({ [rolesName]: stored }, { [rolesName]: given }),
        ownReservations: ({ projectId, holderId }) => [reservedName[kind](orgId, { projectId, holderId })],
      });
      const { outcomes, reservations } = planned;
      return { outcomes, reservations, ...writeAssignments(deps, { ...context, kind }, planned) };
    },
  };
}
