import type { Quotas } from '#src/directory/quotas/quotas.js';
import { isOpen } from '#src/jobs/job.js';
import type { StagingStore } from '#src/jobs/staging.store.js';
import { AppError } from '#src/platform/errors.js';
import type { Logger } from '#src/platform/logger.js';
import { isDuplicateKey } from '#src/platform/mongo/mongo.js';
import { isServersFault, isStoreUnavailable, RefusedByServer } from '#src/platform/unavailable.js';
import { comparePart, type PartComparison } from '../../verify/compare-part.js';
import { identifiersOf } from '../scan/identifiers-of.js';
import { type ParsedRecord, readRecords } from '../scan/read-records.js';
import { type ImportCode, importCodes } from '../sections/import-codes.js';
import { failedOutcome, PlanOutdated, RecordFailure } from '../sections/record-failure.js';
import { recordSchemaOf } from '../sections/record-schemas.js';
import type { Comparison, ImportSections, Outcome, SectionContext } from '../sections/section.js';
import type { ImportOrganization } from '../stores/import-organizations.store.js';
import type { Loss, ReportedError } from '../stores/import-results.store.js';
import {
  type CommitPartDeps,
  commitPart,
  type ParsedPlan,
  PartLost,
  type PartRun,
  type PlannedPart,
} from './commit-part.js';
import { type EndIfNotPermittedDeps, endIfNotPermitted } from './end-if-not-permitted.js';
import { LossCount, lossesOf, lossFailure } from './find-losses.js';
import { countOutcomes, noCounts } from './report-outcomes.js';
import { reservingRecords } from './reserving-records.js';
import { splitPart } from './split-part.js';

export interface RunImportPartDeps extends EndIfNotPermittedDeps, CommitPartDeps {
  readonly staging: StagingStore;
  readonly logger: Logger;
  readonly quotas: Pick<Quotas, 'upTo' | 'left' | 'exceeded'>;
  readonly importSections: ImportSections;
}

/** How often a part is planned before it is split. Other writers may change the same objects in between. */
const tries = 4;

/**
 * Imports one part. Promise: the records that it creates, their events and the end of the part commit together. A part
 * is therefore imported at most once. It is not imported after the job has ended or the requester has lost the
 * permission. One bad record stops no other: a part that fails for an unknown reason is imported record by record.
 * @param options `isStuck`: workers have lost the part, so it is not tried as a whole again
 * @throws when a store is unavailable or too many password hashes wait; the queue then offers the part again
 */
export async function runImportPart(
  deps: RunImportPartDeps,
  partId: string,
  { isStuck = false }: { isStuck?: boolean } = {},
): Promise<void> {
  const part = await deps.importParts.findWaiting(partId);
  if (part === undefined) return;
  const [job, details] = await Promise.all([deps.jobs.find(part.jobId), deps.imports.find(part.jobId)]);
  const section = details && deps.importSections.find(part.section, details.form);
  if (job === undefined || details === undefined || section === undefined) return;
  if (!isOpen(job) || deps.clock.now() >= details.deadline) return;
  if (await endIfNotPermitted(deps, details)) return;
  const run = { part, details, section };
  if (isStuck) {
    // The import queues the smaller parts, so that each has losses of its own.
    await splitOrFail(deps, run, new Error('Workers have lost this part'));
    return;
  }
  for (let attempt = 1; ; attempt++) {
    try {
      await importPart(deps, run);
      return;
    } catch (error) {
      if (error instanceof PartLost) return;
      if (isForLater(error)) throw error;
      // Good records must not be reported as faulty for it.
      if (isServersFault(error)) throw new RefusedByServer(error);
      if (isOvertaken(error) && attempt < tries) continue;
      deps.logger.warn({ err: error, partId }, 'a part of an import failed and is imported record by record');
      for (const smaller of await splitOrFail(deps, run, error)) await runImportPart(deps, smaller);
      return;
    }
  }
}

/** Whether the part may succeed later: a store is unavailable, or too many password hashes wait. */
function isForLater(error: unknown): boolean {
  return isStoreUnavailable(error) || (error instanceof AppError && error.definition.kind === 'unavailable');
}

async function importPart(deps: RunImportPartDeps, run: PartRun): Promise<void> {
  const { part } = run;
  const organizations = await deps.importOrganizations.range(part.stagingId, {
    from: part.org,
    count: Math.max(part.orgs, 1),
  });
  if (part.orgs > 0) return commitPart(deps, run, await planOrganizations(deps, run, organizations));
  await importList(deps, run, organizations[0]);
}

/** Imports a part of one list. @param organization its organization, with the outcome of that */
export async function importList(
  deps: RunImportPartDeps,
  run: PartRun,
  organization: ImportOrganization | undefined,
): Promise<void> {
  const { part } = run;
  if (organization?.imported !== true || organization.orgId === undefined) {
    // The records fail without errors of their own: the organization has the error.
    const counts = { ...noCounts, failed: part.count };
    const comparison = run.details.verify && (await refusedPart(deps, run, organization?.orgId));
    return deps.mongo.transaction(async (transaction) => {
      if (!(await deps.importParts.end(part, counts, transaction))) throw new PartLost();
      await run.alongside?.(counts, transaction);
      if (comparison === undefined) return;
      const result = {
        partId: part.id,
        org: part.org,
        section: part.section,
        created: [],
        errors: [],
        comparison,
      };
      await deps.importResults.add(result, { part, expires: run.details.expires }, transaction);
    });
  }
  const records = await readRecords(deps.staging, part);
  await importRecords(deps, run, { records, orgId: organization.orgId });
}

