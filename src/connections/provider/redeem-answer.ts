import { importJWK, type JWTPayload } from 'jose';
import {
  AuthorizationResponseError,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  customFetch,
  getValidatedIdTokenClaims,
  None,
  OperationProcessingError,
  PrivateKeyJwt,
  processAuthorizationCodeResponse,
  processUserInfoResponse,
  ResponseBodyError,
  UnsupportedOperationError,
  userInfoRequest,
  validateAuthResponse,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import type { IssuerKeys } from '#src/clients/credentials/index.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import { OutgoingError } from '#src/platform/outgoing/outgoing-error.js';
import type { OidcConnection } from '../registry/connection.js';
import { type ProviderCredential, readCredential } from '../registry/connection-secrets.js';
import type { PersonAtProvider } from '../registry/saml-provider.js';
import { requireProvedSince, requireTenant } from './check-claims.js';
import { ProviderFailure, type ProviderProblem } from './provider-failure.js';
import type { ProviderFetches } from './provider-fetch.js';
import type { ProviderMetadata } from './providers.js';
import { requireSubject } from './require-subject.js';
import { verifyIdToken } from './verify-id-token.js';
import { withUserInfo } from './with-user-info.js';

export interface RedeemDeps {
  readonly providerFetch: ProviderFetches;
  readonly providerKeys: Pick<IssuerKeys, 'find'>;
  readonly connectionSealer: Sealer;
  readonly clock: Clock;
}

/** The answer of a provider, and what it must fit. */
export interface ProviderAnswer {
  readonly connection: OidcConnection;
  readonly metadata: ProviderMetadata;
  /** The parameters that came through the browser: `code`, `state`, `iss`, `error`. */
  readonly parameters: URLSearchParams;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** When the person must have proved itself at the provider at the earliest. Absent: any time. */
  readonly provedSince?: Date | undefined;
}

/**
 * Who has signed in at a provider. All of it comes from the ID token, or from the UserInfo endpoint by the same access token, or from a signed
 * assertion of SAML.
 */
export interface ProvedIdentity {
  /** `sub`: identifies the person at this provider, for ever. */
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The name identifier of SAML, by which a logout request of the provider names the person. */
  readonly nameId?: string;
  /** What a sign-out shows to the provider, if the connection ends sessions there. */
  readonly logoutHint?: LogoutHint;
}

/** What a provider must be shown to end the session of a person there. */
export type LogoutHint =
  /** The ID token with which the person signed in (OpenID Connect RP-Initiated Logout section 2). */
  | { readonly idToken: string }
  /** The person and the session as the assertion named them (SAML Core section 3.7.1). */
  | PersonAtProvider;

/** The difference that the clocks of a provider and of this service may have, in seconds. */
const skewSeconds = 60;

/**
 * Redeems the code of a provider's answer, and checks everything that OpenID Connect Core section 3.1.3.7 and RFC 9207 demand. Nothing of the
 * browser counts but the code, which only this client can redeem, with the verifier that this service kept.
 * @throws ProviderFailure
 */
export async function redeemAnswer(deps: RedeemDeps, answer: ProviderAnswer): Promise<ProvedIdentity> {
  try {
    return await redeem(deps, answer);
  } catch (error) {
    throw toFailure(error);
  }
}

async function redeem(
  deps: RedeemDeps,
  { connection, metadata, parameters, redirectUri, state, nonce, codeVerifier, provedSince }: ProviderAnswer,
): Promise<ProvedIdentity> {
  const authentication = await authenticationAt(deps, connection);
  const { clientId, readsUserInfo, endsSession = false } = connection.provider;
  const client: Client = {
    client_id: clientId,
    [clockTolerance]: skewSeconds,
    [clockSkew]: (deps.clock.now().getTime() - Date.now()) / 1000,
  };
  const options = { [customFetch]: deps.providerFetch(connection.orgId) };
  const redeemable = answered('answerInvalid', () =>
    validateAuthResponse(metadata, client, parameters, state),
  );
  const response = await authorizationCodeGrantRequest(
    metadata,
    client,
    authentication,
    redeemable,
    redirectUri,
    codeVerifier,
    options,
  );
  const tokens = await processAuthorizationCodeResponse(metadata, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  const claims: JWTPayload & Record<string, unknown> = getValidatedIdTokenClaims(tokens) ?? {};
  await verifyIdToken(deps, {
    orgId: connection.orgId,
    jwksUri: metadata.jwks_uri,
    idToken: tokens.id_token ?? '',
    accessToken: tokens.access_token,
    accessTokenHash: claims['at_hash'],
  });
  if (claims['azp'] !== undefined && claims['azp'] !== clientId)
    throw new ProviderFailure('tokenInvalid', 'The ID token was issued to another client');
  requireTenant(connection.provider, claims);
  requireProvedSince(claims, { since: provedSince, skewSeconds });
  const subject = requireSubject(claims.sub, { problem: 'tokenInvalid', from: 'The sub of the ID token' });
  const kept =
    endsSession && tokens.id_token !== undefined ? { logoutHint: { idToken: tokens.id_token } } : {};
  if (!readsUserInfo || metadata.userinfo_endpoint === undefined) return { subject, claims, ...kept };
  const asked = await userInfoRequest(metadata, client, tokens.access_token, options);
  const more = await processUserInfoResponse(metadata, client, subject, asked);
  return { subject, claims: withUserInfo(claims, more), ...kept };
}

/** How this service authenticates at the provider of a connection. @throws ProviderFailure `secretMissing` */
export async function authenticationAt(
  { connectionSealer }: Pick<RedeemDeps, 'connectionSealer'>,
  connection: OidcConnection,
): Promise<ClientAuth> {
  const credential = readCredential(connectionSealer, connection);
  if (credential !== undefined) return authenticationOf(credential);
  throw new ProviderFailure('secretMissing', 'The secret of the connection cannot be read; set it again');
}

/** Runs a check of the library whose failure means this problem. */
export function answered<T>(problem: ProviderProblem, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof OperationProcessingError || error instanceof UnsupportedOperationError))
      throw error;
    throw new ProviderFailure(problem, 'The answer is not the one that this service waits for');
  }
}

