import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Says whether the database answers later than usual. It asks for something small that is always the same, and time in which the event loop
 * was busy does not count. So a caller makes it late by work of the database alone.
 */
export interface StoreProbe {
  /** Asks once, to learn what is usual. Call it while nothing is late. It asks at most once in a second. */
  learn(): void;
  /** Asks a few times within a tenth of a second. False while what is usual is not known, and while the database does not answer. */
  isSlow(): Promise<boolean>;
}

/** An answer is late if it took so many times as long as usual, and this much longer, in milliseconds. */
const lateTimes = 2;
const lateMs = 1;

/** So many answers tell what is usual. Each moves it by this part. */
const learnedBy = 10;
const step = 0.05;
const learnEveryMs = 1_000;

/** Of so many answers, this many are late where the database is slow. A quiet one has about one late answer in twenty. */
const answers = { asked: 5, late: 2 };
const betweenMs = 15;

interface Times {
  /** In milliseconds since some time. */
  now(): number;
  /** For how long the event loop has had nothing to do, in milliseconds. */
  idle(): number;
}

const ofProcess: Times = {
  now: () => performance.now(),
  idle: () => performance.eventLoopUtilization().idle,
};

/** @param ask rejects if the database does not answer */
export function createStoreProbe(ask: () => Promise<unknown>, times = ofProcess): StoreProbe {
  let usual: number | undefined;
  let learned = 0;
  let learnedAt = Number.NEGATIVE_INFINITY;
  let judging: Promise<boolean> | undefined;

  async function timeOfOne(): Promise<number> {
    const begun = times.idle();
    await ask();
    return times.idle() - begun;
  }

  async function learnOne(): Promise<void> {
    const tookMs = await timeOfOne();
    usual ??= tookMs;
    usual *= tookMs > usual ? 1 + step : 1 - step;
    learned++;
  }

  async function judge(): Promise<boolean> {
    if (usual === undefined || learned < learnedBy) return false;
    const most = lateTimes * usual + lateMs;
    let late = 0;
    for (let asked = 0; asked < answers.asked && late < answers.late; asked++) {
      if (asked > 0) await pause(betweenMs);
      if ((await timeOfOne()) > most) late++;
    }
    return late >= answers.late;
  }

  return {
    learn() {
      if (times.now() - learnedAt < learnEveryMs) return;
      learnedAt = times.now();
      learnOne().catch(() => undefined);
    },
    isSlow() {
      judging ??= judge()
        .catch(() => false)
        .finally(() => {
          judging = undefined;
        });
      return judging;
    },
  };
}
