import type { Logger } from '#src/platform/logger.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** How long one report counts, in milliseconds. */
const countsMs = 750;

/** By this signal API processes tell the workers that requests take longer than usual. */
export interface LateSignal {
  /** Tells it. It is not waited for, and without Redis nobody hears it. */
  report(): void;
  /** Whether a process has reported it in the last 0.75 s. @throws if Redis does not answer */
  isReported(): Promise<boolean>;
}

export function createLateSignal(deps: {
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly logger: Logger;
}): LateSignal {
  const key = `${deps.prefix}:late`;
  return {
    report() {
      deps.redis
        .set(key, '1', 'PX', countsMs)
        .catch((err: unknown) => deps.logger.debug({ err }, 'no worker was told that requests are late'));
    },
    isReported: async () => (await deps.redis.exists(key)) === 1,
  };
}
