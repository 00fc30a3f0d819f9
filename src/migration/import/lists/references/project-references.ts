import { RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { SectionContext } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';

/**
 * Looks up which of these projects the organization has, or would have after the parts of a dry run.
 * @returns throws RecordFailure `REFERENCE-UNKNOWN` for any other project
 */
export async function createProjectCheck(
  { projects }: Pick<SectionDeps, 'projects'>,
  {
    orgId,
    findReserved,
    projectIds,
  }: Pick<SectionContext, 'orgId' | 'findReserved'> & { projectIds: readonly string[] },
): Promise<(projectId: string) => void> {
  const ids = [...new Set(projectIds)];
  const [stored, reserved] = await Promise.all([
    projects.findMany(orgId, ids),
    findReserved(ids.map((id) => reservedName.projectOf(orgId, id))),
  ]);
  return (projectId) => {
    if (stored.has(projectId) || reserved.has(reservedName.projectOf(orgId, projectId))) return;
    throw new RecordFailure('REFERENCE-UNKNOWN', `Project ${projectId} is not in the organization`);
  };
}
