import { AppError } from '#src/platform/errors.js';
import { createPacedShares } from '#src/platform/work/paced-shares.js';
import type { Shares } from '#src/platform/work/shares.js';
import { consoleErrors } from './errors.js';

/** Bounds what the people of one organization take of this process with pages and forms of the console. */
export const pageTurns: Shares = createPacedShares({
  ...{ atOnce: 4, waiting: 100, longestWaitMs: 10_000 },
  refuse: () => new AppError(consoleErrors.tooManyPages, { retryAfterSeconds: 5 }),
});
