import { createHash, randomBytes } from 'node:crypto';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import type { Test } from 'tap';
import type { GivenSettings } from '#src/clients/applications/application.js';
import type { Config } from '#src/config.js';
import type { Organization } from '#src/directory/organization.js';
import type { User, UserProfileInput } from '#src/directory/user.js';
import type { Json } from '../../../dev/stage/http-client.js';
import { buildListeningApp } from '../app/listening-app.js';
import { makeOrganization } from '../app/make.js';
import {
  type Credentials,
  makeApplication,
  makePerson,
  type OAuthClient,
  redirectUri,
} from '../app/oauth-client.js';
import type { TestApp } from '../app/test-app.js';
import { type Arrival, isLoginPage, requireArrival, type Seen, UserAgent } from './user-agent.js';

/** The password of every person that {@link makePerson} makes. */
export const password = 'Correct-Horse-7';

/** A listening provider, as an external relying party sees it. */
export interface Provider extends TestApp {
  readonly baseUrl: string;
  readonly organization: Organization;
  readonly person: User;
  /** A browser without cookies. */
  newAgent(): UserAgent;
  newClient(settings?: Partial<GivenSettings>): Promise<RelyingParty>;
}

/** Starts a provider with one organization and a person with a complete profile. */
export async function startProvider(
  t: Pick<Test, 'teardown'>,
  settings: Partial<Config> = {},
): Promise<Provider> {
  const opened = await buildListeningApp(t, settings);
  const { container, baseUrl } = opened;
  const organization = await makeOrganization(container);
  const person = await makePerson(container, organization, fullProfile);
  const provider: Provider = {
    ...opened,
    organization,
    person,
    newAgent: () => new UserAgent(baseUrl),
    newClient: async (settings) =>
      new RelyingParty(provider, await makeApplication(container, organization.id, settings)),
  };
  return provider;
}

const fullProfile: Partial<UserProfileInput> = {
  name: { givenName: 'Anna', familyName: 'Lind', middleName: 'Maria' },
  displayName: 'Anna Lind',
  nickName: 'Ann',
  profileUrl: 'https://people.example/anna',
  locale: 'sv-SE',
  timezone: 'Europe/Stockholm',
  photos: [{ value: 'https://people.example/anna.png' }],
  phoneNumbers: [{ value: '+46701234567', primary: true }],
  addresses: [
    {
      streetAddress: 'Storgatan 1',
      locality: 'Lund',
      postalCode: '223 50',
      country: 'SE',
      formatted: 'Storgatan 1\n223 50 Lund\nSweden',
      primary: true,
    },
  ],
};

export interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export type Parameters = Record<string, string | undefined>;

/**
 * The modules of the suite that add a parameter to a request. The request then succeeds as if the parameter were
 * absent.
 */
export const harmless: Readonly<Record<string, Parameters>> = {
  'oidcc-display-page': { display: 'page' },
  'oidcc-display-popup': { display: 'popup' },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': { extra: 'foobar' },
  'oidcc-ensure-request-with-acr-values-succeeds': { acr_values: '1 2' },
  'oidcc-alternate-happy-flow': { scope: 'email openid' },
  'oidcc-login-hint': { login_hint: 'somebody' },
  'oidcc-ui-locales': { ui_locales: 'se fr' },
  'oidcc-claims-locales': { claims_locales: 'se' },
  'oidcc-claims-essential': { claims: '{"userinfo":{"name":{"essential":true}}}' },
};

/** A client that checks every response strictly by OpenID Connect Core. */
export class RelyingParty {
  readonly provider: Provider;
  readonly client: OAuthClient;
  readonly nonce = randomBytes(16).toString('base64url');
  readonly state = randomBytes(16).toString('base64url');
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;

  constructor(provider: Provider, client: OAuthClient) {
    this.provider = provider;
    this.client = client;
    this.#keys = createRemoteJWKSet(new URL(`${provider.baseUrl}/oauth/v2/keys`));
  }

