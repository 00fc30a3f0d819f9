import type { Clock } from '#src/platform/clock.js';

/** A clock that a test sets and that continues to run from there. */
export interface TestClock extends Clock {
  advance(seconds: number): void;
  /**
   * Goes to the beginning of the next minute, where the counts of all limits begin anew. A test that counts requests
   * calls it first, so that no count begins anew in the middle.
   */
  startMinute(): void;
}

export function createTestClock(): TestClock {
  let offsetMs = 0;
  const now = () => new Date(Date.now() + offsetMs);
  return {
    now,
    advance(seconds) {
      offsetMs += seconds * 1000;
    },
    startMinute() {
      offsetMs += 60_000 - (now().getTime() % 60_000);
    },
  };
}
