import type { Credential } from '#src/access/authority/index.js';

/** What can be done with several users at once. */
export const userActionNames = ['deactivate', 'reactivate', 'addToGroup', 'sendLinks'] as const;

export type UserActionName = (typeof userActionNames)[number];

/** The input of a job: one action, and the users whom it concerns. */
export interface UserAction {
  readonly action: UserActionName;
  /** Only of `addToGroup`. */
  readonly groupId?: string;
  readonly orgId: string;
  readonly userIds: readonly string[];
  /** The requester. */
  readonly userId: string;
  readonly credential: Credential;
}

/** The most users of one job. */
export const mostUsersOfAction = 10_000;
/** The most users who are named one by one. */
export const mostNamedUsers = 1_000;

/** A user with whom the action could not be done, and the identifier of the error. */
interface FailedUser {
  readonly userId: string;
  readonly userName?: string;
  readonly error: string;
}

/** What a job has done. */
export interface UserActionResult {
  readonly action: UserActionName;
  readonly done: number;
  /** Users with whom nothing had to be done. */
  readonly unchanged: number;
  readonly failed: number;
  /** The first of those who failed. */
  readonly failures: readonly FailedUser[];
  /** Why the job ended early. */
  readonly error?: string;
}

/** The most failures that a result names. */
export const mostFailures = 100;

export function writeUserAction(action: UserAction): Buffer {
  return Buffer.from(JSON.stringify(action));
}

export function readUserAction(body: Buffer): UserAction {
  return JSON.parse(body.toString()) as UserAction;
}