  /** The parameters of an authorization request. A value of undefined omits the parameter. */
  request(differences: Parameters = {}): Record<string, string> {
    const all = {
      client_id: this.client.id,
      redirect_uri: redirectUri,
      response_type: this.client.application.responseTypes[0],
      scope: 'openid',
      state: this.state,
      nonce: this.nonce,
      ...differences,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return Object.fromEntries(given);
  }

  address(differences: Parameters = {}): URL {
    const query = new URLSearchParams(this.request(differences));
    return new URL(`${this.provider.baseUrl}/oauth/v2/authorize?${query}`);
  }

  /** Sends the browser to the provider. */
  open(agent: UserAgent, differences: Parameters = {}): Promise<Seen> {
    return agent.open(this.address(differences));
  }

  /** Sends the browser to the provider. The person signs in if the provider asks for it. */
  async authorize(agent: UserAgent, differences: Parameters = {}): Promise<Arrival> {
    const seen = await this.open(agent, differences);
    return requireArrival(isLoginPage(seen) ? await this.signIn(agent, seen) : seen);
  }

  signIn(agent: UserAgent, seen: Seen, person: User = this.provider.person): Promise<Seen> {
    return agent.signIn(seen, { loginName: person.userName, password });
  }

  /** Redeems the code of an authorization response. */
  redeem(parameters: URLSearchParams, differences: Record<string, string> = {}): Promise<TokenAnswer> {
    return this.post('/oauth/v2/token', {
      grant_type: 'authorization_code',
      code: parameters.get('code') ?? '',
      redirect_uri: redirectUri,
      ...differences,
    });
  }

  /** The complete code flow up to the tokens. */
  async getTokens(agent: UserAgent, differences: Parameters = {}): Promise<TokenAnswer> {
    return this.redeem((await this.authorize(agent, differences)).parameters);
  }

  async post(
    path: string,
    form: Record<string, string>,
    as: Credentials = this.client.credentials,
  ): Promise<TokenAnswer> {
    const answer = await fetch(this.provider.baseUrl + path, {
      method: 'POST',
      body: new URLSearchParams({ ...form, ...as.form }),
      ...(as.headers && { headers: as.headers }),
    });
    return readAnswer(answer);
  }

  async userinfo(accessToken: string): Promise<TokenAnswer> {
    const headers = { authorization: `Bearer ${accessToken}` };
    return readAnswer(await fetch(`${this.provider.baseUrl}/oidc/v1/userinfo`, { headers }));
  }

  /**
   * Validates an ID token (OpenID Connect Core sections 2, 3.1.3.7, 3.2.2.11).
   * @throws Error for every fault that a careful client refuses
   */
  async readIdToken(
    idToken: string,
    given: { nonce?: string | undefined; accessToken?: string; code?: string } = {},
  ): Promise<JWTPayload> {
    const { client, provider } = this;
    const { payload, protectedHeader } = await jwtVerify(idToken, this.#keys, {
      issuer: provider.baseUrl,
      audience: client.id,
      algorithms: ['RS256'],
      currentDate: provider.clock.now(),
      requiredClaims: ['sub', 'iat', 'exp', 'auth_time'],
    });
    const claim = (name: string, expected: unknown) => {
      if (payload[name] !== expected) throw new Error(`${name} is ${payload[name]}, not ${expected}`);
    };
    if (protectedHeader.kid === undefined) throw new Error('The ID token does not name its key');
    claim('azp', client.id);
    claim('nonce', 'nonce' in given ? given.nonce : this.nonce);
    if (!/^[\x21-\x7e]{1,255}$/.test(String(payload.sub))) throw new Error(`sub is ${payload.sub}`);
    if (given.accessToken !== undefined) claim('at_hash', halfHash(given.accessToken));
    if (given.code !== undefined) claim('c_hash', halfHash(given.code));
    return payload;
  }
}

async function readAnswer(answer: Response): Promise<TokenAnswer> {
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** For RS256, which hashes with SHA-256. */
function halfHash(value: string): string {
  return createHash('sha256').update(value).digest().subarray(0, 16).toString('base64url');
}

/** A PKCE verifier and its challenge (RFC 7636). */
export function makePkce() {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, challenge: { code_challenge: challenge, code_challenge_method: 'S256' } };
}
