import type { FindApplicationDeps } from '#src/authorization/find-application.js';
import { type Application, takesSecretBy } from '#src/clients/applications/index.js';
import { findSecret, type IssuerKeys, type SecretUses } from '#src/clients/credentials/index.js';
import type { ServiceUser } from '#src/clients/service-users/index.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { organizationStands } from '#src/organizations/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { OAuthError } from '../protocol/oauth-error.js';
import type { Parameters } from '../protocol/parameters.js';
import type { AssertionIds } from './assertion-ids.store.js';
import { type AssertionEndpoint, checkAssertion } from './check-assertion.js';
import { type Client, clientKeys, clientOrgId, hasSingleAudience } from './client.js';
import { credentialsKey } from './credentials-key.js';
import { findTrust } from './find-trust.js';
import { type ClientCredentials, readClientCredentials } from './read-client-credentials.js';
import type { Refusal, RefusalReason } from './refusal.js';
import type { RefusedAuthentications } from './refused-authentications.js';
import { peekAtClaims, verifyClientJwt } from './verify-client-jwt.js';

export interface AuthenticateClientDeps extends FindApplicationDeps {
  readonly caches: FindApplicationDeps['caches'] & {
    readonly serviceUsers: Cache<ServiceUser | undefined>;
    /** Identifiers of service users, by {@link credentialsKey}. */
    readonly credentials: Cache<string | undefined>;
  };
  readonly assertionIds: AssertionIds;
  readonly refusedAuthentications: Pick<RefusedAuthentications, 'note' | 'noteMalformed'>;
  readonly secretUses: Pick<SecretUses, 'note'>;
  readonly issuerKeys: Pick<IssuerKeys, 'find'>;
  readonly clock: Clock;
  readonly config: { readonly baseUrl: string };
}

interface ClientAuthentication {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  readonly parameters: Parameters;
  readonly endpoint: AssertionEndpoint;
  /** The address of the caller, for the event of a refusal. */
  readonly address: string;
  /** What the caller says that it is. */
  readonly userAgent?: string | undefined;
  /** Whether too many requests of the address had no valid credentials (`request.shutOut`). Its refusals are not noted. */
  readonly isShutOut: boolean;
}

type Secret = Extract<ClientCredentials, { clientSecret: string }>;
type Assertion = Extract<ClientCredentials, { assertion: string }>;

/** A refusal names its client, unless it is unknown. */
type Outcome =
  | {
      readonly client: Client;
      /** The secret or the federated credential that proved the client. */
      readonly credential?: { readonly id: string };
    }
  | { readonly refused?: Refused };
type Refused = Pick<Refusal, 'client' | 'reason' | 'issuer' | 'subject' | 'audience'> & {
  /** Thrown instead of `invalid_client`, because the client is not to blame. */
  readonly error?: Error;
};

/** No secret that this service makes is longer, and no userName. */
const maxLength = 300;

/**
 * The client that the request proves, by the method with which it is registered. A secret may come in the header or in the
 * form, unless the application is strict. The client is active. Its secrets and keys are current, because every change
 * invalidates the caches. The refusal of a known client is noted as an event with its reason. A malformed request needs no store.
 * @throws OAuthError `invalid_client` without saying why; `invalid_request` for several mechanisms at once
 * @throws AppError `directory.issuerUnavailable` for a JWT of a trusted outside issuer whose keys cannot be read
 */
export async function authenticateClient(
  deps: AuthenticateClientDeps,
  request: ClientAuthentication,
): Promise<Client> {
  const credentials = readOrNote(deps, request);
  const { endpoint, address, userAgent, isShutOut } = request;
  const outcome = await matchClient(deps, credentials, endpoint);
  if ('client' in outcome && (await organizationStands(deps, clientOrgId(outcome.client)))) {
    const { client, credential } = outcome;
    if (credential) deps.secretUses.note({ orgId: clientOrgId(client), secretId: credential.id });
    return client;
  }
  const { method } = credentials;
  if ('refused' in outcome && outcome.refused) {
    const { error, ...refused } = outcome.refused;
    if (!isShutOut) deps.refusedAuthentications.note({ ...refused, method, endpoint, address, userAgent });
    if (error) throw error;
  }
  // Created only here: an error collects the stack, which takes longer than everything else in this function.
  throw new OAuthError('invalid_client', 'The client could not be authenticated', {
    challenge: method === 'client_secret_basic',
  });
}

/** Reads the credentials. If they are malformed, the application is the one that the form names. */
function readOrNote(
  { refusedAuthentications }: AuthenticateClientDeps,
  { authorization, parameters, endpoint, address, userAgent, isShutOut }: ClientAuthentication,
): ClientCredentials {
  try {
    return readClientCredentials(authorization, parameters);
  } catch (error) {
    const clientId = parameters.get('client_id') ?? '';
    if (!isShutOut && clientId !== '' && clientId.length <= maxLength)
      refusedAuthentications.noteMalformed({ clientId, endpoint, address, userAgent });
    throw error;
  }
}

/** The application with this client_id, active or not. */
async function applicationOf(
  { caches }: AuthenticateClientDeps,
  clientId: string,
): Promise<Application | undefined> {
  return clientId === '' || clientId.length > maxLength ? undefined : caches.applications.get(clientId);
}

function matchClient(
  deps: AuthenticateClientDeps,
  credentials: ClientCredentials,
  endpoint: AssertionEndpoint,
): Promise<Outcome> {
  if (credentials.method === 'none') return byIdentifier(deps, credentials.clientId, endpoint);
  return credentials.method === 'private_key_jwt'
    ? byAssertion(deps, credentials, endpoint)
    : bySecret(deps, credentials);
}

