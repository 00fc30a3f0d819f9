import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { PartComparison } from '../../verify/compare-part.js';
import type { ImportSection, Outcome, SectionPlan } from '../sections/section.js';
import type { ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportPart, ImportPartsStore, PartCounts } from '../stores/import-parts.store.js';
import type { ImportResultsStore, Loss, ReportedError } from '../stores/import-results.store.js';
import type { ImportDetails } from '../stores/imports.store.js';
import { countOutcomes, noCounts, reportOutcomes } from './report-outcomes.js';

export interface CommitPartDeps {
  readonly mongo: Mongo;
  readonly importParts: ImportPartsStore;
  readonly importOrganizations: ImportOrganizationsStore;
  readonly importResults: ImportResultsStore;
  /** Counts the records by their outcome. */
  readonly measures?:
    | { recordsImported(section: string, outcome: Outcome['kind'], count: number): void }
    | undefined;
}

/** Raised inside a transaction when the part has ended meanwhile. */
export class PartLost extends Error {}

/** A part to import. */
export interface PartRun {
  readonly part: ImportPart;
  readonly details: ImportDetails;
  readonly section: ImportSection;
  /** What the caller writes in the transaction that imports the part. It gets the counts of the part. */
  readonly alongside?: (counts: PartCounts, transaction: Transaction) => Promise<void>;
}

/** What a section is going to do with the records of a part, and what the records say beside. */
export type ParsedPlan = SectionPlan & {
  readonly losses?: readonly Loss[];
  /** Only in a verification. */
  readonly comparison?: PartComparison;
};

/** What is going to be written of a part. */
export interface PlannedPart {
  readonly plan: ParsedPlan;
  readonly quotaOf?: string;
  /** Of a part of organizations: which of them are imported, by index. */
  readonly imported?: ReadonlyMap<number, boolean>;
  readonly errors?: readonly ReportedError[];
}

/** Writes what a part creates and updates, ends the part and stores its results, all in one transaction. @throws PartLost */
export async function commitPart(deps: CommitPartDeps, run: PartRun, planned: PlannedPart): Promise<void> {
  const { plan } = planned;
  const counts = countOutcomes(plan.outcomes);
  const writes = hasWrites(run, counts);
  try {
    await deps.mongo.transaction((transaction) => writePart(deps, run, planned, transaction));
  } finally {
    if (writes) await plan.tried?.();
  }
  if (writes) await plan.written?.();
  countRecords(deps, run, counts);
}

function hasWrites({ details }: Pick<PartRun, 'details'>, { created, updated }: PartCounts): boolean {
  return created + updated > 0 && !details.dryRun;
}

/** Tells the metrics what became of the records of a part. */
export function countRecords(
  { measures }: Pick<CommitPartDeps, 'measures'>,
  { section }: Pick<PartRun, 'section'>,
  counts: PartCounts,
): void {
  for (const [outcome, count] of Object.entries(counts)) {
    if (count > 0) measures?.recordsImported(section.key, outcome as Outcome['kind'], count);
  }
}

/** The writes of {@link commitPart}, in the transaction of the caller. @throws PartLost */
export async function writePart(
  { importParts, importOrganizations, importResults }: CommitPartDeps,
  { part, details, section, alongside }: PartRun,
  { plan, quotaOf, imported, errors = [] }: PlannedPart,
  transaction: Transaction,
): Promise<void> {
  const counts = countOutcomes(plan.outcomes);
  const report = reportOutcomes(plan.outcomes, { part, section });
  // First: if the part has ended, nothing of it is written.
  const own = part.count > 0 ? counts : noCounts;
  const ended = { ...own, ...(details.dryRun && quotaOf !== undefined && { quotaOf }) };
  if (!(await importParts.end(part, ended, transaction))) throw new PartLost();
  await alongside?.(own, transaction);
  if (hasWrites({ details }, counts)) await plan.write?.(transaction);
  if (imported !== undefined) await importOrganizations.mark(part.stagingId, imported, transaction);
  const result = {
    ...report,
    errors: [...report.errors, ...errors],
    ...(plan.losses && { losses: plan.losses }),
    ...(plan.comparison && { comparison: plan.comparison }),
    ...(details.dryRun && plan.reservations && { reservations: plan.reservations }),
  };
  await importResults.add(result, { part, expires: details.expires }, transaction);
}
