import { setTimeout as pause } from 'node:timers/promises';
import {
  type AuthorityDeps,
  isStillPermitted,
  type RequesterDeps,
  requireAuthority,
  requireGroupAuthority,
} from '#src/access/authority/index.js';
import type { AbleOwners } from '#src/access/memberships/index.js';
import type { Editor } from '#src/audit/event.js';
import { type MailDeps, mailOneTimeLink } from '#src/authentication/index.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import type { Job } from '#src/jobs/job.js';
import type { JobAttempt, JobsStore } from '#src/jobs/jobs.store.js';
import { type ChangeGroupDeps, changeGroup } from '#src/people/groups/index.js';
import type { UserCounter } from '#src/people/totals/index.js';
import { asInput, type ChangeUserDeps, changeUser } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { mostFailures, type UserAction, type UserActionResult } from './user-action.js';

/** What the job uses. */
export type UserActionDeps = ChangeUserDeps &
  ChangeGroupDeps &
  RequesterDeps &
  AuthorityDeps &
  MailDeps & {
    readonly users: ChangeUserDeps['users'];
    readonly jobs: Pick<JobsStore, 'advance' | 'endWithResult'>;
    readonly mongo: Mongo;
    readonly userCounter: Pick<UserCounter, 'changed'>;
    readonly ableOwners: Pick<AbleOwners, 'keepIfOwner'>;
    readonly caches: AuthorityDeps['caches'] & {
      readonly organizations: Cache<Organization | undefined>;
    };
  };

/** After so many users the rights of the requester are asked again, and the progress is recorded. */
const stepLength = 20;
/** After so long the job gives its place to other jobs, in milliseconds. */
const turnMs = 10_000;
/** Mail servers refuse a flood. */
const mailPauseMs = 200;

/**
 * Runs one attempt of a job, from where the one before stopped. Each user is changed as the operation for one user does it. A change that
 * is repeated after a crash changes nothing; at most {@link stepLength} users get a second mail then. The attempt ends without the job
 * when its turn is over, so that other organizations wait for seconds only.
 * @param request `stopping` aborts when the worker is told to stop
 */
export async function runUserActions(
  deps: UserActionDeps,
  request: { attempt: JobAttempt; job: Job; action: UserAction; stopping: AbortSignal },
): Promise<void> {
  const { attempt, job, action, stopping } = request;
  const { orgId, userIds, userId, credential } = action;
  const organization = await deps.caches.organizations.get(orgId);
  const turnEnds = performance.now() + turnMs;
  let result = (job.parts['0'] as UserActionResult | undefined) ?? nothingDone(action);
  let { processed } = job.progress;
  const progress = () => ({ processed, total: userIds.length, errors: result.failed });
  const end = (state: 'completed' | 'failed') =>
    deps.mongo.transaction(async (transaction) => {
      await deps.jobs.endWithResult(attempt, { state, result, progress: progress() }, transaction);
    });
  while (processed < userIds.length) {
    if (stopping.aborted || performance.now() > turnEnds) return;
    const isPermitted = await isStillPermitted(
      deps,
      { userId, credential },
      { permission: 'user.write', orgId },
    );
    if (organization === undefined || !isPermitted) {
      result = { ...result, error: tokenErrors.permissionMissing.id };
      await end('failed');
      return;
    }
    const step = userIds.slice(processed, processed + stepLength);
    const outcomes = await actOnStep(deps, { organization, action, ids: step });
    for (const [n, outcome] of outcomes.entries())
      result = await withOutcome(deps, result, { orgId, userId: step[n] ?? '', outcome });
    processed += step.length;
    if (!(await deps.jobs.advance(attempt, progress(), result))) return;
  }
  await end('completed');
}

const nothingDone = ({ action }: UserAction): UserActionResult => ({
  action,
  done: 0,
  unchanged: 0,
  failed: 0,
  failures: [],
});

interface Act {
  readonly organization: Organization;
  readonly action: UserAction;
  readonly id: string;
}

