import type { OpenedAccess } from '#src/access/index.js';
import type { OpenedAccounts } from '#src/accounts/index.js';
import type { OpenedAudit } from '#src/audit/open-audit.js';
import type { MailLink } from '#src/authentication/index.js';
import type { OpenedAuthentication } from '#src/authentication/open/index.js';
import type { OpenedAuthorization } from '#src/authorization/open-authorization.js';
import type { OpenedClients } from '#src/clients/index.js';
import type { Config } from '#src/config.js';
import type { OpenedConnections } from '#src/connections/index.js';
import type { OpenedDirectory } from '#src/directory/open/index.js';
import type { OpenedHttp } from '#src/http/open-http.js';
import type { OpenedKeys } from '#src/keys/open-keys.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { NoticesStore } from '#src/notices/notices.store.js';
import type { OpenedOrganizations } from '#src/organizations/open/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { OpenedPeople } from '#src/people/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { OpenedSessions } from '#src/sessions/open-sessions.js';
import type { OpenedTokens } from '#src/tokens/open-tokens.js';
import type { Mailer } from '../mail/mail.js';
import type { LoginStepsStore } from '../stores/login-steps.store.js';
import type { ShownCodesStore } from '../stores/shown-codes.store.js';

/** What the login pages need of the rooms below them, and what is their own. Each module takes its part of them. */
export interface LoginNeeds
  extends Pick<OpenedHttp, 'addressBound' | 'rateCounts' | 'formSealer' | 'confirmationSealer'>,
    Pick<OpenedAudit, 'events'>,
    Pick<OpenedDirectory, 'identifiers'>,
    Pick<OpenedTokens, 'refreshTokens' | 'rememberedBrowsers' | 'revocations'>,
    Pick<OpenedClients, 'consents' | 'applications' | 'personalAccessTokens' | 'secretUses' | 'serviceUsers'>,
    Pick<
      OpenedPeople,
      | 'userCounter'
      | 'users'
      | 'people'
      | 'batchNewUser'
      | 'batchChangedUser'
      | 'groups'
      | 'groupMembers'
      | 'writeMembers'
      | 'seenUsers'
    >,
    Pick<OpenedSessions, 'sessions'>,
    Pick<OpenedAuthorization, 'authorizationRequests'>,
    Pick<OpenedAccess, 'ableOwners' | 'memberships' | 'projectMembers' | 'projects'>,
    Pick<
      OpenedAuthentication,
      | 'passkeyChallenges'
      | 'relyingParty'
      | 'mailCodes'
      | 'signInLinks'
      | 'pendingEmails'
      | 'dailyMails'
      | 'loginAttempts'
      | 'totpSealer'
      | 'codeAttempts'
      | 'migrationHooks'
    >,
    Pick<OpenedAccounts, 'accounts' | 'identityLinks' | 'oneTimeLinks' | 'webauthnCredentials'>,
    Pick<
      OpenedConnections,
      | 'connections'
      | 'connectionSealer'
      | 'countConnectionSignIn'
      | 'lastClaims'
      | 'logoutHints'
      | 'logoutReturns'
      | 'metadataFetch'
      | 'pendingLinks'
      | 'providerFetch'
      | 'providerKeys'
      | 'providerSessions'
      | 'providers'
      | 'recordRefusal'
      | 'samlThreads'
      | 'setupLinks'
      | 'signInTests'
      | 'usedAssertions'
      | 'waitingSignIns'
    >,
    Pick<OpenedOrganizations, 'domainProofs' | 'logos' | 'lookUpTxt' | 'organizations'>,
    Pick<OpenedKeys, 'passwords' | 'threads'> {
  readonly notices: Pick<NoticesStore, 'put'>;
  readonly loginSteps: LoginStepsStore;
  readonly shownCodes: ShownCodesStore;
  readonly refusedFormSealer: Sealer;
  /** Undefined without a mail server. */
  readonly mailer: Mailer | undefined;
  readonly mailLink: MailLink | undefined;
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redis: RedisConnection;
  readonly quotas: Quotas;
  readonly caches: OpenedOrganizations['caches'] &
    OpenedPeople['caches'] &
    OpenedAccess['caches'] &
    OpenedClients['caches'] &
    OpenedConnections['caches'];
  readonly mongo: Mongo;
}
