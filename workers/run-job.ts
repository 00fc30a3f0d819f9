import type { Job as BullJob } from 'bullmq';
import { type JobDefinition, type JobKind, jobCatalogue } from '#src/jobs/catalogue.js';
import type { JobAttempt, JobsStore } from '#src/jobs/jobs.store.js';
import { UnreadableJob } from '#src/jobs/unreadable-job.js';
import type { Measures } from '#src/observe/measures.js';
import { StorageAway } from '#src/platform/blobs/transfer/storage-faults.js';
import { newId } from '#src/platform/ids.js';
import type { Logger } from '#src/platform/logger.js';
import { inSpan, type Tracing } from '#src/platform/tracing.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';

/** An attempt as its handler gets it. */
interface HandledAttempt extends JobAttempt {
  /** How often the job has stalled. */
  readonly stalls?: number;
  /** Tells that the job has ended. Otherwise its record is read, to queue it again if it is open. */
  readonly ended?: () => void;
}

/**
 * Does the work of one kind of job and records its parts. It may be called again after a crash. Work that may take longer
 * than the shutdown of a process returns when `stopping` aborts. If the job is still open, it is then queued again.
 */
export type JobHandler = (attempt: HandledAttempt, logger: Logger, stopping?: AbortSignal) => Promise<void>;

/** A job that stalled so often is stuck. A job stalls when its worker does not renew its lock. */
export const stallsOfStuck = 2;

/** A job as the queue has it. `stalledCounter`: how often it has stalled since it was queued, at `timestamp`. */
type QueuedJob = Pick<BullJob<QueuedData>, 'name' | 'data' | 'attemptsMade' | 'stalledCounter' | 'timestamp'>;

/** What the queue carries: the job's identifier, and the trace of the request that submitted it. */
export interface QueuedData {
  readonly jobId: string;
  readonly traceparent?: string;
}

interface RunJobDeps {
  readonly jobs: JobsStore;
  readonly logger: Logger;
  readonly measures?: Measures | undefined;
  readonly tracing?: Tracing | undefined;
}

/**
 * Runs one attempt of a job: gives it an identifier, a span in the trace of the request, and a log line at its end. If the
 * last attempt fails by a fault, or the job is stuck, it ends as failed.
 * @param ended see {@link HandledAttempt}
 * @throws what the handler throws, so that BullMQ tries again
 */
export async function runJob(
  { jobs, logger, measures, tracing }: RunJobDeps,
  handler: (attempt: HandledAttempt, logger: Logger) => Promise<void>,
  queued: QueuedJob,
  ended: () => void = () => undefined,
): Promise<void> {
  const { jobId, traceparent } = queued.data;
  const log = logger.child({ jobId, job: queued.name, attempt: queued.attemptsMade + 1 });
  const started = performance.now();
  const measure = (outcome: 'done' | 'retry' | 'failed') =>
    measures?.jobEnded(queued.name, { outcome, seconds: (performance.now() - started) / 1000 });
  if ((await countStall(jobs, queued)) >= stallsOfStuck) {
    measure('failed');
    log.error('the job fails, because workers have lost it twice without any progress');
    await jobs.end(jobId, 'failed');
    return;
  }
  try {
    await inSpan(tracing, { name: `job ${queued.name}`, kind: 'consumer', parent: traceparent }, () =>
      handler({ jobId, attemptId: newId(), stalls: queued.stalledCounter, ended }, log),
    );
    measure('done');
    log.info({ ms: Math.round(performance.now() - started) }, 'job done');
  } catch (error) {
    const { attempts } = jobCatalogue[queued.name as JobKind];
    // The job may succeed later if a store or the storage of a bucket is away, or if another worker can read it. It stays open until its
    // deadline, and recover-jobs.ts queues it again.
    const staysOpen =
      isStoreUnavailable(error) || error instanceof StorageAway || error instanceof UnreadableJob;
    const last = queued.attemptsMade + 1 >= attempts && !staysOpen;
    measure(last ? 'failed' : 'retry');
    log[last ? 'error' : 'warn']({ err: error, last }, 'job attempt failed');
    if (last) await jobs.end(jobId, 'failed');
    throw error;
  }
}

/** Counts that the job has stalled, if it did. @returns how often it has in a row, or 0 if its kind does not fail by that */
async function countStall(
  jobs: JobsStore,
  { name, data, stalledCounter, timestamp }: QueuedJob,
): Promise<number> {
  const { failsWhenStuck = false }: JobDefinition = jobCatalogue[name as JobKind];
  if (!failsWhenStuck || stalledCounter === 0) return 0;
  return jobs.countStall(data.jobId, `${timestamp}/${stalledCounter}`);
}
