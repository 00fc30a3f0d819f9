import { type JobKind, jobCatalogue } from '#src/jobs/catalogue.js';
import type { OpenedJobs } from '#src/jobs/open-jobs.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { Lookups } from './metrics.js';

interface LookUpDeps extends Pick<OpenedJobs, 'jobs' | 'jobQueue'> {
  readonly mongo: Pick<Mongo, 'pool'>;
  readonly redis: Pick<RedisConnection, 'status'>;
  readonly clock: Clock;
  readonly passwords: { readonly load: Lookups['hashLoad'] };
}

/** Reads the measurements that are taken only when metrics are scraped. */
export function lookUpsOf({ passwords, jobs, jobQueue, mongo, redis, clock }: LookUpDeps): Lookups {
  return {
    hashLoad: passwords.load,
    jobs: () => jobQueue.counts(),
    async oldestWaiting() {
      const now = clock.now().getTime();
      const [recorded, part] = await Promise.all([
        jobs.oldestQueued(),
        jobQueue.oldestWaiting('import-part'),
      ]);
      const since = new Map(recorded.map(({ kind, created }) => [kind, created]));
      // Parts of an import have no job record.
      if (part !== undefined) since.set('import-part', part);
      return (Object.keys(jobCatalogue) as JobKind[]).map((kind) => {
        const created = since.get(kind)?.getTime() ?? now;
        return { kind, seconds: Math.max(0, (now - created) / 1000) };
      });
    },
    mongoPool: mongo.pool,
    redisReady: () => redis.status === 'ready',
  };
}
