import type { EndedWork } from './cool-down.js';
import { createRoundRobinQueue, type RoundRobinQueue } from './round-robin-queue.js';

/** Lets work on one thing come one after another in this process, and work on different things at once. */
interface KeyedMutex {
  /**
   * Runs the work when no other work on the thing runs. The holders that wait for the thing, such as callers, take turns.
   * @throws the error of `refuse` if too much work waits for the thing, or this has waited too long
   */
  run<T>(thing: string, holder: string, work: () => Promise<T>): Promise<T>;
}

/**
 * @param limits `waiting`: the work that may wait for one thing, each for `longestWaitMs` at most. If more comes, the newest work of the
 * holder with the most waiting work is refused. `refuse` makes its error
 */
export function createKeyedMutex(limits: {
  readonly waiting: number;
  readonly longestWaitMs: number;
  readonly refuse: () => Error;
  /** How long nothing works on a thing after some work, if at all. */
  readonly rest?: (ended: EndedWork) => Promise<unknown> | undefined;
}): KeyedMutex {
  /** Has the things on which work runs. */
  const lines = new Map<string, RoundRobinQueue>();

  function wait(turns: RoundRobinQueue, holder: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        withdraw();
        reject(limits.refuse());
      }, limits.longestWaitMs);
      const withdraw = turns.add(holder, {
        start() {
          clearTimeout(late);
          resolve();
        },
        refuse() {
          clearTimeout(late);
          reject(limits.refuse());
        },
      });
    });
  }

  return {
    async run(thing, holder, work) {
      let turns = lines.get(thing);
      if (turns === undefined) {
        turns = createRoundRobinQueue({ all: limits.waiting, holder: limits.waiting });
        lines.set(thing, turns);
      } else {
        await wait(turns, holder);
      }
      const line = turns;
      const leave = () => {
        const next = line.next();
        if (next === undefined) lines.delete(thing);
        else next.start();
      };
      const begun = performance.now();
      try {
        return await work();
      } finally {
        const rest = limits.rest?.({ tookMs: performance.now() - begun, waiting: line.size() });
        if (rest === undefined) leave();
        else void rest.then(leave);
      }
    },
  };
}
