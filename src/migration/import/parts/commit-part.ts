import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Outcome, SignIns } from '../lists/section/section.js';
import type { ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportPartsStore, PartCounts } from '../stores/import-parts.store.js';
import type { ImportResultsStore, PartResult, ReportedError } from '../stores/import-results.store.js';
import { type ClaimedPart, PartLost } from './claimed-part.js';
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
  /** The quota for which later parts of a dry run count the created records: see `PartEnd`. */
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
  deps: CommitPartDeps,
  claimed: ClaimedPart,
  commit: PartCommit,
): Promise<void> {
  const { plan } = commit;
  const counts = countOutcomes(plan.outcomes);
  const effects = claimed.mode.effectsOf(plan, counts);
  try {
    await deps.mongo.transaction((transaction) => writePart(deps, claimed, commit, transaction));
  } finally {
    await effects.tried?.();
  }
  await effects.written?.();
  countRecords(deps, claimed, counts);
}

/** Tells the metrics what became of the records of a part. Nothing becomes of those of a dry run. */
export function countRecords(
  { measures }: Pick<CommitPartDeps, 'measures'>,
  { section, mode }: Pick<ClaimedPart, 'section' | 'mode'>,
  { created, updated, skipped, failed }: PartCounts,
): void {
  if (!mode.isReal) return;
  for (const [outcome, count] of Object.entries({ created, updated, skipped, failed })) {
    if (count > 0) measures?.recordsImported(section.key, outcome as Outcome['kind'], count);
  }
}

/** The writes of {@link commitPart}. @throws PartLost */
async function writePart(
  { importParts, importOrganizations, importResults }: CommitPartDeps,
  claimed: ClaimedPart,
  commit: PartCommit,
  transaction: Transaction,
): Promise<void> {
  const { part, details, mode, alongside } = claimed;
  const { plan, quotaOf, imported } = commit;
  const counts = countOutcomes(plan.outcomes);
  const result = resultOf(claimed, commit);
  // First: if the part has ended, nothing of it is written.
  const written = part.count > 0 ? counts : noCounts;
  const ended = { ...written, ...(quotaOf !== undefined && { quotaOf }) };
  if (!(await importParts.end(part, ended, transaction))) throw new PartLost();
  await alongside?.({ counts: written, result }, transaction);
  await mode.effectsOf(plan, counts).write?.(transaction);
  if (imported !== undefined) await importOrganizations.mark(part.stagingId, imported, transaction);
  await importResults.add(result, { part, expires: details.expires }, transaction);
}

/** What the report says of a part, and what later parts have to know. */
export function resultOf(
  { part, section, mode }: ClaimedPart,
  { plan, errors = [] }: PartCommit,
): PartResult {
  const report = reportOutcomes(plan.outcomes, { part, section });
  return {
    ...report,
    errors: [...report.errors, ...errors],
    ...(plan.losses && { losses: plan.losses }),
    ...(hasCounts(plan.signIns) && { signIns: plan.signIns }),
    ...(plan.aliases && { aliases: plan.aliases }),
    ...mode.note(plan),
  };
}

function hasCounts(signIns: SignIns | undefined): signIns is SignIns {
  return signIns !== undefined && Object.values(signIns).some((count) => count > 0);
}
