import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { createFetchJson } from '#src/platform/outgoing/fetch-json.js';
import type { Caches } from '#src/platform/redis/cache.js';
import { applicationIndexes, createApplicationsStore } from './applications/applications.store.js';
import { consoleApplication, consoleClientId } from './applications/console-application.js';
import { createOriginLookUp } from './applications/look-up-origin.js';
import { consentIndexes, createConsentsStore } from './consents/consents.store.js';
import { createIssuerKeys } from './credentials/issuer-keys.js';
import { createSecretUses } from './credentials/secret-uses.js';
import { createSecretUsesStore, secretUseIndexes } from './credentials/secret-uses.store.js';
import { applicationGrantIndexes, createApplicationGrantsStore } from './grants/application-grants.store.js';
import {
  createPersonalAccessTokensStore,
  personalAccessTokenIndexes,
} from './service-users/personal-access-tokens.store.js';
import { createServiceUsersStore, serviceUserIndexes } from './service-users/service-users.store.js';

/** The collections of the room, with their indexes. */
export const clientCollections = [
  serviceUserIndexes,
  applicationIndexes,
  applicationGrantIndexes,
  consentIndexes,
  personalAccessTokenIndexes,
  secretUseIndexes,
];

interface OpenClientsDeps {
  readonly mongo: Mongo;
  readonly createCache: Caches['create'];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: {
    readonly baseUrl: string;
    /** Hosts of issuers that may have private addresses, separated by commas. */
    readonly privateIssuerHosts: string;
  };
  /** Certificates in the PEM format that outside issuers may have, instead of those that Node.js trusts. */
  readonly outgoingCa: string | undefined;
}

/** What the room offers. */
export type OpenedClients = ReturnType<typeof openClients>;

/** Opens applications, service users, what people and organizations let them do, and the keys of outside issuers. */
export function openClients(deps: OpenClientsDeps) {
  const { mongo, createCache, config, clock, logger, outgoingCa: ca } = deps;
  const stores = openStores(mongo);
  const privateHosts = config.privateIssuerHosts.split(/, */);
  const fetchJson = createFetchJson({ privateHosts, ca });
  return {
    ...stores,
    caches: openClientCaches(stores, createCache, config.baseUrl),
    issuerKeys: createIssuerKeys({ fetchJson, clock }),
    secretUses: createSecretUses({ store: stores.secretUsesStore, clock, logger }),
  };
}

type ClientStores = ReturnType<typeof openStores>;

function openStores(mongo: Mongo) {
  return {
    applications: createApplicationsStore(mongo),
    applicationGrants: createApplicationGrantsStore(mongo),
    consents: createConsentsStore(mongo),
    serviceUsers: createServiceUsersStore(mongo),
    personalAccessTokens: createPersonalAccessTokensStore(mongo),
    secretUsesStore: createSecretUsesStore(mongo),
  };
}

const isAbsence = (isThere: boolean) => !isThere;

function openClientCaches(stores: ClientStores, createCache: Caches['create'], baseUrl: string) {
  const findApplication = async (id: string) =>
    id === consoleClientId ? consoleApplication(baseUrl) : stores.applications.findById(id);
  const originsIn = { hasOrigin: (origin: string) => stores.applications.hasOrigin(origin) };
  return {
    applications: createCache({ name: 'application', load: findApplication }),
    /** Whether an active application has a redirect URI of an origin. So the cache also keeps that none has. */
    origins: createCache({ name: 'origin', isAbsence, load: createOriginLookUp(originsIn) }),
    /** Whether the grant exists, keyed by `applicationGrantKey`. So the cache also keeps that there is none. */
    applicationGrants: createCache({
      name: 'applicationGrant',
      isAbsence,
      load: async (key) => (await stores.applicationGrants.findByKey(key)) !== undefined,
    }),
    /** Keyed by `consentKey`. */
    consents: createCache({ name: 'consent', load: (key) => stores.consents.findByKey(key) }),
    serviceUsers: createCache({ name: 'serviceUser', load: (id) => stores.serviceUsers.findById(id) }),
    personalAccessTokens: createCache({
      name: 'pat',
      load: (id) => stores.personalAccessTokens.findById(id),
    }),
  };
}
