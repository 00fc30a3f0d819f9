import type { StagingStore } from '#src/jobs/staging.store.js';
import type { ImportPart } from '../stores/import-parts.store.js';
import type { ImportDetails } from '../stores/imports.store.js';
import { type OwnIdentifierDeps, withOwnIdentifiers } from './own-identifiers.js';
import { type ParsedRecord, readRecords } from './read-records.js';

/** The records of a part. Those of an organization's owner have identifiers of the organization: {@link withOwnIdentifiers}. */
export async function readOwnRecords(
  deps: OwnIdentifierDeps & { readonly staging: StagingStore },
  { orgId }: Pick<ImportDetails, 'orgId'>,
  part: ImportPart,
): Promise<ParsedRecord[]> {
  const records = await readRecords(deps.staging, part);
  return orgId === undefined ? records : withOwnIdentifiers(deps, orgId, records);
}
