import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { directoryErrors, type Role } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { CheckGroupRoles, CheckLostRoles } from './check-group-roles.js';
import { type Group, membersOf } from './group.js';
import type { GroupMembersStore } from './group-members.store.js';
import type { GroupsStore } from './groups.store.js';
import { changeOfMembers, type MemberChange, memberEvents } from './member-changes.js';
import type { MemberStep } from './member-steps.js';

export interface ApplyStepsDeps {
  readonly groups: Pick<GroupsStore, 'advance' | 'held'>;
  readonly groupMembers: Pick<GroupMembersStore, 'among' | 'insert' | 'remove'>;
  readonly events: Pick<EventsStore, 'append'>;
  readonly clock: Clock;
}

/** What {@link applySteps} changed. */
export interface AppliedSteps extends Pick<Group, 'version' | 'lastModified'> {
  readonly userIds: readonly string[];
  readonly holdsRoles: boolean;
}

/**
 * Applies steps to a group, in this order, in the transaction of the caller. If they change nothing, the group stays as it is.
 * @returns the version and the time of the change, and the users who came and left; undefined if nothing changed. After the
 * commit, {@link announceMembers} must be called with these users
 * @throws AppError `directory.groupNotFound`, and the errors of `beforeChange`
 */
export async function applySteps(
  deps: ApplyStepsDeps,
  target: {
    readonly orgId: string;
    readonly groupId: string;
    readonly steps: readonly (MemberStep & { readonly editor: Editor })[];
    /** The file of an import has the members and the date of their last change. */
    readonly keepsDate?: boolean;
    /** Called with the roles that the group has in the transaction, also if the steps change nothing. */
    readonly beforeChange?: CheckGroupRoles | undefined;
    /** Called with the same roles, if members have left. */
    readonly afterLoss?: CheckLostRoles | undefined;
  },
  transaction: Transaction,
): Promise<AppliedSteps | undefined> {
  const { orgId, groupId, steps } = target;
  const named = new Set(steps.flatMap(({ added, removed }) => [...removed, ...added]));
  const before = await deps.groupMembers.among(orgId, groupId, [...named], transaction);
  const { happened, gone, come } = changeOfMembers(steps, (userId) => before.has(userId));
  if (happened.length === 0) {
    await requireGroup(deps, target);
    return undefined;
  }
  const advanced = await advanceGroup(deps, { ...target, by: happened.length }, transaction);
  await deps.groupMembers.remove(orgId, membersOf(groupId, gone), transaction);
  await deps.groupMembers.insert(orgId, membersOf(groupId, come), transaction);
  const change = { happened, gone, come };
  return finishSteps(deps, { ...target, ...advanced, change }, transaction);
}

/** The group before a change of its members, and the time of the change. */
interface AdvancedGroup {
  readonly version: number;
  readonly roles: readonly Role[];
  readonly date: Date;
}

/**
 * Adds to the version of the group, and calls `beforeChange` with its roles.
 * @throws AppError `directory.groupNotFound`, and the errors of `beforeChange`
 */
export async function advanceGroup(
  { groups, clock }: Pick<ApplyStepsDeps, 'groups' | 'clock'>,
  target: {
    readonly orgId: string;
    readonly groupId: string;
    readonly by: number;
    readonly keepsDate?: boolean;
    readonly beforeChange?: CheckGroupRoles | undefined;
  },
  transaction: Transaction,
): Promise<AdvancedGroup> {
  const { orgId, groupId: id, by, keepsDate = false } = target;
  const date = clock.now();
  const advanced = await groups.advance(orgId, { id, by, date, keepsDate }, transaction);
  if (advanced === undefined) throw new AppError(directoryErrors.groupNotFound);
  await target.beforeChange?.(advanced.roles);
  return { ...advanced, date };
}

/** Calls `afterLoss` if members have left, and appends the events. The memberships are written. */
export async function finishSteps(
  { events }: Pick<ApplyStepsDeps, 'events'>,
  target: AdvancedGroup & {
    readonly orgId: string;
    readonly groupId: string;
    readonly change: MemberChange;
    readonly afterLoss?: CheckLostRoles | undefined;
  },
  transaction: Transaction,
): Promise<AppliedSteps> {
  const { version, roles, date, change } = target;
  const { happened, gone, come } = change;
  if (gone.length > 0 && roles.length > 0) await target.afterLoss?.(roles, transaction);
  await events.append(memberEvents(target, change), transaction);
  return {
    version: version + happened.length,
    lastModified: date,
    userIds: [...gone, ...come],
    holdsRoles: roles.length > 0,
  };
}

/**
 * Requires that the organization has the group, and that the caller may change its members.
 * @throws AppError `directory.groupNotFound`, and the errors of `beforeChange`
 */
export async function requireGroup(
  { groups }: { readonly groups: Pick<GroupsStore, 'held'> },
  {
    orgId,
    groupId,
    beforeChange,
  }: { orgId: string; groupId: string; beforeChange?: CheckGroupRoles | undefined },
): Promise<void> {
  const roles = await groups.held(orgId, groupId);
  if (roles === undefined) throw new AppError(directoryErrors.groupNotFound);
  await beforeChange?.(roles);
}
