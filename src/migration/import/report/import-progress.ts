import type { JobSummary } from '#src/jobs/job.js';
import { type JobProgress, withRate } from '#src/jobs/job-view.js';
import type { Clock } from '#src/platform/clock.js';
import { countsOf } from '../end/import-summary.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import type { ImportsStore } from '../stores/imports.store.js';

/** The progress of an import. While it runs, also its rate to one decimal and the time that the rest takes. */
export async function importProgress(
  deps: { imports: ImportsStore; importParts: ImportPartsStore; clock: Clock },
  { id, state, created }: Pick<JobSummary, 'id' | 'state' | 'created'>,
): Promise<JobProgress> {
  const details = await deps.imports.find(id);
  const { total, remaining, failed } = await countsOf(deps, details ?? {});
  const counted = { processed: total - remaining, total, errors: failed };
  const { perSecond, ...progress } = withRate({ state, created, progress: counted }, deps.clock.now());
  return perSecond === undefined ? progress : { ...progress, perSecond: Math.round(perSecond * 10) / 10 };
}
