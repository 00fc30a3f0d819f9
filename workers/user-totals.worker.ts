import type { WorkerContainer } from '#src/rooms.js';
import { correctUserTotals } from '#src/people/totals/index.js';
import type { Logger } from '#src/platform/logger.js';

/** Verifies the stored totals of users: see verify-user-totals.ts. */
export function userTotalsWorker({ organizations, userTotals }: WorkerContainer) {
  return async (logger: Logger): Promise<void> => {
    await correctUserTotals({ organizations, userTotals, logger });
  };
}
