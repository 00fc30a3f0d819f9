import type { OpenedAccess } from '#src/access/index.js';
import type { OpenedAccounts } from '#src/accounts/index.js';
import type { OpenedAudit } from '#src/audit/open-audit.js';
import type { OpenedAuthentication } from '#src/authentication/open/index.js';
import type { OpenedClients } from '#src/clients/index.js';
import type { OpenedConnections } from '#src/connections/index.js';
import type { OpenedJobs } from '#src/jobs/open-jobs.js';
import type { OpenedOrganizations } from '#src/organizations/open/index.js';
import type { OpenedPeople } from '#src/people/index.js';
import type { BlobStore } from '#src/platform/blobs/blob-store.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';

/** What exports need. Each module takes its part of it. */
export interface ExportNeeds
  extends Pick<
      OpenedAccess,
      'groupGrants' | 'memberships' | 'projectMembers' | 'projectRoles' | 'projects' | 'userGrants'
    >,
    Pick<OpenedAccounts, 'accounts' | 'identityLinks' | 'webauthnCredentials'>,
    Pick<OpenedAudit, 'events'>,
    Pick<OpenedAuthentication, 'totpSealer'>,
    Pick<
      OpenedClients,
      'applicationGrants' | 'applications' | 'consents' | 'personalAccessTokens' | 'serviceUsers'
    >,
    Pick<OpenedConnections, 'connections'>,
    Pick<OpenedJobs, 'jobs' | 'staging'>,
    Pick<OpenedOrganizations, 'logos' | 'organizations'>,
    Pick<OpenedPeople, 'groupMembers' | 'groups' | 'userMetadata' | 'users'> {
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mongo: Mongo;
}
