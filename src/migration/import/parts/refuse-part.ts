import type { PartComparison } from '../../digest/part-comparison.js';
import { failedOutcome, RecordFailure } from '../lists/section/record-failure.js';
import type { Outcome } from '../lists/section/section.js';
import { readRecords } from '../records/read-records.js';
import { type ClaimedPart, PartLost } from './claimed-part.js';
import type { CommitPartDeps } from './commit-part.js';
import { decideRecords, type PlanPartDeps } from './plan-part.js';
import { noCounts } from './report-outcomes.js';

/**
 * Ends a part whose organization cannot be imported. Its records fail without errors of their own: the organization has the error. A
 * verification counts them as refused.
 * @throws PartLost
 */
export async function refusePart(
  deps: PlanPartDeps & CommitPartDeps,
  claimed: ClaimedPart,
  orgId: string | undefined,
): Promise<void> {
  const { part, details, mode } = claimed;
  const comparison = mode.readsRefused ? await compareRefused(deps, claimed, orgId) : undefined;
  const counts = { ...noCounts, failed: part.count };
  await deps.mongo.transaction(async (transaction) => {
    if (!(await deps.importParts.end(part, counts, transaction))) throw new PartLost();
    const { id: partId, org, section } = part;
    const result = { partId, org, section, created: [], errors: [] };
    await claimed.alongside?.({ counts, result }, transaction);
    if (comparison === undefined) return;
    const compared = { ...result, comparison };
    await deps.importResults.add(compared, { part, expires: details.expires }, transaction);
  });
}

/** Compares records that the service could not have. */
async function compareRefused(
  deps: PlanPartDeps,
  claimed: ClaimedPart,
  orgId: string | undefined,
): Promise<PartComparison | undefined> {
  const { part, section, mode } = claimed;
  const records = await readRecords(deps.staging, part);
  const comparer = mode.compare(deps, { list: section.key, orgId: orgId ?? '' });
  if (orgId === undefined) return comparer.end(records, records.map(nameless));
  // Read as those of other organizations, so that the file has the same digest whether or not the organization is there.
  const { plan } = await decideRecords(deps, claimed, { records, orgId, comparer });
  return comparer.end(records, plan.outcomes.map(refusedOutcome));
}

/** The outcome of a record whose organization cannot be imported. */
function refusedOutcome({ id }: Pick<Outcome, 'id'>): Outcome {
  return failedOutcome(new RecordFailure('ORG-FAILED'), id);
}

function nameless(): Outcome {
  return refusedOutcome({ id: '' });
}
