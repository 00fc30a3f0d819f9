import type { Clock } from '#src/platform/clock.js';
import type { PartComparison } from '../../digest/part-comparison.js';
import type { RecordSums } from '../../digest/record-sums.js';
import { comparePart } from '../../verify/compare-part.js';
import { recordSchemaOf } from '../lists/record-schemas.js';
import { failedOutcome, RecordFailure } from '../lists/section/record-failure.js';
import type {
  Comparison,
  ImportSections,
  Outcome,
  SectionContext,
  SectionPlan,
} from '../lists/section/section.js';
import { LossCount, lossesOf, lossFailure, pathOf } from '../records/find-losses.js';
import { identifiersOf } from '../records/identifiers-of.js';
import type { ParsedRecord } from '../records/read-records.js';
import { type ReservingRecordsDeps, reservingRecords } from '../modes/reserving-records.js';
import type { ImportResultsStore, Loss } from '../stores/import-results.store.js';
import type { PartRun } from './claimed-part.js';

export interface PlanPartDeps extends ReservingRecordsDeps {
  readonly clock: Clock;
  readonly importResults: Pick<ImportResultsStore, 'findReserved' | 'findReserving'>;
  readonly importSections: ImportSections;
  readonly recordSums: Pick<RecordSums, 'of'>;
}

/** The records of a part, and the organization that has them. */
export interface PartRecords {
  readonly records: readonly ParsedRecord[];
  readonly orgId: string;
}

/** What a section is going to do with the records of a part, and what the records say beside. */
export type PartPlan = SectionPlan & {
  readonly losses?: readonly Loss[];
  /** Only in a verification. */
  readonly comparison?: PartComparison;
};

/**
 * Plans the records that could be parsed, and adds the outcomes of the others. In a verification it also compares them.
 * @param isRefused the organization cannot be imported, so that no record of it can
 */
export async function planPart(
  deps: PlanPartDeps,
  run: PartRun,
  { records: given, orgId, isRefused = false }: PartRecords & { isRefused?: boolean },
): Promise<PartPlan> {
  const { section, details } = run;
  const { records, losses: unused } = withLosses(given, run);
  const comparisons = new Map<number, Comparison>();
  const parsed = records.flatMap((one, index) => ('failure' in one ? [] : [{ value: one.value, index }]));
  /** The place among all records of the part. */
  const placeOf = (record: number) => parsed[record]?.index ?? record;
  const failed = records.flatMap((one) => ('failure' in one ? [one.value] : []));
  const compared = (record: number, comparison: Comparison) => comparisons.set(placeOf(record), comparison);
  const plan = await section.plan(
    parsed.map(({ value }) => value),
    { ...contextOf(deps, run), orgId, failed, ...(details.verify && { compared }) },
  );
  const planned = [...plan.outcomes].reverse();
  const outcomes = records.map((one): Outcome => {
    if ('failure' in one) return withPlace(failedOutcome(one.failure, one.id), one);
    const outcome = planned.pop();
    if (outcome === undefined) throw new Error(`The section ${section.key} left out a record`);
    return withPlace(outcome, one);
  });
  const reservations = plan.reservations?.map(({ record, names }) => ({ record: placeOf(record), names }));
  const losses = new LossCount();
  for (const { record, path } of plan.kept ?? []) {
    losses.add({ path: `${pathOf(section.key)}.${path}`, count: 1, ...records[placeOf(record)]?.place });
  }
  for (const loss of unused) losses.add(loss);
  const comparison =
    details.verify &&
    (await comparePart(deps.recordSums, {
      list: section.key,
      orgId,
      records,
      outcomes: isRefused ? outcomes.map(refusedOutcome) : outcomes,
      comparisons,
    }));
  return {
    ...plan,
    outcomes,
    losses: losses.list(),
    ...(reservations && { reservations }),
    ...(comparison && { comparison }),
  };
}

/** What a section learns of the import, besides the records. */
function contextOf(
  deps: PlanPartDeps,
  { part: { stagingId }, details, section }: PartRun,
): Omit<SectionContext, 'orgId' | 'failed' | 'compared'> {
  const { form, dryRun, update = false, requestedBy, verify } = details;
  // The parts of one phase are verified at once, so none of them counts on another.
  const earlier = verify && deps.importSections.before(section.phase);
  const isEarlier = (key: string) => earlier === undefined || earlier.includes(key);
  return {
    form,
    editor: { userId: requestedBy, service: 'import' },
    update,
    now: deps.clock.now(),
    findReserved: async (names) =>
      dryRun
        ? deps.importResults.findReserved(stagingId, names, earlier && { sections: earlier })
        : new Set<string>(),
    findReservingRecords: async (names, key = section.key) =>
      dryRun && isEarlier(key) ? reservingRecords(deps, stagingId, { names, section: key }) : [],
  };
}

/** The outcome of a record whose organization cannot be imported. */
export function refusedOutcome({ id }: Pick<Outcome, 'id'>): Outcome {
  return failedOutcome(new RecordFailure('ORG-FAILED'), id);
}

/** Finds the values of records that reach nothing. In a strict import, the records that have such values fail. */
function withLosses(
  records: readonly ParsedRecord[],
  { section, details }: Pick<PartRun, 'section' | 'details'>,
): { records: readonly ParsedRecord[]; losses: readonly Loss[] } {
  const schema = recordSchemaOf(section, details.form);
  const count = new LossCount();
  const checked = records.map((record) => {
    const paths = lossesOf(record, { key: section.key, schema });
    for (const path of paths) count.add({ path, count: 1, ...record.place });
    if (paths.length === 0 || details.strict !== true || 'failure' in record) return record;
    const id = Object.values(identifiersOf(record.value))[0] ?? '';
    return { ...record, failure: lossFailure(paths), id };
  });
  return { records: checked, losses: count.list() };
}

/** Adds to the outcome of a record that failed where the record is, and what it says of itself. */
export function withPlace(outcome: Outcome, record: ParsedRecord): Outcome {
  if (outcome.kind !== 'failed') return outcome;
  const { value, identifiers = identifiersOf(value), place } = record;
  return { ...outcome, identifiers, ...(place && { place }) };
}
