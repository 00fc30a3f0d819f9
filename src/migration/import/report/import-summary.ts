import type { ImportCounts, ImportPartsStore, PartCounts } from '../stores/import-parts.store.js';
import type { ImportDetails } from '../stores/imports.store.js';

/** What became of all records: `created`, `skipped` and `failed` make up `total`. */
export interface ImportSummary extends PartCounts {
  readonly total: number;
}

const none: ImportCounts = { total: 0, open: 0, created: 0, skipped: 0, failed: 0 };

/** Counts over the parts; all are 0 as long as the object of a bucket has not been read. */
export async function countsOf(
  { importParts }: { importParts: Pick<ImportPartsStore, 'counts'> },
  { stagingId }: Pick<ImportDetails, 'stagingId'>,
): Promise<ImportCounts> {
  return stagingId === undefined ? none : importParts.counts(stagingId);
}

/** The summary of an import that has ended: what no part did has failed. */
export async function summaryOf(
  deps: { importParts: Pick<ImportPartsStore, 'counts'> },
  record: Pick<ImportDetails, 'stagingId'>,
): Promise<ImportSummary> {
  const { created, skipped, failed, open, total } = await countsOf(deps, record);
  return { created, skipped, failed: failed + open, total };
}
