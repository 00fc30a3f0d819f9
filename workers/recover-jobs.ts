import type { JobQueue } from '#src/jobs/job-queue.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

const intervalMs = 15_000;
/** Redis may be well before the queue's own connection is. */
const againAfterMs = 1_000;
const limit = 1_000;

/**
 * Puts jobs back that a Redis which lost its data has forgotten, and closes those whose API process died before
 * their deadline: at start, whenever Redis is back, and now and then for whatever else lost a job. The queue
 * ignores what it has, and a job that ended meanwhile is not done again.
 * @param concludeClosed does what is left to do for jobs that were closed
 * @returns a function that stops it
 */
export function recoverJobs(
  deps: { jobs: JobsStore; jobQueue: JobQueue; redis: RedisConnection; clock: Clock; logger: Logger },
  concludeClosed: () => Promise<void>,
): () => void {
  const { jobs, jobQueue, redis, clock, logger } = deps;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const offerAll = async () => {
    await jobs.expire(limit);
    for (const { id: jobId, kind, turnOf } of await jobs.openSince(clock.now(), limit)) {
      await jobQueue.enqueue(kind, { jobId, orgId: turnOf });
    }
    await concludeClosed();
  };
  const recover = () => {
    clearTimeout(timer);
    offerAll()
      .then(
        () => intervalMs,
        (error: unknown) => {
          logger.warn({ err: error }, 'open jobs could not be offered again');
          return againAfterMs;
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
