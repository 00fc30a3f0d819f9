import type { ImportCounts, ImportPartsStore, PartCounts } from '../stores/import-parts.store.js';
import type { ImportDetails } from '../stores/imports.store.js';

/** The number of records by their outcome. `total` is the sum. Only an import that updates has `updated`. */
export interface ImportSummary extends Omit<PartCounts, 'updated'> {
  readonly updated?: number;
  readonly total: number;
}

const none: ImportCounts = { total: 0, remaining: 0, created: 0, updated: 0, skipped: 0, failed: 0 };

/** Returns the sums over the parts. All are 0 until the object of a bucket was read. An import that has ended has them stored. */
export async function countsOf(
  { importParts }: { importParts: Pick<ImportPartsStore, 'counts'> },
  { stagingId, counts }: Pick<ImportDetails, 'stagingId' | 'counts'>,
): Promise<ImportCounts> {
  if (counts !== undefined) return counts;
  return stagingId === undefined ? none : importParts.counts(stagingId);
}

/** Returns the summary of an import that has ended. The remaining records count as failed. */
export function summaryFrom(
  { created, updated, skipped, failed, remaining, total }: ImportCounts,
  { update }: Pick<ImportDetails, 'update'>,
): ImportSummary {
  return { created, ...(update && { updated }), skipped, failed: failed + remaining, total };
}
