import type { Mongo } from '#src/platform/mongo/mongo.js';
import { applySingleStep, MembersUnchanged, singleStepOf } from './apply-single-step.js';
import { type ApplyStepsDeps, applySteps } from './apply-steps.js';
import type { CheckGroupRoles, CheckLostRoles } from './check-group-roles.js';
import type { MemberWrite } from './member-steps.js';
import { type AnnounceDeps, announceMembers } from './user-groups.js';

export interface WriteGroupDeps extends ApplyStepsDeps, AnnounceDeps {
  readonly mongo: Pick<Mongo, 'transactionOf'>;
}

/** The errors of the writes that failed. */
export type FailedWrites = ReadonlyMap<MemberWrite, unknown>;

/** Some of several steps are refused. The others have to be written without them. */
class StepsRefused extends Error {
  readonly failures: FailedWrites;

  constructor(failures: FailedWrites) {
    super('some steps of members are refused');
    this.failures = failures;
  }
}

/**
 * Writes steps of one group in one transaction. If some of them are refused, another transaction writes the others.
 * @returns the errors of the steps that failed
 */
export async function writeGroup(
  deps: WriteGroupDeps,
  writes: readonly MemberWrite[],
): Promise<FailedWrites> {
  const failures = new Map<MemberWrite, unknown>();
  let left = writes;
  for (let [first] = left; first !== undefined; [first] = left) {
    const { orgId, groupId } = first;
    const steps = left;
    const beforeChange: CheckGroupRoles = async (roles) => {
      const refused = await refusals(steps, (step) => step.beforeChange?.(roles));
      if (refused.size > 0) throw new StepsRefused(refused);
    };
    const afterLoss: CheckLostRoles = async (roles, transaction) => {
      const removing = steps.filter(({ removed }) => removed.length > 0);
      const refused = await refusals(removing, (step) => step.afterLoss?.(roles, transaction));
      if (refused.size > 0) throw new StepsRefused(refused);
    };
    try {
      const target = { orgId, groupId, beforeChange, afterLoss };
      const single = singleStepOf(steps);
      const applied = await deps.mongo.transactionOf(orgId, (transaction) =>
        single === undefined
          ? applySteps(deps, { ...target, steps }, transaction)
          : applySingleStep(deps, { ...target, ...single }, transaction),
      );
      if (applied !== undefined) await announceMembers(deps, { orgId, ...applied });
      break;
    } catch (error) {
      if (error instanceof MembersUnchanged) break;
      const failed =
        error instanceof StepsRefused ? error.failures : new Map(steps.map((step) => [step, error]));
      for (const [write, failure] of failed) failures.set(write, failure);
      left = steps.filter((step) => !failed.has(step));
    }
  }
  return failures;
}

/** The errors of the steps whose check refuses them. */
export async function refusals(
  steps: readonly MemberWrite[],
  check: (step: MemberWrite) => Promise<void> | undefined,
): Promise<FailedWrites> {
  const failures = new Map<MemberWrite, unknown>();
  for (const step of steps) {
    try {
      await check(step);
    } catch (error) {
      failures.set(step, error);
    }
  }
  return failures;
}
