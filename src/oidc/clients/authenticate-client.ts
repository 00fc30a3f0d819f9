import type { ServiceUser } from '#src/directory/service-user.js';
import type { ServiceUsersStore } from '#src/directory/service-users.store.js';
import { hashSecret, sameSecretHash } from '#src/keys/secret-hash.js';
import type { Cache } from '#src/platform/cache.js';
import { OAuthError } from '../protocol/oauth-error.js';
import type { ClientCredentials } from './read-client-credentials.js';

export interface AuthenticateClientDeps {
  readonly serviceUsers: ServiceUsersStore;
  readonly caches: {
    readonly serviceUsers: Cache<ServiceUser>;
    /** Identifier of the service user by client_id and secret hash. */
    readonly credentials: Cache<string>;
  };
}

/** No secret that we make is longer, no userName either. */
const maxLength = 300;

/**
 * The active service user whose client_id (userName or id) and secret these are. What is cached by credentials is
 * the identifier alone: the secret is compared with the service user as it is now.
 * @throws OAuthError `invalid_client` without saying why
 */
export async function authenticateClient(
  { serviceUsers, caches }: AuthenticateClientDeps,
  { method, clientId, clientSecret }: ClientCredentials,
): Promise<ServiceUser> {
  const challenge = method === 'client_secret_basic';
  // Made only where it is thrown: an error gathers the stack, which costs more than all the rest of this.
  const failed = () =>
    new OAuthError('invalid_client', 'The client could not be authenticated', { challenge });
  if (clientId.length > maxLength || clientSecret.length > maxLength) throw failed();
  const secretHash = hashSecret(clientSecret);
  const id = await caches.credentials.get(`${secretHash} ${clientId}`, async () => {
    const found = await serviceUsers.findByCredentials(clientId, secretHash);
    return found?.id;
  });
  const user =
    id === undefined ? undefined : await caches.serviceUsers.get(id, () => serviceUsers.findById(id));
  if (user === undefined || !user.active) throw failed();
  if (!user.secrets.some(({ hash }) => sameSecretHash(secretHash, hash))) throw failed();
  return user;
}
