import type { Config } from '#src/config.js';
import { createLazyBlobStore } from '#src/platform/blobs/lazy-blob-store.js';
import type { Logger } from '#src/platform/logger.js';
import { createHttpsObjects } from '#src/platform/outgoing/https-objects.js';
import { createSections } from '../import/sections/sections.js';
import { createRecordSums } from '../verify/record-sums.js';

type OpenMigrationDeps = Parameters<typeof createSections>[0] & {
  readonly config: Pick<Config, 'storageEmulatorHost' | 'bucketHosts' | 'importHosts'>;
  readonly logger: Logger;
  /** Certificates in the PEM format that buckets and other sources may have, instead of those that Node.js trusts. */
  readonly outgoingCa: string | undefined;
};

/** Opens the lists that an import can have, the thread of a verification, and the places where files are. */
export function openMigration(deps: OpenMigrationDeps) {
  const { config, logger, outgoingCa: ca } = deps;
  const names = (hosts: string) => (hosts === '' ? [] : hosts.split(/, */));
  return {
    importSections: createSections(deps),
    recordSums: createRecordSums(),
    blobs: createLazyBlobStore({
      ...(config.storageEmulatorHost !== '' && { endpoint: config.storageEmulatorHost }),
      hosts: names(config.bucketHosts),
      ca,
      logger,
    }),
    httpsObjects: createHttpsObjects({ hosts: names(config.importHosts), ca }),
  };
}
