import type { Account } from '#src/accounts/index.js';
import { type Organization, policyOf } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { RememberedBrowsersStore } from '#src/tokens/remembered-browsers.store.js';
import type { RememberedBrowserProof } from '../proofs/index.js';
import { browserHash, rememberedMs, trustStamp } from './remember-browser.js';

export interface RecallBrowserDeps {
  readonly rememberedBrowsers: Pick<RememberedBrowsersStore, 'findByHash' | 'use'>;
  readonly caches: { readonly organizations: Pick<Cache<Organization | undefined>, 'get'> };
  readonly clock: Clock;
}

/**
 * Returns what a browser is good for that the person asked to remember. Undefined if the policy remembers none by now, what the trust in it stands
 * on was changed since, or it was too long ago. A policy with fewer days holds for browsers that are remembered too.
 * @param asked `secrets` of the browser's cookie. `since`: only a second factor that was proved since counts, in milliseconds since 1970
 */
export async function recallBrowser(
  { rememberedBrowsers, caches, clock }: RecallBrowserDeps,
  account: Account,
  { secrets, since }: { secrets: readonly string[]; since: number | undefined },
): Promise<RememberedBrowserProof | undefined> {
  const { id: userId, orgId } = account.user;
  if (secrets.length === 0) return undefined;
  const lifeMs = rememberedMs(policyOf((await caches.organizations.get(orgId))?.signInPolicy, userId));
  if (lifeMs === 0) return undefined;
  const hashes = secrets.map((secret) => browserHash(userId, secret));
  const found = await rememberedBrowsers.findByHash(orgId, userId, hashes);
  if (found === undefined || found.credentialsStamp !== trustStamp(account, found.by)) return undefined;
  const now = clock.now();
  const provedAt = found.proved.getTime();
  const isOver = found.expires <= now || provedAt + lifeMs <= now.getTime();
  if (isOver || (since !== undefined && provedAt < since)) return undefined;
  await rememberedBrowsers.use(orgId, found.id, now);
  const by = found.by as RememberedBrowserProof['by'];
  return { kind: 'rememberedBrowser', credentialId: found.id, by, provedAt };
}
