import { restOfRequest } from './loop-scheduler.js';
import { restAfter } from './rest-after.js';
import { createShares, type Shares } from './shares.js';

/** The longest rest, in milliseconds. */
const longestRestMs = 3_000;

/**
 * {@link createShares} for requests that cost much. While others of the holder wait, a place rests after each, the longer the busier the
 * process is. Who sends one request after the other never meets a rest.
 */
export function createPacedShares(limits: Parameters<typeof createShares>[0]): Shares {
  const shares = createShares(limits);
  const times = () => limits.atOnce * restOfRequest();
  const rest = restAfter({ times, longestMs: longestRestMs, crowd: 1 });
  return {
    waiting: shares.waiting,
    run: <T>(holder: string, work: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const inPlace = async () => {
          const begun = performance.now();
          const [result] = await Promise.allSettled([work()]);
          // The caller may ask again at once. That is no crowd.
          const resting = rest({ tookMs: performance.now() - begun, waiting: shares.waiting(holder) });
          if (result.status === 'fulfilled') resolve(result.value);
          else reject(result.reason);
          await resting;
        };
        shares.run(holder, inPlace).catch(reject);
      }),
  };
}
