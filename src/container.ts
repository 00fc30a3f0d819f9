import { createProjectRolesOfUsers } from '#src/access/projects/index.js';
import { createPendingEmailsStore } from '#src/authentication/email-change/index.js';
import { createCodeAttempts, createLoginAttempts } from '#src/authentication/index.js';
import { createMigrationHooks } from '#src/authentication/migration-hook/index.js';
import { createAuthorizationRequestsStore } from '#src/authorization/authorization-requests.store.js';
import { createIssuerKeys, createSecretUses } from '#src/clients/credentials/index.js';
import type { Config } from '#src/config.js';
import { createDraftsStore } from '#src/console/http/drafts.store.js';
import { createAuthenticate } from '#src/http/auth/authenticate.js';
import { createProvenCredentials } from '#src/http/limits/proven-credentials.js';
import { openJobQueue } from '#src/jobs/job-queue.js';
import { createFingerprints } from '#src/keys/fingerprints.js';
import { createPasswordHasher } from '#src/keys/password-hasher.js';
import type { RotateSigningKeysDeps } from '#src/keys/rotate-signing-keys.js';
import { createSealer, parseMasterKeys } from '#src/keys/sealer.js';
import { createSigningKeys } from '#src/keys/signing-keys.js';
import { createSigningKeysStore } from '#src/keys/signing-keys.store.js';
import { createThreadPool } from '#src/keys/thread-pool.js';
import { createLoginStepsStore } from '#src/login/login-steps.store.js';
import { createLinkMailer } from '#src/login/mail/link-mailer.js';
import { createMailer } from '#src/login/mail/mailer.js';
import { createShownCodesStore } from '#src/login/shown-codes.store.js';
import { createSections } from '#src/migration/import/sections/sections.js';
import { createRecordSums } from '#src/migration/verify/record-sums.js';
import type { Observer } from '#src/observe/observer.js';
import { createCodesStore } from '#src/oidc/authorize/codes.store.js';
import { createAssertionIds } from '#src/oidc/clients/assertion-ids.store.js';
import { createRefusedAuthentications } from '#src/oidc/clients/refused-authentications.js';
import { organizationStands } from '#src/organizations/index.js';
import { createQuotaPlaces, createQuotas } from '#src/organizations/quotas/index.js';
import { createUserGroups, createWriteMembers } from '#src/people/groups/index.js';
import { createUserCounter } from '#src/people/totals/index.js';
import { createPeople, createWriteNewUser } from '#src/people/users/index.js';
import { createLazyBlobStore } from '#src/platform/blobs/lazy-blob-store.js';
import { type Clock, systemClock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import { openMongo } from '#src/platform/mongo/mongo.js';
import { createFetchJson } from '#src/platform/outgoing/fetch-json.js';
import { createHttpsObjects } from '#src/platform/outgoing/https-objects.js';
import { createCaches } from '#src/platform/redis/cache.js';
import { connectRedis, connectSubscriber, whenReady } from '#src/platform/redis/redis.js';
import { createStoreBound } from '#src/platform/redis/store-bound.js';
import { traceRedis } from '#src/platform/redis/trace-redis.js';
import { createWindowCounts } from '#src/platform/redis/window-counts.js';
import { createCoolDown } from '#src/platform/work/cool-down.js';
import { createSessions } from '#src/sessions/sessions.js';
import { createSessionsStore } from '#src/sessions/sessions.store.js';
import { createAccessTokens } from '#src/tokens/access-token.js';
import { createRefreshTokens } from '#src/tokens/refresh-tokens.js';
import { createRefreshTokensStore } from '#src/tokens/refresh-tokens.store.js';
import { createRevocationList } from '#src/tokens/revocation.js';
import { createRevocationsStore } from '#src/tokens/revocations.store.js';
import { openCaches } from './caches.js';
import { createProvisioningLog } from './provisioning-log/provisioning-log.js';
import { createProvisioningLogStore } from './provisioning-log/provisioning-log.store.js';
import { collections, createStores } from './stores.js';

/**
 * All open resources of a process, and everything that is built on them. Each module takes only the parts that it uses.
 */
export type Container = Awaited<ReturnType<typeof openContainer>>;

/**
 * The composition root of both processes. It opens the connections, wires the rooms, and closes everything in reverse
 * order.
 */
export async function openContainer(
  config: Config,
  {
    logger,
    clock = systemClock,
    observer: { measures, tracing } = {},
    peopleSignIn = true,
    outgoingCa,
  }: {
    logger: Logger;
    clock?: Clock;
    observer?: Pick<Observer, 'measures' | 'tracing'>;
    /** Whether people sign in at this process. A part of the hash pool is then kept for them. */
    peopleSignIn?: boolean;
    /** Certificates in the PEM format that requests to outside issuers and migration hooks trust, instead of those of Node.js. */
    outgoingCa?: string | undefined;
  },
) {
  const mongo = await openMongo({
    url: config.mongodbUrl,
    database: config.mongodbDatabase,
    poolSize: config.mongodbPoolSize,
    connectionTaken: measures?.mongoConnectionTaken,
    transactionRefused: measures && (() => measures.workShed('change')),
    tracing,
    warn: (message) => logger.warn(message),
    indexes: collections,
  });
  const connected = connectRedis(config.redisUrl, 'failFast', { gather: true });
  const redis = tracing ? traceRedis(connected, tracing) : connected;
  const subscriber = connectSubscriber(config.redisUrl);
  for (const connection of [redis, subscriber]) {
    connection.on('error', (error: Error) => logger.warn({ err: error }, 'Redis connection failed'));
  }
  try {
    await whenReady(redis, 5_000);
  } catch (error) {
    redis.disconnect();
    subscriber.disconnect();
    await mongo.close();
    throw error;
  }

  const masterKeys = parseMasterKeys(config.masterKeys);
  const sealer = (purpose: string) => createSealer(masterKeys, purpose);
  const stores = createStores(mongo, { sealer, clock });
  const allCaches = createCaches(redis, subscriber, config.redisPrefix);
  const caches = openCaches(allCaches, stores, config);
  const threads = createThreadPool({
    threads: config.threadPoolSize,
    concurrency: config.hashConcurrency,
    reserved: peopleSignIn ? 1 : 0,
    rest: peopleSignIn ? createCoolDown({ times: 3, longestMs: 1_000, crowd: 8 }) : undefined,
    queue: config.hashQueue,
    waited: measures?.hashWaited,
    refused: measures?.workShed,
  });
  const keyParts = {
    threads,
    store: createSigningKeysStore(mongo),
    sealer: sealer('signing-key'),
    clock,
    algorithm: config.signingAlgorithm,
  };
  const signingKeys = createSigningKeys({
    ...keyParts,
    watch: (stale) => allCaches.watch('signingKeys', stale),
  });
  const signingKeyRotation: RotateSigningKeysDeps = {
    ...keyParts,
    mongo,
    events: stores.events,
    signingKeys,
    tokenSeconds: Math.max(config.accessTokenSeconds, config.idTokenSeconds),
  };
  const accessTokens = createAccessTokens({
    sealer: sealer('access-token'),
    signingKeys,
    threads,
    issuer: config.baseUrl,
  });
  const revocations = createRevocationList({
    redis,
    store: createRevocationsStore(mongo),
    logger,
    prefix: config.redisPrefix,
  });
  const kept = { redis, prefix: config.redisPrefix, clock };
  const stands = (orgId: string) => organizationStands({ caches }, orgId);
  const sessions = createSessions({
    stands,
    store: createSessionsStore({ ...kept, lifeSeconds: config.sessionAbsoluteSeconds }),
    revocations,
    clock,
    idleSeconds: config.sessionIdleSeconds,
    absoluteSeconds: config.sessionAbsoluteSeconds,
    accessTokenSeconds: config.accessTokenSeconds,
  });
  const people = createPeople({ ...stores, stands });
  const refreshTokens = createRefreshTokens({
    store: createRefreshTokensStore(mongo),
    sealer: sealer('refresh-token'),
    revocations,
    clock,
    config,
  });
  const jobQueue = await openJobQueue({
    redisUrl: config.redisUrl,
    prefix: config.redisPrefix,
    logger,
    tracing,
  });

  const passwords = createPasswordHasher({
    memoryKib: config.argon2MemoryKib,
    passes: config.argon2Passes,
    concurrency: config.hashConcurrency,
    threads,
    logger,
  });
  const recordSums = createRecordSums();
  const mailer = createMailer(config);
  const boundOf = (name: string) =>
    createStoreBound({ ...kept, name, maxBytes: (config.anonymousStoreMib * 1024 ** 2) / 3 });
  const bounds = {
    attempts: boundOf('attempts'),
    forms: boundOf('forms'),
    addresses: boundOf('addresses'),
  };
  const loginAttempts = createLoginAttempts({
    ...kept,
    lockSeconds: config.loginLockSeconds,
    bounds: { signIns: bounds.attempts, forms: bounds.forms },
  });
  const totpSealer = sealer('totp');
  const codeAttempts = createCodeAttempts({ ...kept, clock, lockSeconds: config.loginLockSeconds });
  const userCounter = createUserCounter({ ...stores, redis, prefix: config.redisPrefix });
  const rateCounts = createWindowCounts(kept);
  const refusedAuthentications = createRefusedAuthentications({
    events: stores.events,
    applications: caches.applications,
    rateCounts,
    clock,
    logger,
  });
  const fetchJson = createFetchJson({ privateHosts: config.privateIssuerHosts.split(/, */), ca: outgoingCa });
  const hookSealer = sealer('migration-hook');
  const migrationHooks = createMigrationHooks({
    fetchJson: createFetchJson({ privateHosts: config.privateHookHosts.split(/, */), ca: outgoingCa }),
    hookSealer,
    events: stores.events,
    clock,
    logger,
  });
  const issuerKeys = createIssuerKeys({ fetchJson, clock });
  const secretUses = createSecretUses({ store: stores.secretUsesStore, clock, logger });
  const provisioningLogStore = createProvisioningLogStore(mongo, kept);
  const provisioningLog = createProvisioningLog({
    store: provisioningLogStore,
    organizations: stores.organizations,
    days: config.provisioningLogDays,
    logger,
  });
  const quotas = createQuotas({
    caches,
    config,
    places: createQuotaPlaces(kept),
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
    config,
    logger,
    clock,
    measures,
    tracing,
    mongo,
    redis,
    ...stores,
    people,
    userGroups: createUserGroups({ ...stores, caches }),
    projectRolesOfUsers: createProjectRolesOfUsers({ ...stores, caches }),
    quotas,
    writeMembers: createWriteMembers({ ...stores, mongo, clock, revocations, caches }),
    writeNewUser: createWriteNewUser({ ...stores, mongo }),
    blobs: createLazyBlobStore({
      ...(config.storageEmulatorHost !== '' && { endpoint: config.storageEmulatorHost }),
      hosts: config.bucketHosts === '' ? [] : config.bucketHosts.split(/, */),
      ca: outgoingCa,
      logger,
    }),
    httpsObjects: createHttpsObjects({
      hosts: config.importHosts === '' ? [] : config.importHosts.split(/, */),
      ca: outgoingCa,
    }),
    passwords,
    threads,
    totpSealer,
    /** Seals the cookies of the console. */
    consoleSealer: sealer('console'),
    consoleDrafts: createDraftsStore({
      ...kept,
      sealer: sealer('console-draft'),
    }),
    /** Seals the data that one form passes to the next. */
    formSealer: sealer('form'),
    loginAttempts,
    codeAttempts,
    loginSteps: createLoginStepsStore(kept),
    shownCodes: createShownCodesStore({ ...kept, sealer: sealer('shown-codes') }),
    pendingEmails: createPendingEmailsStore(kept),
    mailer,
    /** Undefined without a mail server. */
    mailLink: mailer && createLinkMailer({ ...stores, mongo, clock, mailer, loginAttempts, config }),
    caches,
    userCounter,
    recordSums,
    importSections: createSections({
      ...stores,
      caches,
      clock,
      codeAttempts,
      config,
      hashFingerprints: createFingerprints(masterKeys, 'imported-password'),
      mongo,
      passwords,
      refreshTokens,
      revocations,
      totpSealer,
      userCounter,
    }),
    signingKeys,
    signingKeyRotation,
    accessTokens,
    revocations,
    refreshTokens,
    sessions,
    authorizationRequests: createAuthorizationRequestsStore({
      ...kept,
      sealer: sealer('authorization-request'),
    }),
    assertionIds: createAssertionIds(kept),
    refusedAuthentications,
    secretUses,
    provisioningLog,
    provisioningLogStore,
    issuerKeys,
    hookSealer,
    migrationHooks,
    codes: createCodesStore({ ...kept, ...config }),
    /** Seals the tokens from which ID tokens were exchanged. */
    originsSealer: sealer('token-origins'),
    /** Seals the forms that applications make browsers post. */
    postedSealer: sealer('posted-parameters'),
    authenticate: createAuthenticate({
      accessTokens,
      revocations,
      people,
      caches,
      clock,
      issuer: config.baseUrl,
    }),
    rateCounts,
    addressBound: bounds.addresses,
    provenCredentials: createProvenCredentials({ clock }),
    jobQueue,

    async close(): Promise<void> {
      await refusedAuthentications.close();
      await secretUses.close();
      await provisioningLog.close();
      rateCounts.close();
      for (const bound of Object.values(bounds)) bound.close();
      await jobQueue.close();
      mailer?.close();
      await passwords.close();
      await recordSums.close();
      allCaches.close();
      subscriber.disconnect();
      redis.disconnect();
      await mongo.close();
    },
  };
}
