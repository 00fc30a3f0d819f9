import { setTimeout as pause } from 'node:timers/promises';
import { isStoreUnavailable } from '#src/platform/unavailable.js';

/** The longest time between two looks at the state of an import. It bounds the effect of a lost report of the queue. */
export const pollMs = 500;

/** Returns the result of the work. While a store is unavailable it returns undefined, after {@link pollMs}. */
export async function whenAvailable<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    await pause(pollMs);
    return undefined;
  }
}
