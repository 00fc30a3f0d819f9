import type { Application } from '#src/clients/applications/index.js';
import type { ServiceUsersStore } from '#src/clients/service-users/index.js';
import type { Cache } from '#src/platform/redis/cache.js';

/** The key of the cache of credentials. The hash of a secret has no space. */
export function credentialsKey(clientId: string, secretHash: string): string {
  return `${secretHash} ${clientId}`;
}

/**
 * Reads what the cache of credentials holds: the identifier of the service user with this client_id and secret. A
 * client_id that is an application's names no service user, because anyone may choose the userName of a service user.
 */
export function loadServiceUserId(deps: {
  serviceUsers: Pick<ServiceUsersStore, 'findByCredentials'>;
  applications: Cache<Application | undefined>;
}): (key: string) => Promise<string | undefined> {
  return async (key) => {
    const space = key.indexOf(' ');
    const clientId = key.slice(space + 1);
    if ((await deps.applications.get(clientId)) !== undefined) return undefined;
    return (await deps.serviceUsers.findByCredentials(clientId, key.slice(0, space)))?.id;
  };
}