/** What came of the action with one user. */
type Outcome = 'done' | 'unchanged' | AppError;

/**
 * Acts on the users of a step. Changes go together, so that they share transactions. Mail goes one after another.
 * @throws what a store throws
 */
async function actOnStep(
  deps: UserActionDeps,
  { ids, ...act }: Omit<Act, 'id'> & { readonly ids: readonly string[] },
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const atOnce = act.action.action === 'sendLinks' ? 1 : ids.length;
  for (let from = 0; from < ids.length; from += atOnce) {
    const together = ids.slice(from, from + atOnce).map((id) => actOn(deps, { ...act, id }));
    // Also after a failure all are awaited, so that nothing goes on after the attempt.
    await Promise.allSettled(together);
    outcomes.push(...(await Promise.all(together)));
  }
  return outcomes;
}

/** @throws what a store throws */
async function actOn(deps: UserActionDeps, act: Act): Promise<Outcome> {
  const editor: Editor = { userId: act.action.userId, service: 'admin' };
  try {
    return (await acts[act.action.action](deps, { ...act, editor })) ? 'done' : 'unchanged';
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Adds the outcome with one user to the result. */
async function withOutcome(
  { users }: Pick<UserActionDeps, 'users'>,
  result: UserActionResult,
  { orgId, userId, outcome }: { orgId: string; userId: string; outcome: Outcome },
): Promise<UserActionResult> {
  if (!(outcome instanceof AppError)) return { ...result, [outcome]: result[outcome] + 1 };
  const failed = result.failed + 1;
  if (result.failures.length >= mostFailures) return { ...result, failed };
  const userName = (await users.find(orgId, userId))?.userName;
  const failure = { userId, ...(userName !== undefined && { userName }), error: outcome.definition.id };
  return { ...result, failed, failures: [...result.failures, failure] };
}

type OneAct = (
  deps: UserActionDeps,
  act: Pick<Act, 'organization' | 'action' | 'id'> & { readonly editor: Editor },
) => Promise<boolean>;

/** What is done with one user. Returns whether something had to be done. */
const acts: Readonly<Record<UserAction['action'], OneAct>> = {
  deactivate: (deps, act) => setActive(deps, act, false),
  reactivate: (deps, act) => setActive(deps, act, true),

  async addToGroup(deps, { action: { orgId, groupId = '' }, id, editor }) {
    const before = await deps.groupMembers.among(orgId, groupId, [id]);
    if (before.has(id)) return false;
    const beforeChange = (roles: Parameters<typeof requireGroupAuthority>[1]['roles']) =>
      requireGroupAuthority(deps, { callerId: editor.userId, orgId, roles });
    const delta = { from: 'current', added: new Set([id]), removed: new Set<string>() } as const;
    await changeGroup(deps, { orgId, id: groupId, editor, delta, beforeChange });
    return true;
  },

  async sendLinks(deps, { action: { orgId }, id, editor }) {
    await requireAuthority(deps, { callerId: editor.userId, orgId, userId: id, purpose: 'credentials' });
    await mailOneTimeLink(deps, { orgId, userId: id, editor });
    await pause(mailPauseMs);
    return true;
  },
};

async function setActive(
  deps: UserActionDeps,
  { organization, id, editor }: Parameters<OneAct>[1],
  active: boolean,
): Promise<boolean> {
  const { userId: callerId } = editor;
  if (!active && id === callerId) throw new AppError(directoryErrors.requesterStays);
  let before: boolean | undefined;
  await changeUser(deps, {
    organization,
    id,
    editor,
    change(current) {
      before = current.active;
      return { profile: { ...asInput(current), active } };
    },
    beforeChange: () =>
      requireAuthority(deps, { callerId, orgId: organization.id, userId: id, purpose: 'change' }),
    beforeLoss: () => deps.ableOwners.keepIfOwner(id, editor),
  });
  if (before === active) return false;
  await deps.userCounter.changed(organization.id);
  return true;
}
