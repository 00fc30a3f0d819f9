import type { OpenedAccess } from '#src/access/index.js';
import type { OpenedAccounts } from '#src/accounts/index.js';
import type { OpenedAudit } from '#src/audit/open-audit.js';
import type { MailLink } from '#src/authentication/index.js';
import type { OpenedAuthentication } from '#src/authentication/open/index.js';
import type { OpenedClients } from '#src/clients/index.js';
import type { Config } from '#src/config.js';
import type { OpenedConnections } from '#src/connections/index.js';
import type { OpenedDirectory } from '#src/directory/open/index.js';
import type { OpenedHttp } from '#src/http/open-http.js';
import type { OpenedJobs } from '#src/jobs/open-jobs.js';
import type { OpenedKeys } from '#src/keys/open-keys.js';
import type { OpenedMigration } from '#src/migration/open/open-migration.js';
import type { OpenedOrganizations } from '#src/organizations/open/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { OpenedPeople } from '#src/people/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { OpenedProvisioningLog } from '#src/provisioning-log/open-provisioning-log.js';
import type { OpenedSessions } from '#src/sessions/open-sessions.js';
import type { OpenedTokens } from '#src/tokens/open-tokens.js';

/** What the admin API needs of the rooms below it. Each module takes its part of them. */
export interface AdminNeeds
  extends Pick<OpenedAccounts, 'accounts' | 'identityLinks' | 'oneTimeLinks' | 'webauthnCredentials'>,
    Pick<
      OpenedMigration,
      | 'importOrganizations'
      | 'importSections'
      | 'uploads'
      | 'importParts'
      | 'imports'
      | 'importResults'
      | 'blobs'
      | 'httpsObjects'
      | 'organizationBounds'
    >,
    Pick<OpenedDirectory, 'identifiers'>,
    Pick<
      OpenedClients,
      | 'applicationGrants'
      | 'applications'
      | 'serviceUsers'
      | 'personalAccessTokens'
      | 'consents'
      | 'secretUsesStore'
      | 'issuerKeys'
    >,
    Pick<
      OpenedConnections,
      | 'connections'
      | 'connectionSealer'
      | 'lastClaims'
      | 'logoutHints'
      | 'providerSessions'
      | 'metadataFetch'
      | 'providerKeys'
      | 'providerFetch'
      | 'providers'
      | 'samlThreads'
      | 'setupLinks'
      | 'signInTests'
    >,
    Pick<OpenedAudit, 'events' | 'eventReceivers'>,
    Pick<
      OpenedOrganizations,
      'domainProofs' | 'features' | 'logos' | 'lookUpTxt' | 'organizations' | 'userTotals'
    >,
    Pick<OpenedHttp, 'authenticate' | 'rateCounts' | 'provenCredentials' | 'addressBound'>,
    Pick<
      OpenedAccess,
      | 'ableOwners'
      | 'memberships'
      | 'projects'
      | 'projectMembers'
      | 'projectRoles'
      | 'groupGrants'
      | 'userGrants'
    >,
    Pick<
      OpenedPeople,
      | 'users'
      | 'userCounter'
      | 'batchChangedUser'
      | 'groups'
      | 'people'
      | 'groupMembers'
      | 'userSearch'
      | 'userMetadata'
    >,
    Pick<OpenedJobs, 'jobs' | 'staging' | 'jobQueue'>,
    Pick<OpenedTokens, 'revocations' | 'refreshTokens' | 'rememberedBrowsers'>,
    Pick<OpenedProvisioningLog, 'provisioningLogStore'>,
    Pick<
      OpenedAuthentication,
      'migrationHooks' | 'loginAttempts' | 'codeAttempts' | 'hookSealer' | 'pepperSealer'
    >,
    Pick<OpenedKeys, 'signingKeys' | 'signingKeyRotation' | 'passwords' | 'threads'>,
    Pick<OpenedSessions, 'sessions'> {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mongo: Mongo;
  readonly redis: RedisConnection;
  readonly caches: OpenedOrganizations['caches'] &
    OpenedPeople['caches'] &
    OpenedAccess['caches'] &
    OpenedClients['caches'] &
    OpenedConnections['caches'];
  readonly mailLink: MailLink | undefined;
  readonly quotas: Quotas;
}
