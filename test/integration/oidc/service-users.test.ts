import { createHmac } from 'node:crypto';
import { decodeJwt, importJWK, type JWTPayload, SignJWT } from 'jose';
import t from 'tap';
import { addClientKey } from '#src/clients/change-credentials/client-keys.js';
import { changeServiceUser } from '#src/clients/service-users/change-service-user.js';
import { newId } from '#src/platform/ids.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import { makeServiceClient, postForm } from '../../support/app/oauth-client.js';
import { buildAnotherApp, buildTestApp } from '../../support/app/test-app.js';

const opened = await buildTestApp(t);
const { container, call, clock } = opened;
const { baseUrl } = container.config;
const organization = await makeOrganization(container);
const machine = await makeServiceClient(container, organization.id);
const other = await makeServiceClient(container, organization.id);
const { key, privateJwk } = await addClientKey(
  container,
  { kind: 'serviceUser', orgId: organization.id, id: machine.id, editor: testEditor },
  { algorithm: 'ES256' },
);
if (privateJwk === undefined) throw new Error('The pair was not made');
const privateKey = await importJWK(privateJwk, 'ES256');
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

const now = () => Math.floor(clock.now().getTime() / 1000);

function assertion(
  { header = {}, ...claims }: Record<string, unknown> & { header?: Record<string, string> } = {},
  signingKey: Parameters<SignJWT['sign']>[0] = privateKey,
): Promise<string> {
  const payload: JWTPayload = {
    iss: machine.id,
    sub: machine.id,
    aud: baseUrl,
    iat: now(),
    exp: now() + 60,
    jti: newId(),
    ...claims,
  };
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: key.kid, ...header }).sign(signingKey);
}

function exchange(jwt: string, form: Record<string, string> = {}) {
  return postForm(call, '/oauth/v2/token', { form: { grant_type: jwtBearer, assertion: jwt, ...form } });
}

t.test('an assertion gives an access token, and with openid an ID token of the service user', async (t) => {
  const plain = await exchange(await assertion());
  t.match(plain, { status: 200, body: { token_type: 'Bearer', expires_in: 3_600, scope: '' } });
  t.notOk('id_token' in plain.body);
  const scope = 'openid profile urn:service:iam:org:project:id:shop:aud';
  const { body } = await exchange(await assertion({ aud: `${baseUrl}/oauth/v2/token` }), { scope });
  t.equal(body.scope, scope);
  t.match(decodeJwt(body.id_token), { sub: machine.id, aud: machine.id, iss: baseUrl });
  t.same((await container.accessTokens.read(body.access_token))?.audience, [baseUrl, 'shop']);
  t.notOk('refresh_token' in body);
});

t.test('an assertion without jti counts once, even if its signature is written differently', async (t) => {
  const elsewhere = await buildAnotherApp(t, opened);
  const once = await assertion({ jti: undefined });
  const answers = await Promise.all(
    [call, elsewhere, call].map((ask) =>
      postForm(ask, '/oauth/v2/token', { form: { grant_type: jwtBearer, assertion: once } }),
    ),
  );
  t.same(answers.map(({ status }) => status).sort(), [200, 400, 400]);
  t.match((await exchange(malleated(once))).body, { error: 'invalid_grant' });
  const valid = await assertion({ jti: undefined, iat: now() - 1 });
  t.equal((await exchange(malleated(valid))).status, 200, 'the other form of a signature is valid too');
  t.match((await exchange(valid)).body, { error: 'invalid_grant' });
});

/** Returns the assertion with the other valid form of its ECDSA signature (r, s): (r, n - s). */
function malleated(jwt: string): string {
  const [header, payload, signature = ''] = jwt.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
  const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  return `${header}.${payload}.${other.toString('base64url')}`;
}

