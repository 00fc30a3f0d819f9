import { isStillPermitted, type RequesterDeps } from '#src/access/authority/index.js';
import {
  type ConcernedDeps,
  findConcerned,
  newScan,
  type ScanPeopleDeps,
  scanPeople,
} from '#src/authentication/sign-in-policy/index.js';
import type { Job } from '#src/jobs/job.js';
import type { JobAttempt, JobsStore } from '#src/jobs/jobs.store.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { tokenErrors } from '#src/tokens/errors.js';
import type { PolicyTrialRequest, PolicyTrialResult, PolicyTrialState } from './policy-trial.js';

/** What the job uses. */
export type PolicyTrialDeps = ScanPeopleDeps &
  ConcernedDeps &
  RequesterDeps & {
    readonly memberships: RequesterDeps['memberships'] &
      ScanPeopleDeps['memberships'] &
      ConcernedDeps['memberships'];
    readonly serviceUsers: RequesterDeps['serviceUsers'] & ConcernedDeps['serviceUsers'];
    readonly jobs: Pick<JobsStore, 'advance' | 'endWithResult'>;
    readonly mongo: Mongo;
  };

/** After so long the job gives its place to other jobs, in milliseconds. */
const turnMs = 10_000;
/** The progress is recorded so often, in milliseconds. */
const progressMs = 500;

/**
 * Runs one attempt of a job, from where the one before stopped. It only reads. The attempt ends without the job when its turn is over, so that
 * other organizations wait for seconds only.
 * @param request `stopping` aborts when the worker is told to stop
 */
export async function runPolicyTrial(
  deps: PolicyTrialDeps,
  request: { attempt: JobAttempt; job: Job; trial: PolicyTrialRequest; stopping: AbortSignal },
): Promise<void> {
  const { attempt, job, trial, stopping } = request;
  const { orgId, policy, userId, credential } = trial;
  const end = (state: 'completed' | 'failed', result: object, processed: number) =>
    deps.mongo.transaction(async (transaction) => {
      const progress = { processed, total: Math.max(job.progress.total, processed), errors: 0 };
      await deps.jobs.endWithResult(attempt, { state, result, progress }, transaction);
    });
  const needed = { permission: 'org.write', orgId } as const;
  if (!(await isStillPermitted(deps, { userId, credential }, needed)))
    return end('failed', { policy, error: { id: tokenErrors.permissionMissing.id } }, job.progress.processed);
  const turnEnds = performance.now() + turnMs;
  let scan = (job.parts['0'] as PolicyTrialState | undefined)?.scan ?? newScan;
  let recorded = performance.now();
  for await (scan of scanPeople(deps, { orgId, policy, now: job.created, from: scan })) {
    const now = performance.now();
    const isOver = stopping.aborted || now > turnEnds;
    if (!isOver && now < recorded + progressMs) continue;
    recorded = now;
    const progress = { ...job.progress, processed: scan.looked };
    const state: PolicyTrialState = { policy, scan };
    if (!(await deps.jobs.advance(attempt, progress, state)) || isOver) return;
  }
  const { people, administrators } = scan;
  const concerned = await findConcerned(deps, orgId, policy);
  const result: PolicyTrialResult = { policy, people, administrators, ...concerned };
  await end('completed', result, scan.looked);
}
