import type { Assignment, AssignmentKind } from '#src/directory/projects/project.js';
import { assignmentEvent } from '#src/directory/projects/project-events.js';
import { requireMemberRoles, requireRoles } from '#src/directory/projects/project-rules.js';
import { newId } from '#src/platform/ids.js';
import { projectMemberRecord, userGrantRecord } from '../../format/members.record.js';
import { planRecords, type RecordItem } from './plan-records.js';
import { createProjectCheck } from './project-references.js';
import { RecordFailure } from './record-failure.js';
import { createRecordReader, nameBy } from './record-reader.js';
import { reservedName } from './reservations.js';
import type { ImportSection, SectionContext } from './section.js';
import type { SectionDeps } from './section-deps.js';
import { createUserCheck } from './user-references.js';

export type AssignmentsDeps = Pick<
  SectionDeps,
  'users' | 'serviceUsers' | 'projects' | 'projectRoles' | 'userGrants' | 'projectMembers' | 'events'
>;

type AssignmentItem = RecordItem<readonly string[]> & {
  readonly projectId: string;
  readonly userId: string;
};

const readGrant = createRecordReader(userGrantRecord);
const readMember = createRecordReader(projectMemberRecord);

/** `userGrants`: which roles of the organization's projects its users have. */
export function userGrantsSection(deps: AssignmentsDeps): ImportSection {
  return section(deps, { key: 'userGrants', errorType: 'user_grant', kind: 'grant' }, (record) => {
    const { projectId, userId, roleKeys } = readGrant(record);
    return toItem({ projectId, userId, roles: requireRoles(roleKeys) });
  });
}

/** `projectMembers`: which of the organization's users manage its projects. */
export function projectMembersSection(deps: AssignmentsDeps): ImportSection {
  return section(deps, { key: 'projectMembers', errorType: 'project_member', kind: 'member' }, (record) => {
    const { projectId, userId, roles } = readMember(record);
    return toItem({ projectId, userId, roles: requireMemberRoles(roles) });
  });
}

function toItem({ projectId, userId, roles }: Pick<Assignment, 'projectId' | 'userId' | 'roles'>) {
  return { id: `${projectId}/${userId}`, key: `${projectId} ${userId}`, projectId, userId, content: roles };
}

function section(
  deps: AssignmentsDeps,
  { kind, ...named }: Pick<ImportSection, 'key' | 'errorType'> & { kind: AssignmentKind },
  read: (record: unknown) => AssignmentItem,
): ImportSection {
  const store = kind === 'grant' ? deps.userGrants : deps.projectMembers;
  return {
    ...named,
    phase: 6,
    forms: ['instance'],
    async plan(records, context) {
      const { orgId, editor, now } = context;
      const { outcomes, created, reservations } = await planRecords<AssignmentItem>(records, context, {
        nameOf: nameBy('projectId', 'userId'),
        read,
        async survey(items, findReserved) {
          const lookUp = { orgId, findReserved };
          const projectIds = items.map(({ projectId }) => projectId);
          const [found, requireUser, requireProject, requireRolesOf] = await Promise.all([
            store.findMany(orgId, items),
            createUserCheck(deps, { ...lookUp, userIds: items.map(({ userId }) => userId) }),
            createProjectCheck(deps, { ...lookUp, projectIds }),
            kind === 'grant' ? createRoleCheck(deps, lookUp, items) : undefined,
          ]);
          return {
            stored: new Map(found.map(({ projectId, userId, roles }) => [`${projectId} ${userId}`, roles])),
            admit(item) {
              requireUser(item.userId);
              requireProject(item.projectId);
              requireRolesOf?.(item);
            },
          };
        },
        ownReservations: (item) => [
          kind === 'grant' ? reservedName.userGrant(orgId, item) : reservedName.projectMember(orgId, item),
        ],
      });
      const added = created.map(
        ({ projectId, userId, content }): Assignment => ({
          id: newId(),
          orgId,
          projectId,
          userId,
          roles: content,
          version: 1,
          created: now,
          lastModified: now,
        }),
      );
      return {
        outcomes,
        reservations,
        async write(transaction) {
          await store.insert(orgId, added, transaction);
          await deps.events.append(
            added.map((assignment) => assignmentEvent(kind, 'added', { assignment, editor })),
            transaction,
          );
        },
      };
    },
  };
}

/** Looks up the roles of these grants. @returns throws RecordFailure `REFERENCE-UNKNOWN` for a role that does not exist */
async function createRoleCheck(
  { projectRoles }: AssignmentsDeps,
  { orgId, findReserved }: Pick<SectionContext, 'orgId' | 'findReserved'>,
  items: readonly AssignmentItem[],
): Promise<(item: AssignmentItem) => void> {
  const named = items.flatMap(({ projectId, content }) => content.map((key) => ({ projectId, key })));
  const wanted = [...new Map(named.map((name) => [reservedName.projectRole(orgId, name), name])).values()];
  const [roles, reserved] = await Promise.all([
    projectRoles.findMany(orgId, wanted),
    findReserved(wanted.map((name) => reservedName.projectRole(orgId, name))),
  ]);
  const stored = new Set(roles.map((role) => reservedName.projectRole(orgId, role)));
  return ({ projectId, content }) => {
    for (const key of content) {
      const name = reservedName.projectRole(orgId, { projectId, key });
      if (stored.has(name) || reserved.has(name)) continue;
      throw new RecordFailure('REFERENCE-UNKNOWN', `Project ${projectId} has no role ${key}`);
    }
  };
}
