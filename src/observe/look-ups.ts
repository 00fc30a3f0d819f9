import type { Container } from '#src/rooms.js';
import { type JobKind, jobCatalogue } from '#src/jobs/catalogue.js';
import type { Lookups } from './metrics.js';

/** Reads the measurements that are taken only when metrics are scraped. */
export function lookUpsOf(
  container: Pick<Container, 'jobs' | 'jobQueue' | 'mongo' | 'redis' | 'clock'> & {
    readonly passwords: { readonly load: Lookups['hashLoad'] };
  },
): Lookups {
  const { passwords, jobs, jobQueue, mongo, redis, clock } = container;
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
