import { correctUserTotals } from '#src/people/totals/index.js';
import type { Logger } from '#src/platform/logger.js';
import type { WorkerRooms } from '#src/rooms.js';

/** Verifies the stored totals of users: see verify-user-totals.ts. */
export function userTotalsWorker({
  organizations,
  userTotals,
}: Pick<WorkerRooms, 'organizations' | 'userTotals'>) {
  return async (logger: Logger): Promise<void> => {
    await correctUserTotals({ organizations, userTotals, logger });
  };
}