async function authenticationOf(credential: ProviderCredential): Promise<ClientAuth> {
  switch (credential.method) {
    case 'none':
      return None();
    case 'client_secret_basic':
      return ClientSecretBasic(credential.secret);
    case 'client_secret_post':
      return ClientSecretPost(credential.secret);
    case 'private_key_jwt': {
      const { kid, ...jwk } = credential.privateJwk;
      const key = await importJWK(jwk);
      if (key instanceof Uint8Array || kid === undefined)
        throw new ProviderFailure('secretMissing', 'The key of the connection cannot be read');
      return PrivateKeyJwt({ key, kid });
    }
  }
}

/** The failure that an error of the library or of a request means. An error of this service stays as it is. */
export function toFailure(error: unknown): unknown {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof OutgoingError) return new ProviderFailure('unreachable', error.message, error.problem);
  if (error instanceof AuthorizationResponseError) {
    const isCancelled = ['access_denied', 'user_cancelled_authorize', 'login_required'].includes(error.error);
    return new ProviderFailure(
      isCancelled ? 'cancelled' : 'refusedByProvider',
      isCancelled
        ? 'The person or the provider ended the sign-in there'
        : 'The provider answered with an error',
    );
  }
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError)
    return new ProviderFailure('codeRefused', `The provider refused the code with status ${error.status}`);
  if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError)
    return new ProviderFailure('tokenInvalid', claimText(error));
  return error;
}

/** Names the claim, and no value of the provider. */
function claimText({ cause }: Error): string {
  const { claim } = (cause ?? {}) as { claim?: unknown };
  return typeof claim === 'string'
    ? `The claim ${claim} of the ID token is missing or wrong`
    : 'The answer of the token endpoint is not usable';
}