/** The comparison of a part whose organization cannot be imported: the service could not have its records either. */
async function refusedPart(
  deps: RunImportPartDeps,
  run: PartRun,
  orgId: string | undefined,
): Promise<PartComparison | undefined> {
  const { part } = run;
  const records = await readRecords(deps.staging, part);
  // Read as those of other organizations, so that the file has the same digest whether or not the organization is there.
  if (orgId !== undefined)
    return (await planParsed(deps, run, { records, orgId, isRefused: true })).comparison;
  const outcomes = records.map(() => refusedOutcome({ id: '' }));
  return comparePart({ list: part.section, orgId: '', records, outcomes });
}

function refusedOutcome({ id }: Pick<Outcome, 'id'>): Outcome {
  return failedOutcome(new RecordFailure('ORG-FAILED'), id);
}

/**
 * Imports the records of one organization, as many as its quota allows. A dry run takes no places. It counts what its earlier
 * parts would create.
 */
async function importRecords(
  deps: RunImportPartDeps,
  run: PartRun,
  { records, orgId }: { records: readonly ParsedRecord[]; orgId: string },
): Promise<void> {
  const plan = await planParsed(deps, run, { records, orgId });
  const { quota: kind } = run.section;
  // A verification adds nothing, so no quota matters.
  if (kind === undefined || run.details.verify !== undefined) return commitPart(deps, run, { plan });
  const count = countOutcomes(plan.outcomes).created;
  const quotaOf = `${kind} ${orgId}`;
  const upTo = async (allowed: number): Promise<number> => {
    if (allowed === count) {
      await commitPart(deps, run, { plan, quotaOf });
      return count;
    }
    const failure = new RecordFailure('QUOTA-EXCEEDED', (await deps.quotas.exceeded(orgId, kind)).message);
    const fitting = failAfter(allowed, { records, outcomes: plan.outcomes, failure });
    const smaller = await planParsed(deps, run, { records: fitting, orgId });
    await commitPart(deps, run, { plan: smaller, quotaOf });
    return countOutcomes(smaller.outcomes).created;
  };
  if (!run.details.dryRun) return deps.quotas.upTo(orgId, { kind, count }, upTo);
  const left = await deps.quotas.left(orgId, kind);
  const earlier = Number.isFinite(left) ? await createdEarlier(deps, run, quotaOf) : 0;
  await upTo(Math.max(0, Math.min(count, left - earlier)));
}

function createdEarlier(
  { importParts }: RunImportPartDeps,
  { part, section }: PartRun,
  quotaOf: string,
): Promise<number> {
  return importParts.countCreated(part.stagingId, { phase: section.phase, quotaOf });
}

/** Keeps the records of the first `allowed` creations, and those that create nothing. The others fail. */
function failAfter(
  allowed: number,
  part: { records: readonly ParsedRecord[]; outcomes: readonly Outcome[]; failure: RecordFailure },
): ParsedRecord[] {
  let left = allowed;
  return part.records.map((record, index) => {
    const outcome = part.outcomes[index];
    if (outcome?.kind !== 'created' || left-- > 0) return record;
    return { ...record, failure: part.failure, id: outcome.id };
  });
}

/** Plans a part of organizations. */
export async function planOrganizations(
  deps: RunImportPartDeps,
  run: PartRun,
  organizations: readonly ImportOrganization[],
): Promise<PlannedPart & { readonly imported: ReadonlyMap<number, boolean> }> {
  const records = organizations.map(({ orgId, org, ignored, ...at }) => ({
    value: { orgId, ...(org !== undefined && { org }) },
    ...placeOfOrganization(at),
    ...(ignored && { ignored }),
  }));
  const plan = await planParsed(deps, run, { records, orgId: '' });
  const imported = new Map(organizations.map(({ index }, at) => [index, hasLists(plan.outcomes[at])]));
  const errors = organizations.filter(({ index }) => imported.get(index) === true).flatMap(leftOutError);
  return { plan, imported, errors };
}

/** Whether the lists of an organization are imported. In a verification, those of one with other settings are compared. */
function hasLists(outcome: Outcome | undefined): boolean {
  return outcome?.kind !== 'failed' || outcome.code === 'OTHER-CONTENT';
}

function placeOfOrganization({ line, position }: Pick<ImportOrganization, 'line' | 'position'>) {
  if (line === undefined || position === undefined) return {};
  return { place: { line, position } };
}

