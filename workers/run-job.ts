import type { Job as BullJob } from 'bullmq';
import { type JobKind, jobCatalogue } from '#src/jobs/catalogue.js';
import type { JobAttempt, JobsStore } from '#src/jobs/jobs.store.js';
import type { Measures } from '#src/observe/measures.js';
import { newId } from '#src/platform/ids.js';
import type { Logger } from '#src/platform/logger.js';
import { inSpan, type Tracing } from '#src/platform/tracing.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';

/**
 * Does the work of one kind of job and records its parts. It may be called again after a crash. Work that may take longer
 * than the shutdown of a process returns when `stopping` aborts. If the job is still open, it is then queued again.
 */
export type JobHandler = (attempt: JobAttempt, logger: Logger, stopping?: AbortSignal) => Promise<void>;

/** What the queue carries: the job's identifier, and the trace of the request that submitted it. */
export interface QueuedData {
  readonly jobId: string;
  readonly traceparent?: string;
}

export interface RunJobDeps {
  readonly jobs: JobsStore;
  readonly logger: Logger;
  readonly measures?: Measures | undefined;
  readonly tracing?: Tracing | undefined;
}

/**
 * Runs one attempt of a job: gives it an identifier, a span in the trace of the request, and a log line at its end. If the
 * last attempt fails by a fault, the job ends as failed.
 * @throws what the handler throws, so that BullMQ tries again
 */
export async function runJob(
  { jobs, logger, measures, tracing }: RunJobDeps,
  handler: (attempt: JobAttempt, logger: Logger) => Promise<void>,
  queued: Pick<BullJob<QueuedData>, 'name' | 'data' | 'attemptsMade'>,
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
    // A store that is away fails no job, however long it takes: the job stays open, and recover-jobs.ts queues it again.
    const last = queued.attemptsMade + 1 >= attempts && !isStoreUnavailable(error);
    ended(last ? 'failed' : 'retry');
    log[last ? 'error' : 'warn']({ err: error, last }, 'job attempt failed');
    if (last) await jobs.end(jobId, 'failed');
    throw error;
  }
}
