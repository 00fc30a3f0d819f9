import { readPolicyTrial } from '#src/admin/policy-trials/policy-trial.js';
import { type PolicyTrialDeps, runPolicyTrial } from '#src/admin/policy-trials/run-policy-trial.js';
import { claimJob } from './claim-job.js';
import type { JobHandler } from './run-job.js';

/** Tries a sign-in policy on everybody of an organization: run-policy-trial.ts states the promise. */
export function policyTrialWorker(deps: PolicyTrialDeps & Parameters<typeof claimJob>[0]): JobHandler {
  return async (attempt, logger, stopping = new AbortController().signal) => {
    const claimed = await claimJob(deps, attempt, logger);
    if (claimed === undefined) return;
    await runPolicyTrial(deps, { attempt, job: claimed.job, trial: readPolicyTrial(claimed.body), stopping });
  };
}
