import type { Application } from '#src/clients/applications/index.js';
import { type OrganizationStandsDeps, organizationStands } from '#src/organizations/index.js';
import type { Cache } from '#src/platform/redis/cache.js';

export interface FindApplicationDeps extends OrganizationStandsDeps {
  readonly caches: OrganizationStandsDeps['caches'] & {
    readonly applications: Cache<Application | undefined>;
  };
}

/** No identifier that we make is longer. In characters. */
export const maxClientIdLength = 300;

/** The active application with this client_id, of an organization that stands, from the cache or by one read of its key. */
export async function findApplication(
  deps: FindApplicationDeps,
  clientId: string,
): Promise<Application | undefined> {
  if (clientId.length > maxClientIdLength) return undefined;
  const found = await deps.caches.applications.get(clientId);
  return found?.active && (await organizationStands(deps, found.orgId)) ? found : undefined;
}
