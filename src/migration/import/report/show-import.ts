import type { JobSummary } from '#src/jobs/job.js';
import { type ShownJob, withRate } from '#src/jobs/job-view.js';
import type { Clock } from '#src/platform/clock.js';
import { countsOf } from '../end/import-summary.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import type { ImportsStore } from '../stores/imports.store.js';
import { detailsOf } from '../stores/kept-imports.js';

/** Whether an import is a dry run, and its progress. While it runs, also its rate to one decimal and the time that the rest takes. */
export async function showImport(
  deps: { imports: ImportsStore; importParts: ImportPartsStore; clock: Clock },
  job: Pick<JobSummary, 'id' | 'state' | 'created' | 'kept'>,
): Promise<Pick<ShownJob, 'progress' | 'dryRun'>> {
  const { state, created } = job;
  const details = await detailsOf(deps, job);
  const { total, remaining, failed } = await countsOf(deps, details ?? {});
  const counted = { processed: total - remaining, total, errors: failed };
  const { perSecond, ...progress } = withRate({ state, created, progress: counted }, deps.clock.now());
  const rate = perSecond !== undefined && { perSecond: Math.round(perSecond * 10) / 10 };
  return { ...(details && { dryRun: details.dryRun }), progress: { ...progress, ...rate } };
}
