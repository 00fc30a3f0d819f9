import { type Account, credentialsStamp } from '#src/accounts/index.js';
import {
  allowedFirstFactors,
  foldCase,
  type Organization,
  primaryEmail,
  receivesMail,
} from '#src/directory/index.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import type { Clock } from '#src/platform/clock.js';
import { newSecret } from '#src/platform/ids.js';
import type { LoginAttempts } from '../login-attempts.store.js';
import type { EarlierSignIn } from '../record-check.js';
import type { SignInLink, SignInLinksStore } from './sign-in-links.store.js';

/** How many links a person, and an address, get within the time for which failed attempts are counted. */
const mostMails = 3;

export interface BeginSignInLinkDeps {
  readonly signInLinks: Pick<SignInLinksStore, 'put'>;
  readonly loginAttempts: Pick<LoginAttempts, 'begin' | 'takeBack'>;
  readonly dailyMails: Pick<LoginAttempts, 'begin' | 'takeBack'>;
  readonly clock: Clock;
}

/** Who asks for a link, where. */
interface WantedSignInLink extends Pick<SignInLink, 'agentHash' | 'flow' | 'toAccount'> {
  readonly account: Account;
  readonly organization: Organization;
  /** The latest sign-in of the person at this browser, if there was one. */
  readonly earlier?: EarlierSignIn | undefined;
  /** The count of mails of the organization in a day. */
  readonly day: { readonly subject: string; readonly most: number };
}

/**
 * Makes a link that signs a person in at the browser that asks for it. Returns its secret this once. The store has only the hash.
 * @returns undefined if the person may not sign in by a link, has no address that counts, or got too many links. The caller tells nobody
 */
export async function beginSignInLink(
  { signInLinks, loginAttempts, dailyMails, clock }: BeginSignInLinkDeps,
  { account, organization, earlier, day, ...asked }: WantedSignInLink,
): Promise<{ email: string; secret: string } | undefined> {
  const { user } = account;
  const email = primaryEmail(user)?.value;
  if (!mayUseSignInLink(account, organization, clock.now()) || email === undefined) return undefined;
  const counts = [
    ...signInLinkSubjects(account, earlier).map((subject) => ({
      by: loginAttempts,
      subject,
      most: mostMails,
    })),
    { by: dailyMails, ...day },
  ];
  for (const [index, { by, subject, most }] of counts.entries()) {
    if ((await by.begin(subject, most)).allowed) continue;
    await Promise.all(counts.slice(0, index).map((count) => count.by.takeBack(count.subject)));
    return undefined;
  }
  const secret = newSecret();
  const of = { orgId: user.orgId, userId: user.id, email, credentialsStamp: credentialsStamp(account) };
  await signInLinks.put(secret, { ...of, ...asked });
  return { email, secret };
}

/** Whether a person may sign in by a mailed link at this moment: active, with an address that counts, and allowed by the policy. */
export function mayUseSignInLink(
  { user }: Account,
  { signInPolicy }: Pick<Organization, 'signInPolicy'>,
  now: Date,
): boolean {
  return user.active && receivesMail(user) && allowedFirstFactors(signInPolicy, now).includes('mailLink');
}

/**
 * The names under which links to a person and to an address are counted. A browser of the person has a count of its own, so that a stranger
 * who knows the login name keeps nobody out there (docs/decisions/0044-known-browsers.md).
 */
function signInLinkSubjects({ user }: Account, earlier: EarlierSignIn | undefined): string[] {
  if (earlier !== undefined) return [`mail-link-at:${earlier.id}`];
  const email = foldCase(primaryEmail(user)?.value ?? '');
  return [`mail-link:${user.id}`, `mail-link-to:${hashSecret(`${user.orgId} ${email}`)}`];
}
