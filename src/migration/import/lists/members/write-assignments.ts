import {
  type Assignment,
  type AssignmentKind,
  announceAssignments,
  assignmentEvent,
  storeOf,
} from '#src/access/projects/index.js';
import { newId } from '#src/platform/ids.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { PlanOutdated } from '../section/record-failure.js';
import type { SectionContext, SectionPlan } from '../section/section.js';
import type { PlannedRecords } from '../shared/plan-records.js';
import {
  type AssignmentItem,
  type AssignmentsDeps,
  distinctRoles,
  type surveyAssignments,
} from './survey-assignments.js';

type PlannedAssignments = PlannedRecords<AssignmentItem, Awaited<ReturnType<typeof surveyAssignments>>>;

/** Returns what a plan does in its transaction and after it: it adds and changes assignments. */
export function writeAssignments(
  deps: AssignmentsDeps,
  { orgId, editor, now, kind }: Pick<SectionContext, 'orgId' | 'editor' | 'now'> & { kind: AssignmentKind },
  { created, updated, survey }: PlannedAssignments,
): Required<Pick<SectionPlan, 'write' | 'tried'>> {
  const store = storeOf(deps, kind);
  const added = created.map((item) => newAssignment(item, { orgId, now }));
  const changed = updated.flatMap(({ item, content: roles }) => {
    const current = survey.known.get(item.key);
    if (current === undefined) return [];
    const assignment = { ...current, roles, version: current.version + 1, lastModified: now };
    return [{ assignment, former: current.roles }];
  });
  const written = [...added, ...changed.map(({ assignment }) => assignment)];
  return {
    async write(transaction) {
      await requireUnchanged(deps, { orgId, kind, written }, transaction);
      await store.insert(orgId, added, transaction);
      for (const { assignment } of changed) {
        const change = { assignment, expectedVersion: assignment.version - 1 };
        if (!(await store.replace(orgId, change, transaction))) throw new PlanOutdated();
      }
      await deps.events.append(
        [
          ...added.map((assignment) => assignmentEvent(kind, 'added', { assignment, editor })),
          ...changed.map((change) => assignmentEvent(kind, 'changed', { ...change, editor })),
        ],
        transaction,
      );
    },
    async tried() {
      const holderIds = [...new Set(written.map(({ holderId }) => holderId))];
      await announceAssignments(deps, { orgId, kind, holderIds });
    },
  };
}

function newAssignment(
  { projectId, holderId, content }: AssignmentItem,
  { orgId, now }: Pick<SectionContext, 'orgId' | 'now'>,
): Assignment {
  return {
    id: newId(),
    orgId,
    projectId,
    holderId,
    roles: content,
    version: 1,
    created: now,
    lastModified: now,
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
