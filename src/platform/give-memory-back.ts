import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** So often is it checked whether the process rests, in milliseconds. */
const checkMs = 10_000;
/** A process whose event loop is busy for less than this part rests. */
const atRest = 0.05;
/** So many young collections tell V8 that little is allocated. */
const collections = 3;

/** What a check asks and does. */
interface Memory {
  /** The part of the time since the last call for which the event loop was busy, from 0 to 1. */
  busyPart(): number;
  /** Collects the young garbage, which takes some milliseconds. */
  collectYoung(): void;
}

/**
 * A check that makes V8 give back the memory that a load took. V8 does so by itself, in small steps, when it knows that little is allocated. It
 * learns that from collections, of which a process at rest has none, so it waits for 100 seconds. A young collection in each check at rest tells
 * it. After some of them nothing more happens until the process has been busy.
 */
export function createMemoryCheck({ busyPart, collectYoung }: Memory): () => void {
  let left = collections;
  return () => {
    if (busyPart() >= atRest) {
      left = collections;
      return;
    }
    if (left === 0) return;
    left -= 1;
    collectYoung();
  };
}

/** Checks from now on, as long as the process lives. It keeps no process alive. */
export function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  // Compiled code in a cache counts for the flags with which it was compiled.
  setFlagsFromString('--no-expose-gc');
  let before = performance.eventLoopUtilization();
  const check = createMemoryCheck({
    busyPart() {
      const after = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(after, before);
      before = after;
      return utilization;
    },
    collectYoung: () => collect({ type: 'minor' }),
  });
  setInterval(check, checkMs).unref();
}
