import { AppError } from '#src/platform/errors.js';
import { keyErrors } from './errors.js';

/** Lets only so much hash work run at once, and only so much wait, so that a burst cannot stop the process. */
export interface HashBounds {
  /** @throws AppError `keys.hashPoolSaturated` when too much waits already */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Work being done and waiting. */
  load(): { running: number; waiting: number };
}

/** @param limits how much runs at once, and how much may wait; `waited` is told each time in the queue in seconds, `refused` of each that finds no place */
export function createHashBounds(limits: {
  concurrency: number;
  queue: number;
  waited?: ((seconds: number) => void) | undefined;
  refused?: (() => void) | undefined;
}): HashBounds {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      const asked = performance.now();
      if (running >= limits.concurrency) {
        if (waiting.length >= limits.queue) {
          limits.refused?.();
          throw new AppError(keyErrors.hashPoolSaturated, { retryAfterSeconds: 1 });
        }
        // The one that finishes hands its place over, so `running` does not change.
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else {
        running++;
      }
      limits.waited?.((performance.now() - asked) / 1000);
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
    load: () => ({ running, waiting: waiting.length }),
  };
}
