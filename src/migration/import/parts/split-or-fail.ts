import type { Logger } from '#src/platform/logger.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import { failedOutcome, PlanOutdated, RecordFailure } from '../lists/section/record-failure.js';
import { readRecords } from '../records/read-records.js';
import type { ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import { type ClaimedPart, PartLost } from './claimed-part.js';
import { type CommitPartDeps, commitPart } from './commit-part.js';
import { type PlanPartDeps, withPlace } from './plan-part.js';
import { splitPart } from './split-part.js';

export type SplitOrFailDeps = CommitPartDeps &
  Pick<PlanPartDeps, 'recordSums' | 'staging'> & {
    readonly importParts: Pick<ImportPartsStore, 'replace'>;
    readonly importOrganizations: Pick<ImportOrganizationsStore, 'range'>;
    readonly logger: Logger;
  };

/**
 * Splits a part, so that only the faulty record fails. A part of one record fails.
 * @returns the identifiers of the smaller parts
 */
export async function splitOrFail(
  deps: SplitOrFailDeps,
  claimed: ClaimedPart,
  error: unknown,
): Promise<string[]> {
  const { part } = claimed;
  const smaller = splitPart(part);
  if (smaller.length > 1) {
    await deps.mongo.transaction((transaction) => deps.importParts.replace(part, smaller, transaction));
    return smaller.map(({ id }) => id);
  }
  deps.logger.error({ err: error, partId: part.id }, 'a record could not be imported');
  await failRecord(deps, claimed, new RecordFailure(isOvertaken(error) ? 'CONFLICT' : 'FAULT'));
  return [];
}

/** Whether another writer changed the same objects first. */
export function isOvertaken(error: unknown): boolean {
  return isDuplicateKey(error) || error instanceof PlanOutdated;
}

/** Ends a part of one record, which fails. */
async function failRecord(
  deps: SplitOrFailDeps,
  claimed: ClaimedPart,
  failure: RecordFailure,
): Promise<void> {
  const { part, mode } = claimed;
  const [record = {}] = part.orgs > 0 ? [] : await readRecords(deps.staging, part);
  const outcomes = [withPlace(failedOutcome(failure, ''), { ...record, failure, id: '' })];
  const [organization] =
    part.orgs > 0 ? [] : await deps.importOrganizations.range(part.stagingId, { from: part.org, count: 1 });
  const orgId = organization?.orgId ?? '';
  const comparison = await mode.compare(deps, { list: part.section, orgId }).end([record], outcomes);
  const plan = { outcomes, ...(comparison && { comparison }) };
  const imported = part.orgs > 0 ? new Map([[part.org, false]]) : undefined;
  try {
    await commitPart(deps, claimed, { plan, ...(imported && { imported }) });
  } catch (lost) {
    if (!(lost instanceof PartLost)) throw lost;
  }
}
