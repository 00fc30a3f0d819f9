import type { Clock } from '#src/platform/clock.js';

/** A clock that a test sets and that continues to run from there. */
export interface TestClock extends Clock {
  advance(seconds: number): void;
}

export function createTestClock(): TestClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    advance(seconds) {
      offsetMs += seconds * 1000;
    },
  };
}
