import type { JobKind } from '#src/jobs/catalogue.js';
import { isOpen } from '#src/jobs/job.js';
import type { JobQueue } from '#src/jobs/job-queue.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { Logger } from '#src/platform/logger.js';

/**
 * Puts jobs back into the queue that an attempt left open, because its process ends or others waited for its place, so
 * that a worker goes on with them when it is their turn.
 * What this cannot put back is found by recover-jobs.ts.
 */
export async function offerAgain(
  { jobs, jobQueue, logger }: { jobs: JobsStore; jobQueue: JobQueue; logger: Logger },
  kind: JobKind,
  jobIds: Iterable<string>,
): Promise<void> {
  for (const jobId of jobIds) {
    try {
      const job = await jobs.find(jobId);
      if (job !== undefined && isOpen(job)) await jobQueue.enqueue(kind, { jobId, orgId: job.turnOf });
    } catch (error) {
      logger.warn({ err: error, jobId }, 'a job that was left open could not be offered again');
    }
  }
}
