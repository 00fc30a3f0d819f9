import { createLru } from '#src/platform/lru.js';
import type { ApplicationsStore } from './applications.store.js';

/** The most look-ups of a process within a second. A read of the store takes about a millisecond. */
const maxPerSecond = 100;
const secondMs = 1_000;
/** The most origins that a process remembers as registered. */
const maxRegistered = 10_000;

/**
 * A function that finds out whether an active application has a redirect URI of an origin. Every caller may choose the origin, so
 * a process asks the store at most 100 times within a second. Origins that were registered at the last look-up are not bounded.
 * Without that, a flood of made-up origins would delay theirs.
 * @param now milliseconds of a monotonic clock
 * @returns a function that returns undefined above the bound
 */
export function createOriginLookUp(
  { hasOrigin }: Pick<ApplicationsStore, 'hasOrigin'>,
  now: () => number = () => performance.now(),
): (origin: string) => Promise<boolean | undefined> {
  const registered = createLru<true>({ max: maxRegistered });
  let began = Number.NEGATIVE_INFINITY;
  let count = 0;
  return async (origin) => {
    if (!registered.has(origin)) {
      if (now() - began >= secondMs) {
        began = now();
        count = 0;
      }
      if (count >= maxPerSecond) return undefined;
      count++;
    }
    const isRegistered = await hasOrigin(origin);
    if (isRegistered) registered.set(origin, true);
    else registered.delete(origin);
    return isRegistered;
  };
}
