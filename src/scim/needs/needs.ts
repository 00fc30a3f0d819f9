import type { OpenedAccess } from '#src/access/index.js';
import type { OpenedAccounts } from '#src/accounts/index.js';
import type { OpenedAudit } from '#src/audit/open-audit.js';
import type { OpenedClients } from '#src/clients/index.js';
import type { Config } from '#src/config.js';
import type { OpenedHttp } from '#src/http/open-http.js';
import type { OpenedJobs } from '#src/jobs/open-jobs.js';
import type { OpenedKeys } from '#src/keys/open-keys.js';
import type { OpenedOrganizations } from '#src/organizations/open/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { OpenedPeople } from '#src/people/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { OpenedProvisioningLog } from '#src/provisioning-log/open-provisioning-log.js';
import type { OpenedRemoval } from '#src/removal/index.js';
import type { OpenedTokens } from '#src/tokens/open-tokens.js';

/** What SCIM needs of the rooms below it. Each module takes its part of them. */
export interface ScimNeeds
  extends Pick<OpenedJobs, 'jobs' | 'jobQueue'>,
    Pick<
      OpenedPeople,
      | 'userCounter'
      | 'users'
      | 'groups'
      | 'batchNewUser'
      | 'batchChangedUser'
      | 'groupMembers'
      | 'groupNames'
      | 'rememberedGroups'
      | 'writeMembers'
      | 'seenUsers'
      | 'userMetadata'
    >,
    Pick<OpenedHttp, 'authenticate' | 'rateCounts' | 'provenCredentials' | 'addressBound'>,
    Pick<OpenedProvisioningLog, 'provisioningLog'>,
    Pick<OpenedAccess, 'ableOwners' | 'groupGrants' | 'memberships' | 'userGrants' | 'projectMembers'>,
    Pick<OpenedAccounts, 'identityLinks' | 'oneTimeLinks' | 'webauthnCredentials'>,
    Pick<OpenedClients, 'consents'>,
    Pick<OpenedRemoval, 'batchRemovedUser'>,
    Pick<OpenedOrganizations, 'organizations'>,
    Pick<OpenedAudit, 'events' | 'eventReceivers'>,
    Pick<OpenedKeys, 'passwords' | 'threads' | 'signingKeys'>,
    Pick<OpenedTokens, 'revocations' | 'refreshTokens'> {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mongo: Mongo;
  readonly redis: RedisConnection;
  readonly quotas: Quotas;
  /** What providers would be shown when people sign out. */
  readonly logoutHints: { forget(of: { orgId: string; userId: string }): Promise<void> };
  readonly providerSessions: { forget(of: { userId: string }): Promise<void> };
  readonly caches: OpenedOrganizations['caches'] &
    OpenedPeople['caches'] &
    OpenedAccess['caches'] &
    OpenedClients['caches'] & {
      /** The connections of an organization, as far as they name the service users that provision their people. */
      readonly connections: {
        get(orgId: string): Promise<readonly { readonly linking: { readonly provisionedBy?: string } }[]>;
      };
    };
}
