import { createCoolDown } from './cool-down.js';
import { createKeyedSemaphore, type KeyedSemaphore } from './keyed-semaphore.js';
import { restOfRequest } from './loop-scheduler.js';

/** The longest rest, in milliseconds. */
const longestRestMs = 3_000;

/**
 * {@link createKeyedSemaphore} for requests that cost much. While others of the holder wait, a permit rests after each, the longer the busier the
 * process is. Who sends one request after the other never meets a rest.
 */
export function createPacedSemaphore(limits: Parameters<typeof createKeyedSemaphore>[0]): KeyedSemaphore {
  const shares = createKeyedSemaphore(limits);
  const times = () => limits.atOnce * restOfRequest();
  const rest = createCoolDown({ times, longestMs: longestRestMs, crowd: 1 });
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
