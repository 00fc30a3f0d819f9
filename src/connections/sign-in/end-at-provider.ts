import { randomBytes } from 'node:crypto';
import type { Proof } from '#src/authentication/proofs/index.js';
import { AppError } from '#src/platform/errors.js';
import { newSecret } from '#src/platform/ids.js';
import { type LogoutHint, type ProvedIdentity, ProviderFailure, type Providers } from '../provider/index.js';
import type { Connection, OidcConnection, SamlConnection } from '../registry/connection.js';
import { logoutAtProvider, type RequestDeps } from '../saml/request-at-provider.js';
import type { Departure } from '../saml/saml-tasks.js';
import type { LogoutHintsStore } from './logout-hints.store.js';
import type { LogoutReturnsStore } from './logout-returns.store.js';
import { signedOutUri } from './redirect-uri.js';
import { type ServingDeps, servingConnection } from './serving-connection.js';

export interface EndAtProviderDeps extends RequestDeps {
  readonly providers: Providers;
  readonly logoutHints: Pick<LogoutHintsStore, 'take'>;
  readonly logoutReturns: Pick<LogoutReturnsStore, 'put'>;
  readonly caches: Pick<ServingDeps['caches'], 'connections'>;
}

/** A session here that has ended. */
interface EndedSession {
  readonly userId: string;
  readonly orgId: string;
  readonly proofs: readonly Proof[];
}

/**
 * Keeps what the provider must be shown when the person signs out, if the connection ends sessions there.
 * @returns the proof with a reference to it
 */
export async function keepLogoutHint(
  { logoutHints }: { readonly logoutHints: Pick<LogoutHintsStore, 'put'> },
  {
    connection,
    userId,
    proved,
    proof,
  }: { connection: Connection; userId: string; proved: ProvedIdentity; proof: Proof },
): Promise<Proof> {
  const { logoutHint } = proved;
  if (proof.kind !== 'connection' || !connection.provider.endsSession || logoutHint === undefined)
    return proof;
  const logoutRef = randomBytes(12).toString('base64url');
  const { id: connectionId, orgId } = connection;
  await logoutHints.put({ orgId, userId, connectionId, ref: logoutRef }, logoutHint);
  return { ...proof, logoutRef };
}

/**
 * Signs a browser out at a provider, after it was signed out here (OpenID Connect RP-Initiated Logout section 2, SAML Profiles section 4.4). It
 * is the provider of the first of these sessions that has one. A failure there changes nothing: the sessions here have ended.
 * @param left `redirectTo`: where the browser goes afterwards. It is an address of this service, or one that an application registered
 * @returns undefined if no provider has to be told
 */
export async function endAtProvider(
  deps: EndAtProviderDeps,
  sessions: readonly EndedSession[],
  left: { agentHash: string; redirectTo: string; language: string },
): Promise<Departure | undefined> {
  for (const session of sessions) {
    for (const proof of session.proofs) {
      if (proof.kind !== 'connection') continue;
      const departure = await departureOf(deps, { session, proof, left });
      if (departure !== undefined) return departure;
    }
  }
  return undefined;
}

async function departureOf(
  deps: EndAtProviderDeps,
  {
    session: { orgId, userId },
    proof: { connectionId, logoutRef: ref },
    left: { language, ...left },
  }: {
    session: EndedSession;
    proof: Extract<Proof, { kind: 'connection' }>;
    left: Parameters<typeof endAtProvider>[2];
  },
): Promise<Departure | undefined> {
  const connection = await servingConnection(deps, { orgId, connectionId });
  if (connection === undefined || !connection.provider.endsSession) return undefined;
  const hint =
    ref === undefined ? undefined : await deps.logoutHints.take({ orgId, userId, connectionId, ref });
  const state = newSecret();
  const wait = () => deps.logoutReturns.put(state, { orgId, connectionId, ...left });
  try {
    if (connection.protocol === 'saml') return await bySaml(deps, connection, { hint, state, wait });
    const endpoint = await endpointOf(deps, connection);
    if (endpoint === undefined) return undefined;
    await wait();
    const asked = {
      client_id: connection.provider.clientId,
      post_logout_redirect_uri: signedOutUri(deps.config, connection),
      state,
      ui_locales: language,
      ...(hint && 'idToken' in hint && { id_token_hint: hint.idToken }),
    };
    for (const [name, value] of Object.entries(asked)) endpoint.searchParams.set(name, value);
    return { address: endpoint.href };
  } catch (error) {
    if (error instanceof ProviderFailure || error instanceof AppError) return undefined;
    throw error;
  }
}

/** A provider of SAML must be told whom it signs out. */
async function bySaml(
  deps: EndAtProviderDeps,
  connection: SamlConnection,
  { hint, state, wait }: { hint: LogoutHint | undefined; state: string; wait: () => Promise<void> },
): Promise<Departure | undefined> {
  const { signOut } = connection.provider;
  if (signOut === undefined || hint === undefined || 'idToken' in hint) return undefined;
  await wait();
  const requestId = `_${newSecret()}`;
  return logoutAtProvider(deps, connection, { signOut, requestId, relayState: state, person: hint });
}

/** The end session endpoint, if the provider has one. One that is an address of this service would lead in a circle. */
async function endpointOf(
  { providers, config }: Pick<EndAtProviderDeps, 'providers' | 'config'>,
  { orgId, provider }: OidcConnection,
): Promise<URL | undefined> {
  if (provider.api !== undefined) return undefined;
  const { end_session_endpoint: address } = await providers.read(orgId, provider);
  const url = address === undefined ? undefined : new URL(address);
  return url?.origin === new URL(config.baseUrl).origin ? undefined : url;
}

/**
 * Where a browser goes that comes back from a logout at a provider. Only the browser that left gets there, once.
 * @returns undefined if nobody waits for it
 */
export async function finishLogout(
  { logoutReturns }: { readonly logoutReturns: Pick<LogoutReturnsStore, 'find' | 'take'> },
  {
    orgId,
    connectionId,
    state,
    isAgent,
  }: {
    orgId: string;
    connectionId: string;
    state: string;
    isAgent: (agentHash: string) => Promise<boolean>;
  },
): Promise<string | undefined> {
  const found = await logoutReturns.find(state);
  const isOwn =
    found?.orgId === orgId && found.connectionId === connectionId && (await isAgent(found.agentHash));
  return isOwn ? (await logoutReturns.take(state))?.redirectTo : undefined;
}
