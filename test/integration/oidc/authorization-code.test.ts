import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import t from 'tap';
import { setPassword } from '#src/authentication/set-password.js';
import { changeApplication } from '#src/clients/applications/change-application.js';
import { maintainSigningKeys } from '#src/keys/maintain-signing-keys.js';
import { spreadMs } from '#src/keys/signing-key.js';
import type { AuthorizationGrant } from '#src/oidc/issuance/authorization-grant.js';
import {
  putExtensionSchema,
  removeExtensionSchema,
} from '#src/people/extension-schemas/change-extension-schemas.js';
import { newId } from '#src/platform/ids.js';
import { makeOrganization, testEditor } from '../../support/app/make.js';
import {
  type Credentials,
  grantOf,
  makeApplication,
  makePerson,
  makeServiceClient,
  type OAuthClient,
  postForm,
  redirectUri,
} from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { badgeSchema, badgeUrn } from '../../support/scim/extension-schema.js';
import { keysOf, removeKeys } from '../../support/stores/redis-keys.js';

const opened = await buildTestApp(t);
const { container, call, clock } = opened;
const organization = await makeOrganization(container);
const web = await makeApplication(container, organization.id, { projectId: 'shop' });
const spa = await makeApplication(container, organization.id, { type: 'spa' });
const person = await makePerson(container, organization, { nickName: 'Annie' });
const issuer = container.config.baseUrl;

function codeFor(client: OAuthClient, differences: Partial<AuthorizationGrant> = {}): Promise<string> {
  return container.codes.issue(grantOf(client, person, { authTime: clock.now(), ...differences }));
}

function redeem(code: string, as: Credentials, form: Record<string, string> = {}) {
  return postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...form },
    as,
  });
}

async function activity(token: string): Promise<boolean> {
  const answer = await postForm(call, '/oauth/v2/introspect', { form: { token }, as: web.credentials });
  return answer.body.active;
}

function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

async function readIdToken(idToken: string, audience: string) {
  const keys = createLocalJWKSet({ keys: [...(await container.signingKeys.publicJwks())] });
  return (await jwtVerify(idToken, keys, { issuer, audience })).payload;
}

t.test(
  'a code gives an access token and an ID token, and a refresh token only for offline_access',
  async (t) => {
    const grant = { scope: 'openid profile email', nonce: 'n-1', sessionId: newId() };
    const code = await codeFor(web, grant);
    const { status, headers, body } = await redeem(code, web.credentials);
    t.equal(status, 200);
    t.equal(headers['cache-control'], 'no-store');
    t.match(body, { token_type: 'Bearer', expires_in: 43_200, scope: grant.scope });
    t.notOk('refresh_token' in body);

    const idToken = await readIdToken(body.id_token, web.id);
    const half = (text: string) =>
      createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
    t.equal(decodeProtectedHeader(body.id_token).alg, 'RS256');
    t.match(idToken, {
      iss: issuer,
      sub: person.id,
      aud: web.id,
      azp: web.id,
      client_id: undefined,
      nonce: 'n-1',
      amr: ['pwd'],
      acr: '1',
      sid: grant.sessionId,
      at_hash: half(body.access_token),
      c_hash: half(code),
    });
    t.type(idToken['auth_time'], 'number');
    t.equal((idToken.exp ?? 0) - (idToken.iat ?? 0), 43_200);
    t.notOk('name' in idToken || 'email' in idToken, 'claims of scopes are for userinfo');

    const offline = await redeem(await codeFor(web, { scope: 'openid offline_access' }), web.credentials);
    t.type(offline.body.refresh_token, 'string');
  },
);

t.test('claims of scopes go into the ID token where the application opted in', async (t) => {
  const client = await makeApplication(container, organization.id, { idTokenUserinfoAssertion: true });
  const { body } = await redeem(await codeFor(client, { scope: 'openid profile email' }), client.credentials);
  t.match(await readIdToken(body.id_token, client.id), {
    name: 'Anna Lind',
    nickname: 'Annie',
    email: person.emails[0]?.value,
    email_verified: true,
  });
});

