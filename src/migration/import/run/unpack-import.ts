import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { StagingStore } from '#src/jobs/staging.store.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import type { ImportsStore } from '../stores/imports.store.js';
import { type KeptImport, readSmallImport } from '../stores/kept-imports.js';

export interface UnpackImportDeps {
  readonly mongo: Mongo;
  readonly jobs: Pick<JobsStore, 'takeKept'>;
  readonly imports: Pick<ImportsStore, 'insert'>;
  readonly importParts: Pick<ImportPartsStore, 'insert'>;
  readonly importOrganizations: Pick<ImportOrganizationsStore, 'insert'>;
  readonly staging: Pick<StagingStore, 'writer'>;
}

/**
 * Stores what an open job keeps of its import as the documents that any other import has, in one transaction. Its parts can then be handed out.
 * It does nothing to a job that has ended, or that keeps no import.
 */
export async function unpackImport(
  { mongo, jobs, imports, importParts, importOrganizations, staging }: UnpackImportDeps,
  jobId: string,
): Promise<void> {
  await mongo.transaction(async (transaction) => {
    const taken = await jobs.takeKept(jobId, transaction);
    if (taken === undefined) return;
    const { details } = taken.kept as KeptImport;
    const { organization, ofOrganization, ofRecords, text } = readSmallImport(taken.held);
    const { expires } = details;
    await imports.insert({ jobId, ...details }, transaction);
    await importOrganizations.insert(jobId, [organization], expires, transaction);
    await importParts.insert([ofOrganization, ofRecords], expires, transaction);
    const writer = staging.writer(jobId, expires);
    await writer.write(text);
    await writer.storeShort(transaction);
  });
}
