import type { Application } from '#src/directory/applications/application.js';
import type { Cache } from '#src/platform/redis/cache.js';

export interface FindApplicationDeps {
  readonly caches: { readonly applications: Cache<Application | undefined> };
}

/** No identifier that we make is longer. */
const maxLength = 300;

/** The active application with this client_id, from the cache or by one read of its key. */
export async function findApplication(
  { caches }: FindApplicationDeps,
  clientId: string,
): Promise<Application | undefined> {
  if (clientId.length > maxLength) return undefined;
  const found = await caches.applications.get(clientId);
  return found?.active ? found : undefined;
}
