import { openAccess } from '#src/access/index.js';
import { openAccounts } from '#src/accounts/index.js';
import { openAudit } from '#src/audit/open-audit.js';
import { openAuthentication } from '#src/authentication/open/index.js';
import { openAuthorization } from '#src/authorization/open-authorization.js';
import { openClients } from '#src/clients/index.js';
import type { Config } from '#src/config.js';
import { openConsole } from '#src/console/open-console.js';
import { openDirectory } from '#src/directory/open/index.js';
import { openHttp } from '#src/http/open-http.js';
import { openJobs } from '#src/jobs/open-jobs.js';
import { createFingerprints } from '#src/keys/fingerprints.js';
import { openKeys } from '#src/keys/open-keys.js';
import { createSealer, parseMasterKeys } from '#src/keys/sealer.js';
import { sendsMail } from '#src/login/mail/mailer.js';
import { openMail } from '#src/login/mail/open-mail.js';
import { openLogin } from '#src/login/open-login.js';
import { openMigration } from '#src/migration/open/open-migration.js';
import { openNotices } from '#src/notices/open-notices.js';
import type { Observer } from '#src/observe/observer.js';
import { openOidc } from '#src/oidc/open-oidc.js';
import { type OpenedOrganizations, openOrganizations } from '#src/organizations/open/index.js';
import { createQuotaReservations, createQuotas } from '#src/organizations/quotas/index.js';
import { type OpenedPeople, openPeople } from '#src/people/index.js';
import { type Clock, systemClock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import { openPlatform } from '#src/platform/open/open-platform.js';
import { createStoreBound } from '#src/platform/redis/store-bound.js';
import { openProvisioningLog } from '#src/provisioning-log/open-provisioning-log.js';
import { openRemoval } from '#src/removal/index.js';
import { openSessions } from '#src/sessions/open-sessions.js';
import { openTokens } from '#src/tokens/open-tokens.js';
import { collections } from './collections.js';

interface RoomsOptions {
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly observer?: Pick<Observer, 'measures' | 'tracing'>;
  /** Certificates in the PEM format that requests to outside issuers and migration hooks trust, instead of those of Node.js. */
  readonly outgoingCa?: string | undefined;
}

/** What all rooms of an API process offer. */
export type Rooms = Awaited<ReturnType<typeof openRooms>>;

/** What the rooms of a worker offer: all but those that answer requests. */
export type WorkerRooms = Awaited<ReturnType<typeof openWorkerRooms>>;

/** Opens the rooms of an API process from the ground up. `close` closes them in reverse order. */
export async function openRooms(config: Config, options: RoomsOptions) {
  const { offered, inside, close } = await openShared(config, { ...options, peopleSignIn: true });
  const needs = { ...offered, ...inside };
  const http = openHttp({ ...needs, issuer: config.baseUrl, addressBound: inside.bounds.addresses });
  const oidc = openOidc({ ...needs, rateCounts: http.rateCounts });
  const login = openLogin(needs);
  return {
    ...{ ...offered, ...http, ...oidc, ...login },
    ...openAuthorization(needs),
    ...openConsole(needs),
    caches: { ...offered.caches, ...oidc.caches },
    async close(): Promise<void> {
      login.mailer?.close();
      await oidc.refusedAuthentications.close();
      http.rateCounts.close();
      await close();
    },
  };
}

/** Opens the rooms of a worker. */
export async function openWorkerRooms(config: Config, options: RoomsOptions) {
  const { offered, close } = await openShared(config, { ...options, peopleSignIn: false });
  const mail = openMail(offered);
  return {
    ...offered,
    ...mail,
    async close(): Promise<void> {
      mail.mailer?.close();
      await close();
    },
  };
}

/** Opens the rooms of both kinds of process. `inside` is for other rooms alone. */
async function openShared(
  config: Config,
  { logger, clock = systemClock, observer = {}, outgoingCa, peopleSignIn }: RoomsOptions & SharedOptions,
) {
  const { measures, tracing } = observer;
  const platform = await openPlatform({
    ...{ config, logger, tracing, indexes: collections },
    connectionTaken: measures?.mongoConnectionTaken,
    transactionRefused: measures && (() => measures.workShed('change')),
  });
  const { mongo, redis } = platform;
  const masterKeys = parseMasterKeys(config.masterKeys);
  const inside = {
    prefix: config.redisPrefix,
    sealer: (purpose: string) => createSealer(masterKeys, purpose),
    createCache: platform.caches.create,
    outgoingCa,
  };
  const ground = { config, logger, clock, measures, tracing, mongo, redis };
  const needs = { ...ground, ...inside };
  const { tell, notices } = openNotices({ mongo, sendsMail: sendsMail(config) });
  const audit = openAudit({ mongo, tell });
  const keys = openKeys({
    ...{ ...needs, ...audit, peopleSignIn },
    watchSigningKeys: (stale) => platform.caches.watch('signingKeys', stale),
    // The rooms above are open before anybody signs in.
    pepperOf: (orgId) => authentication.findPepper(orgId),
    hashWaited: measures?.hashWaited,
    workRefused: measures?.workShed,
  });
  const tokens = openTokens({ ...needs, ...keys });
  const directory = openDirectory(needs);
  const organizations = openOrganizations(needs);
  const { stands } = organizations;
  const sessions = openSessions({ ...needs, ...tokens, stands });
  const accounts = openAccounts(needs);
  const people = openPeople({ ...needs, ...audit, ...tokens, ...organizations, ...accounts });
  const access = openAccess({ ...needs, accounts, people });
  const clients = openClients(needs);
  const boundOf = (name: string) =>
    createStoreBound({ ...needs, name, maxBytes: (config.anonymousStoreMib * 1024 ** 2) / 3 });
  const bounds = { attempts: boundOf('attempts'), forms: boundOf('forms'), addresses: boundOf('addresses') };
  const authentication = openAuthentication({ ...needs, ...audit, ...organizations, bounds });
  const provisioning = openProvisioningLog({ ...needs, ...organizations, days: config.provisioningLogDays });
  const jobs = await openJobs(needs);
  const caches = { ...organizations.caches, ...people.caches, ...access.caches, ...clients.caches };
  const directoryRooms = {
    ...{ ...directory, ...organizations, ...accounts, ...people, ...access, ...clients, ...authentication },
    ...openRemoval(needs),
    caches,
  };
  const migration = openMigration({
    ...{ ...needs, ...audit, ...keys, ...tokens, ...directoryRooms, ...jobs },
    hashFingerprints: createFingerprints(masterKeys, 'imported-password'),
  });
  const quotas = createQuotas({
    ...{ caches, config },
    reservations: createQuotaReservations(needs),
    counts: {
      users: (orgId) => people.users.count(orgId),
      groups: (orgId) => people.groups.count(orgId),
      serviceUsers: clients.serviceUsers.count,
      projects: access.projects.count,
      applications: clients.applications.count,
      metadata: metadataCount(people, organizations),
      openJobs: jobs.jobs.countOpen,
    },
  });
  return {
    inside: { ...inside, bounds },
    offered: {
      ...{ ...ground, ...audit, ...keys, ...tokens, ...sessions, ...directoryRooms },
      ...{ ...provisioning, ...jobs, ...migration, quotas, notices },
    },
    async close(): Promise<void> {
      await clients.secretUses.close();
      await provisioning.provisioningLog.close();
      for (const bound of Object.values(bounds)) bound.close();
      await jobs.jobQueue.close();
      await keys.passwords.close();
      await migration.recordSums.close();
      await platform.close();
    },
  };
}

/** Counts the entries of metadata. An uploaded logo is one. */
function metadataCount(
  { userMetadata }: Pick<OpenedPeople, 'userMetadata'>,
  { logos }: Pick<OpenedOrganizations, 'logos'>,
) {
  return async (orgId: string) => {
    const counts = await Promise.all([userMetadata.count(orgId), logos.count(orgId)]);
    return counts[0] + counts[1];
  };
}

interface SharedOptions {
  /** Whether people sign in at this process. */
  readonly peopleSignIn: boolean;
}
