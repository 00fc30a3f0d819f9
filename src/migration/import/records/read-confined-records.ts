import type { StagingStore } from '#src/jobs/staging.store.js';
import type { ImportPart } from '../stores/import-parts.store.js';
import type { ImportDetails } from '../stores/imports.store.js';
import { type OwnIdentifierDeps, withOwnIdentifiers } from './confined-identifiers.js';
import { openRecords, type ParsedRecord } from './read-records.js';

/** What reading records of a part needs. */
export type OwnRecordsDeps = OwnIdentifierDeps & { readonly staging: Pick<StagingStore, 'read'> };

/** The records of a part. Those of an organization's owner have identifiers of the organization: {@link withOwnIdentifiers}. */
export async function readOwnRecords(
  deps: OwnRecordsDeps,
  details: Pick<ImportDetails, 'orgId'>,
  part: ImportPart,
): Promise<ParsedRecord[]> {
  const read = await openOwnRecords(deps, details, part);
  return read(0, part.ranges.length);
}

/** The same, for records of a part that are read some at a time: from `from` up to `to`. */
export async function openOwnRecords(
  deps: OwnRecordsDeps,
  { orgId }: Pick<ImportDetails, 'orgId'>,
  part: ImportPart,
): Promise<(from: number, to: number) => Promise<ParsedRecord[]>> {
  const parse = await openRecords(deps.staging, part);
  return async (from, to) => {
    const records = parse(from, to);
    return orgId === undefined ? records : withOwnIdentifiers(deps, orgId, records);
  };
}
