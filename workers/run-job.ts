import type { Job as QueuedJob } from 'bullmq';
import { type JobKind, jobCatalogue } from '#src/jobs/catalogue.js';
import type { JobAttempt, JobsStore } from '#src/jobs/jobs.store.js';
import type { Measures } from '#src/observe/measures.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { Logger } from '#src/platform/logger.js';
import { inSpan, type Tracing } from '#src/platform/tracing.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';

/**
 * Does the work of one kind of job. It records its parts as it goes and may be called again after a crash. What takes
 * longer than a process gets at its end returns when `stopping` aborts; the job is offered again as long as it is open.
 */
export type JobHandler = (attempt: JobAttempt, logger: Logger, stopping?: AbortSignal) => Promise<void>;

/** What the queue carries: which job, and whose trace it belongs to. */
export interface QueuedData {
  readonly jobId: string;
  readonly traceparent?: string;
}

export interface RunJobDeps {
  readonly jobs: JobsStore;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly measures?: Measures | undefined;
  readonly tracing?: Tracing | undefined;
}

/**
 * What every job goes through: a name for this attempt, a span in the trace of who handed it over, a log line at start
 * and end, and the record closed as failed when the last attempt failed by a fault.
 */
export async function runJob(
  { jobs, logger, clock, measures, tracing }: RunJobDeps,
  handler: (attempt: JobAttempt, logger: Logger) => Promise<void>,
  queued: Pick<QueuedJob<QueuedData>, 'name' | 'data' | 'attemptsMade'>,
): Promise<void> {
  const { jobId, traceparent } = queued.data;
  const log = logger.child({ jobId, job: queued.name, attempt: queued.attemptsMade + 1 });
  const started = performance.now();
  const ended = (outcome: 'done' | 'retry' | 'failed') =>
    measures?.jobEnded(queued.name, { outcome, seconds: (performance.now() - started) / 1000 });
  try {
    await inSpan(tracing, { name: `job ${queued.name}`, kind: 'consumer', parent: traceparent }, () =>
      handler({ jobId, attemptId: newId() }, log),
    );
    ended('done');
    log.info({ ms: Math.round(performance.now() - started) }, 'job done');
  } catch (error) {
    const { attempts } = jobCatalogue[queued.name as JobKind];
    // A store that is away fails no job, however long it is: the job stays open, and is offered again (recover-jobs.ts).
    const last = queued.attemptsMade + 1 >= attempts && !isStoreUnavailable(error);
    ended(last ? 'failed' : 'retry');
    log[last ? 'error' : 'warn']({ err: error, last }, 'job attempt failed');
    if (last) await jobs.close(jobId, 'failed', clock.now());
    throw error;
  }
}
