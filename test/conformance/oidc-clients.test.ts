import { type CryptoKey, decodeJwt, importJWK, type JWK, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import type { GivenSettings } from '#src/clients/applications/application.js';
import { addClientKey } from '#src/clients/change-credentials/client-keys.js';
import type { NewClientKey } from '#src/clients/credentials/client-key.js';
import { changeFeatures } from '#src/organizations/features/change-features.js';
import { testEditor } from '../support/app/make.js';
import { makeServiceClient, redirectUri } from '../support/app/oauth-client.js';
import { password, type RelyingParty, startProvider } from '../support/oidc/relying-party.js';
import { isLoginPage, requireArrival, type UserAgent } from '../support/oidc/user-agent.js';

// openid-client and oauth4webapi run every flow as their documentation says, with no option but the one that lets
// them talk plain http to this machine.

const provider = await startProvider(t);
const { baseUrl, container, organization, person } = provider;
const orgId = organization.id;
await changeFeatures(container, { tokenExchange: true }, testEditor);
const server = new URL(baseUrl);
const insecure = { execute: [oidc.allowInsecureRequests] };
const bye = 'https://client.example/bye';
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const types = {
  access: 'urn:ietf:params:oauth:token-type:access_token',
  id: 'urn:ietf:params:oauth:token-type:id_token',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  user: 'urn:service:params:oauth:token-type:user_id',
};

async function privateKeyOf({ key, privateJwk }: NewClientKey) {
  const imported = await importJWK(privateJwk as JWK, 'RS256');
  return { key: imported as CryptoKey, kid: key.kid };
}

/** A client by each of the four methods, as both libraries authenticate it. */
interface Method {
  readonly name: string;
  readonly settings: Partial<GivenSettings>;
  auth(rp: RelyingParty): Promise<oidc.ClientAuth & oauth.ClientAuth>;
}

const methods: Method[] = [
  {
    name: 'client_secret_basic',
    settings: {},
    auth: async ({ client }) => oauth.ClientSecretBasic(client.secret),
  },
  {
    name: 'client_secret_post',
    settings: { authMethod: 'client_secret_post' },
    auth: async ({ client }) => oauth.ClientSecretPost(client.secret),
  },
  {
    name: 'private_key_jwt',
    settings: { authMethod: 'private_key_jwt' },
    auth: async ({ client }) => {
      const target = { kind: 'application', orgId, id: client.id, editor: testEditor } as const;
      const added = await addClientKey(container, target, { algorithm: 'RS256' });
      return oauth.PrivateKeyJwt(await privateKeyOf(added));
    },
  },
  { name: 'none', settings: { type: 'spa' }, auth: async () => oauth.None() },
];

const clients = new Map<string, { rp: RelyingParty; config: oidc.Configuration; auth: oauth.ClientAuth }>();
for (const { name, settings, auth } of methods) {
  const rp = await provider.newClient({ ...settings, postLogoutRedirectUris: [bye] });
  const authentication = await auth(rp);
  const config = await oidc.discovery(server, rp.client.id, undefined, authentication, insecure);
  oidc.enableNonRepudiationChecks(config);
  clients.set(name, { rp, config, auth: authentication });
}

function clientOf(method: string) {
  const found = clients.get(method);
  if (found === undefined) throw new Error(method);
  return found;
}

/** Goes where the library says, and signs in when asked. */
async function visit(agent: UserAgent, address: URL) {
  const seen = await agent.open(address);
  const end = isLoginPage(seen) ? await agent.signIn(seen, { loginName: person.userName, password }) : seen;
  return requireArrival(end);
}

/** The code flow of openid-client with every check that it has. */
async function signIn(config: oidc.Configuration, agent: UserAgent, scope = 'openid profile offline_access') {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state: expectedState,
    nonce: expectedNonce,
    max_age: '600',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const { url } = await visit(agent, address);
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 600, idTokenExpected: true };
  return oidc.authorizationCodeGrant(config, url, checks);
}

/** The error that the library throws. */
async function refusal(attempt: Promise<unknown>): Promise<unknown> {
  try {
    await attempt;
  } catch (error) {
    return error;
  }
  throw new Error('It was not refused');
}

