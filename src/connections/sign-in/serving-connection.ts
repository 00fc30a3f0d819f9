import type { Organization } from '#src/directory/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { Connection } from '../registry/connection.js';

export interface ServingDeps {
  readonly caches: {
    readonly connections: Pick<Cache<readonly Connection[]>, 'get'>;
    readonly organizations: Pick<Cache<Organization | undefined>, 'get'>;
  };
}

/**
 * Returns the connection if it serves a sign-in that began at this time: it exists and is switched on, and was not switched off since.
 * It comes from memory, from which every change removes it at once.
 * @param of `evenOff`: also one that is switched off, for a test that signs nobody in
 */
export async function servingConnection(
  { caches }: { readonly caches: Pick<ServingDeps['caches'], 'connections'> },
  {
    orgId,
    connectionId,
    since,
    evenOff = false,
  }: { orgId: string; connectionId: string; since?: Date | undefined; evenOff?: boolean },
): Promise<Connection | undefined> {
  const found = (await caches.connections.get(orgId)).find(({ id }) => id === connectionId);
  if (found === undefined || !(found.enabled || evenOff)) return undefined;
  return since === undefined || since > found.signInsSince ? found : undefined;
}
