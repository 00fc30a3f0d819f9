import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** The longest that a request may keep the event loop from other requests, in milliseconds. */
export const allowedHoldMs = 50;

/**
 * The longest time in milliseconds for which some work holds the event loop. A hold is what the main thread computes in one
 * turn. The time in which the system lets other processes run does not count. `perf_hooks` cannot leave it out: its clock and its
 * histogram of delays go on while another test has the core. With it, tests would fail on a busy machine, or need a bound that hides a
 * hold. It is used only where Linux tells no figures, and a hold is then the time that passes. The work is repeated, and the shortest
 * measurement counts, because garbage of earlier work can only prolong it.
 */
export async function longestHold(work: () => Promise<unknown>, tries = 8): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries && shortest > allowedHoldMs; attempt++) {
    const turns = watchTurns();
    await pause(2);
    await work();
    await pause(2);
    shortest = Math.min(shortest, turns.stop());
  }
  return shortest;
}

/** Measures each turn of the event loop until it is stopped. */
function watchTurns(): { stop(): number } {
  let longest = 0;
  let before = computedMs();
  const turn = () => {
    const now = computedMs();
    longest = Math.max(longest, now - before);
    before = now;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return {
    stop() {
      clearImmediate(next);
      return longest;
    },
  };
}

let hasSchedulerFigures = true;

/** Milliseconds that the main thread has computed. */
function computedMs(): number {
  if (hasSchedulerFigures) {
    try {
      return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6;
    } catch {
      hasSchedulerFigures = false;
    }
  }
  return performance.now();
}
