import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import { isOpen, type JobSummary } from '#src/jobs/job.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { StagingStore } from '#src/jobs/staging.store.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { ImportCounts, ImportPartsStore } from '../stores/import-parts.store.js';
import type { ImportDetails, ImportsStore } from '../stores/imports.store.js';
import { detailsOf, keptAfter, keptIn } from '../stores/kept-imports.js';
import { countsOf, summaryFrom } from './import-summary.js';

export interface EndImportDeps {
  readonly mongo: Mongo;
  readonly jobs: JobsStore;
  readonly imports: ImportsStore;
  readonly importParts: ImportPartsStore;
  readonly staging: StagingStore;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/**
 * Ends an import whose job has ended: ends its parts, removes the staged text and records the counts in one event
 * `import.completed`. Several processes may call it for the same job. It does nothing if the job is open or no import.
 */
export async function endImport(deps: EndImportDeps, jobId: string): Promise<void> {
  const job = await deps.jobs.find(jobId);
  const details = job && !isOpen(job) ? await detailsOf(deps, job) : undefined;
  if (job !== undefined && details !== undefined) await endIfOpen(deps, { job, details });
}

/** {@link endImport} for a job that is known to have ended. @returns what is stored of its import; undefined if it is no import */
export async function endImportOf(deps: EndImportDeps, job: JobSummary): Promise<ImportDetails | undefined> {
  const details = await detailsOf(deps, job);
  if (details === undefined || details.ended !== undefined) return details;
  await endIfOpen(deps, { job, details });
  const ended = job.kept === undefined ? job : await deps.jobs.find(job.id);
  return ended && detailsOf(deps, ended);
}

async function endIfOpen(
  deps: EndImportDeps,
  { job, details }: { job: JobSummary; details: ImportDetails },
): Promise<void> {
  // What follows has been done then.
  if (details.ended !== undefined) return;
  const { stagingId } = details;
  if (stagingId !== undefined && job.kept === undefined) {
    // Before the import ends: no process looks for its text afterwards.
    await deps.importParts.endAll(stagingId);
    await deps.staging.remove(stagingId);
  }
  const counts = await countsOf(deps, details);
  await deps.mongo.transaction((transaction) => recordEnd(deps, { job, details, counts }, transaction));
}

/** Records the end of an import and its event, unless it had ended before. */
async function recordEnd(
  { jobs, imports, events, clock }: EndImportDeps,
  { job, details, counts }: { job: JobSummary; details: ImportDetails; counts: ImportCounts },
  transaction: Transaction,
): Promise<void> {
  const now = clock.now();
  const kept = keptIn(job);
  const isFirst =
    kept === undefined
      ? await imports.end(job.id, { at: now, counts }, transaction)
      : await jobs.replaceKept(job.id, keptAfter(kept, { at: now, counts }), transaction);
  if (isFirst) await events.append([completedEvent({ job, details, counts, now })], transaction);
}

/** The event of an import that has ended. */
export function completedEvent(of: {
  job: Pick<JobSummary, 'id' | 'state'>;
  details: ImportDetails;
  counts: ImportCounts;
  now: Date;
}) {
  const { job, details, counts, now } = of;
  const summary = summaryFrom(counts, details);
  const { orgId, form, dryRun, update, verify, requestedBy } = details;
  return newEvent('import.completed', {
    aggregate: 'job',
    id: job.id,
    ...(orgId !== undefined && { orgId }),
    editor: { userId: requestedBy, service: 'import' },
    // The event `job.cancelled` is the first one of a cancelled job.
    sequence: job.state === 'cancelled' ? 2 : 1,
    date: now,
    payload: {
      state: job.state,
      form,
      dryRun,
      ...(update && { update }),
      ...(verify && { verify: true }),
      ...summary,
    },
  });
}
