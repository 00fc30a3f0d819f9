import { runUserActions, type UserActionDeps } from '#src/admin/user-actions/run-user-actions.js';
import { readUserAction } from '#src/admin/user-actions/user-action.js';
import type { JobHandler } from './run-job.js';
import { takeOver } from './claim-job.js';

/** Does one action with many users: run-user-actions.ts states the promise. */
export function userActionsWorker(deps: UserActionDeps & Parameters<typeof takeOver>[0]): JobHandler {
  return async (attempt, logger, stopping = new AbortController().signal) => {
    const taken = await takeOver(deps, attempt, logger);
    if (taken === undefined) return;
    await runUserActions(deps, { attempt, job: taken.job, action: readUserAction(taken.body), stopping });
  };
}
