import { runUserActions, type UserActionDeps } from '#src/admin/user-actions/run-user-actions.js';
import { readUserAction } from '#src/admin/user-actions/user-action.js';
import { claimJob } from './claim-job.js';
import type { JobHandler } from './run-job.js';

/** Does one action with many users: run-user-actions.ts states the promise. */
export function userActionsWorker(deps: UserActionDeps & Parameters<typeof claimJob>[0]): JobHandler {
  return async (attempt, logger, stopping = new AbortController().signal) => {
    const claimed = await claimJob(deps, attempt, logger);
    if (claimed === undefined) return;
    await runUserActions(deps, { attempt, job: claimed.job, action: readUserAction(claimed.body), stopping });
  };
}
