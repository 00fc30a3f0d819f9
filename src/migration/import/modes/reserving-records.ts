import type { StagingStore } from '#src/jobs/staging.store.js';
import type { ConfinedIdentifierDeps } from '../records/confined-identifiers.js';
import { readConfinedRecords } from '../records/read-confined-records.js';
import type { ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportPart, ImportPartsStore } from '../stores/import-parts.store.js';
import type { ImportResultsStore } from '../stores/import-results.store.js';
import type { ImportDetails } from '../stores/imports.store.js';

interface ReservingRecordsDeps extends ConfinedIdentifierDeps {
  readonly importParts: Pick<ImportPartsStore, 'find'>;
  readonly importOrganizations: Pick<ImportOrganizationsStore, 'range'>;
  readonly importResults: Pick<ImportResultsStore, 'findReserving'>;
  readonly staging: StagingStore;
}

/**
 * Returns the records of a list that reserved one of these names in earlier parts of a dry run, in the order of the file.
 */
export async function reservingRecords(
  deps: ReservingRecordsDeps,
  { stagingId, orgId }: Pick<ImportPart, 'stagingId'> & Pick<ImportDetails, 'orgId'>,
  wanted: { names: readonly string[]; section: string },
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { partId, records } of await deps.importResults.findReserving(stagingId, wanted)) {
    const part = await deps.importParts.find(partId);
    if (part !== undefined) found.push(...(await recordsOf(deps, { part, orgId }, records)));
  }
  return found;
}

async function recordsOf(
  deps: ReservingRecordsDeps,
  { part, orgId }: { readonly part: ImportPart; readonly orgId: string | undefined },
  records: readonly number[],
): Promise<unknown[]> {
  if (part.orgs > 0) {
    const organizations = await deps.importOrganizations.range(part.stagingId, {
      from: part.org,
      count: part.orgs,
    });
    return records.flatMap((record) => organizations[record] ?? []);
  }
  const ranges = records.flatMap((record) => part.ranges[record] ?? []);
  const parsed = await readConfinedRecords(deps, orgId === undefined ? {} : { orgId }, { ...part, ranges });
  return parsed.flatMap((one) => ('value' in one ? [one.value] : []));
}
