import { openAudit } from '#src/audit/open-audit.js';
import { openAuthorization } from '#src/authorization/open-authorization.js';
import type { Config } from '#src/config.js';
import { openConsole } from '#src/console/open-console.js';
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
import { type Clock, systemClock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import { openPlatform } from '#src/platform/open/open-platform.js';
import { createStoreBound } from '#src/platform/redis/store-bound.js';
import { openProvisioningLog } from '#src/provisioning-log/open-provisioning-log.js';
import { openSessions } from '#src/sessions/open-sessions.js';
import { openTokens } from '#src/tokens/open-tokens.js';
import { collections } from './collections.js';
import { openDirectoryRooms, openQuotas } from './directory-rooms.js';

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
    pepperOf: (orgId) => directory.findPepper(orgId),
    hashWaited: measures?.hashWaited,
    workRefused: measures?.workShed,
  });
  const tokens = openTokens({ ...needs, ...keys, livesOf: (orgId) => directory.livesOf(orgId) });
  const boundOf = (name: string) =>
    createStoreBound({ ...needs, name, maxBytes: (config.anonymousStoreMib * 1024 ** 2) / 3 });
  const bounds = { attempts: boundOf('attempts'), forms: boundOf('forms'), addresses: boundOf('addresses') };
  const directory = openDirectoryRooms({ ...needs, ...audit, ...tokens, bounds });
  const sessions = openSessions({
    ...needs,
    ...tokens,
    stands: directory.stands,
    livesOf: directory.livesOf,
    connectionServes: directory.connectionServes,
  });
  const provisioning = openProvisioningLog({ ...needs, ...directory, days: config.provisioningLogDays });
  const jobs = await openJobs(needs);
  const migration = openMigration({
    ...{ ...needs, ...audit, ...keys, ...tokens, ...directory, ...jobs },
    hashFingerprints: createFingerprints(masterKeys, 'imported-password'),
  });
  return {
    inside: { ...inside, bounds },
    offered: {
      ...{ ...ground, ...audit, ...keys, ...tokens, ...sessions, ...directory },
      ...{ ...provisioning, ...jobs, ...migration, notices },
      quotas: openQuotas(directory, { ...needs, ...jobs }),
    },
    async close(): Promise<void> {
      await directory.secretUses.close();
      await provisioning.provisioningLog.close();
      await directory.samlThreads.close();
      for (const bound of Object.values(bounds)) bound.close();
      await jobs.jobQueue.close();
      await keys.passwords.close();
      await migration.recordSums.close();
      await platform.close();
    },
  };
}

interface SharedOptions {
  /** Whether people sign in at this process. */
  readonly peopleSignIn: boolean;
}
