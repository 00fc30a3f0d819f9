import type { QuotaKind } from '#src/directory/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import { RecordFailure } from '../lists/section/record-failure.js';
import type { Outcome } from '../lists/section/section.js';
import type { AdmitDeps, CommitUpTo } from '../modes/mode.js';
import type { ParsedRecord } from '../records/read-records.js';
import type { ClaimedPart } from './claimed-part.js';
import { type CommitPartDeps, commitPart } from './commit-part.js';
import { type PartPlan, type PartRecords, type PlanPartDeps, planPart } from './plan-part.js';
import { countOutcomes } from './report-outcomes.js';

export type CommitWithinQuotaDeps = PlanPartDeps &
  CommitPartDeps &
  AdmitDeps & { readonly quotas: Pick<Quotas, 'exceeded'> };

/**
 * Commits as much of a plan as the organization's quota allows. The records of further creations fail.
 * @throws PartLost
 */
export async function commitWithinQuota(
  deps: CommitWithinQuotaDeps,
  claimed: ClaimedPart,
  { records, orgId, plan, kind }: PartRecords & { readonly plan: PartPlan; readonly kind: QuotaKind },
): Promise<void> {
  const count = countOutcomes(plan.outcomes).created;
  const commitUpTo: CommitUpTo = async (allowed, quotaOf) => {
    const taken = quotaOf !== undefined && { quotaOf };
    if (allowed === count) {
      await commitPart(deps, claimed, { plan, ...taken });
      return count;
    }
    const failure = new RecordFailure('QUOTA-EXCEEDED', (await deps.quotas.exceeded(orgId, kind)).message);
    const fitting = failAfter(allowed, { records, outcomes: plan.outcomes, failure });
    const smaller = await planPart(deps, claimed, { records: fitting, orgId });
    await commitPart(deps, claimed, { plan: smaller, ...taken });
    return countOutcomes(smaller.outcomes).created;
  };
  await claimed.mode.admit(deps, claimed, { kind, orgId, count }, commitUpTo);
}

/** Keeps the records of the first `allowed` creations, and those that create nothing. The others fail. */
function failAfter(
  allowed: number,
  of: { records: readonly ParsedRecord[]; outcomes: readonly Outcome[]; failure: RecordFailure },
): ParsedRecord[] {
  let left = allowed;
  return of.records.map((record, index) => {
    const outcome = of.outcomes[index];
    if (outcome?.kind !== 'created' || left-- > 0) return record;
    return { ...record, failure: of.failure, id: outcome.id };
  });
}
