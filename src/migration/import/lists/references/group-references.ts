import { RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { SectionContext } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';

/**
 * Looks up which of these groups the organization has, or would have after the parts of a dry run.
 * @returns throws RecordFailure `REFERENCE-UNKNOWN` for any other group
 */
export async function createGroupCheck(
  { groups }: Pick<SectionDeps, 'groups'>,
  {
    orgId,
    findReserved,
    groupIds,
  }: Pick<SectionContext, 'orgId' | 'findReserved'> & { groupIds: readonly string[] },
): Promise<(groupId: string) => void> {
  const ids = [...new Set(groupIds)];
  const [stored, reserved] = await Promise.all([
    groups.namesOf(orgId, ids),
    findReserved(ids.map((id) => reservedName.groupOf(orgId, id))),
  ]);
  return (groupId) => {
    if (stored.has(groupId) || reserved.has(reservedName.groupOf(orgId, groupId))) return;
    throw new RecordFailure('REFERENCE-UNKNOWN', `Group ${groupId} is not in the organization`);
  };
}
