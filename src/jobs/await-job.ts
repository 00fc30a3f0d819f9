import type { Clock } from '#src/platform/clock.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { isOpen, type Job } from './job.js';
import type { JobQueue } from './job-queue.js';
import type { JobsStore } from './jobs.store.js';

/** Longest time between two looks at the record, for reports of the queue that got lost. */
const pollMs = 1_000;

/**
 * Waits for a job's end until the deadline, then closes it: from that moment on no worker can apply anything
 * more, and the parts that are recorded are exactly what was done. A database that is away for a while is waited
 * for too. One that is still away at the deadline fails this; the deadline in the record then stops the workers.
 */
export async function awaitJob(
  { jobs, jobQueue, clock }: { jobs: JobsStore; jobQueue: JobQueue; clock: Clock },
  { jobId, deadline, signal }: { jobId: string; deadline: Date; signal?: AbortSignal },
): Promise<Job | undefined> {
  for (;;) {
    const left = deadline.getTime() - clock.now().getTime();
    if (left <= 0) return jobs.close(jobId, 'expired', clock.now());
    await jobQueue.ended(jobId, Math.min(left, pollMs), signal);
    if (signal?.aborted) return undefined;
    try {
      const job = await jobs.find(jobId);
      if (job === undefined || !isOpen(job)) return job;
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
    }
  }
}
