import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { batchWrites } from '#src/platform/work/batcher.js';
import { togetherOrAlone } from '#src/platform/work/together-or-alone.js';
import { membersOf } from './group.js';
import { type GroupMembersStore, membershipKey } from './group-members.store.js';
import type { GroupsStore } from './groups.store.js';
import { changeOfMembers, type MemberChange, memberEvents } from './member-changes.js';
import { type MemberWrite, usersOf } from './member-steps.js';
import { announceMembers } from './user-groups.js';
import { type FailedWrites, refusals, type WriteGroupDeps, writeGroup } from './write-group.js';

export interface GroupBatcherDeps extends WriteGroupDeps {
  readonly groups: WriteGroupDeps['groups'] & Pick<GroupsStore, 'heldByMany' | 'advanceMany'>;
  readonly groupMembers: WriteGroupDeps['groupMembers'] & Pick<GroupMembersStore, 'existing'>;
}

/** Steps of one group that are written in one transaction. */
type GroupSteps = readonly [MemberWrite, ...MemberWrite[]];

/** For one organization. A transaction costs several round trips, for any number of groups. */
const limits = { atOnce: 2, most: 50 };

/** Steps with more users have a transaction of their own, so that they do not hold up other groups. */
const mostUsers = 20;

/** After so long a time of conflicts each group has a transaction of its own, so that one busy group does not hold up the others. */
const retryMs = 50;

/** Another caller changed a group of the transaction after it was read, so nothing was written. */
class GroupsOutdated extends Error {}

/**
 * Returns a function that writes steps of one group. Simultaneous calls for several groups of an organization share one transaction. If
 * that fails, each group has a transaction of its own. A group that holds roles always has one, because its transaction may have to check
 * who is left with a role. Never call it for a group before the last call for this group has ended.
 */
export function createGroupBatcher(deps: GroupBatcherDeps): (steps: GroupSteps) => Promise<FailedWrites> {
  const gather = batchWrites(
    (groups: readonly GroupSteps[]) =>
      togetherOrAlone(groups, {
        together: (several) => writeTogether(deps, several),
        alone: (steps) => writeGroup(deps, steps),
      }),
    limits,
    ([{ orgId }]) => orgId,
  );
  return async (steps) => (usersOf(steps) > mostUsers ? writeGroup(deps, steps) : gather(steps));
}

/** @returns a function that tells what failed of each group */
async function writeTogether(
  deps: GroupBatcherDeps,
  groups: readonly GroupSteps[],
): Promise<(steps: GroupSteps) => Promise<FailedWrites>> {
  const orgId = groups[0]?.[0].orgId ?? '';
  const written = await deps.mongo.transactionOf(
    orgId,
    (transaction) => writeShared(deps, { orgId, groups }, transaction),
    { retryMs },
  );
  await announceMembers(deps, { orgId, userIds: written.userIds, holdsRoles: false });
  return async (steps) => written.failures.get(steps) ?? writeGroup(deps, steps);
}

interface WrittenTogether {
  /** What failed of each group that is done. Groups that hold roles are not. */
  readonly failures: ReadonlyMap<GroupSteps, FailedWrites>;
  /** The users who came and left. */
  readonly userIds: readonly string[];
}

/** A change of the members of a group, and the version of the group before it. */
interface VersionedChange extends MemberChange {
  readonly id: string;
  readonly version: number;
}

/** @throws GroupsOutdated */
async function writeShared(
  deps: GroupBatcherDeps,
  { orgId, groups }: { orgId: string; groups: readonly GroupSteps[] },
  transaction: Transaction,
): Promise<WrittenTogether> {
  const ids = groups.map(([{ groupId }]) => groupId);
  const held = await deps.groups.heldByMany(orgId, ids, transaction);
  const failures = new Map<GroupSteps, FailedWrites>();
  for (const steps of groups) {
    const group = held.get(steps[0].groupId);
    if (group === undefined) failures.set(steps, new Map(steps.map((step) => [step, notFound()])));
    else if (group.roles.length === 0)
      failures.set(steps, await refusals(steps, ({ beforeChange }) => beforeChange?.([])));
  }
  const permitted = [...failures].map(([steps, failed]) => steps.filter((step) => !failed.has(step)));
  const named = permitted
    .flat()
    .flatMap(({ groupId, added, removed }) => membersOf(groupId, [...added, ...removed]));
  const members = await deps.groupMembers.existing(orgId, named, transaction);
  const changes: VersionedChange[] = [];
  for (const steps of permitted) {
    const id = steps[0]?.groupId ?? '';
    const change = changeOfMembers(steps, (userId) => members.has(membershipKey({ groupId: id, userId })));
    if (change.happened.length > 0) changes.push({ id, version: held.get(id)?.version ?? 0, ...change });
  }
  if (changes.length > 0) await writeChanges(deps, { orgId, changes }, transaction);
  return { failures, userIds: [...new Set(changes.flatMap(({ gone, come }) => [...gone, ...come]))] };
}

/** @throws GroupsOutdated */
async function writeChanges(
  { groups, groupMembers, events, clock }: GroupBatcherDeps,
  { orgId, changes }: { orgId: string; changes: readonly VersionedChange[] },
  transaction: Transaction,
): Promise<void> {
  const date = clock.now();
  const advances = changes.map(({ id, version, happened }) => ({ id, version, by: happened.length }));
  if (!(await groups.advanceMany(orgId, advances, date, transaction))) throw new GroupsOutdated();
  const gone = changes.flatMap((change) => membersOf(change.id, change.gone));
  const come = changes.flatMap((change) => membersOf(change.id, change.come));
  await groupMembers.remove(orgId, gone, transaction);
  await groupMembers.insert(orgId, come, transaction);
  const happened = changes.flatMap((change) =>
    memberEvents({ orgId, groupId: change.id, version: change.version, date }, change),
  );
  await events.append(happened, transaction);
}

function notFound(): AppError {
  return new AppError(directoryErrors.groupNotFound);
}
