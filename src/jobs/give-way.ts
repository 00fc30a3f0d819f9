import { setTimeout as pause } from 'node:timers/promises';
import type { LateSignal } from './late-signal.js';

/** Lets the writes of jobs give way to requests. */
export interface GiveWay {
  /**
   * Does a piece of work. While requests are late, one piece at a time is done in this worker, and a rest follows. The rest is longer the
   * longer they are late.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** How often the signal is read while there is work, in milliseconds. */
const readEveryMs = 200;

/**
 * A rest as a multiple of the time of the work before it: the first one, how it grows and shrinks with each reading, and the longest. It
 * shrinks slowly, so that requests are not late again at once.
 */
const rests = { first: 1, grows: 2, shrinks: 1.25, most: 8 };

/** The longest rest, in milliseconds. Work that waits behind it must not wait too long (creation-group.ts). */
const longestRestMs = 500;

/** @param signal Without Redis, it counts as not given. */
export function createGiveWay(signal: Pick<LateSignal, 'isReported'>): GiveWay {
  let times = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  /** Ends with the rest after the last piece of work. */
  let last: Promise<unknown> = Promise.resolve();

  async function read(): Promise<void> {
    const isLate = await signal.isReported().catch(() => false);
    if (isLate) times = times === 0 ? rests.first : Math.min(rests.most, times * rests.grows);
    else times = times <= rests.first ? 0 : times / rests.shrinks;
  }

  /** Does the work after what came before it, and rests. The caller does not wait for the rest. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(async () => {
      const begun = performance.now();
      const [outcome] = await Promise.allSettled([work()]);
      return { outcome, tookMs: performance.now() - begun };
    });
    last = result.then(({ tookMs }) => pause(Math.min(longestRestMs, times * tookMs)));
    return result.then(({ outcome }) => {
      if (outcome.status === 'fulfilled') return outcome.value;
      throw outcome.reason;
    });
  }

  return {
    run(work) {
      if (performance.now() - readAt >= readEveryMs) {
        readAt = performance.now();
        void read();
      }
      return times === 0 ? work() : inTurn(work);
    },
  };
}
