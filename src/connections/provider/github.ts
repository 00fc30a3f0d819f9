import {
  authorizationCodeGrantRequest,
  type Client,
  customFetch,
  processGenericTokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { requireProvedSince } from './check-claims.js';
import { ProviderFailure } from './provider-failure.js';
import type { ProviderFetch } from './provider-fetch.js';
import type { ProviderAddresses } from './providers.js';
import {
  answered,
  authenticationAt,
  type ProvedIdentity,
  type ProviderAnswer,
  type RedeemDeps,
  toFailure,
} from './redeem-answer.js';

/** The most addresses of a person that are looked at. */
const mostAddresses = 100;

/** The addresses of GitHub, of GitHub Enterprise Cloud with data residency, or of a GitHub Enterprise Server. @param issuer such as `https://github.com` */
export function githubAddresses(issuer: string): ProviderAddresses {
  return {
    // What its answers have as `iss` (RFC 9207).
    issuer: `${issuer}/login/oauth`,
    authorization_endpoint: `${issuer}/login/oauth/authorize`,
    token_endpoint: `${issuer}/login/oauth/access_token`,
  };
}

/** What GitHub itself runs has the API at a host of its own: also `https://acme.ghe.com`, its cloud with data residency. A server has it below a path. */
function apiOf(issuer: string, path: string): string {
  const { host } = new URL(issuer);
  const isHosted = host === 'github.com' || /^[a-z0-9-]+\.ghe\.com$/.test(host);
  return isHosted ? `https://api.${host}${path}` : `${issuer}/api/v3${path}`;
}

/**
 * Redeems the code of an answer of GitHub, which has OAuth 2.0 without OpenID Connect: there is no ID token, so its API says whose access token it
 * is. Only the verifier of this sign-in redeems the code (RFC 7636), and only this client, at an address of GitHub alone. The token is forgotten.
 * @returns the number of the account as the subject, because names are given to others, and only an address that GitHub has verified
 * @throws ProviderFailure
 */
export async function redeemAtGithub(
  deps: RedeemDeps,
  {
    connection,
    parameters,
    redirectUri,
    state,
    codeVerifier,
    provedSince,
  }: Omit<ProviderAnswer, 'metadata' | 'nonce'>,
): Promise<ProvedIdentity> {
  const { orgId, provider } = connection;
  const fetch = deps.providerFetch(orgId);
  const metadata = githubAddresses(provider.issuer);
  try {
    // GitHub does not say when somebody signed in, so no code is worth redeeming.
    requireProvedSince({}, { since: provedSince, skewSeconds: 0 });
    const client: Client = { client_id: provider.clientId };
    const redeemable = answered('answerInvalid', () =>
      validateAuthResponse(metadata, client, parameters, state),
    );
    const response = await authorizationCodeGrantRequest(
      metadata,
      client,
      await authenticationAt(deps, connection),
      redeemable,
      redirectUri,
      codeVerifier,
      { [customFetch]: fetch },
    );
    const { access_token: token } = await processGenericTokenEndpointResponse(
      metadata,
      client,
      await withErrorStatus(response),
    );
    const claims = await claimsOf(fetch, provider.issuer, token);
    return { subject: claims.sub, claims };
  } catch (error) {
    throw toFailure(error);
  }
}

/**
 * What the API may answer to a request without a token for its rate limits. 404 comes from a server without limits, 401 from one in private mode.
 * 403 and 429 go to an address that asked too often.
 */
const githubStatuses: readonly number[] = [200, 401, 403, 404, 429];

/**
 * Whether an answer to the request for the rate limits has the form of GitHub's. Many servers have JSON with a `message` for an address that they do not
 * know. Errors of GitHub also have the address of its documents.
 */
function isOfGithub(status: number, answer: Readonly<Record<string, unknown>>): boolean {
  const { resources, message, documentation_url: documents } = answer;
  if (status === 200) return isJsonObject(resources) && isJsonObject(resources['core']);
  return typeof message === 'string' && typeof documents === 'string';
}

/**
 * Checks that the API of GitHub answers at the address. Without this check, a wrong address would be noticed only at the first sign-in. The check
 * finds mistakes. It proves nothing about a server that pretends to be GitHub: the owner of the organization vouches for the address.
 * @throws ProviderFailure `unreachable`, `metadataInvalid`
 */
export async function requireGithub(fetch: ProviderFetch, issuer: string): Promise<void> {
  try {
    const response = await ask(fetch, apiOf(issuer, '/rate_limit'), undefined);
    const { status } = response;
    const answer = parsed(await response.text());
    if (githubStatuses.includes(status) && isJsonObject(answer) && isOfGithub(status, answer)) return;
    if (status >= 500)
      throw new ProviderFailure(
        'unreachable',
        `The API of GitHub answers with the status ${status}`,
        'unreachable',
      );
    throw new ProviderFailure(
      'metadataInvalid',
      'The address does not answer as the API of GitHub',
      'githubMissing',
    );
  } catch (error) {
    throw toFailure(error);
  }
}

/** GitHub answers errors with the status 200 and the member `error`. */
async function withErrorStatus(response: Response): Promise<Response> {
  const text = await response.text();
  const { headers, status } = response;
  const answer = parsed(text);
  const isError = status === 200 && isJsonObject(answer) && Object.hasOwn(answer, 'error');
  return new Response(text, { headers, status: isError ? 400 : status });
}

/** What GitHub says of a person, under the names of OpenID Connect Core section 5.1. */
async function claimsOf(fetch: ProviderFetch, issuer: string, token: string) {
  const user = await read(fetch, apiOf(issuer, '/user'), token);
  const { id, login, name } = isJsonObject(user) ? user : {};
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0)
    throw new ProviderFailure('tokenInvalid', 'The API of GitHub names no account');
  const email = verifiedAddress(await read(fetch, apiOf(issuer, '/user/emails'), token));
  return {
    sub: String(id),
    ...(typeof login === 'string' && { preferred_username: login }),
    ...(typeof name === 'string' && { name }),
    ...(email !== undefined && { email, email_verified: true }),
  };
}

/** The one primary address, if GitHub has verified it. The address in the profile may be anybody's. */
function verifiedAddress(given: unknown): string | undefined {
  const list: unknown[] = Array.isArray(given) ? given.slice(0, mostAddresses) : [];
  const [address, another] = list.filter(isJsonObject).filter(({ primary }) => primary === true);
  const isVerified = another === undefined && address?.['verified'] === true;
  return isVerified && typeof address['email'] === 'string' ? address['email'] : undefined;
}

/**
 * @returns what the API says; undefined where there is nothing for this token (404). Every other answer says nothing about the person: who has no
 * address because the API failed would become somebody else for good
 * @throws ProviderFailure `tokenInvalid` (401), `unreachable`
 */
async function read(fetch: ProviderFetch, address: string, token: string): Promise<unknown> {
  const response = await ask(fetch, address, token);
  if (response.status === 404) return undefined;
  const answer = response.status === 200 ? parsed(await response.text()) : undefined;
  if (answer !== undefined) return answer;
  const reason = response.status === 401 ? 'tokenInvalid' : 'unreachable';
  throw new ProviderFailure(reason, `The API of GitHub answers with the status ${response.status}`);
}

function ask(fetch: ProviderFetch, address: string, token: string | undefined): Promise<Response> {
  const headers = {
    accept: 'application/vnd.github+json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    'x-github-api-version': '2022-11-28',
  };
  return fetch(address, { method: 'GET', headers, body: null, redirect: 'manual' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
