import type { JobQueue } from '#src/jobs/job-queue.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';

const intervalMs = 15_000;
/** A job this old that is still open is offered to the queue again; the queue ignores what it has. */
const lostAfterMs = 10_000;

/**
 * Puts jobs back that a Redis which lost its data has forgotten, and closes those whose API process died before
 * their deadline. Returns a function that stops it.
 */
export function recoverJobs(deps: {
  jobs: JobsStore;
  jobQueue: JobQueue;
  clock: Clock;
  logger: Logger;
}): () => void {
  const { jobs, jobQueue, clock, logger } = deps;
  const offer = async () => {
    const before = new Date(clock.now().getTime() - lostAfterMs);
    await jobs.expire(1_000);
    for (const job of await jobs.openSince(before, 1_000)) await jobQueue.enqueue(job.kind, job.id);
  };
  const timer = setInterval(() => {
    offer().catch((error: unknown) => logger.warn({ err: error }, 'open jobs could not be offered again'));
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
