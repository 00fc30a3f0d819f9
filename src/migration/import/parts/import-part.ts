import { readRecords } from '../records/read-records.js';
import type { ImportOrganization, ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { PartRun } from './claimed-part.js';
import { commitPart } from './commit-part.js';
import { importOrganizations } from './import-organizations.js';
import { type ImportWithinQuotaDeps, importWithinQuota } from './commit-within-quota.js';
import { planPart } from './plan-part.js';
import { planSlices } from './plan-slices.js';
import { refusePart } from './refuse-part.js';

export type ImportPartDeps = ImportWithinQuotaDeps & {
  readonly importOrganizations: Pick<ImportOrganizationsStore, 'range'>;
};

/**
 * Imports a part as a whole: reads its records, plans them, and commits what the quota allows.
 * @throws PartLost if the part has ended meanwhile, PlanOutdated and duplicate keys if others changed the same objects
 */
export async function importPart(deps: ImportPartDeps, run: PartRun): Promise<void> {
  const { part } = run;
  const organizations = await deps.importOrganizations.range(part.stagingId, {
    from: part.org,
    count: Math.max(part.orgs, 1),
  });
  if (part.orgs > 0) return importOrganizations(deps, run, organizations);
  await importList(deps, run, organizations[0]);
}

/**
 * Imports a part of one list.
 * @param organization its organization, with the outcome of that
 * @throws as {@link importPart}
 */
export async function importList(
  deps: ImportPartDeps,
  run: PartRun,
  organization: ImportOrganization | undefined,
): Promise<void> {
  const { part, section, details } = run;
  const orgId = organization?.orgId;
  if (organization?.imported !== true || orgId === undefined) return refusePart(deps, run, orgId);
  if (details.verify !== undefined && section.comparedAtOnce !== undefined)
    return commitPart(deps, run, { plan: await planSlices(deps, run, orgId) });
  const records = await readRecords(deps.staging, part);
  const plan = await planPart(deps, run, { records, orgId });
  const { quota: kind } = section;
  // A verification adds nothing, so no quota matters.
  if (kind === undefined || details.verify !== undefined) return commitPart(deps, run, { plan });
  await importWithinQuota(deps, run, { records, orgId, plan, kind });
}
