import { correctUserTotals } from '#src/people/totals/index.js';
import type { Logger } from '#src/platform/logger.js';
import type { WorkerRooms } from '#src/rooms.js';

/** Verifies the stored totals of users: see verify-user-totals.ts. */
export function userTotalsWorker({
  accounts,
  organizations,
  userTotals,
}: Pick<WorkerRooms, 'accounts' | 'organizations' | 'userTotals'>) {
  return async (logger: Logger): Promise<void> => {
    await correctUserTotals({ accounts, organizations, userTotals, logger });
  };
}
