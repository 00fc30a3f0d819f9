import { newId } from '#src/platform/ids.js';
import type { Logger } from '#src/platform/logger.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { watchServers } from '#src/platform/redis/redis-servers.js';
import { createSingleFlight } from '#src/platform/work/single-flight.js';
import { type BucketKeys, bucketCount } from './revocation-buckets.js';
import type { Revocation, RevocationsStore } from './revocations.store.js';
import { createStaleBuckets } from './stale-buckets.js';

/** Knows in which buckets Redis is trusted, and fills the others again. */
export interface TrustedBuckets {
  /**
   * The stamp of a user in a bucket, from its keys. A change that could not be announced begins another generation, and so
   * does a Redis that lost it. A bucket that is not trusted has no stamp, and is filled again.
   */
  stampIn(bucket: number, epoch?: string | null, change?: string | null): string | undefined;
  /** Stops trusting a bucket. It waits for one attempt to tell the other processes. */
  distrust(bucket: number): Promise<void>;
}

/** Marks a bucket as trusted, unless the bucket was dropped since its generation was read. */
const setEpoch = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[2], ARGV[2]) end`;

/**
 * Each bucket has an epoch key with the run id of the Redis server that was filled, and the generation of the filling. A
 * restarted Redis, a Redis without its keys and a promoted replica have another epoch or none. The bucket is then filled again
 * before Redis is trusted.
 *
 * A process that lost its connection to Redis drops all epochs when it is back, because any process may have
 * revoked something in between. The generation is dropped with the epoch, so that a refill that began earlier cannot restore
 * it.
 * @param write writes a revocation to Redis
 */
export function createTrustedBuckets({
  redis,
  store,
  logger,
  keys,
  write,
}: {
  redis: RedisConnection;
  store: RevocationsStore;
  logger: Logger;
  keys: BucketKeys;
  write: (revocation: Revocation) => Promise<void>;
}): TrustedBuckets {
  const stale = createStaleBuckets({
    logger,
    forget: (bucket) => redis.unlink(keys.epoch(bucket), keys.generation(bucket)),
    isClosed: () => redis.status === 'end',
  });
  const refillOnce = createSingleFlight<number, void>();
  const servers = watchServers(redis, () => {
    // Revocations that could not reach Redis are only in MongoDB.
    for (let bucket = 0; bucket < bucketCount; bucket++) stale.add(bucket);
  });

  /** Fills a bucket in the background, one fill at a time. If the fill fails, MongoDB keeps answering. */
  function refill(bucket: number, runId: string): void {
    void refillOnce(bucket, async () => {
      try {
        const generationKey = keys.generation(bucket);
        await redis.set(generationKey, newId(), 'NX');
        const generation = await redis.get(generationKey);
        if (generation === null) return;
        for await (const revocation of store.ofBucket(bucket)) await write(revocation);
        if (stale.has(bucket)) return;
        const epoch = `${runId} ${generation}`;
        await redis.eval(setEpoch, 2, generationKey, keys.epoch(bucket), generation, epoch);
      } catch (error) {
        logger.warn({ err: error, bucket }, 'revocations could not be refilled');
      }
    });
  }

  return {
    stampIn(bucket, epoch = null, change = null) {
      const current = stale.has(bucket) ? undefined : servers.runIdFor(keys.epoch(bucket));
      if (current === undefined) return undefined;
      if (epoch?.startsWith(`${current} `)) return `${epoch} ${change ?? ''}`;
      refill(bucket, current);
      return undefined;
    },
    distrust: (bucket) => stale.add(bucket),
  };
}
