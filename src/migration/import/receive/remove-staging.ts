import type { StagingStore } from '#src/jobs/staging.store.js';
import type { Clock } from '#src/platform/clock.js';
import type { ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import type { UploadsStore } from '../stores/uploads.store.js';

export interface RemoveStagingDeps {
  readonly staging: StagingStore;
  readonly importParts: ImportPartsStore;
  readonly importOrganizations: ImportOrganizationsStore;
  readonly uploads: UploadsStore;
}

/** An upload is abandoned after this time without a note. No body and no object of a bucket pauses for so long. */
const abandonedMs = 2 * 3_600_000;
/** The most texts that one call removes. */
const maxRemovals = 100;

/** Removes a staged text and its parts. Only texts that belong to no import are removed in this way. */
export async function removeStaging(
  { staging, importParts, importOrganizations, uploads }: RemoveStagingDeps,
  stagingId: string,
): Promise<void> {
  await Promise.all([staging, importParts, importOrganizations].map((store) => store.remove(stagingId)));
  await uploads.remove(stagingId);
}

/** Removes the texts that processes were staging when they died. Such a text may hold password hashes. */
export async function removeAbandoned(deps: RemoveStagingDeps & { readonly clock: Clock }): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - abandonedMs);
  const abandoned = await deps.uploads.endAbandoned(before, maxRemovals);
  for (const stagingId of abandoned) await removeStaging(deps, stagingId);
}
