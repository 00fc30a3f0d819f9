import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import { isOpen, type Job } from '#src/jobs/job.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { StagingStore } from '#src/jobs/staging.store.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { type ImportSummary, summaryOf } from '../report/import-summary.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import type { ImportRecord, ImportsStore } from '../stores/imports.store.js';

export interface ConcludeImportDeps {
  readonly mongo: Mongo;
  readonly jobs: JobsStore;
  readonly imports: ImportsStore;
  readonly importParts: ImportPartsStore;
  readonly staging: StagingStore;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/**
 * Ends an import whose job is closed: no part can be imported from then on, the staged text is gone, and one
 * `import.completed` event tells the counts. Any number of callers may do it, in any process; a job that is still open,
 * or is no import, is left alone.
 */
export async function concludeImport(deps: ConcludeImportDeps, jobId: string): Promise<void> {
  const { jobs, imports, importParts, staging, mongo, events, clock } = deps;
  const [job, record] = await Promise.all([jobs.find(jobId), imports.find(jobId)]);
  if (job === undefined || record === undefined || isOpen(job)) return;
  if (record.stagingId !== undefined) {
    // Before the end is recorded: nobody comes back for it afterwards.
    await importParts.close(record.stagingId);
    await staging.remove(record.stagingId);
  }
  if (record.concluded === undefined) {
    const summary = await summaryOf(deps, record);
    await mongo.transaction(async (transaction) => {
      const now = clock.now();
      if (!(await imports.conclude(jobId, now, transaction))) return;
      await events.append([completedEvent({ job, record, summary, now })], transaction);
    });
  }
}

function completedEvent(of: { job: Job; record: ImportRecord; summary: ImportSummary; now: Date }) {
  const { job, record, summary, now } = of;
  const { form, dryRun, requestedBy } = record;
  return newEvent('import.completed', {
    aggregate: 'job',
    id: job.id,
    editor: { userId: requestedBy, service: 'import' },
    // After `job.cancelled`, where somebody cancelled it.
    sequence: job.state === 'cancelled' ? 2 : 1,
    date: now,
    payload: { state: job.state, form, dryRun, ...summary },
  });
}
