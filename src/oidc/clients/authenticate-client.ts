import { type FindApplicationDeps, findApplication } from '#src/authorization/find-application.js';
import type { ClientSecret } from '#src/directory/credentials/client-secret.js';
import type { ServiceUser } from '#src/directory/service-users/service-user.js';
import { hashSecret, sameSecretHash } from '#src/keys/secret-hash.js';
import type { Clock } from '#src/platform/clock.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { OAuthError } from '../protocol/oauth-error.js';
import type { Parameters } from '../protocol/parameters.js';
import type { AssertionIds } from './assertion-ids.store.js';
import { type AssertionEndpoint, checkAssertion } from './check-assertion.js';
import { type Client, clientKeys, hasSingleAudience } from './client.js';
import { credentialsKey } from './credentials-key.js';
import { type ClientCredentials, readClientCredentials } from './read-client-credentials.js';
import { peekAtClaims, verifyClientJwt } from './verify-client-jwt.js';

export interface AuthenticateClientDeps extends FindApplicationDeps {
  readonly caches: FindApplicationDeps['caches'] & {
    readonly serviceUsers: Cache<ServiceUser | undefined>;
    /** Identifiers of service users, by {@link credentialsKey}. */
    readonly credentials: Cache<string | undefined>;
  };
  readonly assertionIds: AssertionIds;
  readonly clock: Clock;
  readonly config: { readonly baseUrl: string };
}

export interface ClientAuthentication {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  readonly parameters: Parameters;
  readonly endpoint: AssertionEndpoint;
}

type Secret = Extract<ClientCredentials, { clientSecret: string }>;
type Assertion = Extract<ClientCredentials, { assertion: string }>;

/** No secret that this service makes is longer, and no userName. */
const maxLength = 300;

/**
 * The client that the request proves, by the method with which it is registered. The client is active. Its
 * secrets and keys are current, because every change invalidates the caches.
 * @throws OAuthError `invalid_client` without saying why; `invalid_request` for several mechanisms at once
 */
export async function authenticateClient(
  deps: AuthenticateClientDeps,
  { authorization, parameters, endpoint }: ClientAuthentication,
): Promise<Client> {
  const credentials = readClientCredentials(authorization, parameters);
  const client = serves(endpoint, credentials) ? await matchClient(deps, credentials, endpoint) : undefined;
  if (client !== undefined) return client;
  // Created only here: an error collects the stack, which takes longer than everything else in this function.
  throw new OAuthError('invalid_client', 'The client could not be authenticated', {
    challenge: credentials.method === 'client_secret_basic',
  });
}

/** Introspection reveals what is in tokens of others, so it accepts only the two strong methods. */
function serves(endpoint: ClientAuthentication['endpoint'], { method }: ClientCredentials): boolean {
  return endpoint !== 'introspection' || method === 'client_secret_basic' || method === 'private_key_jwt';
}

function matchClient(
  deps: AuthenticateClientDeps,
  credentials: ClientCredentials,
  endpoint: AssertionEndpoint,
): Promise<Client | undefined> {
  if (credentials.method === 'none') return byIdentifier(deps, credentials.clientId);
  return credentials.method === 'private_key_jwt'
    ? byAssertion(deps, credentials, endpoint)
    : bySecret(deps, credentials);
}

async function byIdentifier(deps: AuthenticateClientDeps, clientId: string): Promise<Client | undefined> {
  const application = await findApplication(deps, clientId);
  return application?.authMethod === 'none' ? { kind: 'application', application } : undefined;
}

/**
 * The cache of credentials holds the identifier of the service user alone. The secret is compared with the current
 * secrets of that service user.
 */
async function bySecret(
  deps: AuthenticateClientDeps,
  { method, clientId, clientSecret }: Secret,
): Promise<Client | undefined> {
  if (clientId.length > maxLength || clientSecret.length > maxLength) return undefined;
  const secretHash = hashSecret(clientSecret);
  const serviceUserId = await deps.caches.credentials.get(credentialsKey(clientId, secretHash));
  if (serviceUserId === undefined) {
    const application = await findApplication(deps, clientId);
    const proven = application?.authMethod === method && hasSecret(application.secrets, secretHash);
    return proven ? { kind: 'application', application } : undefined;
  }
  const serviceUser = await findServiceUser(deps, serviceUserId);
  const proven = serviceUser !== undefined && hasSecret(serviceUser.secrets, secretHash);
  return proven ? { kind: 'serviceUser', serviceUser } : undefined;
}

function hasSecret(secrets: readonly ClientSecret[], secretHash: string): boolean {
  return secrets.some(({ hash }) => sameSecretHash(secretHash, hash));
}

/** private_key_jwt (OpenID Connect Core section 9, which requires `jti`). Each assertion works once. */
async function byAssertion(
  deps: AuthenticateClientDeps,
  { assertion, clientId }: Assertion,
  endpoint: AssertionEndpoint,
): Promise<Client | undefined> {
  const said = peekAtClaims(assertion)?.sub;
  if (typeof said !== 'string' || said.length > maxLength) return undefined;
  if (clientId !== undefined && clientId !== said) return undefined;
  const client = await withKeys(deps, said);
  if (client === undefined) return undefined;
  const { clock, config, assertionIds } = deps;
  const claims = await verifyClientJwt(clientKeys(client), assertion, clock.now());
  if (claims === undefined) return undefined;
  const audience = { issuer: config.baseUrl, endpoint, single: hasSingleAudience(client) };
  const checked = checkAssertion(claims, { clientId: said, audience, clock });
  if (checked?.jti === undefined) return undefined;
  // Checked last, so that only the client itself can use up its identifiers.
  const { jti, expires } = checked;
  return (await assertionIds.use({ issuer: said, jti, jwt: assertion, expires })) ? client : undefined;
}

async function withKeys(deps: AuthenticateClientDeps, clientId: string): Promise<Client | undefined> {
  const application = await findApplication(deps, clientId);
  if (application !== undefined) {
    return application.authMethod === 'private_key_jwt' ? { kind: 'application', application } : undefined;
  }
  const serviceUser = await findServiceUser(deps, clientId);
  return serviceUser && { kind: 'serviceUser', serviceUser };
}

async function findServiceUser(
  { caches }: AuthenticateClientDeps,
  id: string,
): Promise<ServiceUser | undefined> {
  const found = await caches.serviceUsers.get(id);
  return found?.active ? found : undefined;
}