t.test('discovery', async (t) => {
  const { config } = clientOf('none');
  t.match(config.serverMetadata(), {
    issuer: baseUrl,
    authorization_response_iss_parameter_supported: true,
  });
  t.ok(config.serverMetadata().supportsPKCE());
});

for (const { name } of methods) {
  t.test(`${name}: code with PKCE, userinfo, refresh with rotation, revocation, end session`, async (t) => {
    const { config } = clientOf(name);
    const agent = provider.newAgent();
    const tokens = await signIn(config, agent);
    t.equal(tokens.claims()?.sub, person.id);
    t.match(await oidc.fetchUserInfo(config, tokens.access_token, person.id), { name: 'Anna Lind' });

    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
    t.equal(renewed.claims()?.sub, person.id);
    t.not(renewed.refresh_token, tokens.refresh_token);
    const less = await oidc.refreshTokenGrant(config, renewed.refresh_token ?? '', { scope: 'openid' });
    t.equal(less.scope, 'openid');
    t.same(await oidc.fetchUserInfo(config, less.access_token, person.id), { sub: person.id });

    await oidc.tokenRevocation(config, less.refresh_token ?? '');
    const revoked = oidc.refreshTokenGrant(config, less.refresh_token ?? '');
    t.match(await refusal(revoked), { error: 'invalid_grant' });
    const gone = oidc.fetchUserInfo(config, less.access_token, person.id);
    t.match(await refusal(gone), { status: 401 });

    const state = oidc.randomState();
    const hint = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: bye, state };
    const { url } = requireArrival(await agent.open(oidc.buildEndSessionUrl(config, hint)));
    t.equal(url.href, `${bye}?state=${state}`);
    t.ok(isLoginPage(await agent.open(clientOf('client_secret_basic').rp.address())));
  });

  t.test(`${name}: form_post`, async (t) => {
    const { config } = clientOf(name);
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const expectedState = oidc.randomState();
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid',
      response_mode: 'form_post',
      state: expectedState,
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const { request } = await visit(provider.newAgent(), address);
    const tokens = await oidc.authorizationCodeGrant(config, request, { pkceCodeVerifier, expectedState });
    t.equal(tokens.claims()?.sub, person.id);
  });
}

t.test('a confidential client without PKCE', async (t) => {
  const { config } = clientOf('client_secret_basic');
  const expectedNonce = oidc.randomNonce();
  const query = { redirect_uri: redirectUri, scope: 'openid', nonce: expectedNonce };
  const { url } = await visit(provider.newAgent(), oidc.buildAuthorizationUrl(config, query));
  t.equal((await oidc.authorizationCodeGrant(config, url, { expectedNonce })).claims()?.sub, person.id);
});

t.test('errors of the authorization endpoint are what the library expects', async (t) => {
  const { config } = clientOf('client_secret_basic');
  const state = oidc.randomState();
  const query = { redirect_uri: redirectUri, scope: 'openid', prompt: 'none', state };
  const { url } = await visit(provider.newAgent(), oidc.buildAuthorizationUrl(config, query));
  const refused = oidc.authorizationCodeGrant(config, url, { expectedState: state });
  t.match(await refusal(refused), { error: 'login_required' });
  const mixedUp = new URL(url);
  mixedUp.searchParams.set('iss', 'https://evil.example');
  await t.rejects(
    oidc.authorizationCodeGrant(config, mixedUp, { expectedState: state }),
    { code: 'OAUTH_INVALID_RESPONSE' },
    'the iss parameter is looked at',
  );
});

t.test('implicit: id_token and id_token token, in the fragment and as form_post', async (t) => {
  const rp = await provider.newClient({ type: 'spa', responseTypes: ['id_token', 'id_token token'] });
  const config = await oidc.discovery(server, rp.client.id, undefined, oidc.None(), insecure);
  oidc.useIdTokenResponseType(config);
  for (const response_type of ['id_token', 'id_token token']) {
    for (const response_mode of ['fragment', 'form_post']) {
      const [expectedState, nonce] = [oidc.randomState(), oidc.randomNonce()];
      const address = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: expectedState,
        nonce,
        response_mode,
      });
      address.searchParams.set('response_type', response_type);
      const { url, request, parameters } = await visit(provider.newAgent(), address);
      const current = response_mode === 'form_post' ? request : url;
      const claims = await oidc.implicitAuthentication(config, current, nonce, { expectedState });
      t.equal(claims.sub, person.id, `${response_type} ${response_mode}`);
      const accessToken = parameters.get('access_token');
      t.equal('email' in claims, accessToken === null);
      if (accessToken === null) continue;
      t.type(claims['at_hash'], 'string');
      t.match(await oidc.fetchUserInfo(config, accessToken, person.id), { email: /@/ });
    }
  }
});

