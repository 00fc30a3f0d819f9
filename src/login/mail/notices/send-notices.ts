import type { AccountsStore } from '#src/accounts/index.js';
import type { LoginAttempts } from '#src/authentication/index.js';
import type { Config } from '#src/config.js';
import { foldCase, type Organization, primaryEmail, type User } from '#src/directory/index.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import type { Notice } from '#src/notices/notice.js';
import type { ClaimedNotices, NoticesStore } from '#src/notices/notices.store.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { Mailer } from '../mail.js';
import { mailBoundOf } from '../mail-bound.js';
import { noticeMail, permittedNotices } from './notice-mail.js';

export interface SendNoticesDeps {
  /** Undefined without a mail server. */
  readonly mailer: Mailer | undefined;
  readonly notices: NoticesStore;
  readonly accounts: Pick<AccountsStore, 'find'>;
  readonly caches: { readonly organizations: Pick<Cache<Organization | undefined>, 'get'> };
  /** Counts the mails of a day. */
  readonly dailyMails: Pick<LoginAttempts, 'begin' | 'takeBack'>;
  readonly config: Pick<Config, 'baseUrl' | 'noticeMailsPerDay'>;
  readonly clock: Clock;
}

/** The most mails in a day to one person, and to one address of the people of one organization. Later notices wait, and are one mail. */
export const mostMailsOfPerson = 10;
/** The most former addresses that one mail also goes to. Only the first of several changes has an address that people knew. */
const mostFormer = 3;
/** The people of one organization who get their mail before it is the turn of the next one. */
const turn = 20;
/** Longer than a mail may take. If a process dies, another one sends its mails again after this time. In milliseconds. */
const leaseMs = 2 * 60_000;
/** The first pause after a mail that the mail server did not take. It doubles each time. In milliseconds. */
const firstPauseMs = 60_000;
const longestPauseMs = 3_600_000;
/** The mail server is away if the mails of so many organizations fail, and none was sent. */
const mostFailing = 3;

/**
 * Sends what people are told, one mail for each person. Organizations take turns, so that one with many notices delays nobody. Several
 * processes may call it at once. It ends when nothing is due, or after `longestMs`. A mail that fails ends the turns of its organization
 * alone, because its receiver may be at fault. If the first mails of several organizations fail, the mail server is.
 * @throws what a store throws. The notices are then sent later
 */
export async function sendNotices(
  deps: SendNoticesDeps,
  { logger, longestMs }: { readonly logger: Logger; readonly longestMs: number },
): Promise<void> {
  const { mailer, notices, clock } = deps;
  if (mailer === undefined) return;
  const until = performance.now() + longestMs;
  const failed = new Set<string>();
  let hasSent = false;
  for (;;) {
    const due = await notices.organizationsDue(clock.now());
    const orgIds = due.filter((orgId) => !failed.has(orgId));
    if (orgIds.length === 0) return;
    for (const orgId of orgIds) {
      if (performance.now() > until || (failed.size >= mostFailing && !hasSent)) return;
      if ((await sendTurn({ ...deps, mailer }, { orgId, logger, until })) === 'failed') failed.add(orgId);
      else hasSent = true;
    }
  }
}

type Deps = SendNoticesDeps & { readonly mailer: Mailer };

async function sendTurn(
  deps: Deps,
  { orgId, logger, until }: { orgId: string; logger: Logger; until: number },
): Promise<'failed' | undefined> {
  for (let sent = 0; sent < turn && performance.now() < until; sent++) {
    const now = deps.clock.now();
    const leaseUntil = new Date(now.getTime() + leaseMs);
    const claimed = await deps.notices.claimNext(orgId, { now, leaseUntil });
    if (claimed === undefined) return undefined;
    const outcome = await tellPerson(deps, claimed, logger);
    if (outcome !== 'done') return outcome === 'failed' ? 'failed' : undefined;
  }
  return undefined;
}

