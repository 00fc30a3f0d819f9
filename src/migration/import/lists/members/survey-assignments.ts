import { type Assignment, type AssignmentKind, storeOf } from '#src/access/projects/index.js';
import { createGroupCheck } from '../references/group-references.js';
import { createProjectCheck } from '../references/project-references.js';
import { createUserCheck } from '../references/user-references.js';
import { RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { SectionContext } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import type { RecordItem, Surroundings } from '../shared/record-decisions.js';

/** What the lists of assignments ask of the rooms. */
export type AssignmentsDeps = Pick<
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

/** A record of a list of assignments. Its content are the roles. */
export type AssignmentItem = RecordItem<readonly string[]> & {
  readonly projectId: string;
  readonly holderId: string;
};

/** What the service has for the records of one part. */
interface AssignmentSurvey extends Surroundings<AssignmentItem> {
  /** The stored assignments, by key. */
  readonly known: ReadonlyMap<string, Assignment>;
}

/** Looks up the assignments, and the holders, projects and roles that records name. */
export async function surveyAssignments(
  deps: AssignmentsDeps,
  { kind, ...lookUp }: Pick<SectionContext, 'orgId' | 'findReserved'> & { readonly kind: AssignmentKind },
  items: readonly AssignmentItem[],
): Promise<AssignmentSurvey> {
  const projectIds = items.map(({ projectId }) => projectId);
  const holderIds = items.map(({ holderId }) => holderId);
  const [found, requireHolder, requireProject, requireRolesOf] = await Promise.all([
    storeOf(deps, kind).findMany(lookUp.orgId, items),
    kind === 'groupGrant'
      ? createGroupCheck(deps, { ...lookUp, groupIds: holderIds })
      : createUserCheck(deps, { ...lookUp, userIds: holderIds }),
    createProjectCheck(deps, { ...lookUp, projectIds }),
    kind === 'member' ? undefined : createRoleCheck(deps, lookUp, items),
  ]);
  const known = new Map(found.map((one) => [`${one.projectId} ${one.holderId}`, one]));
  return {
    known,
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

/** The roles that items name, each once. */
export function distinctRoles(items: readonly Pick<AssignmentItem, 'projectId' | 'content'>[]) {
  const named = items.flatMap(({ projectId, content }) => content.map((key) => ({ projectId, key })));
  return [...new Map(named.map((name) => [`${name.projectId} ${name.key}`, name])).values()];
}
