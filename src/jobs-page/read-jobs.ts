import type { JobKind } from '#src/jobs/catalogue.js';
import { isOpen, type JobSummary } from '#src/jobs/job.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { Clock } from '#src/platform/clock.js';

/** How far a job is. */
export interface ShownProgress {
  readonly processed: number;
  readonly total: number;
  readonly errors: number;
  /** While it runs. */
  readonly perSecond?: number;
  readonly remainingSeconds?: number;
}

/** Kinds whose progress is more than what the record of the job counts. */
export type ProgressOfKinds = Partial<
  Record<JobKind, { progress?(job: JobSummary): Promise<ShownProgress> }>
>;

export interface ShownJob extends Omit<JobSummary, 'progress'> {
  readonly isOpen: boolean;
  readonly progress: ShownProgress;
}

export interface JobsPage {
  /** The newest first. */
  readonly jobs: readonly ShownJob[];
  /** After which the older ones begin. */
  readonly next?: string;
}

const pageSize = 25;

/** Jobs of the whole instance as operators see them, from the newest or from below one on. */
export async function readJobs(
  deps: { jobs: Pick<JobsStore, 'page'>; clock: Clock },
  kinds: ProgressOfKinds,
  after?: string,
): Promise<JobsPage> {
  const query = { limit: pageSize + 1, ...(after !== undefined && { after }) };
  const found = await deps.jobs.page(undefined, query);
  const now = deps.clock.now();
  const jobs = await Promise.all(
    found.slice(0, pageSize).map(async (job) => ({
      ...job,
      isOpen: isOpen(job),
      progress: (await kinds[job.kind]?.progress?.(job)) ?? paced(job, now),
    })),
  );
  const last = found.length > pageSize ? jobs.at(-1) : undefined;
  return { jobs, ...(last && { next: last.id }) };
}

/** The progress of the record, and what it makes of the time since the job was asked for. */
function paced({ state, progress, created }: JobSummary, now: Date): ShownProgress {
  const seconds = (now.getTime() - created.getTime()) / 1000;
  if (state !== 'running' || progress.processed === 0 || seconds <= 0) return progress;
  const perSecond = progress.processed / seconds;
  const left = Math.max(0, progress.total - progress.processed);
  return { ...progress, perSecond, ...(left > 0 && { remainingSeconds: Math.ceil(left / perSecond) }) };
}