t.test('an application chooses the algorithm of its ID tokens, also at a refresh', async (t) => {
  for (const alg of ['RS256', 'ES256', 'EdDSA'] as const) {
    const client = await makeApplication(container, organization.id, { idTokenSignedResponseAlg: alg });
    const early = await redeem(await codeFor(client), client.credentials);
    t.equal(decodeProtectedHeader(early.body.id_token).alg, 'RS256', 'clients may not know the key yet');
    await readIdToken(early.body.id_token, client.id);
    clock.advance(spreadMs / 1000);
    const { body } = await redeem(
      await codeFor(client, { scope: 'openid offline_access' }),
      client.credentials,
    );
    const { body: refreshed } = await postForm(call, '/oauth/v2/token', {
      form: { grant_type: 'refresh_token', refresh_token: body.refresh_token },
      as: client.credentials,
    });
    for (const { id_token, access_token } of [body, refreshed]) {
      t.equal(decodeProtectedHeader(id_token).alg, alg);
      const digest = createHash(alg === 'EdDSA' ? 'sha512' : 'sha256')
        .update(access_token)
        .digest();
      const half = digest.subarray(0, digest.length / 2).toString('base64url');
      t.equal((await readIdToken(id_token, client.id))['at_hash'], half);
    }
  }
});

t.test(
  'an application that changes its algorithm gets the former one until every client knows the key',
  async (t) => {
    // The keys of a test before are published. They are withheld first.
    clock.advance(3 * 24 * 3600);
    await maintainSigningKeys(container.signingKeyRotation, { rotationSeconds: 0, chosen: ['ES256'] });
    const client = await makeApplication(container, organization.id, { idTokenSignedResponseAlg: 'ES256' });
    const target = { orgId: organization.id, id: client.id, editor: testEditor };
    const signedBy = async () => {
      const { body } = await redeem(await codeFor(client), client.credentials);
      await readIdToken(body.id_token, client.id);
      return decodeProtectedHeader(body.id_token).alg;
    };
    t.equal(await signedBy(), 'ES256', 'its keys were published for another application');
    await changeApplication(container, target, { idTokenSignedResponseAlg: 'EdDSA' });
    t.equal(await signedBy(), 'ES256');
    await changeApplication(container, target, { name: 'Renamed' });
    t.equal(await signedBy(), 'ES256');
    await changeApplication(container, target, { idTokenSignedResponseAlg: null });
    t.equal(await signedBy(), 'RS256', 'that of the instance is known');
    await changeApplication(container, target, { idTokenSignedResponseAlg: 'EdDSA' });
    t.equal(await signedBy(), 'RS256');
    clock.advance(spreadMs / 1000);
    t.equal(await signedBy(), 'EdDSA');
  },
);

t.test('the website, birthdate and gender of a person are claims of the scope profile', async (t) => {
  const values = { website: 'https://anna.example', birthdate: '1990-12-31', gender: 'female' };
  const known = await makePerson(container, organization, values);
  const client = await makeApplication(container, organization.id, { idTokenUserinfoAssertion: true });
  for (const scope of ['openid profile', 'openid email']) {
    const differences = { userId: known.id, scope };
    const { body } = await redeem(await codeFor(client, differences), client.credentials);
    const { body: claims } = await call('GET /oidc/v1/userinfo', { as: { token: body.access_token } });
    const idToken = await readIdToken(body.id_token, client.id);
    for (const [name, value] of Object.entries(values)) {
      t.equal(claims[name], scope.includes('profile') ? value : undefined, `${name} for ${scope}`);
      t.equal(idToken[name], claims[name]);
    }
  }
});

t.test('the employment of a person is told only to applications with its scope', async (t) => {
  const known = await makePerson(container, organization, {
    employeeNumber: '7',
    costCenter: 'c',
    organization: 'o',
    division: 'd',
    department: 'e',
    manager: 'someone',
  });
  const claims = {
    employee_number: '7',
    cost_center: 'c',
    organization: 'o',
    division: 'd',
    department: 'e',
    manager: 'someone',
  };
  const client = await makeApplication(container, organization.id, { idTokenUserinfoAssertion: true });
  const tokensFor = async (scope: string, more: object = {}) => {
    const code = await codeFor(client, { userId: known.id, scope, ...more });
    const { body } = await redeem(code, client.credentials);
    const { body: userinfo } = await call('GET /oidc/v1/userinfo', { as: { token: body.access_token } });
    return [userinfo, await readIdToken(body.id_token, client.id)];
  };
  for (const told of await tokensFor('openid urn:service:iam:user:enterprise')) t.match(told, claims);
  const everythingElse = 'openid profile email phone address groups urn:service:iam:user:resourceowner';
  for (const told of await tokensFor(everythingElse)) {
    for (const name of Object.keys(claims)) t.notOk(name in told, name);
  }
});

