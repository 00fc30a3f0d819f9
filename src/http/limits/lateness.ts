import type { StoreProbe } from './store-probe.js';

/**
 * Watches how long requests take, and says when they take longer than usual. A request is compared with others of its own kind alone,
 * because a create takes ten times as long as a look-up.
 */
export interface Lateness {
  /** Whether the request that begins now is to be measured: each one, but only one in eight where there are many. */
  measures(): boolean;
  /**
   * Makes the function that a route calls when a request is done.
   * @param begunAt when the request began, as a value of `performance.now()`
   * @param holder whose request it is, such as an organization
   */
  ofRoute(): (begunAt: number, holder: string) => void;
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

/** So many requests are each measured after a verdict, and then one in so many. More would tell nothing more, and cost each a microsecond. */
const sample = { each: 100, oneIn: 8 };

/**
 * If more than this part of the requests is late, the process is. A quiet process has about one in twenty. The holder with the most late
 * requests counts only while others send few requests, and only if the database is slow too, so that nobody makes the jobs of others wait by
 * costly requests alone.
 */
const lateShare = 0.15;

/** Holders that are told apart at a time. All others are one, under this name. */
const mostHolders = 1_000;
const ofOthers = '';

/** The requests of one holder since the last verdict. */
interface Requests {
  seen: number;
  late: number;
}

/** @param onLate is called at most four times in a second, while requests are late */
export function createLateness(
  onLate: () => void,
  probe: StoreProbe,
  now: () => number = () => performance.now(),
): Lateness {
  let since = now();
  const holders = countHolders();
  let isLate = false;
  let verdicts = 0;
  let isAsking = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** The requests that began since the last verdict. */
  let begun = 0;

  function decide(verdict: boolean): void {
    isLate = verdict;
    verdicts++;
    if (isLate) onLate();
  }

  /** Asks whether the database is slow, one question at a time. An answer that comes after another verdict counts for nothing. */
  async function askProbe(at: number): Promise<void> {
    if (isAsking || at - askedAt < window.leastMs) return;
    isAsking = true;
    askedAt = at;
    const before = verdicts;
    const isSlow = await probe.isSlow();
    isAsking = false;
    if (verdicts === before) decide(isSlow);
  }

  function judge(at: number): void {
    const ms = at - since;
    if (ms < window.leastMs) return;
    const { all, others } = holders.counted();
    const areFew = others.seen < window.requests;
    const isOver = !areFew || ms >= window.mostMs;
    // Where others send few requests, the database decides.
    const needsProbe = areFew && areLate(all);
    if (needsProbe && (isOver || others.seen === 0)) void askProbe(at);
    if (!isOver) return;
    since = at;
    begun = 0;
    holders.clear();
    if (needsProbe) return;
    decide(areLate(others));
    if (!isLate) probe.learn();
  }

  return {
    measures() {
      begun++;
      return begun <= sample.each || begun % sample.oneIn === 0;
    },
    ofRoute() {
      let usual: number | undefined;
      let learned = 0;
      let movedAt = now();
      /** Steps of equal size up and down lead to the median. */
      const step = (at: number) => {
        if (learned < learnedBy) return steps.learning;
        return isLate ? Math.min(steps.learned, (at - movedAt) / doublesInMs) : steps.learned;
      };
      return (begunAt, holder) => {
        const at = now();
        const tookMs = at - begunAt;
        usual ??= tookMs;
        if (learned < learnedBy) learned++;
        else {
          const requests = holders.of(holder);
          requests.seen++;
          if (tookMs > lateTimes * usual + lateMs) requests.late++;
        }
        usual *= tookMs > usual ? 1 + step(at) : 1 - step(at);
        movedAt = at;
        judge(at);
      };
    },
  };
}

function areLate({ seen, late }: Requests): boolean {
  return seen >= window.requests && late > lateShare * seen;
}

/** Counts the requests of each holder. */
function countHolders() {
  const holders = new Map<string, Requests>();

  function requestsOf(holder: string): Requests {
    const known = holders.get(holder);
    if (known !== undefined) return known;
    if (holders.size >= mostHolders && holder !== ofOthers) return requestsOf(ofOthers);
    const made = { seen: 0, late: 0 };
    holders.set(holder, made);
    return made;
  }

  /** All requests, and those without the holder that has the most late ones, or of several such holders the most requests. */
  function counted(): { all: Requests; others: Requests } {
    const all = { seen: 0, late: 0 };
    let worst: Requests | undefined;
    for (const one of holders.values()) {
      all.seen += one.seen;
      all.late += one.late;
      if (worst === undefined || one.late > worst.late || (one.late === worst.late && one.seen > worst.seen))
        worst = one;
    }
    const { seen, late } = worst ?? { seen: 0, late: 0 };
    return { all, others: { seen: all.seen - seen, late: all.late - late } };
  }

  return { of: requestsOf, counted, clear: () => holders.clear() };
}
