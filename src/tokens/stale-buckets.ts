import type { Logger } from '#src/platform/logger.js';

const retryMs = 250;

/** Buckets in which Redis is not trusted until all processes know. */
interface StaleBuckets {
  has(bucket: number): boolean;
  /**
   * Stops trusting a bucket. It waits for one attempt to tell the other processes. Further attempts follow
   * until one succeeds.
   */
  add(bucket: number): Promise<void>;
}

/** @param forget makes every process fill the bucket again before it trusts Redis */
export function createStaleBuckets(deps: {
  forget: (bucket: number) => Promise<unknown>;
  isClosed: () => boolean;
  logger: Logger;
}): StaleBuckets {
  /**
   * Each bucket with a mark of its latest addition. An attempt that began before that addition does not
   * count.
   */
  const added = new Map<number, symbol>();
  const retrying = new Set<number>();

  async function forgetOne(bucket: number, isRetry = false): Promise<void> {
    const mark = added.get(bucket);
    try {
      await deps.forget(bucket);
      if (added.get(bucket) === mark) added.delete(bucket);
    } catch (error) {
      if (!isRetry) deps.logger.warn({ err: error, bucket }, 'epoch could not be dropped');
      retryLater(bucket);
    }
  }

  function retryLater(bucket: number): void {
    if (retrying.has(bucket) || deps.isClosed()) return;
    retrying.add(bucket);
    setTimeout(() => {
      retrying.delete(bucket);
      if (added.has(bucket)) void forgetOne(bucket, true);
    }, retryMs).unref();
  }

  return {
    has: (bucket) => added.has(bucket),
    add(bucket) {
      added.set(bucket, Symbol());
      return forgetOne(bucket);
    },
  };
}
