import type { ConfinedIdentifierDeps } from '../records/confined-identifiers.js';
import { readConfinedRecords } from '../records/read-confined-records.js';
import type { ImportOrganization, ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ClaimedPart } from './claimed-part.js';
import { commitPart } from './commit-part.js';
import { type CommitWithinQuotaDeps, commitWithinQuota } from './commit-within-quota.js';
import { importOrganizations } from './import-organizations.js';
import { planPart } from './plan-part.js';
import { planSlices } from './plan-slices.js';
import { refusePart } from './refuse-part.js';

export type ImportPartDeps = CommitWithinQuotaDeps &
  ConfinedIdentifierDeps & {
    readonly importOrganizations: Pick<ImportOrganizationsStore, 'range'>;
  };

/**
 * Imports a part as a whole: reads its records, plans them, and commits what the quota allows.
 * @throws PartLost if the part has ended meanwhile, PlanOutdated and duplicate keys if others changed the same objects
 */
export async function importPart(deps: ImportPartDeps, claimed: ClaimedPart): Promise<void> {
  const { part } = claimed;
  const organizations = await deps.importOrganizations.range(part.stagingId, {
    from: part.org,
    count: Math.max(part.orgs, 1),
  });
  if (part.orgs > 0) return importOrganizations(deps, claimed, organizations);
  await importList(deps, claimed, organizations[0]);
}

/**
 * Imports a part of one list.
 * @param organization its organization, with the outcome of that
 * @throws as {@link importPart}
 */
export async function importList(
  deps: ImportPartDeps,
  claimed: ClaimedPart,
  organization: ImportOrganization | undefined,
): Promise<void> {
  const { section, mode } = claimed;
  const orgId = organization?.orgId;
  if (organization?.imported !== true || orgId === undefined) return refusePart(deps, claimed, orgId);
  const sliceLength = mode.sliceOf(section);
  if (sliceLength !== undefined)
    return commitPart(deps, claimed, { plan: await planSlices(deps, claimed, { orgId, sliceLength }) });
  const records = await readConfinedRecords(deps, claimed.details, claimed.part);
  const plan = await planPart(deps, claimed, { records, orgId });
  const { quota: kind } = section;
  if (kind === undefined) return commitPart(deps, claimed, { plan });
  await commitWithinQuota(deps, claimed, { records, orgId, plan, kind });
}
