import type { JobKind } from './catalogue.js';
import { isOpen, type Job, type JobSummary } from './job.js';

/** The progress of a job. */
export interface JobProgress {
  readonly processed: number;
  readonly total: number;
  readonly errors: number;
  /** Only while the job runs. */
  readonly perSecond?: number;
  /** An estimate, only while the job runs. */
  readonly remainingSeconds?: number;
}

/** How jobs of one kind are shown. The room that runs the kind provides it. */
export interface JobView {
  /** The result of an ended job. */
  result?(job: Job): unknown;
  /** The same as JSON in pieces, for a result that may be large. */
  resultPieces?(job: Job): AsyncIterable<string>;
  /** The same without the parts that may be large. */
  resultSummary?(job: Job): Promise<unknown>;
  /** What the record of the job does not have: the progress that the kind counts, and whether an import is a dry run. */
  show?(job: JobSummary): Promise<Pick<ShownJob, 'progress' | 'dryRun'>>;
  /** The errors until this moment, one after the other. */
  errors?(job: Job): AsyncIterable<unknown>;
  /** What the job found to differ until this moment, one after the other. */
  differences?(job: Job): AsyncIterable<unknown>;
  /** What the job has created until this moment, or would create in a dry run, one after the other. */
  created?(job: Job): AsyncIterable<unknown>;
  /** Ends what the kind keeps beside the record of the job. Called after the job has ended. */
  end?(jobId: string): Promise<void>;
}

export type JobViews = Partial<Record<JobKind, JobView>>;

/** A job as the API and the jobs page show it. */
export interface ShownJob extends Omit<JobSummary, 'progress'> {
  readonly isOpen: boolean;
  readonly progress: JobProgress;
  /** Only of an import and of a verification: whether it changes nothing. */
  readonly dryRun?: boolean;
}

/** The job with what its kind adds. */
export async function showJob(views: JobViews, job: JobSummary): Promise<ShownJob> {
  return { ...job, isOpen: isOpen(job), ...(await views[job.kind]?.show?.(job)) };
}

/** The progress of a running job with its mean rate since its creation, and the time that the rest takes at this rate. */
export function withRate(
  { state, created, progress }: Pick<JobSummary, 'state' | 'created' | 'progress'>,
  now: Date,
): JobProgress {
  const { processed, total } = progress;
  const seconds = (now.getTime() - created.getTime()) / 1000;
  if (state !== 'running' || processed === 0 || seconds <= 0) return progress;
  const perSecond = processed / seconds;
  return { ...progress, perSecond, remainingSeconds: Math.ceil(Math.max(0, total - processed) / perSecond) };
}
