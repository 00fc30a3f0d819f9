import type { Job as QueuedJob } from 'bullmq';
import { type JobKind, jobCatalogue } from '#src/jobs/catalogue.js';
import type { JobAttempt, JobsStore } from '#src/jobs/jobs.store.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { Logger } from '#src/platform/logger.js';

/** Does the work of one kind of job. It records its parts as it goes and may be called again after a crash. */
export type JobHandler = (attempt: JobAttempt, logger: Logger) => Promise<void>;

/**
 * What every job goes through: a name for this attempt, a log line at start and end, and the record closed as
 * failed when the last attempt failed.
 */
export async function runJob(
  { jobs, logger, clock }: { jobs: JobsStore; logger: Logger; clock: Clock },
  handler: JobHandler,
  queued: Pick<QueuedJob<{ jobId: string }>, 'name' | 'data' | 'attemptsMade'>,
): Promise<void> {
  const { jobId } = queued.data;
  const log = logger.child({ jobId, job: queued.name, attempt: queued.attemptsMade + 1 });
  const started = performance.now();
  try {
    await handler({ jobId, attemptId: newId() }, log);
    log.info({ ms: Math.round(performance.now() - started) }, 'job done');
  } catch (error) {
    const { attempts } = jobCatalogue[queued.name as JobKind];
    const last = queued.attemptsMade + 1 >= attempts;
    log[last ? 'error' : 'warn']({ err: error, last }, 'job attempt failed');
    if (last) await jobs.close(jobId, 'failed', clock.now());
    throw error;
  }
}
