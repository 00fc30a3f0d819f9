import {
  type Assignment,
  type AssignmentKind,
  announceAssignments,
  assignmentEvent,
  holderFields,
  requireMemberRoles,
  requireRoles,
  storeOf,
} from '#src/access/projects/index.js';
import { newId } from '#src/platform/ids.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { groupGrantRecord, projectMemberRecord, userGrantRecord } from '../../../format/members.record.js';
import { createGroupCheck } from '../references/group-references.js';
import { createProjectCheck } from '../references/project-references.js';
import { createUserCheck } from '../references/user-references.js';
import { PlanOutdated, RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection, SectionContext } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { differingNames } from '../shared/other-content.js';
import { planRecords, type RecordItem } from '../shared/plan-records.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';

type AssignmentsDeps = Pick<
  SectionDeps,
  | 'users'
  | 'serviceUsers'
  | 'groups'
  | 'projects'
  | 'projectRoles'
  | 'userGrants'
  | 'groupGrants'
  | 'projectMembers'
  | 'events'
  | 'revocations'
  | 'caches'
>;

type AssignmentItem = RecordItem<readonly string[]> & {
  readonly projectId: string;
  readonly holderId: string;
};

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
  const store = storeOf(deps, kind);
  const rolesName = kind === 'member' ? 'roles' : 'roleKeys';
  return {
    ...named,
    phase: 6,
    forms: ['instance'],
    async plan(records, context) {
      const { orgId, editor, now } = context;
      let known: ReadonlyMap<string, Assignment> = new Map();
      const planned = await planRecords<AssignmentItem>(records, context, {
        nameOf: nameBy('projectId', holderFields[kind]),
        read,
        async survey(items, findReserved) {
          const lookUp = { orgId, findReserved };
          const projectIds = items.map(({ projectId }) => projectId);
          const holderIds = items.map(({ holderId }) => holderId);
          const [found, requireHolder, requireProject, requireRolesOf] = await Promise.all([
            store.findMany(orgId, items),
            kind === 'groupGrant'
              ? createGroupCheck(deps, { ...lookUp, groupIds: holderIds })
              : createUserCheck(deps, { ...lookUp, userIds: holderIds }),
            createProjectCheck(deps, { ...lookUp, projectIds }),
            kind === 'member' ? undefined : createRoleCheck(deps, lookUp, items),
          ]);
          known = new Map(found.map((one) => [`${one.projectId} ${one.holderId}`, one]));
          return {
            stored: new Map([...known].map(([name, { roles }]) => [name, roles])),
            merge(item) {
              requireRolesOf?.(item);
              return item.content;
            },
            admit(item) {
              requireHolder(item.holderId);
              requireProject(item.projectId);
              requireRolesOf?.(item);
            },
          };
        },
        differences: (stored, given) => differingNames({ [rolesName]: stored }, { [rolesName]: given }),
        ownReservations: ({ projectId, holderId }) => [reservedName[kind](orgId, { projectId, holderId })],
      });
      const { outcomes, created, updated, reservations } = planned;
      const added = created.map(
        ({ projectId, holderId, content }): Assignment => ({
          id: newId(),
          orgId,
          projectId,
          holderId,
          roles: content,
          version: 1,
          created: now,
          lastModified: now,
        }),
      );
      const changed = updated.flatMap(({ item, content: roles }): Assignment[] => {
        const current = known.get(item.key);
        if (current === undefined) return [];
        return [{ ...current, roles, version: current.version + 1, lastModified: now }];
      });
      const written = [...added, ...changed];
      return {
        outcomes,
        reservations,
        async write(transaction) {
          await requireUnchanged(deps, { orgId, kind, written }, transaction);
          await store.insert(orgId, added, transaction);
          for (const assignment of changed) {
            const change = { assignment, expectedVersion: assignment.version - 1 };
            if (!(await store.replace(orgId, change, transaction))) throw new PlanOutdated();
          }
          await deps.events.append(
            [
              ...added.map((assignment) => assignmentEvent(kind, 'added', { assignment, editor })),
              ...changed.map((assignment) => assignmentEvent(kind, 'changed', { assignment, editor })),
            ],
            transaction,
          );
        },
        async tried() {
          const holderIds = [...new Set(written.map(({ holderId }) => holderId))];
          await announceAssignments(deps, { orgId, kind, holderIds });
        },
      };
    },
  };
}

/**
 * Requires in the transaction that the projects, the roles and the groups of the assignments are still there, and holds the projects and
 * the groups. @throws PlanOutdated
 */
async function requireUnchanged(
  { projects, projectRoles, groups }: AssignmentsDeps,
  { orgId, kind, written }: { orgId: string; kind: AssignmentKind; written: readonly Assignment[] },
  transaction: Transaction,
): Promise<void> {
  // In the order of identifiers, so that parts that meet hold them in one order.
  for (const projectId of [...new Set(written.map((one) => one.projectId))].sort()) {
    if (!(await projects.lock(orgId, projectId, transaction))) throw new PlanOutdated();
  }
  if (kind === 'member') return;
  const wanted = distinctRoles(written.map(({ projectId, roles }) => ({ projectId, content: roles })));
  if ((await projectRoles.findMany(orgId, wanted, transaction)).length < wanted.length)
    throw new PlanOutdated();
  if (kind !== 'groupGrant') return;
  for (const groupId of [...new Set(written.map(({ holderId }) => holderId))].sort()) {
    if (!(await groups.lock(orgId, groupId, transaction))) throw new PlanOutdated();
  }
}

function distinctRoles(items: readonly Pick<AssignmentItem, 'projectId' | 'content'>[]) {
  const named = items.flatMap(({ projectId, content }) => content.map((key) => ({ projectId, key })));
  return [...new Map(named.map((name) => [`${name.projectId} ${name.key}`, name])).values()];
}

/** Looks up the roles of these grants. @returns throws RecordFailure `REFERENCE-UNKNOWN` for a role that does not exist */
async function createRoleCheck(
  { projectRoles }: AssignmentsDeps,
  { orgId, findReserved }: Pick<SectionContext, 'orgId' | 'findReserved'>,
  items: readonly AssignmentItem[],
): Promise<(item: AssignmentItem) => void> {
  const wanted = distinctRoles(items);
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
