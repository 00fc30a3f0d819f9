import { createProjectRolesOfUsers } from '#src/access/projects/index.js';
import { openAuthentication } from '#src/authentication/open/index.js';
import { createAuthorizationRequestsStore } from '#src/authorization/authorization-requests.store.js';
import { openClients } from '#src/clients/index.js';
import type { Config } from '#src/config.js';
import { openConsole } from '#src/console/open-console.js';
import { openHttp } from '#src/http/open-http.js';
import { openJobQueue } from '#src/jobs/job-queue.js';
import { createFingerprints } from '#src/keys/fingerprints.js';
import { openKeys } from '#src/keys/open-keys.js';
import { createSealer, parseMasterKeys } from '#src/keys/sealer.js';
import { openLogin } from '#src/login/open-login.js';
import { openMigration } from '#src/migration/open/open-migration.js';
import type { Observer } from '#src/observe/observer.js';
import { openOidc } from '#src/oidc/open-oidc.js';
import { organizationStands } from '#src/organizations/index.js';
import { createQuotaPlaces, createQuotas } from '#src/organizations/quotas/index.js';
import { openPeople } from '#src/people/index.js';
import { type Clock, systemClock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import { openPlatform } from '#src/platform/open/open-platform.js';
import { createStoreBound } from '#src/platform/redis/store-bound.js';
import { openProvisioningLog } from '#src/provisioning-log/open-provisioning-log.js';
import { openSessions } from '#src/sessions/open-sessions.js';
import { openTokens } from '#src/tokens/open-tokens.js';
import { openCaches } from '#src/caches.js';
import { collections, createStores } from '#src/stores.js';

interface ContainerOptions {
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly observer?: Pick<Observer, 'measures' | 'tracing'>;
  /** Certificates in the PEM format that requests to outside issuers and migration hooks trust, instead of those of Node.js. */
  readonly outgoingCa?: string | undefined;
}

/** All open resources of an API process, and everything that is built on them. Each module takes only the parts that it uses. */
export type Container = Awaited<ReturnType<typeof openContainer>>;

/** What a worker opens: everything but the rooms that answer requests. */
export type WorkerContainer = Awaited<ReturnType<typeof openWorkerContainer>>;

/** Opens the rooms of an API process from the ground up. `close` closes them in reverse order. */
export async function openContainer(config: Config, options: ContainerOptions) {
  const shared = await openShared(config, { ...options, peopleSignIn: true });
  const { caches, redis, sealer, bounds, prefix } = shared.inside;
  const deps = { ...shared.parts, redis, sealer, prefix, caches };
  const http = openHttp({ ...deps, issuer: config.baseUrl, addressBound: bounds.addresses });
  const oidc = openOidc({ ...deps, applications: caches.applications, rateCounts: http.rateCounts });
  const login = openLogin(deps);
  const authorizationRequests = createAuthorizationRequestsStore({
    ...{ redis, prefix, clock: deps.clock },
    sealer: sealer('authorization-request'),
  });
  return {
    ...shared.parts,
    ...http,
    ...oidc,
    ...login,
    ...openConsole({ redis, prefix, clock: deps.clock, sealer }),
    authorizationRequests,
    async close(): Promise<void> {
      login.mailer?.close();
      await oidc.refusedAuthentications.close();
      http.rateCounts.close();
      await shared.close();
    },
  };
}

/** Opens the rooms of a worker. */
export async function openWorkerContainer(config: Config, options: ContainerOptions) {
  const { parts, close } = await openShared(config, { ...options, peopleSignIn: false });
  return { ...parts, close };
}

/** The rooms of both kinds of process. `inside` has what only other rooms are opened with. */
async function openShared(
  config: Config,
  {
    logger,
    clock = systemClock,
    observer: { measures, tracing } = {},
    outgoingCa,
    peopleSignIn,
  }: ContainerOptions & { readonly peopleSignIn: boolean },
) {
  const prefix = config.redisPrefix;
  const platform = await openPlatform({
    ...{ config, logger, tracing, indexes: collections },
    connectionTaken: measures?.mongoConnectionTaken,
    transactionRefused: measures && (() => measures.workShed('change')),
  });
  const { mongo, redis } = platform;
  const masterKeys = parseMasterKeys(config.masterKeys);
  const sealer = (purpose: string) => createSealer(masterKeys, purpose);
  const stores = createStores(mongo, { sealer, clock });
  const caches = openCaches(platform.caches, stores, config);
  const ground = { ...stores, config, logger, clock, mongo, redis, prefix, caches, sealer, outgoingCa };
  const keys = openKeys({
    ...{ ...ground, peopleSignIn },
    watchSigningKeys: (stale) => platform.caches.watch('signingKeys', stale),
    hashWaited: measures?.hashWaited,
    workRefused: measures?.workShed,
  });
  const tokens = openTokens({ ...ground, ...keys });
  const stands = (orgId: string) => organizationStands({ caches }, orgId);
  const { sessions } = openSessions({ ...ground, ...tokens, stands });
  const people = openPeople({ ...ground, ...tokens, stands });
  const boundOf = (name: string) =>
    createStoreBound({ redis, prefix, clock, name, maxBytes: (config.anonymousStoreMib * 1024 ** 2) / 3 });
  const bounds = {
    attempts: boundOf('attempts'),
    forms: boundOf('forms'),
    addresses: boundOf('addresses'),
  };
  const authentication = openAuthentication({ ...ground, bounds });
  const clients = openClients({
    ...{ clock, logger, outgoingCa, store: stores.secretUsesStore },
    privateIssuerHosts: config.privateIssuerHosts,
  });
  const provisioning = openProvisioningLog({ ...ground, days: config.provisioningLogDays });
  const migration = openMigration({
    ...{ ...ground, ...keys, ...tokens, ...people, ...authentication },
    hashFingerprints: createFingerprints(masterKeys, 'imported-password'),
  });
  const jobQueue = await openJobQueue({ redisUrl: config.redisUrl, prefix, logger, tracing });
  const quotas = createQuotas({
    ...{ caches, config },
    places: createQuotaPlaces({ redis, prefix, clock }),
    counts: {
      users: (orgId) => stores.users.count(orgId),
      groups: (orgId) => stores.groups.count(orgId),
      serviceUsers: stores.serviceUsers.count,
      projects: stores.projects.count,
      applications: stores.applications.count,
      metadata: stores.userMetadata.count,
      openJobs: stores.jobs.countOpen,
    },
  });
  return {
    inside: { caches, redis, sealer, bounds, prefix },
    parts: {
      ...{ config, logger, clock, measures, tracing, mongo, redis, caches, jobQueue, quotas, sessions },
      ...stores,
      ...keys,
      ...tokens,
      ...people,
      ...authentication,
      ...clients,
      ...provisioning,
      ...migration,
      projectRolesOfUsers: createProjectRolesOfUsers({ ...stores, caches }),
    },
    async close(): Promise<void> {
      await clients.secretUses.close();
      await provisioning.provisioningLog.close();
      for (const bound of Object.values(bounds)) bound.close();
      await jobQueue.close();
      await keys.passwords.close();
      await migration.recordSums.close();
      await platform.close();
    },
  };
}