function outcomeOf(application: Application, problem: RefusalReason | undefined): Outcome {
  const reason = application.active ? problem : 'applicationInactive';
  return reason === undefined
    ? { client: { kind: 'application', application } }
    : { refused: { client: { kind: 'application', application }, reason } };
}

/** Introspection reveals what is in tokens of others, so a client must prove who it is there. */
async function byIdentifier(
  deps: AuthenticateClientDeps,
  clientId: string,
  endpoint: AssertionEndpoint,
): Promise<Outcome> {
  const application = await applicationOf(deps, clientId);
  if (application === undefined) return {};
  if (application.authMethod !== 'none') return outcomeOf(application, 'methodNotRegistered');
  return outcomeOf(application, endpoint === 'introspection' ? 'methodNotAccepted' : undefined);
}

/**
 * The cache of credentials holds the identifier of the service user alone. The secret is compared with the current
 * secrets of that service user.
 */
async function bySecret(
  deps: AuthenticateClientDeps,
  { method, clientId, clientSecret }: Secret,
): Promise<Outcome> {
  if (clientId.length > maxLength || clientSecret.length > maxLength) return {};
  const secretHash = hashSecret(clientSecret);
  const serviceUserId = await deps.caches.credentials.get(credentialsKey(clientId, secretHash));
  if (serviceUserId === undefined) {
    const application = await applicationOf(deps, clientId);
    if (application === undefined) return {};
    const { secret, isExpired } = findSecret(application.secrets, secretHash, deps.clock.now());
    if (!takesSecretBy(application, method)) return outcomeOf(application, 'methodNotRegistered');
    if (secret === undefined) return outcomeOf(application, isExpired ? 'secretExpired' : 'secretWrong');
    return { ...outcomeOf(application, undefined), credential: secret };
  }
  const serviceUser = await findServiceUser(deps, serviceUserId);
  const { secret } = findSecret(serviceUser?.secrets ?? [], secretHash, deps.clock.now());
  return serviceUser && secret ? { client: { kind: 'serviceUser', serviceUser }, credential: secret } : {};
}

/** private_key_jwt (OpenID Connect Core section 9). Each assertion works once, also without the `jti` that the section asks for. */
async function byAssertion(
  deps: AuthenticateClientDeps,
  { assertion, clientId }: Assertion,
  endpoint: AssertionEndpoint,
): Promise<Outcome> {
  const claims = peekAtClaims(assertion);
  if (clientId !== undefined && claims?.iss !== clientId) {
    const federated = await byFederation(deps, { clientId, assertion });
    if (federated !== undefined) return federated;
  }
  const said = claims?.sub;
  if (typeof said !== 'string' || said.length > maxLength) return {};
  const isOther = clientId !== undefined && clientId !== said;
  const application = await applicationOf(deps, said);
  if (application !== undefined) {
    if (application.authMethod !== 'private_key_jwt') return outcomeOf(application, 'methodNotRegistered');
    if (isOther || !application.active) return outcomeOf(application, 'claimsWrong');
    const client = { kind: 'application', application } as const;
    return outcomeOf(application, await problemOf(deps, client, { said, assertion, endpoint }));
  }
  const serviceUser = isOther ? undefined : await findServiceUser(deps, said);
  if (serviceUser === undefined) return {};
  const client = { kind: 'serviceUser', serviceUser } as const;
  const reason = await problemOf(deps, client, { said, assertion, endpoint });
  return reason === undefined ? { client } : { refused: { client, reason } };
}

/**
 * A service user that trusts the JWT of an outside issuer. `client_id` names it, because the JWT does not. The JWT may be used
 * until it expires, because platforms give their programs the same one for an hour.
 * @returns undefined if `client_id` is no service user that trusts somebody
 */
async function byFederation(
  deps: AuthenticateClientDeps,
  { clientId, assertion }: { clientId: string; assertion: string },
): Promise<Outcome | undefined> {
  const serviceUser = clientId.length > maxLength ? undefined : await findServiceUser(deps, clientId);
  if (serviceUser?.federatedCredentials?.length === undefined) return undefined;
  const client = { kind: 'serviceUser', serviceUser } as const;
  const trust = await findTrust(deps, serviceUser, assertion);
  return 'reason' in trust ? { refused: { client, ...trust } } : { client, ...trust };
}

/** What is wrong with an assertion. The result is undefined for a good one, which is used up. */
async function problemOf(
  { clock, config, assertionIds }: AuthenticateClientDeps,
  client: Client,
  { said, assertion, endpoint }: { said: string; assertion: string; endpoint: AssertionEndpoint },
): Promise<RefusalReason | undefined> {
  const claims = await verifyClientJwt(clientKeys(client), assertion, clock.now());
  if (claims === undefined) return 'signatureWrong';
  const audience = { issuer: config.baseUrl, endpoint, single: hasSingleAudience(client) };
  const checked = checkAssertion(claims, { clientId: said, audience, clock });
  if (checked === undefined) return 'claimsWrong';
  // Checked last, so that only the client itself can use up its identifiers.
  const isNew = await assertionIds.use({ issuer: said, jwt: assertion, ...checked });
  return isNew ? undefined : 'assertionUsed';
}

async function findServiceUser(
  { caches }: AuthenticateClientDeps,
  id: string,
): Promise<ServiceUser | undefined> {
  const found = await caches.serviceUsers.get(id);
  return found?.active ? found : undefined;
}