t.test('introspection by the two methods that may', async (t) => {
  for (const name of ['client_secret_basic', 'private_key_jwt']) {
    const { config, rp } = clientOf(name);
    const { access_token } = await signIn(config, provider.newAgent());
    t.match(await oidc.tokenIntrospection(config, access_token), {
      active: true,
      client_id: rp.client.id,
      sub: person.id,
      username: person.userName,
      token_type: 'Bearer',
      iss: baseUrl,
    });
    await oidc.tokenRevocation(config, access_token);
    t.same(await oidc.tokenIntrospection(config, access_token), { active: false });
  }
});

t.test('service users: client_credentials by Basic and by form, and jwt-bearer', async (t) => {
  const machine = await makeServiceClient(container, orgId);
  const basic = Buffer.from(String(machine.credentials.headers?.['authorization']).slice(6), 'base64');
  const secret = decodeURIComponent(basic.toString().split(':')[1] ?? '');
  for (const auth of [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]) {
    const config = await oidc.discovery(server, machine.id, undefined, auth, insecure);
    const tokens = await oidc.clientCredentialsGrant(config, { scope: 'openid profile' });
    const info = await oidc.fetchUserInfo(config, tokens.access_token, machine.id);
    t.equal(info.preferred_username, machine.userName);
    const refused = oidc.clientCredentialsGrant(config, { scope: 'nonsense' });
    t.match(await refusal(refused), { error: 'invalid_scope' });
  }

  const target = { kind: 'serviceUser', orgId, id: machine.id, editor: testEditor } as const;
  const { key, kid } = await privateKeyOf(await addClientKey(container, target, { algorithm: 'RS256' }));
  const assertion = await new SignJWT()
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(machine.id)
    .setSubject(machine.id)
    .setAudience(baseUrl)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(key);
  const config = await oidc.discovery(server, machine.id, undefined, oidc.None(), insecure);
  const tokens = await oidc.genericGrantRequest(config, jwtBearer, { assertion, scope: 'openid' });
  t.equal(tokens.claims()?.sub, machine.id);
});

t.test('token exchange', async (t) => {
  const rp = await provider.newClient({
    grantTypes: ['authorization_code', 'refresh_token', tokenExchange],
  });
  const { id, secret } = rp.client;
  const config = await oidc.discovery(server, id, undefined, oidc.ClientSecretBasic(secret), insecure);
  const tokens = await signIn(config, provider.newAgent(), 'openid email');
  const subject = { subject_token: tokens.access_token, subject_token_type: types.access };

  const opaque = await oidc.genericGrantRequest(config, tokenExchange, { ...subject, scope: 'openid' });
  t.equal(opaque['issued_token_type'], types.access);
  t.same(await oidc.fetchUserInfo(config, opaque.access_token, person.id), { sub: person.id });

  const asJwt = { ...subject, requested_token_type: types.jwt };
  const jwt = await oidc.genericGrantRequest(config, tokenExchange, asJwt);
  t.equal(jwt['issued_token_type'], types.jwt);
  t.equal(jwt.access_token.split('.').length, 3);

  const forIdToken = { ...subject, requested_token_type: types.id, scope: 'openid' };
  const idToken = await oidc.genericGrantRequest(config, tokenExchange, forIdToken);
  t.match(idToken, { token_type: 'n_a', issued_token_type: types.id });
  t.match(decodeJwt(idToken.access_token), { iss: baseUrl, sub: person.id, aud: id, azp: id });

  const support = await makeServiceClient(container, orgId);
  await addMembership(container, { userId: support.id, role: 'IMPERSONATOR', orgId, editor: testEditor });
  const own = { grant_type: 'client_credentials', scope: 'openid' };
  const { body } = await rp.post('/oauth/v2/token', own, support.credentials);
  const acting = await oidc.genericGrantRequest(config, tokenExchange, {
    subject_token: person.id,
    subject_token_type: types.user,
    actor_token: body.access_token,
    actor_token_type: types.access,
    scope: 'openid',
  });
  t.equal(acting.claims()?.sub, person.id);
  t.match(acting.claims(), { act: { sub: support.id } });
});

