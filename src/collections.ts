import { accessCollections } from '#src/access/index.js';
import { accountCollections } from '#src/accounts/index.js';
import { auditCollections } from '#src/audit/open-audit.js';
import { clientCollections } from '#src/clients/index.js';
import { connectionCollections } from '#src/connections/index.js';
import { directoryCollections } from '#src/directory/open/index.js';
import { jobCollections } from '#src/jobs/open-jobs.js';
import { keyCollections } from '#src/keys/open-keys.js';
import { migrationCollections } from '#src/migration/open/open-migration.js';
import { noticeCollections } from '#src/notices/open-notices.js';
import { organizationCollections } from '#src/organizations/open/index.js';
import { peopleCollections } from '#src/people/index.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import { provisioningCollections } from '#src/provisioning-log/open-provisioning-log.js';
import { tokenCollections } from '#src/tokens/open-tokens.js';

/** Every collection of the service, with its indexes. A process makes those that are missing before it opens its rooms. */
export const collections: readonly CollectionIndexes[] = [
  ...auditCollections,
  ...noticeCollections,
  ...keyCollections,
  ...tokenCollections,
  ...directoryCollections,
  ...organizationCollections,
  ...accountCollections,
  ...peopleCollections,
  ...accessCollections,
  ...clientCollections,
  ...connectionCollections,
  ...provisioningCollections,
  ...jobCollections,
  ...migrationCollections,
];
