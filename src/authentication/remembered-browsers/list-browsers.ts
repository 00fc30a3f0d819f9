import type { Account } from '#src/accounts/index.js';
import { type Organization, policyOf } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { RememberedBrowser, RememberedBrowsersStore } from '#src/tokens/remembered-browsers.store.js';
import { rememberedMs, trustStamp } from './remember-browser.js';

/** Returns the browsers of a person that a sign-in would remember at this moment, the latest first. Without a policy for them, it reads nothing. */
export async function listBrowsers(
  {
    rememberedBrowsers,
    caches,
    clock,
  }: {
    readonly rememberedBrowsers: Pick<RememberedBrowsersStore, 'ofUser'>;
    readonly caches: { readonly organizations: Pick<Cache<Organization | undefined>, 'get'> };
    readonly clock: Clock;
  },
  account: Account,
): Promise<RememberedBrowser[]> {
  const { id: userId, orgId } = account.user;
  const lifeMs = rememberedMs(policyOf((await caches.organizations.get(orgId))?.signInPolicy, userId));
  if (lifeMs === 0) return [];
  const now = clock.now().getTime();
  return (await rememberedBrowsers.ofUser(orgId, userId))
    .map((browser) => ({
      ...browser,
      expires: new Date(Math.min(browser.expires.getTime(), browser.proved.getTime() + lifeMs)),
    }))
    .filter(
      ({ expires, by, credentialsStamp }) =>
        expires.getTime() > now && credentialsStamp === trustStamp(account, by),
    );
}
