import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext, Script } from 'node:vm';

/** So often is it checked whether the process rests, in milliseconds. V8 looks at the rates of the last moments. */
const checkMs = 3_000;
/** A process whose event loop is busy for less than this part rests. */
const atRest = 0.05;
/** A process whose event loop is busy for this part or more has a load, which takes memory. */
const afterLoad = 0.2;
/** While a rate is high, V8 looks at it every eight seconds. So these checks meet it several times. */
const checksAtRest = 12;
/** So many small objects become old in each check at rest. */
const smallObjects = 1_000;

/** What a check asks and does. */
interface Memory {
  /** The part of the time since the last call for which the event loop was busy, from 0 to 1. */
  busyPart(): number;
  /** Allocates a little memory of each kind for whose rate V8 asks. It takes some milliseconds. */
  allocateLittle(): void;
}

/**
 * A check that makes V8 give back the memory that a load took. V8 does so by itself, in small steps, when all its rates of allocation are low. But V8 takes a
 * rate of nothing for a high one, and then waits for 100 seconds or longer. So a check at rest allocates a little. After some
 * of them nothing more happens until the process has had a load.
 */
export function createMemoryCheck({ busyPart, allocateLittle }: Memory): () => void {
  let left = checksAtRest;
  return () => {
    const busy = busyPart();
    if (busy >= afterLoad) left = checksAtRest;
    if (busy >= atRest || left === 0) return;
    left -= 1;
    allocateLittle();
  };
}

/** Checks from now on, as long as the process lives. It keeps no process alive. */
export function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  // Compiled code in a cache counts for the flags with which it was compiled.
  setFlagsFromString('--no-expose-gc');
  const kept: { objects: object[]; script?: Script } = { objects: [] };
  let before = performance.eventLoopUtilization();
  const check = createMemoryCheck({
    busyPart() {
      const after = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(after, before);
      before = after;
      return utilization;
    },
    allocateLittle() {
      // Node.js 24 keeps a script in the heap of C++ objects, whose rate V8 asks for too. An object that outlives two young collections is old.
      kept.script = new Script('0');
      kept.objects = Array.from({ length: smallObjects }, (_, index) => ({ index }));
      collect({ type: 'minor' });
      collect({ type: 'minor' });
    },
  });
  setInterval(check, checkMs).unref();
}
