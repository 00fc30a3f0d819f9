import type { Credential } from '#src/access/authority/index.js';
import type { PeopleScan, PolicyTrial } from '#src/authentication/sign-in-policy/index.js';
import type { SignInPolicy } from '#src/directory/index.js';
import type { Job } from '#src/jobs/job.js';

/** The input of a job that tries a policy. */
export interface PolicyTrialRequest {
  readonly orgId: string;
  readonly policy: SignInPolicy;
  /** The requester. */
  readonly userId: string;
  readonly credential: Credential;
}

/** What a job found, with the policy that it tried. */
export interface PolicyTrialResult extends PolicyTrial {
  readonly policy: SignInPolicy;
}

/** A job that takes longer has ended, in milliseconds. It looks at some thousand people in a second. */
export const longestTrialMs = 60 * 60_000;

export function writePolicyTrial(request: PolicyTrialRequest): Buffer {
  return Buffer.from(JSON.stringify(request));
}

export function readPolicyTrial(body: Buffer): PolicyTrialRequest {
  return JSON.parse(body.toString()) as PolicyTrialRequest;
}

/** What a job keeps while it runs. */
export interface PolicyTrialState {
  readonly policy: SignInPolicy;
  readonly scan: PeopleScan;
}

/** The result of a job that has looked at everybody, or the error of one that failed. Any other tells only the policy that it tried. */
export function showPolicyTrial({ state, parts }: Job): unknown {
  const result = parts['0'] as PolicyTrialState | undefined;
  if (state === 'completed' || state === 'failed') return result;
  return result && { policy: result.policy };
}