/** `full`: the organization has had its mails of the day. `failed`: the mail server did not take the mail. */
async function tellPerson(
  deps: Deps,
  claimed: ClaimedNotices,
  logger: Logger,
): Promise<'done' | 'full' | 'failed'> {
  const { orgId, userId } = claimed;
  const [organization, account] = await Promise.all([
    deps.caches.organizations.get(orgId),
    deps.accounts.find(orgId, userId),
  ]);
  const permitted = organization === undefined ? [] : permittedNotices(organization, claimed.notices);
  // Somebody who never had a password learns of the link from the person who hands it over.
  const told =
    account?.password === undefined ? permitted.filter(({ kind }) => kind !== 'linkMade') : permitted;
  const addresses = account === undefined ? [] : addressesOf(account.user, told);
  if (account === undefined || told.length === 0 || addresses.length === 0) {
    await deps.notices.remove(claimed);
    return 'done';
  }
  const wait = await countMails(deps, { user: account.user, addresses });
  if (wait !== undefined) return postpone(deps, claimed, wait);
  const mail = noticeMail(deps, account.user, told);
  try {
    for (const to of addresses) await deps.mailer.send({ to, ...mail });
  } catch (error) {
    if (!isRefusal(error)) {
      logger.warn({ err: error, userId }, 'a notice could not be sent by mail');
      const pause = Math.min(firstPauseMs * 2 ** claimed.tries, longestPauseMs);
      await deps.notices.postpone(claimed, new Date(deps.clock.now().getTime() + pause));
      return 'failed';
    }
    logger.info({ userId }, 'the mail server refuses the address of a notice');
  }
  await deps.notices.remove(claimed);
  return 'done';
}

/** The present address, unless nobody proved it, and the ones that were replaced. */
function addressesOf(user: User, notices: readonly Notice[]): string[] {
  const present = primaryEmail(user);
  const former = notices.flatMap(({ formerEmail }) => formerEmail ?? []);
  const all = [
    ...(present === undefined || present.verified === false ? [] : [present.value]),
    ...former.slice(0, mostFormer),
  ];
  return [...new Map(all.map((address) => [foldCase(address), address])).values()];
}

interface Wait {
  /** Whether nobody of the organization gets mail meanwhile, except people who were added within a day. */
  readonly isOfOrganization: boolean;
  readonly seconds: number;
}

/**
 * Counts mails against the limits of the day. They are limits of one organization each, so that no organization can use up those of another.
 * @returns how long the notices must wait. Nothing then counts
 */
async function countMails(
  { dailyMails, config, clock }: Deps,
  { user, addresses }: { user: User; addresses: readonly string[] },
): Promise<Wait | undefined> {
  const { orgId, id: userId } = user;
  const ofOrganization = `notice-org:${orgId}`;
  const limits = [
    [mailBoundOf('notice', user, clock.now()), config.noticeMailsPerDay],
    [`notice:${userId}`, mostMailsOfPerson],
    ...addresses.map((to) => [`notice-to:${orgId} ${hashSecret(foldCase(to))}`, mostMailsOfPerson] as const),
  ] as const;
  const counted: string[] = [];
  for (const [subject, limit] of limits) {
    const { allowed, retryAfterSeconds } = await dailyMails.begin(subject, limit);
    if (allowed) {
      counted.push(subject);
      continue;
    }
    await Promise.all(counted.map((one) => dailyMails.takeBack(one)));
    return { isOfOrganization: subject === ofOrganization, seconds: retryAfterSeconds };
  }
  return undefined;
}

async function postpone(
  { notices, clock }: Deps,
  claimed: ClaimedNotices,
  { isOfOrganization, seconds }: Wait,
): Promise<'done' | 'full'> {
  const now = clock.now();
  const due = new Date(now.getTime() + seconds * 1000);
  await notices.postpone(claimed, due);
  if (!isOfOrganization) return 'done';
  await notices.postponeAll(claimed.orgId, { now, due });
  return 'full';
}

/** Whether a mail server says that it will never take this mail (RFC 5321 section 4.2.1). */
function isRefusal(error: unknown): boolean {
  const { responseCode } = (error ?? {}) as { responseCode?: unknown };
  return typeof responseCode === 'number' && responseCode >= 500;
}
