import type { Clock } from '#src/platform/clock.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import type { JobKind } from './catalogue.js';
import { isOpen, type Job } from './job.js';
import type { JobQueue } from './job-queue.js';
import type { JobsStore } from './jobs.store.js';

/** The longest time between two reads of the record, in milliseconds. A report of the queue can be lost. */
const pollMs = 1_000;

interface AwaitedJob {
  readonly jobId: string;
  readonly kind: JobKind;
  readonly deadline: Date;
  readonly signal?: AbortSignal;
}

/**
 * Waits for the end of a job. At the deadline it ends the job itself: no worker can apply anything afterwards, and the
 * recorded parts are exactly what was applied. It also waits while MongoDB is away.
 * @returns the ended job; undefined if the record is gone or `signal` aborted
 * @throws the store's error if MongoDB is still away at the deadline; the deadline in the record then stops the workers
 */
export async function awaitJob(
  { jobs, jobQueue, clock }: { jobs: JobsStore; jobQueue: JobQueue; clock: Clock },
  { jobId, kind, deadline, signal }: AwaitedJob,
): Promise<Job | undefined> {
  for (;;) {
    const left = deadline.getTime() - clock.now().getTime();
    if (left <= 0) {
      await jobs.end(jobId, 'expired');
      return jobs.find(jobId);
    }
    await jobQueue.waitForEnd({ id: jobId, kind }, Math.min(left, pollMs), signal);
    if (signal?.aborted) return undefined;
    try {
      const job = await jobs.find(jobId);
      if (job === undefined || !isOpen(job)) return job;
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
    }
  }
}
