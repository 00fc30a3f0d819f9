import type { Logger } from '#src/platform/logger.js';

const retryMs = 250;

/** Buckets that Redis is not to be believed about, until every process is told so. */
export interface StaleBuckets {
  has(bucket: number): boolean;
  /** Not believed from now on. Waits for one try to tell the others; further tries follow until one succeeds. */
  add(bucket: number): Promise<void>;
}

/** @param forget makes every process fill the bucket again before it believes Redis */
export function createStaleBuckets(deps: {
  forget: (bucket: number) => Promise<unknown>;
  isClosed: () => boolean;
  logger: Logger;
}): StaleBuckets {
  /** Each with the last time that it was added: a try that began before that does not count. */
  const added = new Map<number, symbol>();
  const retrying = new Set<number>();

  async function attempt(bucket: number, again = false): Promise<void> {
    const mark = added.get(bucket);
    try {
      await deps.forget(bucket);
      if (added.get(bucket) === mark) added.delete(bucket);
    } catch (error) {
      if (!again) deps.logger.warn({ err: error, bucket }, 'epoch could not be dropped');
      retryLater(bucket);
    }
  }

  function retryLater(bucket: number): void {
    if (retrying.has(bucket) || deps.isClosed()) return;
    retrying.add(bucket);
    setTimeout(() => {
      retrying.delete(bucket);
      if (added.has(bucket)) void attempt(bucket, true);
    }, retryMs).unref();
  }

  return {
    has: (bucket) => added.has(bucket),
    add(bucket) {
      added.set(bucket, Symbol());
      return attempt(bucket);
    },
  };
}
