import type { AdmitDeps, ImportMode, PartOfImport } from './mode.js';
import { reservingRecords } from './reserving-records.js';
import { writeMode } from './write.js';

/**
 * A dry run: it decides as an import does and writes nothing. Each part notes the names that its records would take, so that later parts
 * decide as if these records were there. It counts the creations of earlier parts for the quotas, and reserves nothing. All else is as in an
 * import that writes.
 */
export const rehearseMode: ImportMode = {
  ...writeMode,
  isReal: false,
  joinsParts: false,
  isInOrder: true,
  reserve: (deps, { part: { stagingId }, details: { orgId }, section }) => ({
    findReserved: (names) => deps.importResults.findReserved(stagingId, names),
    findReservingRecords: (names, key = section.key) =>
      reservingRecords(deps, { stagingId, ...(orgId !== undefined && { orgId }) }, { names, section: key }),
  }),
  async admit(deps, of, { kind, orgId, count }, commit) {
    const quotaOf = `${kind} ${orgId}`;
    const left = await deps.quotas.left(orgId, kind);
    const earlier = Number.isFinite(left) ? await createdEarlier(deps, of, quotaOf) : 0;
    await commit(Math.max(0, Math.min(count, left - earlier)), quotaOf);
  },
  effectsOf: () => ({}),
  note: ({ reservations }) => ({ ...(reservations && { reservations }) }),
};

function createdEarlier(
  { importParts }: AdmitDeps,
  { part, section }: PartOfImport,
  quotaOf: string,
): Promise<number> {
  return importParts.countCreated(part.stagingId, { phase: section.phase, quotaOf });
}
