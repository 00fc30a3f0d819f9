import type { Config } from '#src/config.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import { createLazyBlobStore } from '#src/platform/blobs/lazy-blob-store.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import { createHttpsObjects } from '#src/platform/outgoing/https-objects.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { createDailyAllowance } from '../daily-allowance.store.js';
import { createRecordSums } from '../digest/record-sums.js';
import { createSections } from '../import/lists/sections.js';
import {
  createImportOrganizationsStore,
  importOrganizationIndexes,
} from '../import/stores/import-organizations.store.js';
import { createImportPartsStore, importPartIndexes } from '../import/stores/import-parts.store.js';
import { createImportResultsStore, importResultIndexes } from '../import/stores/import-results.store.js';
import { createImportsStore, importIndexes } from '../import/stores/imports.store.js';
import { createUploadsStore, uploadIndexes } from '../import/stores/uploads.store.js';
import { createOrganizationBounds } from '../organization-bounds.js';

/** The collections of the room, with their indexes. */
export const migrationCollections = [
  importIndexes,
  uploadIndexes,
  importPartIndexes,
  importOrganizationIndexes,
  importResultIndexes,
];

type OpenMigrationDeps = Parameters<typeof createSections>[0] & {
  readonly config: Pick<Config, 'storageEmulatorHost' | 'bucketHosts' | 'importHosts'>;
  readonly logger: Logger;
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly clock: Clock;
  readonly jobs: Pick<JobsStore, 'countOpenOf'>;
  /** Certificates in the PEM format that buckets and other sources may have, instead of those that Node.js trusts. */
  readonly outgoingCa: string | undefined;
};

/** What the room offers. */
export type OpenedMigration = ReturnType<typeof openMigration>;

/** Opens the stores of an import, the bounds of organizations, the lists that an import can have, the thread of a verification, and the places where files are. */
export function openMigration(deps: OpenMigrationDeps) {
  const { mongo, config, logger, outgoingCa: ca } = deps;
  const names = (hosts: string) => (hosts === '' ? [] : hosts.split(/, */));
  return {
    imports: createImportsStore(mongo),
    uploads: createUploadsStore(mongo),
    importParts: createImportPartsStore(mongo),
    importOrganizations: createImportOrganizationsStore(mongo),
    importResults: createImportResultsStore(mongo),
    importSections: createSections(deps),
    organizationBounds: createOrganizationBounds({ ...deps, dailyAllowance: createDailyAllowance(deps) }),
    recordSums: createRecordSums(),
    blobs: createLazyBlobStore({
      ...(config.storageEmulatorHost !== '' && { endpoint: config.storageEmulatorHost }),
      hosts: names(config.bucketHosts),
      others: names(config.importHosts),
      ca,
      logger,
    }),
    httpsObjects: createHttpsObjects({ hosts: names(config.importHosts), ca }),
  };
}
