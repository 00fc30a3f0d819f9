import { isOpen } from '#src/jobs/job.js';
import type { JobQueue } from '#src/jobs/job-queue.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { Logger } from '#src/platform/logger.js';

/**
 * Queues jobs again that an attempt left open, because its process ends or other jobs waited for its place.
 * recover-jobs.ts finds those for which this fails.
 */
export async function offerAgain(
  { jobs, jobQueue, logger }: { jobs: JobsStore; jobQueue: JobQueue; logger: Logger },
  jobIds: Iterable<string>,
): Promise<void> {
  for (const jobId of jobIds) {
    try {
      const job = await jobs.find(jobId);
      if (job !== undefined && isOpen(job)) await jobQueue.enqueue(job);
    } catch (error) {
      logger.warn({ err: error, jobId }, 'a job that was left open could not be queued again');
    }
  }
}
