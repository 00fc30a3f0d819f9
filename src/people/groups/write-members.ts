import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { type Happening, newEvent } from '#src/audit/new-event.js';
import { directoryErrors } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { batchWrites } from '#src/platform/work/batcher.js';
import type { CheckGroupRoles, CheckLostRoles } from './check-group-roles.js';
import type { Group } from './group.js';
import type { GroupMembersStore } from './group-members.store.js';
import type { GroupsStore } from './groups.store.js';
import { type AnnounceDeps, announceMembers } from './user-groups.js';
import { usersPerStep } from './users-per-step.js';

/** A part of a change of members: at most {@link usersPerStep} users, first those who leave. */
export interface MemberStep {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** A step, the group that it changes, and the editor. */
interface MemberWrite extends MemberStep {
  readonly orgId: string;
  readonly groupId: string;
  readonly editor: Editor;
  /** Called in the transaction that writes the step. If it throws, the step is not written. */
  readonly beforeChange?: CheckGroupRoles | undefined;
  /** Called if the step removes users. If it throws, the step is not written. */
  readonly afterLoss?: CheckLostRoles | undefined;
}

interface WriteMembersDeps extends AnnounceDeps {
  readonly mongo: Mongo;
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
 * Writes a step of members, with its events. A user who is a member already, or is none, is skipped.
 * @throws AppError `directory.groupNotFound`, and the errors of `beforeChange`
 */
export type WriteMembers = (write: MemberWrite) => Promise<void>;

/**
 * Returns a function that writes simultaneous steps of one group together. All change the version of the group, so that
 * MongoDB would repeat their transactions again and again. Steps of other groups never wait for them.
 */
export function createWriteMembers(deps: WriteMembersDeps): WriteMembers {
  return batchWrites(
    async (writes) => {
      const failures = new Map<MemberWrite, unknown>();
      for (const together of inTransactions(writes)) {
        const failed = await writeTogether(deps, together);
        for (const [write, error] of failed) failures.set(write, error);
      }
      return (write) => {
        if (failures.has(write)) throw failures.get(write);
      };
    },
    { atOnce: 1, most: 50 },
    ({ orgId, groupId }) => `${orgId} ${groupId}`,
  );
}

/** Some of several steps are refused. The others have to be written without them. */
class StepsRefused extends Error {
  readonly failures: ReadonlyMap<MemberWrite, unknown>;

