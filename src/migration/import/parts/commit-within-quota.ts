import type { QuotaKind } from '#src/directory/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import { RecordFailure } from '../lists/section/record-failure.js';
import type { Outcome } from '../lists/section/section.js';
import type { ParsedRecord } from '../records/read-records.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import type { PartRun } from './claimed-part.js';
import { type CommitPartDeps, commitPart } from './commit-part.js';
import { type PartPlan, type PartRecords, type PlanPartDeps, planPart } from './plan-part.js';
import { countOutcomes } from './report-outcomes.js';

export type ImportWithinQuotaDeps = PlanPartDeps &
  CommitPartDeps & {
    readonly importParts: Pick<ImportPartsStore, 'countCreated'>;
    readonly quotas: Pick<Quotas, 'upTo' | 'left' | 'exceeded'>;
  };

/**
 * Commits as much of a plan as the organization's quota allows. The records of further creations fail. A dry run takes no places. It
 * counts what its earlier parts would create.
 * @throws PartLost
 */
export async function importWithinQuota(
  deps: ImportWithinQuotaDeps,
  run: PartRun,
  { records, orgId, plan, kind }: PartRecords & { plan: PartPlan; kind: QuotaKind },
): Promise<void> {
  const count = countOutcomes(plan.outcomes).created;
  const quotaOf = `${kind} ${orgId}`;
  const upTo = async (allowed: number): Promise<number> => {
    if (allowed === count) {
      await commitPart(deps, run, { plan, quotaOf });
      return count;
    }
    const failure = new RecordFailure('QUOTA-EXCEEDED', (await deps.quotas.exceeded(orgId, kind)).message);
    const fitting = failAfter(allowed, { records, outcomes: plan.outcomes, failure });
    const smaller = await planPart(deps, run, { records: fitting, orgId });
    await commitPart(deps, run, { plan: smaller, quotaOf });
    return countOutcomes(smaller.outcomes).created;
  };
  if (!run.details.dryRun) return deps.quotas.upTo(orgId, { kind, count }, upTo);
  const left = await deps.quotas.left(orgId, kind);
  const earlier = Number.isFinite(left) ? await createdEarlier(deps, run, quotaOf) : 0;
  await upTo(Math.max(0, Math.min(count, left - earlier)));
}

function createdEarlier(
  { importParts }: ImportWithinQuotaDeps,
  { part, section }: PartRun,
  quotaOf: string,
): Promise<number> {
  return importParts.countCreated(part.stagingId, { phase: section.phase, quotaOf });
}

/** Keeps the records of the first `allowed` creations, and those that create nothing. The others fail. */
function failAfter(
  allowed: number,
  part: { records: readonly ParsedRecord[]; outcomes: readonly Outcome[]; failure: RecordFailure },
): ParsedRecord[] {
  let left = allowed;
  return part.records.map((record, index) => {
    const outcome = part.outcomes[index];
    if (outcome?.kind !== 'created' || left-- > 0) return record;
    return { ...record, failure: part.failure, id: outcome.id };
  });
}
