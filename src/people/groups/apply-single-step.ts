import type { Editor } from '#src/audit/event.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { type AppliedSteps, type ApplyStepsDeps, advanceGroup, finishSteps } from './apply-steps.js';
import type { CheckGroupRoles, CheckLostRoles } from './check-group-roles.js';
import type { GroupMember } from './group.js';
import type { MemberChange } from './member-changes.js';
import type { MemberWrite } from './member-steps.js';

/** A step that adds or removes a single user. */
interface SingleStep {
  readonly userId: string;
  readonly joins: boolean;
  readonly editor: Editor;
}

/** The user is a member already, or is none. The transaction has to be aborted, because it has written the group. */
export class MembersUnchanged extends Error {}

/** The only step, if it names a single user. Undefined for all others. */
export function singleStepOf(steps: readonly MemberWrite[]): SingleStep | undefined {
  const [first] = steps;
  if (first === undefined || steps.length > 1) return undefined;
  const { added, removed, editor } = first;
  const [userId] = added.length === 0 ? removed : added;
  if (userId === undefined || added.length + removed.length > 1) return undefined;
  return { userId, joins: added.length === 1, editor };
}

/**
 * Applies a step of a single user to a group, by three commands. The memberships are not read first, because the write tells whether it
 * changed one. The group is written before, so that two transactions that add the same user meet at the group, where MongoDB repeats one.
 * @returns as `applySteps`
 * @throws MembersUnchanged, AppError `directory.groupNotFound`, and the errors of `beforeChange`
 */
export async function applySingleStep(
  deps: ApplyStepsDeps,
  target: SingleStep & {
    readonly orgId: string;
    readonly groupId: string;
    readonly beforeChange: CheckGroupRoles;
    readonly afterLoss: CheckLostRoles;
  },
  transaction: Transaction,
): Promise<AppliedSteps> {
  const { orgId, groupId, userId, joins, editor } = target;
  const userIds = [userId];
  const advanced = await advanceGroup(deps, { ...target, by: 1 }, transaction);
  const member = { groupId, userId };
  const isChanged = joins
    ? await insertNew(deps, orgId, member, transaction)
    : (await deps.groupMembers.remove(orgId, [member], transaction)) === 1;
  if (!isChanged) throw new MembersUnchanged();
  const type = joins ? 'group.members.added' : 'group.members.removed';
  const change: MemberChange = {
    happened: [[editor, [type, { userIds }]]],
    gone: joins ? [] : userIds,
    come: joins ? userIds : [],
  };
  return finishSteps(deps, { ...target, ...advanced, change }, transaction);
}

/** @returns false if the user is a member. The transaction can then only be aborted */
async function insertNew(
  { groupMembers }: Pick<ApplyStepsDeps, 'groupMembers'>,
  orgId: string,
  member: GroupMember,
  transaction: Transaction,
): Promise<boolean> {
  try {
    await groupMembers.insert(orgId, [member], transaction);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
