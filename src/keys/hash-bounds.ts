import { AppError } from '#src/platform/errors.js';
import { keyErrors } from './errors.js';

/** Limits how much hash work runs and waits at once, so that a burst cannot stop the process. */
export interface HashBounds {
  /** @throws AppError `keys.hashPoolSaturated` when the queue is full */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Running and waiting work. */
  load(): { running: number; waiting: number };
}

/**
 * @param limits how much work runs and how much may wait; `waited` is called with each time in the queue in
 * seconds, `refused` for each refused work
 */
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
        // Finished work hands its slot over, so `running` stays the same.
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
