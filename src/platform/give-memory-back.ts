import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext, Script } from 'node:vm';

/** So often is it checked whether the process rests, in milliseconds. V8 looks at the allocations of the last seconds. */
const checkMs = 3_000;
/** A process whose event loop is busy for less than this part rests. */
const atRest = 0.05;
/** V8 asks for the rate of allocation every eight seconds, and gives memory back after it was low twice or three times. */
const checksAtRest = 12;
/** As many small objects become old in a check at rest. */
const smallObjects = 1_000;

/** What a check asks and does. */
interface Memory {
  /** The part of the time since the last call for which the event loop was busy, from 0 to 1. */
  busyPart(): number;
  /** Allocates a little memory of each kind for whose rate V8 asks. It takes some milliseconds. */
  allocateLittle(): void;
}

/**
 * A check that makes V8 give back the memory that a load took. V8 does so by itself, in small steps, when little is allocated. But V8 of Node.js 24 takes a
 * rate of nothing for a high one, and then waits for 100 seconds or longer. So a check at rest allocates a little. After some of
 * them nothing more happens until the process has been busy.
 */
export function createMemoryCheck({ busyPart, allocateLittle }: Memory): () => void {
  let left = checksAtRest;
  return () => {
    if (busyPart() >= atRest) {
      left = checksAtRest;
      return;
    }
    if (left === 0) return;
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
      // A script has memory that Node.js manages. An object that outlives two young collections is old.
      kept.script = new Script('0');
      kept.objects = Array.from({ length: smallObjects }, (_, index) => ({ index }));
      collect({ type: 'minor' });
      collect({ type: 'minor' });
    },
  });
  setInterval(check, checkMs).unref();
}
