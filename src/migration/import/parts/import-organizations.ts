import { type ImportCode, importCodes } from '../lists/section/import-codes.js';
import { RecordFailure } from '../lists/section/record-failure.js';
import type { Outcome } from '../lists/section/section.js';
import type { ParsedRecord } from '../records/read-records.js';
import type { ImportOrganization } from '../stores/import-organizations.store.js';
import type { ReportedError } from '../stores/import-results.store.js';
import type { ClaimedPart } from './claimed-part.js';
import { type CommitPartDeps, commitPart, type PartCommit } from './commit-part.js';
import { type PlanPartDeps, planPart } from './plan-part.js';

/** Imports a part of organizations, without their lists. It notes for which of them the lists follow. @throws PartLost */
export async function importOrganizations(
  deps: PlanPartDeps & CommitPartDeps,
  claimed: ClaimedPart,
  organizations: readonly ImportOrganization[],
): Promise<void> {
  await commitPart(deps, claimed, await planOrganizations(deps, claimed, organizations));
}

/** Plans a part of organizations. */
export async function planOrganizations(
  deps: PlanPartDeps,
  claimed: ClaimedPart,
  organizations: readonly ImportOrganization[],
): Promise<PartCommit & { readonly imported: ReadonlyMap<number, boolean> }> {
  const { orgId: only } = claimed.details;
  const records = organizations.map(({ orgId, org, ignored, ...at }): ParsedRecord => {
    const found = { ...placeOf(at), ...(ignored && { ignored }) };
    // No look-up: whether another organization exists must not be told, also not by the time that it takes.
    if (only !== undefined && orgId !== only)
      return { failure: new RecordFailure('ORG-NOT-FOUND'), id: (orgId ?? '').slice(0, 200), ...found };
    return { value: { orgId, ...(org !== undefined && { org }) }, ...found };
  });
  const plan = await planPart(deps, claimed, { records, orgId: '' });
  const imported = new Map(organizations.map(({ index }, at) => [index, hasLists(plan.outcomes[at])]));
  const errors = organizations.filter(({ index }) => imported.get(index) === true).flatMap(leftOutError);
  return { plan, imported, errors };
}

/** Whether the lists of an organization are imported. In a verification, those of one with other settings are compared. */
function hasLists(outcome: Outcome | undefined): boolean {
  return outcome?.kind !== 'failed' || outcome.code === 'OTHER-CONTENT';
}

function placeOf({ line, position }: Pick<ImportOrganization, 'line' | 'position'>) {
  if (line === undefined || position === undefined) return {};
  return { place: { line, position } };
}

/** The error for the lists of an organization that are not imported. The organization itself is imported. */
function leftOutError({ orgId = '', leftOut = [], moreLeftOut, ...at }: ImportOrganization): ReportedError[] {
  if (leftOut.length === 0) return [];
  const code: ImportCode = 'LIST-UNKNOWN';
  const more = moreLeftOut === undefined ? '' : ` and ${moreLeftOut} more`;
  const message = `${code}: ${importCodes[code]}: ${leftOut.join(', ')}${more}`;
  return [{ type: 'org', id: orgId.slice(0, 200), message, ...placeOf(at).place }];
}
