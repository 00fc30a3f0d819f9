import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { openJobQueue } from './job-queue.js';
import { createJobsStore, jobBodyIndexes, jobIndexes } from './jobs.store.js';
import { createStagingStore, stagingIndexes } from './staging.store.js';

/** The collections of the room, with their indexes. */
export const jobCollections = [jobIndexes, jobBodyIndexes, stagingIndexes];

type OpenJobsDeps = Omit<Parameters<typeof openJobQueue>[0], 'redisUrl'> & {
  readonly config: { readonly redisUrl: string };
  readonly mongo: Mongo;
  readonly clock: Clock;
  readonly sealer: (purpose: string) => Sealer;
};

/** What the room offers. */
export type OpenedJobs = Awaited<ReturnType<typeof openJobs>>;

/** Opens the records of jobs, and the queue. @throws StartFailure if Redis does not answer */
export async function openJobs(deps: OpenJobsDeps) {
  const { mongo, clock, sealer } = deps;
  return {
    jobs: createJobsStore(mongo, sealer('job-body'), clock),
    staging: createStagingStore(mongo, sealer('staging')),
    jobQueue: await openJobQueue({ ...deps, redisUrl: deps.config.redisUrl }),
  };
}
