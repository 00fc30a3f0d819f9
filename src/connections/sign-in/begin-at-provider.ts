import { createHash } from 'node:crypto';
import type { Clock } from '#src/platform/clock.js';
import { newSecret } from '#src/platform/ids.js';
import {
  githubAddresses,
  type ProviderAddresses,
  ProviderFailure,
  type Providers,
} from '../provider/index.js';
import { type Connection, canShowFreshness, type OidcConnection } from '../registry/connection.js';
import { type RequestDeps, requestAtProvider } from '../saml/request-at-provider.js';
import type { Departure } from '../saml/saml-tasks.js';
import { redirectUriOf } from './redirect-uri.js';
import { requestIdOf, type WaitingSignIn, type WaitingSignInsStore } from './waiting-sign-ins.store.js';

interface BeginDeps extends RequestDeps {
  readonly providers: Providers;
  readonly waitingSignIns: Pick<WaitingSignInsStore, 'put'>;
  readonly clock: Clock;
  readonly config: { readonly baseUrl: string };
}

/** What the application, or the page, wants of the sign-in. It is passed on to the provider. */
export interface SignInWishes {
  /** The login name that the person typed, or that the application knows. */
  readonly loginHint?: string | undefined;
  /** Whether the person must prove itself again, whatever session it has at the provider. */
  readonly again?: boolean;
  readonly selectAccount?: boolean;
  /** The longest time since the person proved itself, in seconds. */
  readonly maxAge?: number | undefined;
  readonly uiLocales?: readonly string[];
}

/**
 * Begins a sign-in at a provider. It fixes the connection, the browser and the secrets of the request before the browser leaves (RFC 9700
 * section 4.4).
 * @returns how the browser gets to the provider
 * @throws ProviderFailure `unreachable`, `metadataInvalid`, `secretMissing`, `tooCostly`, `notFresh` if the answer could never be fresh enough;
 * AppError `connections.signInsFull`
 */
export async function beginAtProvider(
  deps: BeginDeps,
  {
    connection,
    wishes,
    ...carried
  }: { connection: Connection; wishes: SignInWishes } & Pick<
    WaitingSignIn,
    'agentHash' | 'flow' | 'toAccount' | 'linkTo' | 'test'
  >,
): Promise<Departure> {
  const { orgId, id: connectionId } = connection;
  const created = deps.clock.now();
  const state = newSecret();
  const [nonce, codeVerifier] = [newSecret(), newSecret()];
  const provedSince = provedSinceOf(wishes, created);
  if (provedSince !== undefined && !canShowFreshness(connection))
    throw new ProviderFailure('notFresh', 'The provider never says when somebody signed in');
  const wait = () =>
    deps.waitingSignIns.put(state, {
      ...{ orgId, connectionId, nonce, codeVerifier, created, ...carried },
      ...(provedSince && { provedSince }),
    });
  if (connection.protocol === 'saml') {
    await wait();
    // SAML knows no `max_age`. A session at the provider may be older, and its answer would be refused.
    const forceAuthn = provedSince !== undefined;
    const { loginHint } = wishes;
    const passes = connection.provider.passesLoginHint === true && loginHint !== undefined;
    const request = {
      ...{ requestId: requestIdOf({ nonce }), relayState: state, forceAuthn },
      ...(passes && { loginHint }),
    };
    return requestAtProvider(deps, connection, request);
  }
  const addresses = await addressesAt(deps, connection);
  await wait();
  const address = addressOf(addresses, connection, {
    wishes,
    parameters: {
      redirect_uri: redirectUriOf(deps.config, connection),
      state,
      nonce,
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    },
  });
  return { address };
}

/** @throws ProviderFailure `unreachable`, `metadataInvalid` */
async function addressesAt(
  { providers }: Pick<BeginDeps, 'providers'>,
  { orgId, provider }: OidcConnection,
): Promise<ProviderAddresses> {
  return provider.api === 'github' ? githubAddresses(provider.issuer) : providers.read(orgId, provider);
}

/** Both wishes go through the browser, which may drop them. So the answer must show that they were followed. */
function provedSinceOf({ again = false, maxAge }: SignInWishes, now: Date): Date | undefined {
  if (again) return now;
  return maxAge === undefined ? undefined : new Date(now.getTime() - maxAge * 1000);
}

/** The authorization request (OpenID Connect Core section 3.1.2.1). */
function addressOf(
  addresses: ProviderAddresses,
  { provider }: OidcConnection,
  { wishes, parameters }: { wishes: SignInWishes; parameters: Readonly<Record<string, string>> },
): string {
  const { loginHint, again = false, selectAccount = false, maxAge, uiLocales = [] } = wishes;
  const prompt = [...(again ? ['login'] : []), ...(selectAccount ? ['select_account'] : [])].join(' ');
  const address = new URL(addresses.authorization_endpoint);
  const isGithub = provider.api === 'github';
  const all: Readonly<Record<string, string | undefined>> = {
    response_type: 'code',
    client_id: provider.clientId,
    scope: [...(isGithub ? [] : ['openid']), ...provider.scopes].join(' '),
    ...parameters,
    code_challenge_method: 'S256',
    ...(provider.answersByForm && { response_mode: 'form_post' }),
    ...(prompt !== '' && { prompt }),
    // Without it a provider need not say when the person signed in.
    max_age: again ? '0' : maxAge?.toString(),
    // GitHub has a name of its own for it.
    [isGithub ? 'login' : 'login_hint']: loginHint,
    ui_locales: uiLocales.length === 0 ? undefined : uiLocales.join(' '),
    hd: provider.hostedDomain,
  };
  for (const [name, value] of Object.entries(all))
    if (value !== undefined) address.searchParams.set(name, value);
  return address.href;
}
