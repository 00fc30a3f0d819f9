import { type Account, credentialsStamp } from '#src/accounts/index.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { foldCase, primaryEmail, type SignInPolicy } from '#src/directory/index.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { userEvent } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { RememberedBrowser, RememberedBrowsersStore } from '#src/tokens/remembered-browsers.store.js';
import type { RememberedBrowserProof } from '../proofs/index.js';

export interface RememberBrowserDeps {
  readonly rememberedBrowsers: Pick<RememberedBrowsersStore, 'insert'>;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/** A browser at which the person has just proved a second factor. */
interface BrowserToRemember extends Pick<RememberedBrowser, 'device'> {
  readonly account: Account;
  readonly by: RememberedBrowserProof['by'];
  readonly policy: SignInPolicy | undefined;
  /** The new secret of the browser's cookie. */
  readonly secret: string;
  /** The secrets that its cookie had. What they were good for, for this person, ends. */
  readonly former: readonly string[];
}

/** How long a policy lets a browser be remembered, in milliseconds. 0 means never. */
export function rememberedMs(policy: SignInPolicy | undefined): number {
  return (policy?.rememberedBrowserDays ?? 0) * 24 * 3_600_000;
}

/**
 * Remembers a browser for as long as the policy says, so that the next sign-ins of the person there need no second factor. Records
 * `user.browser.remembered`.
 * @returns whether the policy allows it
 */
export async function rememberBrowser(
  { rememberedBrowsers, events, clock }: RememberBrowserDeps,
  { account, by, policy, secret, former, device }: BrowserToRemember,
): Promise<boolean> {
  const lifeMs = rememberedMs(policy);
  if (lifeMs === 0) return false;
  const { user } = account;
  const now = clock.now();
  const browser: RememberedBrowser = {
    id: newId(),
    orgId: user.orgId,
    userId: user.id,
    hash: browserHash(user.id, secret),
    by,
    proved: now,
    used: now,
    credentialsStamp: trustStamp(account, by),
    ...(device && { device }),
    expires: new Date(now.getTime() + lifeMs),
  };
  await rememberedBrowsers.insert(
    browser,
    former.map((one) => browserHash(user.id, one)),
  );
  const editor = { userId: user.id, service: 'login' };
  const payload = { browserId: browser.id, by, ...device };
  await events.record(userEvent('user.browser.remembered', { ...user, lastModified: now }, editor, payload));
  return true;
}

/**
 * Returns a text that changes with what the trust in a browser stands on: with every credential of the person, and with the address if a mailed
 * code was proved there. Another address is another second factor.
 */
export function trustStamp(account: Account, by: string): string {
  const stamp = credentialsStamp(account);
  if (by !== 'mailCode') return stamp;
  return `${stamp} ${hashSecret(`remembered at ${foldCase(primaryEmail(account.user)?.value ?? '')}`)}`;
}

/** The name of a secret in the store. It depends on the person, so that nobody sees which people share a browser. */
export function browserHash(userId: string, secret: string): string {
  return hashSecret(`remembered ${userId} ${secret}`);
}
