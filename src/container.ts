import { createEventsStore, eventIndexes } from '#src/audit/events.store.js';
import type { Config } from '#src/config.js';
import { createAccountsStore } from '#src/directory/accounts.store.js';
import type { Application } from '#src/directory/application.js';
import { applicationIndexes, createApplicationsStore } from '#src/directory/applications.store.js';
import {
  createFeaturesStore,
  featureIndexes,
  type VersionedFeatures,
} from '#src/directory/features.store.js';
import { createInsertUser } from '#src/directory/insert-user.js';
import { createLoginAttempts } from '#src/directory/login-attempts.store.js';
import { createMembershipsStore, membershipIndexes } from '#src/directory/memberships.store.js';
import { createOneTimeLinksStore, oneTimeLinkIndexes } from '#src/directory/one-time-links.store.js';
import type { Organization } from '#src/directory/organization.js';
import { createOrganizationsStore, organizationIndexes } from '#src/directory/organizations.store.js';
import { createPeople } from '#src/directory/people.js';
import {
  createPersonalAccessTokensStore,
  personalAccessTokenIndexes,
} from '#src/directory/personal-access-tokens.store.js';
import {
  createAssignmentsStore,
  projectMemberIndexes,
  userGrantIndexes,
} from '#src/directory/projects/assignments.store.js';
import { createProjectRolesStore, projectRoleIndexes } from '#src/directory/projects/project-roles.store.js';
import { createProjectsStore, projectIndexes } from '#src/directory/projects/projects.store.js';
import { createServiceUsersStore, serviceUserIndexes } from '#src/directory/service-users.store.js';
import { createUserCounter } from '#src/directory/user-counter.js';
import { userIndexes } from '#src/directory/user-indexes.js';
import { createUserMetadataStore, userMetadataIndexes } from '#src/directory/user-metadata.store.js';
import { createUsersStore } from '#src/directory/users.store.js';
import { createAuthenticate } from '#src/http/authenticate.js';
import { openJobQueue } from '#src/jobs/job-queue.js';
import { createJobsStore, jobBodyIndexes, jobIndexes } from '#src/jobs/jobs.store.js';
import { createStagingStore, stagingIndexes } from '#src/jobs/staging.store.js';
import { createPasswordHasher } from '#src/keys/password-hasher.js';
import type { RotateSigningKeysDeps } from '#src/keys/rotate-signing-keys.js';
import { createSealer, parseMasterKeys } from '#src/keys/sealer.js';
import { createSigningKeys } from '#src/keys/signing-keys.js';
import { createSigningKeysStore, signingKeyIndexes } from '#src/keys/signing-keys.store.js';
import { createLoginStepsStore } from '#src/login/login-steps.store.js';
import { createMailer } from '#src/login/mailer.js';
import {
  createImportOrganizationsStore,
  importOrganizationIndexes,
} from '#src/migration/import/import-organizations.store.js';
import { createImportPartsStore, importPartIndexes } from '#src/migration/import/import-parts.store.js';
import { createImportResultsStore, importResultIndexes } from '#src/migration/import/import-results.store.js';
import { createImportsStore, importIndexes } from '#src/migration/import/imports.store.js';
import { createUploadsStore, uploadIndexes } from '#src/migration/import/uploads.store.js';
import type { Observer } from '#src/observe/observer.js';
import {
  createAuthorizationRequestsStore,
  waitingSeconds,
} from '#src/oidc/authorize/authorization-requests.store.js';
import { createCodesStore } from '#src/oidc/authorize/codes.store.js';
import { createAssertionIds } from '#src/oidc/clients/assertion-ids.store.js';
import { createPostedParameters } from '#src/oidc/http/posted-parameters.store.js';
import { createCaches } from '#src/platform/cache.js';
import { type Clock, systemClock } from '#src/platform/clock.js';
import { createGcsBlobStore } from '#src/platform/gcs-blob-store.js';
import { ensureIndexes } from '#src/platform/indexes.js';
import type { Logger } from '#src/platform/logger.js';
import { watchLoopDelay } from '#src/platform/loop-delay.js';
import { type CollectionIndexes, openMongo } from '#src/platform/mongo.js';
import { connectRedis, connectSubscriber, whenReady } from '#src/platform/redis.js';
import { traceRedis } from '#src/platform/trace-redis.js';
import { createWindowCounts } from '#src/platform/window-counts.js';
import { createSessions } from '#src/sessions/sessions.js';
import { createSessionsStore } from '#src/sessions/sessions.store.js';
import { createAccessTokens } from '#src/tokens/access-token.js';
import { createRefreshTokens } from '#src/tokens/refresh-tokens.js';
import { createRefreshTokensStore, refreshTokenIndexes } from '#src/tokens/refresh-tokens.store.js';
import { createRevocationList } from '#src/tokens/revocation.js';
import { createRevocationsStore, revocationIndexes } from '#src/tokens/revocations.store.js';

