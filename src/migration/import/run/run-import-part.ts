import type { Job } from '#src/jobs/job.js';
import { isOpen } from '#src/jobs/job.js';
import type { StagingStore } from '#src/jobs/staging.store.js';
import { AppError } from '#src/platform/errors.js';
import type { Logger } from '#src/platform/logger.js';
import { isDuplicateKey, type Mongo } from '#src/platform/mongo/mongo.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { type ParsedRecord, readRecords } from '../scan/read-records.js';
import { type ImportCode, importCodes } from '../sections/import-codes.js';
import { failedOutcome, PlanOutdated, RecordFailure } from '../sections/record-failure.js';
import type {
  ImportSection,
  ImportSections,
  Outcome,
  SectionContext,
  SectionPlan,
} from '../sections/section.js';
import type { ImportOrganization, ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportPart, ImportPartsStore } from '../stores/import-parts.store.js';
import type { ImportResultsStore, ReportedError } from '../stores/import-results.store.js';
import type { ImportDetails } from '../stores/imports.store.js';
import { type ImportRightDeps, keepsRight } from './end-if-not-permitted.js';
import { countOutcomes, reportOutcomes } from './report-outcomes.js';
import { reservingRecords } from './reserving-records.js';
import { splitPart } from './split-part.js';

export interface RunImportPartDeps extends ImportRightDeps {
  readonly mongo: Mongo;
  readonly importParts: ImportPartsStore;
  readonly importOrganizations: ImportOrganizationsStore;
  readonly importResults: ImportResultsStore;
  readonly staging: StagingStore;
  readonly logger: Logger;
  readonly importSections: ImportSections;
  /** Counts what became of records. */
  readonly measures?:
    | { recordsImported(section: string, outcome: Outcome['kind'], count: number): void }
    | undefined;
}

/** Plans that a part gets before it is split: others may be writing the same. */
const tries = 4;

/** Raised inside a transaction when the part was done or closed meanwhile. */
class PartLost extends Error {}

interface Run {
  readonly part: ImportPart;
  readonly record: ImportDetails;
  readonly section: ImportSection;
}

/**
 * Imports one part. Promise: what it creates, the events of that and the part's own end are one transaction, so that a
 * part is imported once, whoever else tries and whatever crashes, and not at all once it was closed or who asked for the
 * import has lost the right. One bad record stops no other: what fails for no known reason is tried again record by record.
 */
export async function runImportPart(deps: RunImportPartDeps, partId: string): Promise<void> {
  const part = await deps.importParts.findWaiting(partId);
  if (part === undefined) return;
  const [job, record] = await Promise.all([deps.jobs.find(part.jobId), deps.imports.find(part.jobId)]);
  const section = record && deps.importSections.find(part.section, record.form);
  if (job === undefined || record === undefined || section === undefined) return;
  if (!mayRun(deps, job, record) || !(await keepsRight(deps, record))) return;
  const run = { part, record, section };
  for (let attempt = 1; ; attempt++) {
    try {
      await importPart(deps, run);
      return;
    } catch (error) {
      if (error instanceof PartLost) return;
      if (isForLater(error)) throw error;
      if (isOvertaken(error) && attempt < tries) continue;
      deps.logger.warn({ err: error, partId }, 'a part of an import is tried record by record');
      await splitOrFail(deps, run, error);
      return;
    }
  }
}

/** A store is away, or hashes wait in such a number: the part is offered again. */
function isForLater(error: unknown): boolean {
  return isStoreUnavailable(error) || (error instanceof AppError && error.definition.kind === 'unavailable');
}

function mayRun({ clock }: RunImportPartDeps, job: Job, { deadline }: ImportDetails): boolean {
  return isOpen(job) && clock.now() < deadline;
}

async function importPart(deps: RunImportPartDeps, run: Run): Promise<void> {
  const { part } = run;
  const organizations = await deps.importOrganizations.range(part.stagingId, {
    from: part.org,
    count: Math.max(part.orgs, 1),
  });
  if (part.orgs > 0) return importOrganizations(deps, run, organizations);
  const [organization] = organizations;
  if (organization?.imported !== true || organization.orgId === undefined) {
    // Its error is told once, by the organization.
    const counts = { created: 0, skipped: 0, failed: part.count };
    return deps.mongo.transaction(async (transaction) => {
      if (!(await deps.importParts.end(part, counts, transaction))) throw new PartLost();
    });
  }
  const records = await readRecords(deps.staging, part);
  const plan = await planReadable(deps, run, { records, orgId: organization.orgId });
  await commit(deps, run, { plan });
}

