import { type AppliedSteps, announceMembers, applySteps, dropGone } from '#src/people/groups/index.js';
import { groupMemberRecord } from '../../../format/group.record.js';
import { createGroupCheck } from '../references/group-references.js';
import { PlanOutdated, RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection, SectionContext } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { planRecords } from '../shared/plan-records.js';
import type { RecordItem } from '../shared/record-decisions.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';

type GroupMembersSectionDeps = Pick<
  SectionDeps,
  'mongo' | 'groups' | 'groupMembers' | 'users' | 'seenUsers' | 'events' | 'clock' | 'caches'
>;

interface MemberItem extends RecordItem<true> {
  readonly groupId: string;
  readonly userId: string;
}

const read = createRecordReader(groupMemberRecord);

/** `groupMembers`: which user is in which group. Both are of the organization. Service users are in no group. */
export function groupMembersSection(deps: GroupMembersSectionDeps): ImportSection {
  return {
    key: 'groupMembers',
    errorType: 'group_member',
    successKey: 'groupMembers',
    phase: 6,
    forms: ['external', 'instance'],
    references: { names: { groupId: 'group', userId: 'user' } },
    async plan(records, context) {
      const { orgId, editor } = context;
      const { outcomes, created, reservations } = await planRecords<MemberItem>(records, context, {
        nameOf: nameBy('groupId', 'userId'),
        read(record) {
          const { groupId, userId } = read(record);
          return { id: `${groupId}/${userId}`, key: `${groupId} ${userId}`, groupId, userId, content: true };
        },
        async survey(items, findReserved) {
          const [stored, requireBoth] = await Promise.all([
            deps.groupMembers.existing(orgId, items),
            createMemberCheck(deps, { orgId, findReserved, items }),
          ]);
          return {
            stored: new Map([...stored].map((key) => [key, true] as const)),
            admit: requireBoth,
          };
        },
        ownReservations: ({ groupId, userId }) => [reservedName.groupMember(orgId, { groupId, userId })],
      });
      const joining = byGroup(created);
      let applied: AppliedSteps[] = [];
      return {
        outcomes,
        reservations,
        async write(transaction) {
          applied = [];
          for (const [groupId, added] of joining) {
            // A caller may have removed the group after the look-up.
            if ((await deps.groups.held(orgId, groupId)) === undefined) throw new PlanOutdated();
            const target = { orgId, groupId, steps: [{ removed: [], added, editor }], keepsDate: true };
            const step = await applySteps(deps, target, transaction);
            // Another caller has added some of them, so this part did not create them.
            if (step?.userIds.length !== added.length) throw new PlanOutdated();
            applied.push(step);
          }
        },
        async written() {
          await Promise.all(applied.map((step) => announceMembers(deps, { orgId, ...step })));
          for (const [groupId, added] of joining) {
            await dropGone(deps, { orgId, groupId, userIds: added });
          }
        },
      };
    },
  };
}

/**
 * Looks up which of these groups and users the organization has, or would have after the parts of a dry run.
 * @returns throws RecordFailure `REFERENCE-UNKNOWN` for any other group or user
 */
async function createMemberCheck(
  deps: Pick<SectionDeps, 'groups' | 'users'>,
  {
    orgId,
    findReserved,
    items,
  }: Pick<SectionContext, 'orgId' | 'findReserved'> & { items: readonly MemberItem[] },
): Promise<(item: MemberItem) => void> {
  const userIds = [...new Set(items.map(({ userId }) => userId))];
  const groupIds = items.map(({ groupId }) => groupId);
  const [requireGroup, users, reserved] = await Promise.all([
    createGroupCheck(deps, { orgId, findReserved, groupIds }),
    deps.users.existing(orgId, userIds),
    findReserved(userIds.map((id) => reservedName.humanUserOf(orgId, id))),
  ]);
  return ({ groupId, userId }) => {
    requireGroup(groupId);
    if (!users.has(userId) && !reserved.has(reservedName.humanUserOf(orgId, userId))) {
      throw new RecordFailure('REFERENCE-UNKNOWN', `${userId} is not a person of the organization`);
    }
  };
}

/** The users of each group. In the order of the groups, so that parts that meet lock them in one order. */
function byGroup(items: readonly MemberItem[]): [groupId: string, userIds: string[]][] {
  const groups = new Map<string, string[]>();
  for (const { groupId, userId } of items) {
    const users = groups.get(groupId);
    if (users === undefined) groups.set(groupId, [userId]);
    else users.push(userId);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