/** Every collection with the indexes that it needs. */
export const collections: readonly CollectionIndexes[] = [
  organizationIndexes,
  userIndexes,
  oneTimeLinkIndexes,
  serviceUserIndexes,
  applicationIndexes,
  projectIndexes,
  projectRoleIndexes,
  userGrantIndexes,
  projectMemberIndexes,
  userMetadataIndexes,
  personalAccessTokenIndexes,
  membershipIndexes,
  eventIndexes,
  signingKeyIndexes,
  revocationIndexes,
  refreshTokenIndexes,
  featureIndexes,
  jobIndexes,
  jobBodyIndexes,
  stagingIndexes,
  importIndexes,
  uploadIndexes,
  importPartIndexes,
  importOrganizationIndexes,
  importResultIndexes,
];

/** Everything a process holds open and everything built on it. Modules ask for the few parts they use. */
export type Container = Awaited<ReturnType<typeof openContainer>>;

/** The composition root of both processes: opens what is outside, wires the rooms, and closes in reverse. */
export async function openContainer(
  config: Config,
  {
    logger,
    clock = systemClock,
    observer: { measures, tracing } = {},
  }: { logger: Logger; clock?: Clock; observer?: Pick<Observer, 'measures' | 'tracing'> },
) {
  const mongo = await openMongo({
    url: config.mongodbUrl,
    database: config.mongodbDatabase,
    poolSize: config.mongodbPoolSize,
    connectionTaken: measures?.mongoConnectionTaken,
    tracing,
  });
  const connected = connectRedis(config.redisUrl, 'failFast', { gather: true });
  const redis = tracing ? traceRedis(connected, tracing) : connected;
  const subscriber = connectSubscriber(config.redisUrl);
  for (const connection of [redis, subscriber]) {
    connection.on('error', (error: Error) => logger.warn({ err: error }, 'Redis connection failed'));
  }
  try {
    await whenReady(redis, 5_000);
    await ensureIndexes(mongo, collections);
  } catch (error) {
    redis.disconnect();
    subscriber.disconnect();
    await mongo.close();
    throw error;
  }

  const masterKeys = parseMasterKeys(config.masterKeys);
  const sealer = (purpose: string) => createSealer(masterKeys, purpose);
  const caches = createCaches(redis, subscriber, config.redisPrefix);
  const principalCaches = {
    serviceUsers: caches.create({ name: 'serviceUser', max: 10_000 }),
    personalAccessTokens: caches.create({ name: 'pat', max: 10_000 }),
    memberships: caches.create({ name: 'memberships', max: 10_000 }),
  } as const satisfies Parameters<typeof createAuthenticate>[0]['caches'];

  const stores = {
    organizations: createOrganizationsStore(mongo),
    users: createUsersStore(mongo),
    accounts: createAccountsStore(mongo),
    oneTimeLinks: createOneTimeLinksStore(mongo),
    serviceUsers: createServiceUsersStore(mongo),
    applications: createApplicationsStore(mongo),
    projects: createProjectsStore(mongo),
    projectRoles: createProjectRolesStore(mongo),
    userGrants: createAssignmentsStore(mongo, 'userGrants'),
    projectMembers: createAssignmentsStore(mongo, 'projectMembers'),
    userMetadata: createUserMetadataStore(mongo),
    personalAccessTokens: createPersonalAccessTokensStore(mongo),
    memberships: createMembershipsStore(mongo),
    features: createFeaturesStore(mongo),
    events: createEventsStore(mongo),
    jobs: createJobsStore(mongo, sealer('job-body'), clock),
    staging: createStagingStore(mongo, sealer('staging')),
    imports: createImportsStore(mongo),
    uploads: createUploadsStore(mongo),
    importParts: createImportPartsStore(mongo),
    importOrganizations: createImportOrganizationsStore(mongo),
    importResults: createImportResultsStore(mongo),
  };
  const keyParts = {
    store: createSigningKeysStore(mongo),
    sealer: sealer('signing-key'),
    clock,
    algorithm: config.signingAlgorithm,
  };
  const signingKeys = createSigningKeys({
    ...keyParts,
    watch: (stale) => caches.watch('signingKeys', stale),
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
    issuer: config.baseUrl,
  });
  const revocations = createRevocationList({
    redis,
    store: createRevocationsStore(mongo),
    logger,
    prefix: config.redisPrefix,
  });
  const kept = { redis, prefix: config.redisPrefix, clock };
  const sessions = createSessions({
    store: createSessionsStore({ ...kept, lifeSeconds: config.sessionAbsoluteSeconds }),
    revocations,
    clock,
    idleSeconds: config.sessionIdleSeconds,
    absoluteSeconds: config.sessionAbsoluteSeconds,
    accessTokenSeconds: config.accessTokenSeconds,
  });
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
    queue: config.hashQueue,
    waited: measures?.hashWaited,
    refused: measures && (() => measures.workShed('hash')),
    logger,
  });
  const mailer = createMailer(config);
  const loopDelay = watchLoopDelay();
  const rateCounts = createWindowCounts(kept);

  return {
    config,
    logger,
    clock,
    measures,
    tracing,
    mongo,
    redis,
    ...stores,
    people: createPeople(stores),
    insertUser: createInsertUser({ ...stores, mongo }),
    blobs: createGcsBlobStore({
      ...(config.storageEmulatorHost !== '' && { endpoint: config.storageEmulatorHost }),
    }),
    passwords,
    totpSealer: sealer('totp'),
    /** Seals what a form carries for the next one. */
    formSealer: sealer('form'),
    loginAttempts: createLoginAttempts({ ...kept, lockSeconds: config.loginLockSeconds }),
    loginSteps: createLoginStepsStore(kept),
    mailer,
    caches: {
      ...principalCaches,
      applications: caches.create<Application>({ name: 'application', max: 10_000 }),
      organizations: caches.create<Organization>({ name: 'organization', max: 10_000 }),
      features: caches.create<VersionedFeatures>({ name: 'features', max: 1 }),
      credentials: caches.create<string>({ name: 'credentials', max: 10_000 }),
    },
    userCounter: createUserCounter({ users: stores.users, redis, prefix: config.redisPrefix }),
    signingKeys,
    signingKeyRotation,
    accessTokens,
    revocations,
    refreshTokens,
    sessions,
    authorizationRequests: createAuthorizationRequestsStore(kept),
    waitingLogins: createLoginAttempts({ ...kept, lockSeconds: waitingSeconds }),
    assertionIds: createAssertionIds(kept),
    codes: createCodesStore({ ...kept, ...config }),
    postedParameters: createPostedParameters({ ...kept, sealer: sealer('posted-parameters') }),
    authenticate: createAuthenticate({
      ...stores,
      accessTokens,
      revocations,
      caches: principalCaches,
      clock,
      issuer: config.baseUrl,
    }),
    rateCounts,
    loopDelay,
    jobQueue,

    async close(): Promise<void> {
      rateCounts.close();
      loopDelay.close();
      await jobQueue.close();
      mailer?.close();
      await passwords.close();
      caches.close();
      subscriber.disconnect();
      redis.disconnect();
      await mongo.close();
    },
  };
}