t.test('the attributes of the organization are told only to applications with their scope', async (t) => {
  const orgId = organization.id;
  const registered = await putExtensionSchema(container, { orgId, schema: badgeSchema, editor: testEditor });
  const known = await makePerson(container, registered, { extensions: { u1: 'A-1', s3: 4 } });
  const claim = 'urn:service:iam:user:extensions';
  const client = await makeApplication(container, orgId, { idTokenUserinfoAssertion: true });
  const tokensFor = async (scope: string, more: object = {}) => {
    const code = await codeFor(client, { userId: known.id, scope, ...more });
    const { body } = await redeem(code, client.credentials);
    const userinfo = async () =>
      (await call('GET /oidc/v1/userinfo', { as: { token: body.access_token } })).body;
    return { userinfo, idToken: await readIdToken(body.id_token, client.id) };
  };
  const { userinfo, idToken } = await tokensFor(`openid ${claim}`);
  const values = { [badgeUrn]: { number: 'A-1', level: 4 } };
  t.strictSame(idToken[claim], values);
  t.strictSame((await userinfo())[claim], values);
  const without = await tokensFor('openid profile email urn:service:iam:user:enterprise');
  t.notOk(claim in without.idToken || claim in (await without.userinfo()));
  const asked = await tokensFor('openid', { claims: { userinfo: [claim] } });
  t.strictSame((await asked.userinfo())[claim], values, 'or to those that ask for the claim');
  await removeExtensionSchema(container, { orgId, id: badgeUrn, editor: testEditor });
  t.notOk(claim in (await userinfo()), 'a schema that was removed is gone from the next response');
});

t.test('an application may get JWTs, for itself, its project and the projects of the scope', async (t) => {
  const client = await makeApplication(container, organization.id, {
    accessTokenType: 'jwt',
    projectId: 'desk',
  });
  const scope = 'openid urn:service:iam:org:project:id:billing:aud';
  const { body } = await redeem(await codeFor(client, { scope }), client.credentials);
  t.equal(decodeProtectedHeader(body.access_token).typ, 'at+jwt');
  const keys = createLocalJWKSet({ keys: [...(await container.signingKeys.publicJwks())] });
  const { payload } = await jwtVerify(body.access_token, keys, { issuer, typ: 'at+jwt' });
  t.same(payload.aud, [client.id, 'desk', 'billing']);
});

t.test('a code used twice is refused, and everything of its first use revoked', async (t) => {
  const code = await codeFor(web, { scope: 'openid offline_access' });
  const first = await redeem(code, web.credentials);
  t.equal(await activity(first.body.access_token), true);
  const second = await redeem(code, web.credentials);
  t.equal(second.status, 400);
  t.equal(second.body.error, 'invalid_grant');
  t.equal(await activity(first.body.access_token), false);
  const refreshed = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token: first.body.refresh_token },
    as: web.credentials,
  });
  t.equal(refreshed.body.error, 'invalid_grant');
});

t.test('a repeated code that Redis has lost ends the tokens of its first use', async (t) => {
  const code = await codeFor(web, { scope: 'openid offline_access' });
  const first = await redeem(code, web.credentials);
  const { redis, config } = container;
  await removeKeys(redis, await keysOf(redis, `${config.redisPrefix}:code:*`));
  t.equal((await redeem(code, web.credentials)).body.error, 'invalid_grant');
  t.equal(await container.refreshTokens.find(first.body.refresh_token), undefined);
  t.equal(await activity(first.body.access_token), false);
});

t.test('of many uses of one code at once at most one gets tokens, and they end', async (t) => {
  const code = await codeFor(web, { scope: 'openid offline_access' });
  const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(code, web.credentials)));
  const won = answers.filter(({ status }) => status === 200);
  t.ok(won.length <= 1);
  t.equal(answers.filter(({ body }) => body.error === 'invalid_grant').length, 8 - won.length);
  for (const { body } of won) {
    t.equal(await activity(body.access_token), false);
    t.equal(await container.refreshTokens.find(body.refresh_token), undefined);
  }
});

