import type { Organization } from '#src/directory/index.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { Logger } from '#src/platform/logger.js';
import type { Cache } from '#src/platform/redis/cache.js';

/** Finds the pepper of an organization. Undefined if it has none, or none that a master key opens. */
export type FindPepper = (orgId: string) => Promise<string | undefined>;

export function createFindPepper(deps: {
  readonly caches: { readonly organizations: Cache<Organization | undefined> };
  readonly pepperSealer: Sealer;
  readonly logger: Pick<Logger, 'warn'>;
}): FindPepper {
  const { caches, pepperSealer, logger } = deps;
  return async (orgId) => {
    const sealed = (await caches.organizations.get(orgId))?.passwordPepper?.sealed;
    if (sealed === undefined) return undefined;
    const pepper = pepperSealer.unseal(Buffer.from(sealed, 'base64url'))?.toString();
    if (pepper === undefined)
      logger.warn({ orgId }, 'the pepper of an organization cannot be read; set it again');
    return pepper;
  };
}
