import type { Sealer } from '#src/keys/sealer.js';
import { ProviderFailure } from '../provider/provider-failure.js';
import type { SamlConnection } from '../registry/connection.js';
import { readSamlKey } from '../registry/connection-secrets.js';
import { samlAddresses } from '../registry/saml-addresses.js';
import type { PersonAtProvider } from '../registry/saml-provider.js';
import type { Departure, OurSide } from './saml-tasks.js';
import type { SamlThreads } from './saml-threads.js';

export interface RequestDeps {
  readonly samlThreads: Pick<SamlThreads, 'run'>;
  readonly connectionSealer: Sealer;
  readonly config: { readonly baseUrl: string };
}

/**
 * Makes the authentication request with which a browser leaves for the provider.
 * @throws ProviderFailure `secretMissing`, `tooCostly`
 */
export async function requestAtProvider(
  deps: RequestDeps,
  connection: SamlConnection,
  request: { requestId: string; relayState: string; forceAuthn: boolean; loginHint?: string },
): Promise<Departure> {
  const { signIn, nameIdFormat } = connection.provider;
  return deps.samlThreads.run(connection.orgId, 'makeRequest', {
    ...request,
    ...sideOf(deps, connection, signs(connection)),
    ...{ signIn, nameIdFormat },
  });
}

/**
 * Returns the metadata of this service for the provider of a connection.
 * @throws ProviderFailure `secretMissing`, `tooCostly`
 */
export async function describeService(deps: RequestDeps, connection: SamlConnection): Promise<string> {
  const { nameIdFormat, endsSession } = connection.provider;
  return deps.samlThreads.run(connection.orgId, 'describeOurs', {
    ...sideOf(deps, connection, signs(connection)),
    ...(endsSession && { sloUrl: samlAddresses(deps.config, connection).sloUrl }),
    nameIdFormat,
    decryptionKey: keyOf(deps, connection),
  });
}

/**
 * Makes the logout request with which a browser leaves for the provider, signed with the key of the connection.
 * @throws ProviderFailure `secretMissing`, `tooCostly`
 */
export async function logoutAtProvider(
  deps: RequestDeps,
  connection: SamlConnection,
  request: { signOut: string; requestId: string; relayState: string; person: PersonAtProvider },
): Promise<Departure> {
  return deps.samlThreads.run(connection.orgId, 'makeLogoutRequest', {
    ...request,
    ...sideOf(deps, connection, true),
  });
}

/**
 * Makes the answer to a logout request of the provider.
 * @throws ProviderFailure `secretMissing`, `tooCostly`
 */
export async function answerLogout(
  deps: RequestDeps,
  connection: SamlConnection,
  answer: { signOut: string; inResponseTo: string; relayState: string },
): Promise<Departure> {
  return deps.samlThreads.run(connection.orgId, 'makeLogoutAnswer', {
    ...answer,
    ...sideOf(deps, connection, true),
  });
}

/** A provider that is to end sessions knows the key of the connection, because logout messages are signed. */
function signs({ provider: { signsRequests, endsSession = false } }: SamlConnection): boolean {
  return signsRequests || endsSession;
}

function sideOf(deps: RequestDeps, connection: SamlConnection, isSigned: boolean): OurSide {
  const { entityId, acsUrl } = samlAddresses(deps.config, connection);
  return { entityId, acsUrl, ...(isSigned && { signingKey: keyOf(deps, connection) }) };
}

function keyOf({ connectionSealer }: RequestDeps, connection: SamlConnection) {
  const privateKey = readSamlKey(connectionSealer, connection);
  const certificate = connection.ownKey?.certificate;
  if (privateKey !== undefined && certificate !== undefined) return { privateKey, certificate };
  throw new ProviderFailure('secretMissing', 'The key of the connection cannot be read');
}
