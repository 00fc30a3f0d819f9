import { newId } from '#src/platform/ids.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { type BucketKeys, byBucket, revocationBucket } from './revocation-buckets.js';
import type { TrustedBuckets } from './trusted-buckets.js';

/** Announces changes of users. */
export interface Stamps {
  /** The stamp of a user, as a check of a token returns it. Absent while Redis is not trusted. */
  stampOf(sub: string): Promise<string | undefined>;
  /** Announces a change of each of these users. Call it after the commit. It never fails. */
  restamp(...subs: string[]): Promise<void>;
  /**
   * {@link restamp}, which returns what the stamps were and what they are, by user. A user is left out while Redis is not trusted. If a
   * stamp was still the expected one, nobody else has announced a change of the user.
   */
  renewStamps(...subs: string[]): Promise<Map<string, { readonly before: string; readonly after: string }>>;
}

/** How long an announced change is remembered. No process keeps older data. */
const stampMs = 600_000;

/** Gives each of several users of a bucket the same new stamp. */
const setStamps = `
  for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end`;

/** {@link setStamps} that returns the epoch of the bucket, which is the first key, and the stamps before. */
const exchangeStamps = `
  local found = { redis.call('GET', KEYS[1]) }
  for index = 2, #KEYS do
    found[index] = redis.call('GET', KEYS[index])
    redis.call('SET', KEYS[index], ARGV[1], 'PX', ARGV[2])
  end
  return found`;

/** Keeps the last announced change of each user in Redis, beside the revocations. */
export function createStamps({
  redis,
  trusted,
  keys,
}: {
  redis: RedisConnection;
  trusted: TrustedBuckets;
  keys: BucketKeys;
}): Stamps {
  const changesOf = (bucket: number, subs: readonly string[]) => subs.map((sub) => keys.change(bucket, sub));

  return {
    async stampOf(sub) {
      const bucket = revocationBucket(sub);
      const [epoch, change] = await redis.mget(keys.epoch(bucket), keys.change(bucket, sub));
      return trusted.stampIn(bucket, epoch, change);
    },
    async restamp(...subs) {
      await Promise.all(
        [...byBucket(subs)].map(([bucket, some]) =>
          stampEach(redis, changesOf(bucket, some)).catch(() => trusted.distrust(bucket)),
        ),
      );
    },
    async renewStamps(...subs) {
      const renewed = new Map<string, { before: string; after: string }>();
      const renew = async (bucket: number, some: readonly string[]) => {
        const stamp = newId();
        const names = [keys.epoch(bucket), ...changesOf(bucket, some)];
        const reply = await redis.eval(exchangeStamps, names.length, ...names, stamp, stampMs);
        const [epoch, ...changes] = reply as (string | null)[];
        for (const [index, sub] of some.entries()) {
          const before = trusted.stampIn(bucket, epoch, changes[index]);
          const after = trusted.stampIn(bucket, epoch, stamp);
          if (before !== undefined && after !== undefined) renewed.set(sub, { before, after });
        }
      };
      await Promise.all(
        [...byBucket(subs)].map(([bucket, some]) =>
          renew(bucket, some).catch(() => trusted.distrust(bucket)),
        ),
      );
      return renewed;
    },
  };
}

/**
 * Gives each key of a bucket a new stamp. One script per bucket, because 1,000 single SETs take longer than the write of 1,000
 * members. All keys are in one hash slot, as a Cluster requires.
 */
async function stampEach(redis: RedisConnection, keys: readonly string[]): Promise<void> {
  const [key] = keys;
  if (key !== undefined && keys.length === 1) await redis.set(key, newId(), 'PX', stampMs);
  else await redis.eval(setStamps, keys.length, ...keys, newId(), stampMs);
}
