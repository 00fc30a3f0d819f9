import type { PartComparison } from '../../digest/part-comparison.js';
import { comparePart } from '../../verify/compare-part.js';
import { readRecords } from '../records/read-records.js';
import { PartLost, type PartRun } from './claimed-part.js';
import type { CommitPartDeps } from './commit-part.js';
import { type PlanPartDeps, planPart, refusedOutcome } from './plan-part.js';
import { noCounts } from './report-outcomes.js';

/**
 * Ends a part whose organization cannot be imported. Its records fail without errors of their own: the organization has the error. A
 * verification counts them as refused.
 * @throws PartLost
 */
export async function refusePart(
  deps: PlanPartDeps & CommitPartDeps,
  run: PartRun,
  orgId: string | undefined,
): Promise<void> {
  const { part, details } = run;
  const comparison = details.verify && (await comparisonOf(deps, run, orgId));
  const counts = { ...noCounts, failed: part.count };
  await deps.mongo.transaction(async (transaction) => {
    if (!(await deps.importParts.end(part, counts, transaction))) throw new PartLost();
    await run.alongside?.(counts, transaction);
    if (comparison === undefined) return;
    const { id: partId, org, section } = part;
    const result = { partId, org, section, created: [], errors: [], comparison };
    await deps.importResults.add(result, { part, expires: details.expires }, transaction);
  });
}

/** The comparison of records that the service could not have. */
async function comparisonOf(
  deps: PlanPartDeps,
  run: PartRun,
  orgId: string | undefined,
): Promise<PartComparison | undefined> {
  const { part } = run;
  const records = await readRecords(deps.staging, part);
  // Read as those of other organizations, so that the file has the same digest whether or not the organization is there.
  if (orgId !== undefined) return (await planPart(deps, run, { records, orgId, isRefused: true })).comparison;
  const outcomes = records.map(() => refusedOutcome({ id: '' }));
  return comparePart(deps.recordSums, { list: part.section, orgId: '', records, outcomes });
}
