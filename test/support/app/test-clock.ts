import type { Clock } from '#src/platform/clock.js';

/** A clock that runs on from where it is put. */
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
