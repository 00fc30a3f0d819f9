import { openAudit } from '#src/audit/open-audit.js';
import { openAuthorization } from '#src/authorization/open-authorization.js';
import type { Config } from '#src/config.js';
import { openConsole } from '#src/console/open-console.js';
import { openHttp } from '#src/http/open-http.js';
import { openJobs } from '#src/jobs/open-jobs.js';
import { openKeys } from '#src/keys/open-keys.js';
import { sendsMail } from '#src/login/mail/mailer.js';
import { openMail } from '#src/login/mail/open-mail.js';
import { openLogin } from '#src/login/open-login.js';
import { openMigration } from '#src/migration/open/open-migration.js';
import { openNotices } from '#src/notices/open-notices.js';
import { openOidc } from '#src/oidc/open-oidc.js';
import { openProvisioningLog } from '#src/provisioning-log/open-provisioning-log.js';
import { openSessions } from '#src/sessions/open-sessions.js';
import { openTokens } from '#src/tokens/open-tokens.js';
import { openDirectoryRooms, openQuotas } from './directory-rooms.js';
import { type GroundOptions, openGround } from './ground.js';

/** What all rooms of an API process offer. */
export type Rooms = Awaited<ReturnType<typeof openRooms>>;

/** What the rooms of a worker offer: all but those that answer requests. */
export type WorkerRooms = Awaited<ReturnType<typeof openWorkerRooms>>;

/** Opens the rooms of an API process from the ground up. `close` closes them in reverse order. */
export async function openRooms(config: Config, options: GroundOptions) {
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
export async function openWorkerRooms(config: Config, options: GroundOptions) {
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
async function openShared(config: Config, options: GroundOptions & { readonly peopleSignIn: boolean }) {
  const { ground, inside, watchSigningKeys, hashFingerprints, close } = await openGround(config, options);
  const { mongo, measures } = ground;
  const needs = { ...ground, ...inside };
  const { tell, notices } = openNotices({ mongo, sendsMail: sendsMail(config) });
  const audit = openAudit({ mongo, tell });
  const keys = openKeys({
    ...{ ...needs, ...audit, peopleSignIn: options.peopleSignIn, watchSigningKeys },
    // The rooms above are open before anybody signs in.
    pepperOf: (orgId) => directory.findPepper(orgId),
    hashWaited: measures?.hashWaited,
    workRefused: measures?.workShed,
  });
  const tokens = openTokens({ ...needs, ...keys, livesOf: (orgId) => directory.livesOf(orgId) });
  const directory = openDirectoryRooms({ ...needs, ...audit, ...tokens });
  const { stands, livesOf, connectionServes, providerSessions } = directory;
  const sessions = openSessions({
    ...{ ...needs, ...tokens, stands, livesOf, connectionServes, providerSessions },
  });
  const provisioning = openProvisioningLog({ ...needs, ...directory, days: config.provisioningLogDays });
  const jobs = await openJobs(needs);
  const rooms = { ...audit, ...keys, ...tokens, ...directory, ...jobs };
  const migration = openMigration({ ...needs, ...rooms, hashFingerprints });
  return {
    inside,
    offered: {
      ...{ ...ground, ...rooms, ...sessions, ...provisioning, ...migration, notices },
      quotas: openQuotas(directory, { ...needs, ...jobs }),
    },
    async close(): Promise<void> {
      await directory.secretUses.close();
      await provisioning.provisioningLog.close();
      await directory.samlThreads.close();
      await jobs.jobQueue.close();
      await keys.passwords.close();
      await migration.recordSums.close();
      await close();
    },
  };
}
