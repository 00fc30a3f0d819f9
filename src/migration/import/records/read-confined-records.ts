import type { StagingStore } from '#src/jobs/staging.store.js';
import type { ImportPart } from '../stores/import-parts.store.js';
import type { ImportDetails } from '../stores/imports.store.js';
import { type ConfinedIdentifierDeps, withConfinedIdentifiers } from './confined-identifiers.js';
import { openRecords, type ParsedRecord } from './read-records.js';

/** What reading records of a part needs. */
export type ConfinedRecordsDeps = ConfinedIdentifierDeps & { readonly staging: Pick<StagingStore, 'read'> };

/** The records of a part. Those of an organization's owner have identifiers of the organization: {@link withConfinedIdentifiers}. */
export async function readConfinedRecords(
  deps: ConfinedRecordsDeps,
  details: Pick<ImportDetails, 'orgId'>,
  part: ImportPart,
): Promise<ParsedRecord[]> {
  const read = await openConfinedRecords(deps, details, part);
  return read(0, part.ranges.length);
}

/** The same, for records of a part that are read some at a time: from `from` up to `to`. */
export async function openConfinedRecords(
  deps: ConfinedRecordsDeps,
  { orgId }: Pick<ImportDetails, 'orgId'>,
  part: ImportPart,
): Promise<(from: number, to: number) => Promise<ParsedRecord[]>> {
  const parse = await openRecords(deps.staging, part);
  return async (from, to) => {
    const records = parse(from, to);
    return orgId === undefined ? records : withConfinedIdentifiers(deps, orgId, records);
  };
}