t.test('assertions that prove nothing are refused', async (t) => {
  const jti = newId();
  t.equal((await exchange(await assertion({ jti }))).status, 200);
  const publicKey = JSON.stringify(key.jwk);
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = { iss: machine.id, sub: machine.id, aud: baseUrl, iat: now(), exp: now() + 60 };
  const hmac = `${encode({ alg: 'HS256', kid: key.kid })}.${encode(claims)}`;
  const refused: Record<string, string | Promise<string>> = {
    'a replayed jti': assertion({ jti }),
    'alg none': `${encode({ alg: 'none', kid: key.kid })}.${encode(claims)}.`,
    'an HMAC with the public key': `${hmac}.${createHmac('sha256', publicKey).update(hmac).digest('base64url')}`,
    'another service user': assertion({ iss: other.id, sub: other.id }),
    'a subject that is not the issuer': assertion({ sub: other.id }),
    'another audience': assertion({ aud: 'https://elsewhere.example' }),
    'no audience': assertion({ aud: [] }),
    'a list as audience': assertion({ aud: [baseUrl] }),
    'a list with another audience': assertion({
      aud: [`${baseUrl}/oauth/v2/token`, 'https://elsewhere.example'],
    }),
    expired: assertion({ iat: now() - 200, exp: now() - 100 }),
    'without exp': new SignJWT({ iss: machine.id, sub: machine.id, aud: baseUrl })
      .setProtectedHeader({ alg: 'ES256', kid: key.kid })
      .sign(privateKey),
    'a life over an hour': assertion({ exp: now() + 3700 }),
    'issued in the future': assertion({ iat: now() + 600, exp: now() + 900 }),
    'an unknown kid': assertion({ header: { kid: 'unknown' } }),
    'an enormous one': assertion({ padding: 'x'.repeat(40_000) }),
    'no JWT': 'x.y.z',
  };
  for (const [name, jwt] of Object.entries(refused)) {
    t.match(await exchange(await jwt), { status: 400, body: { error: 'invalid_grant' } }, name);
  }
  t.equal((await exchange('')).body.error, 'invalid_request', 'missing');
});

t.test('a client that authenticates besides must do so rightly', async (t) => {
  const form = { grant_type: jwtBearer, assertion: await assertion() };
  const wrong = { form: { client_id: machine.id, client_secret: 'wrong' } };
  t.match(await postForm(call, '/oauth/v2/token', { form, as: wrong }), {
    status: 401,
    body: { error: 'invalid_client' },
  });
  t.equal((await postForm(call, '/oauth/v2/token', { form, as: machine.credentials })).status, 200);
});

t.test('scopes of a service user', async (t) => {
  const outside = await makeOrganization(container);
  const ask = (scope: string) =>
    postForm(call, '/oauth/v2/token', {
      form: { grant_type: 'client_credentials', scope },
      as: machine.credentials,
    });
  const own = `openid urn:service:iam:org:id:${organization.id} urn:service:iam:user:resourceowner`;
  t.match(await ask(own), { status: 200, body: { scope: own } });
  const refused = [
    'unknown',
    'offline_access',
    `urn:service:iam:org:id:${outside.id}`,
    'urn:service:iam:org:id:',
  ];
  for (const scope of refused) {
    t.match(await ask(scope), { status: 400, body: { error: 'invalid_scope' } }, scope);
  }
  const many = Array.from({ length: 200 }, (_, n) => `urn:service:iam:org:project:id:${n}:aud`).join(' ');
  t.equal((await ask(many)).body.error, 'invalid_scope');
});

t.test('userinfo tells of a service user by its scopes', async (t) => {
  const { body } = await exchange(await assertion(), { scope: 'openid profile' });
  const answer = await call('GET /oidc/v1/userinfo', { as: { token: body.access_token } });
  t.match(answer, { status: 200, body: { sub: machine.id, preferred_username: machine.userName } });
});

t.test('a deactivated service user has neither tokens nor a grant', async (t) => {
  await makeCaller(container, organization.id, ['IAM_OWNER']);
  const { body } = await exchange(await assertion(), { scope: 'openid' });
  await changeServiceUser(container, {
    orgId: organization.id,
    id: machine.id,
    change: { active: false },
    editor: testEditor,
  });
  t.equal((await exchange(await assertion())).body.error, 'invalid_grant');
  t.equal((await call('GET /oidc/v1/userinfo', { as: { token: body.access_token } })).status, 401);
});