  constructor(failures: ReadonlyMap<MemberWrite, unknown>) {
    super('some steps of members are refused');
    this.failures = failures;
  }
}

/**
 * Writes steps of one group in one transaction. If some of them are refused, another transaction writes the others.
 * @returns the errors of the steps that failed
 */
async function writeTogether(
  deps: WriteMembersDeps,
  writes: readonly MemberWrite[],
): Promise<Map<MemberWrite, unknown>> {
  const failures = new Map<MemberWrite, unknown>();
  let left = writes;
  for (let [first] = left; first !== undefined; [first] = left) {
    const { orgId, groupId } = first;
    const steps = left;
    const beforeChange: CheckGroupRoles = async (roles) => {
      const refused = await refusals(steps, (step) => step.beforeChange?.(roles));
      if (refused.size > 0) throw new StepsRefused(refused);
    };
    const afterLoss: CheckLostRoles = async (roles, transaction) => {
      const removing = steps.filter(({ removed }) => removed.length > 0);
      const refused = await refusals(removing, (step) => step.afterLoss?.(roles, transaction));
      if (refused.size > 0) throw new StepsRefused(refused);
    };
    try {
      const applied = await deps.mongo.transactionOf(orgId, (transaction) =>
        applySteps(deps, { orgId, groupId, steps, beforeChange, afterLoss }, transaction),
      );
      if (applied !== undefined) await announceMembers(deps, { orgId, ...applied });
      break;
    } catch (error) {
      const failed =
        error instanceof StepsRefused ? error.failures : new Map(steps.map((step) => [step, error]));
      for (const [write, failure] of failed) failures.set(write, failure);
      left = steps.filter((step) => !failed.has(step));
    }
  }
  return failures;
}

/** The errors of the steps whose check refuses them. */
async function refusals(
  steps: readonly MemberWrite[],
  check: (step: MemberWrite) => Promise<void> | undefined,
): Promise<Map<MemberWrite, unknown>> {
  const failures = new Map<MemberWrite, unknown>();
  for (const step of steps) {
    try {
      await check(step);
    } catch (error) {
      failures.set(step, error);
    }
  }
  return failures;
}

/** Divides the writes into transactions. One has more users than a step only if it has a single write. */
function inTransactions(writes: readonly MemberWrite[]): MemberWrite[][] {
  const transactions: MemberWrite[][] = [];
  let users = 0;
  for (const write of writes) {
    const size = write.added.length + write.removed.length;
    const current = transactions.at(-1);
    if (current === undefined || users + size > usersPerStep) {
      transactions.push([write]);
      users = size;
    } else {
      current.push(write);
      users += size;
    }
  }
  return transactions;
}

/**
 * Applies steps to a group, in this order, in the transaction of the caller. If they change nothing, the group stays as it is.
 * @returns the version and the time of the change, and the users who came and left; undefined if nothing changed. After the
 * commit, {@link announceMembers} must be called with these users
 * @throws AppError `directory.groupNotFound`, and the errors of `beforeChange`
 */
export async function applySteps(
  deps: Omit<WriteMembersDeps, 'mongo' | keyof AnnounceDeps>,
  target: {
    readonly orgId: string;
    readonly groupId: string;
    readonly steps: readonly (MemberStep & { readonly editor: Editor })[];
    /** The file of an import has the members and the date of their last change. */
    readonly keepsDate?: boolean;
    /** Called with the roles that the group has in the transaction, if the steps change anything. */
    readonly beforeChange?: CheckGroupRoles | undefined;
    /** Called with the same roles, if members have left. */
    readonly afterLoss?: CheckLostRoles | undefined;
  },
  transaction: Transaction,
): Promise<AppliedSteps | undefined> {
  const { orgId, groupId, steps, keepsDate = false } = target;
  const named = new Set(steps.flatMap(({ added, removed }) => [...removed, ...added]));
  const before = await deps.groupMembers.among(orgId, groupId, [...named], transaction);
  const now = new Set(before);
  const happened: (readonly [Editor, Happening])[] = [];
  for (const { added, removed, editor } of steps) {
    const left = removed.filter((userId) => now.delete(userId));
    const joined = added.filter((userId) => !now.has(userId));
    for (const userId of joined) now.add(userId);
    if (left.length > 0) happened.push([editor, ['group.members.removed', { userIds: left }]]);
    if (joined.length > 0) happened.push([editor, ['group.members.added', { userIds: joined }]]);
  }
  if (happened.length === 0) {
    if ((await deps.groups.held(orgId, groupId)) === undefined)
      throw new AppError(directoryErrors.groupNotFound);
    return undefined;
  }
  const date = deps.clock.now();
  const advanced = await deps.groups.advance(
    orgId,
    { id: groupId, by: happened.length, date, keepsDate },
    transaction,
  );
  if (advanced === undefined) throw new AppError(directoryErrors.groupNotFound);
  const { version, roles } = advanced;
  await target.beforeChange?.(roles);
  const gone = [...before].filter((userId) => !now.has(userId));
  const come = [...now].filter((userId) => !before.has(userId));
  await deps.groupMembers.remove(orgId, groupId, gone, transaction);
  await deps.groupMembers.insert(orgId, groupId, come, transaction);
  if (gone.length > 0 && roles.length > 0) await target.afterLoss?.(roles, transaction);
  await deps.events.append(
    happened.map(([editor, [type, payload]], index) =>
      newEvent(type, {
        aggregate: 'group',
        id: groupId,
        orgId,
        editor,
        sequence: version + index + 1,
        date,
        payload,
      }),
    ),
    transaction,
  );
  return {
    version: version + happened.length,
    lastModified: date,
    userIds: [...gone, ...come],
    holdsRoles: roles.length > 0,
  };
}
