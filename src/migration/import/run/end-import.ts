import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import { isOpen, type Job } from '#src/jobs/job.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { StagingStore } from '#src/jobs/staging.store.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { type ImportSummary, summaryOf } from '../report/import-summary.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import type { ImportDetails, ImportsStore } from '../stores/imports.store.js';

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
  const { jobs, imports, importParts, staging, mongo, events, clock } = deps;
  const [job, details] = await Promise.all([jobs.find(jobId), imports.find(jobId)]);
  if (job === undefined || details === undefined || isOpen(job)) return;
  if (details.stagingId !== undefined) {
    // Before the import ends: no process looks for its text afterwards.
    await importParts.endAll(details.stagingId);
    await staging.remove(details.stagingId);
  }
  if (details.ended === undefined) {
    const summary = await summaryOf(deps, details);
    await mongo.transaction(async (transaction) => {
      const now = clock.now();
      if (!(await imports.end(jobId, now, transaction))) return;
      await events.append([completedEvent({ job, details, summary, now })], transaction);
    });
  }
}

function completedEvent(of: { job: Job; details: ImportDetails; summary: ImportSummary; now: Date }) {
  const { job, details, summary, now } = of;
  const { form, dryRun, update, verify, requestedBy } = details;
  return newEvent('import.completed', {
    aggregate: 'job',
    id: job.id,
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
