/**
 * Watches how long requests take, and says when they take longer than usual. A request is compared with others of its own kind alone,
 * because a create takes ten times as long as a look-up.
 */
export interface Lateness {
  /** Makes the function that a route calls with the time that a request took, in milliseconds. */
  ofRoute(): (tookMs: number) => void;
}

/** A request is late if it took so many times as long as usual, and this much longer, in milliseconds. */
const lateTimes = 2;
const lateMs = 1;

/** So many requests of a route tell what is usual. */
const learnedBy = 50;

/** The part by which one request moves what is usual, while it is learned and afterwards. */
const steps = { learning: 0.1, learned: 0.01 };

/** While requests are late, what is usual may double in this time, in milliseconds. A load that stays is usual some day. */
const doublesInMs = 1_800_000;

/** A verdict needs a time of at least so many milliseconds with so many requests. It forgets requests of a longer time. */
const window = { leastMs: 250, mostMs: 2_000, requests: 5 };

/** If more than this part of the requests is late, the process is. A quiet process has about one in twenty. */
const lateShare = 0.15;

/** @param onLate is called at most four times in a second, while requests are late */
export function createLateness(onLate: () => void, now: () => number = () => performance.now()): Lateness {
  let since = now();
  let seen = 0;
  let late = 0;
  let isLate = false;

  function judge(): void {
    const ms = now() - since;
    if (ms < window.leastMs || (seen < window.requests && ms < window.mostMs)) return;
    isLate = seen >= window.requests && late > lateShare * seen;
    since = now();
    seen = 0;
    late = 0;
    if (isLate) onLate();
  }

  return {
    ofRoute() {
      let usual: number | undefined;
      let learned = 0;
      let movedAt = now();
      /** Steps of equal size up and down lead to the median. */
      const step = () => {
        if (learned < learnedBy) return steps.learning;
        return isLate ? Math.min(steps.learned, (now() - movedAt) / doublesInMs) : steps.learned;
      };
      return (tookMs) => {
        usual ??= tookMs;
        if (learned < learnedBy) learned++;
        else {
          seen++;
          if (tookMs > lateTimes * usual + lateMs) late++;
        }
        usual *= tookMs > usual ? 1 + step() : 1 - step();
        movedAt = now();
        judge();
      };
    },
  };
}
