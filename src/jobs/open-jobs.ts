import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { createGiveWay } from './give-way.js';
import { openJobQueue } from './job-queue.js';
import { createJobsStore, jobBodyIndexes, jobIndexes } from './jobs.store.js';
import { createLateSignal } from './late-signal.js';
import { createStagingStore, stagingIndexes } from './staging.store.js';

/** The collections of the room, with their indexes. */
export const jobCollections = [jobIndexes, jobBodyIndexes, stagingIndexes];

type OpenJobsDeps = Omit<Parameters<typeof openJobQueue>[0], 'redisUrl'> & {
  readonly config: { readonly redisUrl: string };
  readonly mongo: Mongo;
  readonly clock: Clock;
  readonly redis: RedisConnection;
  readonly sealer: (purpose: string) => Sealer;
};

/** What the room offers. */
export type OpenedJobs = Awaited<ReturnType<typeof openJobs>>;

/** Opens the records of jobs, and the queue. @throws StartFailure if Redis does not answer */
export async function openJobs(deps: OpenJobsDeps) {
  const { mongo, clock, sealer } = deps;
  const lateSignal = createLateSignal(deps);
  return {
    /** An API process gives it. */
    lateSignal,
    /** The jobs of a worker give way. */
    giveWay: createGiveWay(lateSignal),
    jobs: createJobsStore(mongo, sealer('job-body'), clock),
    staging: createStagingStore(mongo, sealer('staging')),
    jobQueue: await openJobQueue({ ...deps, redisUrl: deps.config.redisUrl }),
  };
}