t.test('a code is for its client, its redirect_uri and its minute', async (t) => {
  const other = await makeApplication(container, organization.id);
  const cases: Record<string, () => Promise<{ status: number; body: { error: string } }>> = {
    'another client': async () => redeem(await codeFor(web), other.credentials),
    'another redirect_uri': async () =>
      redeem(await codeFor(web), web.credentials, { redirect_uri: `${redirectUri}/` }),
    'an encoded redirect_uri': async () =>
      redeem(await codeFor(web), web.credentials, {
        redirect_uri: redirectUri.replace('callback', 'c%61llback'),
      }),
    'an invented code': async () => redeem('x'.repeat(43), web.credentials),
    'an enormous code': async () => redeem('x'.repeat(60_000), web.credentials),
    'a code with operators': async () => redeem('{"$ne":null}', web.credentials),
  };
  for (const [name, attempt] of Object.entries(cases)) {
    const { status, body } = await attempt();
    t.match({ status, error: body.error }, { status: 400, error: 'invalid_grant' }, name);
  }
  const late = await codeFor(web);
  clock.advance(61);
  t.equal((await redeem(late, web.credentials)).body.error, 'invalid_grant', 'expired');
});

t.test('parameters that are missing or repeated are named', async (t) => {
  const missing = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'authorization_code', redirect_uri: redirectUri },
    as: web.credentials,
  });
  t.match(missing, { status: 400, body: { error: 'invalid_request', error_description: /code/ } });
  const noRedirect = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'authorization_code', code: await codeFor(web) },
    as: web.credentials,
  });
  t.equal(noRedirect.body.error, 'invalid_request');
  const repeated = await call('POST /oauth/v2/token', {
    body: 'grant_type=authorization_code&code=a&code=b',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...web.credentials.headers },
  });
  t.equal(repeated.body.error, 'invalid_request');
  const json = await call('POST /oauth/v2/token', {
    body: { grant_type: 'authorization_code' },
    headers: { ...web.credentials.headers },
  });
  t.equal(json.status, 400);
  t.equal(json.body.error, 'invalid_request');
  const none = await postForm(call, '/oauth/v2/token', { form: { code: 'a' }, as: web.credentials });
  t.equal(none.body.error, 'invalid_request');
});

t.test('a client that cannot prove its identity, or may not use a grant, gets an error', async (t) => {
  const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: redirectUri };
  const wrong = await redeem(await codeFor(web), { form: { client_id: web.id, client_secret: 'wrong' } });
  t.match(wrong, { status: 401, body: { error: 'invalid_client' } });
  const asPublic = await redeem(await codeFor(web), { form: { client_id: web.id } });
  t.match(
    asPublic,
    { status: 401, body: { error: 'invalid_client' } },
    'a confidential client cannot leave its secret out',
  );
  const basicWrong = await postForm(call, '/oauth/v2/token', {
    form,
    as: { headers: { authorization: `Basic ${Buffer.from(`${web.id}:wrong`).toString('base64')}` } },
  });
  t.equal(basicWrong.status, 401);
  t.match(basicWrong.headers['www-authenticate'], /^Basic /);
  const two = await postForm(call, '/oauth/v2/token', {
    form: { ...form, client_id: web.id, client_secret: web.secret },
    as: web.credentials,
  });
  t.equal(two.body.error, 'invalid_request', 'two mechanisms at once');

  const machine = await makeServiceClient(container, organization.id);
  const api = await makeApplication(container, organization.id, { type: 'api' });
  for (const { credentials } of [machine, api]) {
    t.match(await redeem('x', credentials), { status: 400, body: { error: 'unauthorized_client' } });
  }
  const asApplication = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'client_credentials' },
    as: web.credentials,
  });
  t.match(asApplication, { status: 400, body: { error: 'unauthorized_client' } });
  const unsupported = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'password', username: 'a', password: 'b' },
    as: web.credentials,
  });
  t.match(unsupported, { status: 400, body: { error: 'unsupported_grant_type' } });
});

