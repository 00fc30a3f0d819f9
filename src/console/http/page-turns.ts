import { AppError } from '#src/platform/errors.js';
import type { KeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { createPacedSemaphore } from '#src/platform/work/paced-semaphore.js';
import { consoleErrors } from './errors.js';

/** Bounds what the people of one organization take of this process with pages and forms of the console. */
export const pageTurns: KeyedSemaphore = createPacedSemaphore({
  ...{ atOnce: 4, waiting: 100, longestWaitMs: 10_000 },
  refuse: () => new AppError(consoleErrors.tooManyPages, { retryAfterSeconds: 5 }),
});
