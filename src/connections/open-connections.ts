import type { EventsStore } from '#src/audit/events.store.js';
import { createPublishedKeys, readKeySet } from '#src/clients/credentials/index.js';
import type { Config } from '#src/config.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { createFetchJson } from '#src/platform/outgoing/fetch-json.js';
import { createGuardedFetch } from '#src/platform/outgoing/guarded-fetch.js';
import type { Caches } from '#src/platform/redis/cache.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { StoreBound } from '#src/platform/redis/store-bound.js';
import { createProviderFetch, createProviders, type ProviderMeasures, timed } from './provider/index.js';
import type { Connection } from './registry/connection.js';
import { connectionIndexes, createConnectionsStore } from './registry/connections.store.js';
import { createSamlThreads } from './saml/saml-threads.js';
import { createUsedAssertions } from './saml/used-assertions.store.js';
import { createSetupLinksStore, setupLinkIndexes } from './setup/setup-links.store.js';
import { createLastClaims } from './sign-in/last-claims.store.js';
import { createLogoutHints } from './sign-in/logout-hints.store.js';
import { createLogoutReturns } from './sign-in/logout-returns.store.js';
import { createPendingLinks } from './sign-in/pending-links.store.js';
import { createProviderSessions } from './sign-in/provider-sessions.store.js';
import { createRecordRefusal } from './sign-in/record-refusal.js';
import { servingConnection } from './sign-in/serving-connection.js';
import { createSignInTests } from './sign-in/sign-in-tests.store.js';
import { createWaitingSignIns } from './sign-in/waiting-sign-ins.store.js';

/** The collections of the room, with their indexes. */
export const connectionCollections = [connectionIndexes, setupLinkIndexes];

interface OpenConnectionsDeps {
  readonly config: Pick<Config, 'privateProviderHosts' | 'sessionAbsoluteSeconds'>;
  readonly mongo: Mongo;
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: EventsStore;
  readonly createCache: Caches['create'];
  readonly sealer: (purpose: string) => Sealer;
  /** Bounds what people store in Redis before anybody knows them. */
  readonly bounds: { readonly forms: StoreBound };
  readonly measures?: (ProviderMeasures & { connectionUsed(outcome: string): void }) | undefined;
  /** Certificates in the PEM format that providers may have, instead of those that Node.js trusts. */
  readonly outgoingCa: string | undefined;
}

/** What the room offers. */
export type OpenedConnections = ReturnType<typeof openConnections>;

/** Opens the connections of organizations, and what speaks with their providers. */
export function openConnections(deps: OpenConnectionsDeps) {
  const { mongo, redis, prefix, clock, sealer, bounds, outgoingCa: ca } = deps;
  const outgoing = { privateHosts: deps.config.privateProviderHosts.split(/, */), ca };
  const { measures } = deps;
  const inRedis = { redis, prefix, bound: bounds.forms };
  const guardedFetch = createGuardedFetch(outgoing);
  const providerFetch = createProviderFetch(guardedFetch, measures);
  const fetchJson = createFetchJson(outgoing);
  const connections = createConnectionsStore(mongo);
  const caches = {
    /** All connections of an organization, also those that are switched off. */
    connections: deps.createCache<readonly Connection[]>({
      name: 'connections',
      load: (orgId) => connections.ofOrganization(orgId),
      isAbsence: (found) => found.length === 0,
    }),
    /** Has only the key `any`: whether a domain of any organization leads to a connection. Nobody announces a change, so it may be a minute old. */
    leadingDomains: deps.createCache<boolean>({
      name: 'leading-domains',
      max: 1,
      load: () => connections.anyWithDomain(),
      isAbsence: (leads) => !leads,
    }),
  };
  return {
    connections,
    setupLinks: createSetupLinksStore(mongo),
    connectionSealer: sealer('connection'),
    providerFetch,
    providers: createProviders({ fetch: providerFetch, clock }),
    providerKeys: createPublishedKeys({
      readKeys: (address, now) => timed(measures, 'keys', () => readKeySet(fetchJson, address, now)),
      clock,
    }),
    waitingSignIns: createWaitingSignIns({ ...inRedis, sealer: sealer('connection-sign-in') }),
    lastClaims: createLastClaims({ redis, prefix, sealer: sealer('connection-claims') }),
    logoutHints: createLogoutHints({
      ...{ redis, prefix, clock, sealer: sealer('connection-logout') },
      lifeSeconds: deps.config.sessionAbsoluteSeconds,
    }),
    logoutReturns: createLogoutReturns({ ...inRedis, sealer: sealer('connection-logout-return') }),
    pendingLinks: createPendingLinks({ ...inRedis, sealer: sealer('connection-link') }),
    providerSessions: createProviderSessions({
      ...{ redis, prefix, clock },
      lifeSeconds: deps.config.sessionAbsoluteSeconds,
    }),
    signInTests: createSignInTests({ ...inRedis, sealer: sealer('connection-test') }),
    metadataFetch: guardedFetch,
    samlThreads: createSamlThreads(),
    usedAssertions: createUsedAssertions({ redis, prefix }),
    recordRefusal: createRecordRefusal(deps),
    /** Counts a sign-in by a connection for the metrics. */
    countConnectionSignIn: () => measures?.connectionUsed('signedIn'),
    /** Whether a session still counts that began by a connection. */
    connectionServes: async (signIn: { orgId: string; connectionId: string; since: Date }) =>
      (await servingConnection({ caches }, signIn)) !== undefined,
    caches,
  };
}
