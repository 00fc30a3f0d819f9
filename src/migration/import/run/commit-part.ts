import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Outcome } from '../sections/section.js';
import type { ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import type { ImportResultsStore, ReportedError } from '../stores/import-results.store.js';
import { PartLost, type PartRun } from './part-run.js';
import type { PartPlan } from './plan-part.js';
import { countOutcomes, noCounts, reportOutcomes } from './report-outcomes.js';

export interface CommitPartDeps {
  readonly mongo: Mongo;
  readonly importParts: Pick<ImportPartsStore, 'end'>;
  readonly importOrganizations: Pick<ImportOrganizationsStore, 'mark'>;
  readonly importResults: Pick<ImportResultsStore, 'add'>;
  /** Counts the records by their outcome. */
  readonly measures?:
    | { recordsImported(section: string, outcome: Outcome['kind'], count: number): void }
    | undefined;
}

/** A plan, and what its transaction notes besides. */
export interface PartCommit {
  readonly plan: PartPlan;
  /** The quota that the created records of a dry run would take from: see `PartEnd`. */
  readonly quotaOf?: string;
  /** In a part of organizations: whether the lists of each are imported, by its index in the file. */
  readonly imported?: ReadonlyMap<number, boolean>;
  /** Errors that are of no record. */
  readonly errors?: readonly ReportedError[];
}

/**
 * Writes what a part creates and updates, ends the part and stores its results, all in one transaction.
 * @throws PartLost if the part has ended meanwhile; nothing is then written
 */
export async function commitPart(
  { mongo, importParts, importOrganizations, importResults, measures }: CommitPartDeps,
  { part, details, section }: PartRun,
  { plan, quotaOf, imported, errors = [] }: PartCommit,
): Promise<void> {
  const counts = countOutcomes(plan.outcomes);
  const isCounted = part.count > 0;
  const report = reportOutcomes(plan.outcomes, { part, section });
  const { created, updated, skipped, failed } = counts;
  const writes = created + updated > 0 && !details.dryRun;
  const write = async (transaction: Transaction) => {
    // First: if the part has ended, nothing of it is written.
    const own = isCounted ? counts : noCounts;
    const ended = { ...own, ...(details.dryRun && quotaOf !== undefined && { quotaOf }) };
    if (!(await importParts.end(part, ended, transaction))) throw new PartLost();
    if (writes) await plan.write?.(transaction);
    if (imported !== undefined) await importOrganizations.mark(part.stagingId, imported, transaction);
    const all = [...report.errors, ...errors];
    const result = {
      ...report,
      errors: all,
      ...(plan.losses && { losses: plan.losses }),
      ...(plan.comparison && { comparison: plan.comparison }),
      ...(details.dryRun && plan.reservations && { reservations: plan.reservations }),
    };
    await importResults.add(result, { part, expires: details.expires }, transaction);
  };
  try {
    await mongo.transaction(write);
  } finally {
    if (writes) await plan.tried?.();
  }
  if (writes) await plan.written?.();
  for (const [outcome, count] of Object.entries({ created, updated, skipped, failed })) {
    if (count > 0) measures?.recordsImported(section.key, outcome as Outcome['kind'], count);
  }
}
