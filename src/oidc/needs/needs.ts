import type { OpenedAccess } from '#src/access/index.js';
import type { OpenedAccounts } from '#src/accounts/index.js';
import type { OpenedAudit } from '#src/audit/open-audit.js';
import type { OpenedAuthorization } from '#src/authorization/open-authorization.js';
import type { OpenedClients } from '#src/clients/index.js';
import type { Config } from '#src/config.js';
import type { OpenedConnections } from '#src/connections/index.js';
import type { OpenedHttp } from '#src/http/open-http.js';
import type { OpenedKeys } from '#src/keys/open-keys.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { OpenedOrganizations } from '#src/organizations/open/index.js';
import type { OpenedPeople } from '#src/people/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { OpenedSessions } from '#src/sessions/open-sessions.js';
import type { OpenedTokens } from '#src/tokens/open-tokens.js';
import type { CodesStore } from '../authorize/codes.store.js';
import type { AssertionIds } from '../clients/assertion-ids.store.js';
import type { RefusedAuthentications } from '../clients/refused-authentications.js';

/** What the OAuth endpoints need of the rooms below them, and what is their own. Each module takes its part of them. */
export interface OidcNeeds
  extends Pick<OpenedAudit, 'events'>,
    Pick<OpenedAccounts, 'accounts'>,
    Pick<OpenedAccess, 'groupsOfUsers' | 'projectRolesOfUsers'>,
    Pick<OpenedSessions, 'sessions'>,
    Pick<OpenedAuthorization, 'authorizationRequests'>,
    Pick<OpenedPeople, 'people' | 'users' | 'groupMembers'>,
    Pick<OpenedKeys, 'signingKeys' | 'threads'>,
    Pick<OpenedClients, 'secretUses' | 'applications' | 'serviceUsers' | 'issuerKeys'>,
    Pick<OpenedTokens, 'revocations' | 'refreshTokens' | 'accessTokens'>,
    Pick<
      OpenedConnections,
      'connectionSealer' | 'logoutHints' | 'logoutReturns' | 'providers' | 'samlThreads'
    >,
    Pick<OpenedHttp, 'provenCredentials' | 'rateCounts' | 'addressBound'> {
  readonly assertionIds: AssertionIds;
  readonly refusedAuthentications: RefusedAuthentications;
  readonly codes: CodesStore;
  /** Seals the tokens from which ID tokens were exchanged. */
  readonly originsSealer: Sealer;
  /** Seals the forms that applications make browsers post. */
  readonly postedSealer: Sealer;
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redis: RedisConnection;
  readonly caches: OpenedOrganizations['caches'] &
    OpenedPeople['caches'] &
    OpenedAccess['caches'] &
    OpenedClients['caches'] &
    OpenedConnections['caches'] & {
      readonly credentials: Cache<string | undefined>;
    };
  readonly mongo: Mongo;
}
