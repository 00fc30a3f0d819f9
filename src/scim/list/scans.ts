import { AppError } from '#src/platform/errors.js';
import { createDistributedLock } from '#src/platform/redis/distributed-lock.js';
import { createCoolDown } from '#src/platform/work/cool-down.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import type { ScimNeeds } from '../needs/needs.js';
import { scimErrors } from '../protocol/errors.js';

const longestWaitMs = 10_000;
const mostWaiting = 31;

const detail =
  `More than ${mostWaiting} searches of the organization that read every user wait, or this one has waited for ` +
  `${longestWaitMs / 1000} seconds; only one runs at a time`;

/**
 * Runs the searches that read many users: one at a time for each organization, in all processes. The others wait in their
 * process. While two or more do, nobody has the turn for five times as long as the search took. The processors of MongoDB are
 * then free for other organizations.
 */
export function createScans({ redis, config }: Pick<ScimNeeds, 'redis' | 'config'>) {
  const refuse = () => new AppError(scimErrors.tooManySearches, { detail, retryAfterSeconds: 5 });
  const rest = createCoolDown({ times: 5, longestMs: 9_000, crowd: 2 });
  const here = createKeyedSemaphore({ atOnce: 1, waiting: mostWaiting, longestWaitMs, refuse });
  const everywhere = createDistributedLock(
    { redis, prefix: config.redisPrefix },
    { name: 'scan', longestWaitMs, refuse },
  );
  return {
    /** Runs the search. @throws AppError `scim.tooManySearches` if too many wait, or it waited for 10 s */
    run<T>(orgId: string, search: () => Promise<T>): Promise<T> {
      const asked = performance.now();
      return here.run(orgId, () =>
        everywhere.run(orgId, search, {
          waitedMs: performance.now() - asked,
          rest: (tookMs) => rest({ tookMs, waiting: here.waiting(orgId) }),
        }),
      );
    },
  };
}