async function importOrganizations(
  deps: RunImportPartDeps,
  run: Run,
  organizations: readonly ImportOrganization[],
): Promise<void> {
  const records = organizations.map(({ orgId, org }) => ({ value: { orgId, org } }));
  const plan = await planReadable(deps, run, { records, orgId: '' });
  const imported = new Map(
    organizations.map(({ index }, place) => [index, plan.outcomes[place]?.kind !== 'failed']),
  );
  const errors = organizations.filter(({ index }) => imported.get(index) === true).flatMap(leftOutError);
  await commit(deps, run, { plan, imported, errors });
}

/** What is told of lists of an organization that are not imported. The organization itself is none the worse for it. */
function leftOutError({ orgId = '', leftOut = [] }: ImportOrganization): ReportedError[] {
  if (leftOut.length === 0) return [];
  const code: ImportCode = 'LIST-UNKNOWN';
  const message = `${code}: ${importCodes[code]}: ${leftOut.join(', ')}`;
  return [{ type: 'org', id: orgId.slice(0, 200), message }];
}

/** Plans the records that could be read; the others have their outcome already. */
async function planReadable(
  deps: RunImportPartDeps,
  { part, record, section }: Run,
  { records, orgId }: { records: readonly ParsedRecord[]; orgId: string },
): Promise<SectionPlan> {
  const { form, dryRun, requestedBy } = record;
  const context: SectionContext = {
    orgId,
    form,
    editor: { userId: requestedBy, service: 'import' },
    now: deps.clock.now(),
    findReserved: async (names) =>
      dryRun ? deps.importResults.findReserved(part.stagingId, names) : new Set<string>(),
    findReservingRecords: async (names, key = section.key) =>
      dryRun ? reservingRecords(deps, part.stagingId, { names, section: key }) : [],
  };
  const readable = records.flatMap((one, place) => ('value' in one ? [{ value: one.value, place }] : []));
  const plan = await section.plan(
    readable.map(({ value }) => value),
    context,
  );
  const planned = [...plan.outcomes].reverse();
  const outcomes = records.map((one): Outcome => {
    if ('failure' in one) return failedOutcome(one.failure, one.id);
    const outcome = planned.pop();
    if (outcome === undefined) throw new Error(`The section ${section.key} left out a record`);
    return outcome;
  });
  const reservations = plan.reservations?.map(({ record: at, names }) => ({
    record: readable[at]?.place ?? at,
    names,
  }));
  return { ...plan, outcomes, ...(reservations && { reservations }) };
}

async function commit(
  { mongo, importParts, importOrganizations, importResults, measures }: RunImportPartDeps,
  { part, record, section }: Run,
  {
    plan,
    imported,
    errors = [],
  }: { plan: SectionPlan; imported?: ReadonlyMap<number, boolean>; errors?: readonly ReportedError[] },
): Promise<void> {
  const counts = countOutcomes(plan.outcomes);
  const isCounted = part.count > 0;
  const report = reportOutcomes(plan.outcomes, { part, section });
  const writes = counts.created > 0 && !record.dryRun;
  await mongo.transaction(async (transaction) => {
    // The fence first: should the part be lost, nothing of it is even written.
    const own = isCounted ? counts : { created: 0, skipped: 0, failed: 0 };
    if (!(await importParts.end(part, own, transaction))) throw new PartLost();
    if (writes) await plan.write?.(transaction);
    if (imported !== undefined) await importOrganizations.mark(part.stagingId, imported, transaction);
    const all = [...report.errors, ...errors];
    const result = {
      ...report,
      errors: all,
      ...(record.dryRun && plan.reservations && { reservations: plan.reservations }),
    };
    await importResults.add(result, { part, expires: record.expires }, transaction);
  });
  if (writes) await plan.written?.();
  for (const outcome of ['created', 'skipped', 'failed'] as const) {
    if (counts[outcome] > 0) measures?.recordsImported(section.key, outcome, counts[outcome]);
  }
}

/** Whether somebody else wrote the same first. */
function isOvertaken(error: unknown): boolean {
  return isDuplicateKey(error) || error instanceof PlanOutdated;
}

/** A part of one record fails; a larger one is split, so that only the record that is at fault does. */
async function splitOrFail(deps: RunImportPartDeps, run: Run, error: unknown): Promise<void> {
  const { part } = run;
  const smaller = splitPart(part);
  if (smaller.length > 1) {
    await deps.mongo.transaction((transaction) => deps.importParts.replace(part, smaller, transaction));
    for (const { id } of smaller) await runImportPart(deps, id);
    return;
  }
  deps.logger.error({ err: error, partId: part.id }, 'a record could not be imported');
  const failure = new RecordFailure(isOvertaken(error) ? 'CONFLICT' : 'FAULT');
  const plan = { outcomes: [failedOutcome(failure, '')] };
  const imported = part.orgs > 0 ? new Map([[part.org, false]]) : undefined;
  try {
    await commit(deps, run, { plan, ...(imported && { imported }) });
  } catch (lost) {
    if (!(lost instanceof PartLost)) throw lost;
  }
}