t.test('oauth4webapi', async (t) => {
  const options = { [oauth.allowInsecureRequests]: true };
  const as = await oauth.processDiscoveryResponse(server, await oauth.discoveryRequest(server, options));
  for (const { name } of methods) {
    const { rp, auth } = clientOf(name);
    const client: oauth.Client = { client_id: rp.client.id };
    const verifier = oauth.generateRandomCodeVerifier();
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const agent = provider.newAgent();
    const { url } = await visit(
      agent,
      rp.address({
        scope: 'openid offline_access',
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }),
    );
    const parameters = oauth.validateAuthResponse(as, client, url, state);
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      auth,
      parameters,
      redirectUri,
      verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(as, answer, options);
    const { access_token, refresh_token = '' } = tokens;
    const info = await oauth.userInfoRequest(as, client, access_token, options);
    t.same(await oauth.processUserInfoResponse(as, client, person.id, info), { sub: person.id }, name);
    const refreshed = await oauth.refreshTokenGrantRequest(as, client, auth, refresh_token, options);
    const renewed = await oauth.processRefreshTokenResponse(as, client, refreshed);
    t.equal(oauth.getValidatedIdTokenClaims(renewed)?.sub, person.id);
    const revoked = await oauth.revocationRequest(as, client, auth, renewed.refresh_token ?? '', options);
    await t.resolves(oauth.processRevocationResponse(revoked));
    const gone = await oauth.userInfoRequest(as, client, renewed.access_token, options);
    await t.rejects(oauth.processUserInfoResponse(as, client, person.id, gone), {
      code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
    });
  }
});

t.test('oauth4webapi: a JWT access token is validated by an API on its own (RFC 9068)', async (t) => {
  const rp = await provider.newClient({ accessTokenType: 'jwt', projectId: 'shop' });
  const { body } = await rp.getTokens(provider.newAgent(), { scope: 'openid' });
  const options = { [oauth.allowInsecureRequests]: true };
  const as = await oauth.processDiscoveryResponse(server, await oauth.discoveryRequest(server, options));
  const headers = { authorization: `Bearer ${body.access_token}` };
  const call = new Request('https://api.example/orders', { headers });
  const claims = await oauth.validateJwtAccessToken(as, call, 'shop', options);
  t.match(claims, { sub: person.id, client_id: rp.client.id });
});

for (const algorithm of ['ES256', 'EdDSA'] as const) {
  t.test(`ID tokens signed by ${algorithm}, for a client that says so`, async (t) => {
    const other = await startProvider(t, { signingAlgorithm: algorithm });
    const rp = await other.newClient();
    const { id, secret } = rp.client;
    const auth = oidc.ClientSecretBasic(secret);
    const metadata = { id_token_signed_response_alg: algorithm };
    const config = await oidc.discovery(new URL(other.baseUrl), id, metadata, auth, insecure);
    oidc.enableNonRepudiationChecks(config);
    t.ok(config.serverMetadata().id_token_signing_alg_values_supported?.includes(algorithm));
    const expectedNonce = oidc.randomNonce();
    const query = { redirect_uri: redirectUri, scope: 'openid', nonce: expectedNonce };
    const agent = other.newAgent();
    const seen = await agent.open(oidc.buildAuthorizationUrl(config, query));
    const { url } = requireArrival(await rp.signIn(agent, seen));
    const tokens = await oidc.authorizationCodeGrant(config, url, { expectedNonce });
    t.equal(tokens.claims()?.sub, other.person.id);
    const header = JSON.parse(Buffer.from(tokens.id_token?.split('.')[0] ?? '', 'base64url').toString());
    t.equal(header.alg, algorithm);
  });
}