/** The error for the lists of an organization that are not imported. The organization itself is imported. */
function leftOutError({ orgId = '', leftOut = [], moreLeftOut, ...at }: ImportOrganization): ReportedError[] {
  if (leftOut.length === 0) return [];
  const code: ImportCode = 'LIST-UNKNOWN';
  const more = moreLeftOut === undefined ? '' : ` and ${moreLeftOut} more`;
  const message = `${code}: ${importCodes[code]}: ${leftOut.join(', ')}${more}`;
  return [{ type: 'org', id: orgId.slice(0, 200), message, ...placeOfOrganization(at).place }];
}

/** Plans the records that could be parsed, and adds the outcomes of the others. */
async function planParsed(
  deps: RunImportPartDeps,
  { part, details, section }: PartRun,
  {
    records: given,
    orgId,
    isRefused = false,
  }: { records: readonly ParsedRecord[]; orgId: string; isRefused?: boolean },
): Promise<ParsedPlan> {
  const { form, dryRun, update = false, requestedBy, verify } = details;
  const { records, losses: unused } = withLosses(given, { section, details });
  const comparisons = new Map<number, Comparison>();
  const parsed = records.flatMap((one, index) => ('failure' in one ? [] : [{ value: one.value, index }]));
  // The parts of one phase are verified at once, so none of them counts on another.
  const earlier = verify && deps.importSections.before(section.phase);
  const isEarlier = (key: string) => earlier === undefined || earlier.includes(key);
  const context: SectionContext = {
    orgId,
    form,
    editor: { userId: requestedBy, service: 'import' },
    update,
    failed: records.flatMap((one) => ('failure' in one ? [one.value] : [])),
    now: deps.clock.now(),
    findReserved: async (names) =>
      dryRun
        ? deps.importResults.findReserved(part.stagingId, names, earlier && { sections: earlier })
        : new Set<string>(),
    findReservingRecords: async (names, key = section.key) =>
      dryRun && isEarlier(key) ? reservingRecords(deps, part.stagingId, { names, section: key }) : [],
    ...(verify && {
      compared: (record: number, comparison: Comparison) =>
        comparisons.set(parsed[record]?.index ?? record, comparison),
    }),
  };
  const plan = await section.plan(
    parsed.map(({ value }) => value),
    context,
  );
  const planned = [...plan.outcomes].reverse();
  const outcomes = records.map((one): Outcome => {
    if ('failure' in one) return located(failedOutcome(one.failure, one.id), one);
    const outcome = planned.pop();
    if (outcome === undefined) throw new Error(`The section ${section.key} left out a record`);
    return located(outcome, one);
  });
  const reservations = plan.reservations?.map(({ record, names }) => ({
    record: parsed[record]?.index ?? record,
    names,
  }));
  const losses = new LossCount();
  for (const { record, path } of plan.kept ?? []) {
    const place = parsed[record]?.index ?? record;
    losses.add({ path: `orgs[].${section.key}[].${path}`, count: 1, ...records[place]?.place });
  }
  for (const loss of unused) losses.add(loss);
  const compared = isRefused ? outcomes.map(refusedOutcome) : outcomes;
  const comparison =
    verify && comparePart({ list: section.key, orgId, records, outcomes: compared, comparisons });
  return {
    ...plan,
    outcomes,
    losses: losses.list(),
    ...(reservations && { reservations }),
    ...(comparison && { comparison }),
  };
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
function located(outcome: Outcome, record: ParsedRecord): Outcome {
  if (outcome.kind !== 'failed') return outcome;
  const { value, identifiers = identifiersOf(value), place } = record;
  return { ...outcome, identifiers, ...(place && { place }) };
}

/** Whether another writer changed the same objects first. */
function isOvertaken(error: unknown): boolean {
  return isDuplicateKey(error) || error instanceof PlanOutdated;
}

/**
 * Splits a part, so that only the faulty record fails. A part of one record fails.
 * @returns the identifiers of the smaller parts
 */
async function splitOrFail(deps: RunImportPartDeps, run: PartRun, error: unknown): Promise<string[]> {
  const { part } = run;
  const smaller = splitPart(part);
  if (smaller.length > 1) {
    await deps.mongo.transaction((transaction) => deps.importParts.replace(part, smaller, transaction));
    return smaller.map(({ id }) => id);
  }
  deps.logger.error({ err: error, partId: part.id }, 'a record could not be imported');
  const failure = new RecordFailure(isOvertaken(error) ? 'CONFLICT' : 'FAULT');
  const [record = {}] = part.orgs > 0 ? [] : await readRecords(deps.staging, part);
  const outcomes = [located(failedOutcome(failure, ''), { ...record, failure, id: '' })];
  const [organization] =
    part.orgs > 0 ? [] : await deps.importOrganizations.range(part.stagingId, { from: part.org, count: 1 });
  const orgId = organization?.orgId ?? '';
  const compared = { list: part.section, orgId, records: [record], outcomes };
  const plan = { outcomes, ...(run.details.verify && { comparison: comparePart(compared) }) };
  const imported = part.orgs > 0 ? new Map([[part.org, false]]) : undefined;
  try {
    await commitPart(deps, run, { plan, ...(imported && { imported }) });
  } catch (lost) {
    if (!(lost instanceof PartLost)) throw lost;
  }
  return [];
}
