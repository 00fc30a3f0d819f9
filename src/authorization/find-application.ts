import type { Application } from '#src/directory/applications/application.js';
import type { Cache } from '#src/platform/redis/cache.js';

export interface FindApplicationDeps {
  readonly applications: { findById(id: string): Promise<Application | undefined> };
  readonly caches: { readonly applications: Cache<Application> };
}

/** No identifier that we make is longer. */
const maxLength = 300;

/** The active application of this client_id: from memory, or by one read of its key. */
export async function findApplication(
  { applications, caches }: FindApplicationDeps,
  clientId: string,
): Promise<Application | undefined> {
  if (clientId.length > maxLength) return undefined;
  const found = await caches.applications.get(clientId, () => applications.findById(clientId));
  return found?.active ? found : undefined;
}
