import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../ids.js';
import { deleteIfEqual } from './delete-if-equal.js';
import type { RedisConnection } from './redis.js';

/** Lets one piece of work of a holder, such as an organization, run at a time in all processes. */
interface DistributedLock {
  /**
   * Runs the work when it is the holder's turn.
   * @param options `waitedMs`: the milliseconds that the work has waited already, which count. `rest` is called with the
   * milliseconds that the work took. If it returns a promise, nobody has the turn until that resolves
   * @throws the error of `refuse` if the turn does not come in time
   */
  run<T>(
    holder: string,
    work: () => Promise<T>,
    options?: { waitedMs?: number; rest?: (tookMs: number) => Promise<unknown> | undefined },
  ): Promise<T>;
}

/**
 * A turn ends after this time, also if the process died. It is longer than the reads of a search together may take. In
 * milliseconds.
 */
const longestTurnMs = 65_000;
/** How often a process asks whether the turn is free, in milliseconds. */
const pollMs = 50;

/**
 * The lock of one kind of work, for each holder. Without Redis, work does not wait for turns.
 * @param options `name` is the kind of work. `longestWaitMs`: work that waits longer is refused
 */
export function createDistributedLock(
  { redis, prefix }: { redis: RedisConnection; prefix: string },
  { name, longestWaitMs, refuse }: { name: string; longestWaitMs: number; refuse: () => Error },
): DistributedLock {
  const take = async (key: string, id: string, waitedMs: number) => {
    const until = performance.now() + longestWaitMs - waitedMs;
    while ((await redis.set(key, id, 'PX', longestTurnMs, 'NX').catch(() => 'away')) === null) {
      if (performance.now() > until) throw refuse();
      await pause(pollMs);
    }
  };
  return {
    async run(holder, work, { waitedMs = 0, rest } = {}) {
      const key = `${prefix}:turn:${name}:${encodeURIComponent(holder)}`;
      const id = newId();
      await take(key, id, waitedMs);
      // If Redis fails here, the turn ends after its longest time.
      const end = () => void deleteIfEqual(redis, key, id).catch(() => undefined);
      const begun = performance.now();
      try {
        return await work();
      } finally {
        // The result does not wait for it.
        const resting = rest?.(performance.now() - begun);
        if (resting === undefined) end();
        else void resting.then(end);
      }
    },
  };
}
