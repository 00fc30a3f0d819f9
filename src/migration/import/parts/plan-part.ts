import type { Clock } from '#src/platform/clock.js';
import type { PartComparison } from '../../digest/part-comparison.js';
import { recordSchemaOf } from '../lists/record-schemas.js';
import { failedOutcome } from '../lists/section/record-failure.js';
import type { Outcome, SectionContext, SectionPlan } from '../lists/section/section.js';
import type { ComparerDeps, PartComparer, ReserveDeps } from '../modes/mode.js';
import { LossCount, lossesOf, lossFailure, pathOf } from '../records/find-losses.js';
import { identifiersOf } from '../records/identifiers-of.js';
import type { ParsedRecord } from '../records/read-records.js';
import type { Alias, Loss } from '../stores/import-results.store.js';
import type { ClaimedPart } from './claimed-part.js';
import { planRecognized } from './plan-recognized.js';

export type PlanPartDeps = ReserveDeps & ComparerDeps & { readonly clock: Clock };

/** The records of a part, and the organization that has them. */
export interface PartRecords {
  readonly records: readonly ParsedRecord[];
  readonly orgId: string;
}

/** What a section is going to do with the records of a part, and what the records say beside. */
export type PartPlan = SectionPlan & {
  readonly losses?: readonly Loss[];
  readonly aliases?: readonly Alias[];
  /** What the comparer of the mode found. */
  readonly comparison?: PartComparison;
};

/** A plan, and the records that it is about. Those that a strict import refuses have failed. */
interface DecidedRecords {
  readonly plan: PartPlan;
  readonly records: readonly ParsedRecord[];
}

/** Plans the records that could be parsed, and adds the outcomes of the others. The comparer of the mode then sums up what it was told. */
export async function planPart(
  deps: PlanPartDeps,
  claimed: ClaimedPart,
  { records: given, orgId }: PartRecords,
): Promise<PartPlan> {
  const comparer = claimed.mode.compare(deps, { list: claimed.section.key, orgId });
  const { plan, records } = await decideRecords(deps, claimed, { records: given, orgId, comparer });
  const comparison = await comparer.end(records, plan.outcomes);
  const outcomes =
    claimed.mode.namesAsGiven && claimed.details.orgId !== undefined
      ? plan.outcomes.map((one, at) => asGiven(one, records[at]))
      : plan.outcomes;
  return { ...plan, outcomes, ...(comparison && { comparison }) };
}

/** The outcome of a record that would be added, under the identifier of the file. */
function asGiven(outcome: Outcome, record: ParsedRecord | undefined): Outcome {
  if (outcome.kind !== 'created') return outcome;
  return { ...outcome, id: record?.names?.get(outcome.id) ?? outcome.id };
}

/** Lets the section decide about the records that could be parsed. */
export async function decideRecords(
  deps: PlanPartDeps,
  claimed: ClaimedPart,
  { records: given, orgId, comparer }: PartRecords & { readonly comparer: PartComparer },
): Promise<DecidedRecords> {
  const { section } = claimed;
  const { records, losses } = withLosses(given, claimed);
  const parsed = records.flatMap((one, index) => ('failure' in one ? [] : [{ value: one.value, index }]));
  /** The place among all records of the part. */
  const placeOf = (record: number) => parsed[record]?.index ?? record;
  const failed = records.flatMap((one) => ('failure' in one ? [one.value] : []));
  const plan = await planRecognized(
    deps,
    claimed,
    parsed.map(({ value }) => value),
    { ...contextOf(deps, claimed), orgId, failed, compared: comparer.listen(placeOf) },
  );
  const outcomes = outcomesOf(records, plan.outcomes, section);
  const reservations = plan.reservations?.map(({ record, names }) => ({ record: placeOf(record), names }));
  const count = new LossCount();
  for (const { record, path } of plan.doubts ?? []) {
    count.add({ path: `${pathOf(section.key)}.${path}`, count: 1, ...records[placeOf(record)]?.place });
  }
  for (const loss of losses) count.add(loss);
  return {
    plan: { ...plan, outcomes, losses: count.list(), ...(reservations && { reservations }) },
    records,
  };
}

/** The outcomes of all records of a part, with those of records that could not be planned. */
function outcomesOf(
  records: readonly ParsedRecord[],
  planned: readonly Outcome[],
  { key }: ClaimedPart['section'],
): Outcome[] {
  let next = 0;
  return records.map((one): Outcome => {
    if ('failure' in one) return withPlace(failedOutcome(one.failure, one.id), one);
    const outcome = planned[next++];
    if (outcome === undefined) throw new Error(`The section ${key} left out a record`);
    return withPlace(outcome, one);
  });
}

/** What a section learns of the import, besides the records. */
function contextOf(
  deps: PlanPartDeps,
  claimed: ClaimedPart,
): Omit<SectionContext, 'orgId' | 'failed' | 'compared'> {
  const { orgId, form, update = false, requestedBy } = claimed.details;
  const { statedAttributes, unreadableHashes, withoutCredentials } = claimed.details;
  return {
    form,
    ...(unreadableHashes && { unreadableHashes }),
    ...(withoutCredentials && { withoutCredentials }),
    ...(statedAttributes && { statedAttributes: new Set(statedAttributes) }),
    editor: { userId: requestedBy, service: 'import' },
    update,
    isConfined: orgId !== undefined,
    now: deps.clock.now(),
    ...claimed.mode.reserve(deps, claimed),
  };
}

/** Finds the values of records that reach nothing. In a strict import, the records that have such values fail. */
function withLosses(
  records: readonly ParsedRecord[],
  { section, details }: Pick<ClaimedPart, 'section' | 'details'>,
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

/** The outcome with the identifiers of the file, which the person who sent it knows. */
function withGivenNames(
  outcome: Extract<Outcome, { kind: 'failed' }>,
  names: ParsedRecord['names'] = new Map(),
): Extract<Outcome, { kind: 'failed' }> {
  let { id, message } = outcome;
  for (const [made, given] of names) {
    if (id === made) id = given;
    message = message.replaceAll(made, () => given);
  }
  return { ...outcome, id, message };
}

/** Adds to the outcome of a record that failed where the record is, and what it says of itself. */
export function withPlace(outcome: Outcome, record: ParsedRecord): Outcome {
  if (outcome.kind !== 'failed') return outcome;
  const { value, identifiers = identifiersOf(value), names, place } = record;
  return { ...withGivenNames(outcome, names), identifiers, ...(place && { place }) };
}
