import { hash } from 'node:crypto';

/**
 * Keys are spread over this many hash slots, so that a Cluster shares the load. Each check needs only one
 * slot.
 */
export const bucketCount = 64;

/** The bucket of a user. */
export function revocationBucket(sub: string): number {
  return (hash('sha1', sub, 'buffer')[0] ?? 0) % bucketCount;
}

/** Groups users by their buckets. */
export function byBucket(subs: readonly string[]): Map<number, string[]> {
  const buckets = new Map<number, string[]>();
  for (const sub of subs) {
    const bucket = revocationBucket(sub);
    const list = buckets.get(bucket);
    if (list === undefined) buckets.set(bucket, [sub]);
    else list.push(sub);
  }
  return buckets;
}

/** The keys of a bucket in Redis. All are in one hash slot. */
export interface BucketKeys {
  /** @param name as `revocationKey` makes it */
  revocation(bucket: number, name: string): string;
  /** The last announced change of a user. */
  change(bucket: number, sub: string): string;
  /** Which server was filled, and with which generation. */
  epoch(bucket: number): string;
  generation(bucket: number): string;
}

/** @param prefix the beginning of all keys of the instance */
export function bucketKeysOf(prefix: string): BucketKeys {
  const keyOf = (bucket: number, name: string) => `${prefix}:rev:{${bucket}}:${name}`;
  return {
    revocation: keyOf,
    change: (bucket, sub) => keyOf(bucket, `changed:${sub}`),
    epoch: (bucket) => keyOf(bucket, 'epoch'),
    generation: (bucket) => keyOf(bucket, 'generation'),
  };
}
