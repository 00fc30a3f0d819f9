import { type JobViews, type ShownJob, showJob, withRate } from '#src/jobs/job-view.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { Clock } from '#src/platform/clock.js';

export interface JobsPage {
  /** The newest first. */
  readonly jobs: readonly ShownJob[];
  /** The last job of this page, if older ones follow. */
  readonly next?: string;
}

const pageSize = 25;

/** One page of the jobs of the whole instance: the newest, or those that are older than `after`. */
export async function readJobs(
  deps: { jobs: Pick<JobsStore, 'page'>; clock: Clock },
  views: JobViews,
  after?: string,
): Promise<JobsPage> {
  const query = { limit: pageSize + 1, ...(after !== undefined && { after }) };
  const found = await deps.jobs.page(undefined, query);
  const now = deps.clock.now();
  const jobs = await Promise.all(
    found.slice(0, pageSize).map(async (job) => {
      const shown = await showJob(views, job);
      return shown.progress.perSecond === undefined ? { ...shown, progress: withRate(shown, now) } : shown;
    }),
  );
  const last = found.length > pageSize ? jobs.at(-1) : undefined;
  return { jobs, ...(last && { next: last.id }) };
}
