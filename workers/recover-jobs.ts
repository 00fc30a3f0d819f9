import type { JobQueue } from '#src/jobs/job-queue.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

const intervalMs = 15_000;
/** The pause after a failure. When Redis is back, the queue's own connection may follow a little later. */
const retryMs = 1_000;
/** The number of jobs that one round ends or queues at most. */
const limit = 1_000;

/**
 * Queues open jobs that the queue does not have: Redis lost its data, or the job was submitted while Redis was away.
 * Also ends jobs whose deadline has passed because their API process died. Runs at start, whenever Redis is back, and
 * every 15 seconds. The queue ignores jobs that it has.
 * @param endImports ends the imports of jobs that have ended
 * @returns a function that stops it
 */
export function recoverJobs(
  deps: { jobs: JobsStore; jobQueue: JobQueue; redis: RedisConnection; clock: Clock; logger: Logger },
  endImports: () => Promise<void>,
): () => void {
  const { jobs, jobQueue, redis, clock, logger } = deps;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const queueOpenJobs = async () => {
    await jobs.endLate(limit);
    for (const job of await jobs.openBefore(clock.now(), limit)) await jobQueue.enqueue(job);
    await endImports();
  };
  const recover = () => {
    clearTimeout(timer);
    queueOpenJobs()
      .then(
        () => intervalMs,
        (error: unknown) => {
          logger.warn({ err: error }, 'open jobs could not be queued again');
          return retryMs;
        },
      )
      .then((pauseMs) => {
        clearTimeout(timer);
        if (!stopped) timer = setTimeout(recover, pauseMs).unref();
      });
  };
  redis.on('ready', recover);
  recover();
  return () => {
    stopped = true;
    redis.off('ready', recover);
    clearTimeout(timer);
  };
}