t.test('PKCE', async (t) => {
  const { verifier, challenge } = pkce();
  const good = await redeem(await codeFor(spa, { codeChallenge: challenge }), spa.credentials, {
    code_verifier: verifier,
  });
  t.equal(good.status, 200);
  const refused: [string, OAuthClient, string | undefined, string | undefined][] = [
    ['without verifier', spa, challenge, undefined],
    ['another verifier', spa, challenge, pkce().verifier],
    ['the challenge as the verifier', spa, challenge, challenge],
    ['a short verifier', spa, createHash('sha256').update('short').digest('base64url'), 'short'],
    ['a public client without challenge', spa, undefined, undefined],
    ['a confidential client that leaves the verifier out', web, challenge, undefined],
    ['a verifier for a code whose challenge was stripped', web, undefined, verifier],
  ];
  for (const [name, client, codeChallenge, code_verifier] of refused) {
    const code = await codeFor(client, codeChallenge === undefined ? {} : { codeChallenge });
    const answer = await redeem(
      code,
      client.credentials,
      code_verifier === undefined ? {} : { code_verifier },
    );
    t.match(answer, { status: 400, body: { error: 'invalid_grant' } }, name);
  }
});

t.test('a code is invalid if its person may not sign in', async (t) => {
  const outside = await makeOrganization(container);
  const closed = await makeApplication(container, outside.id, { orgOnly: true });
  t.equal((await redeem(await codeFor(closed), closed.credentials)).body.error, 'invalid_grant', 'orgOnly');
  const scope = `openid urn:service:iam:org:id:${outside.id}`;
  t.equal(
    (await redeem(await codeFor(web, { scope }), web.credentials)).body.error,
    'invalid_grant',
    'the scope of another organization',
  );
  const inactive = await makePerson(container, organization, { active: false });
  const code = await container.codes.issue(grantOf(web, inactive, { authTime: clock.now() }));
  t.equal((await redeem(code, web.credentials)).body.error, 'invalid_grant', 'deactivated');
});

t.test('a session that ended before the code was redeemed leaves no refresh token', async (t) => {
  const sessionId = newId();
  const now = clock.now();
  const revocation = {
    kind: 'session' as const,
    id: sessionId,
    sub: person.id,
    issuedUntil: now.getTime() / 1000,
    expires: new Date(now.getTime() + 1000_000),
  };
  await container.revocations.record(revocation);
  await container.revocations.publish(revocation);
  const code = await codeFor(web, { scope: 'openid offline_access', sessionId });
  t.equal((await redeem(code, web.credentials)).body.error, 'invalid_grant');
});

t.test('a new password invalidates earlier codes', async (t) => {
  const victim = await makePerson(container, organization);
  const codeOf = (scope: string) =>
    container.codes.issue(grantOf(web, victim, { scope, authTime: clock.now() }));
  const [short, lasting] = [await codeOf('openid'), await codeOf('openid offline_access')];
  clock.advance(1);
  const change = { id: victim.id, password: 'Another-Horse-8', editor: testEditor };
  await setPassword(container, { organization, ...change });
  clock.advance(1);
  for (const code of [short, lasting]) {
    t.match(await redeem(code, web.credentials), { status: 400, body: { error: 'invalid_grant' } });
  }
  t.equal(
    (await redeem(await codeOf('openid'), web.credentials)).status,
    200,
    'who signs in anew gets tokens',
  );
});

t.test('a fault of ours is server_error, a store that is away temporarily_unavailable', async (t) => {
  const { redeem: kept } = container.codes;
  t.teardown(() => {
    container.codes.redeem = kept;
  });
  container.codes.redeem = () => Promise.reject(new Error('secret detail'));
  const fault = await redeem('x', web.credentials);
  t.match(fault, { status: 500, body: { error: 'server_error' }, headers: { 'cache-control': 'no-store' } });
  t.notMatch(JSON.stringify(fault.body), 'secret');
  container.codes.redeem = () =>
    Promise.reject(new Error("Stream isn't writeable and enableOfflineQueue options is false"));
  const away = await redeem('x', web.credentials);
  t.match(away, { status: 503, body: { error: 'temporarily_unavailable' }, headers: { 'retry-after': '2' } });
});
