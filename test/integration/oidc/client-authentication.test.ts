import { createHmac } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import t from 'tap';
import { changeApplication } from '#src/clients/applications/change-application.js';
import { addClientKey, removeClientKey } from '#src/clients/change-credentials/client-keys.js';
import { addClientSecret, removeClientSecret } from '#src/clients/change-credentials/client-secrets.js';
import { addServiceUser } from '#src/clients/service-users/add-service-user.js';
import { changeServiceUser } from '#src/clients/service-users/change-service-user.js';
import { newId } from '#src/platform/ids.js';
import { removeApplication } from '#src/removal/remove-application.js';
import { until } from '../../../dev/until.js';
import { testEditor as editor, makeCaller, makeOrganization, uniqueName } from '../../support/app/make.js';
import {
  basic,
  type Credentials,
  makeApplication,
  makeServiceClient,
  postForm,
} from '../../support/app/oauth-client.js';
import { buildAnotherApp, buildTestApp } from '../../support/app/test-app.js';

const opened = await buildTestApp(t);
const { container, call, clock } = opened;
const { id: orgId } = await makeOrganization(container);
// Without an owner no service user can be deactivated.
await makeCaller(container, orgId, ['IAM_OWNER']);
const issuer = 'https://muster.example';
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The endpoint at which a client authenticates. The token in the request does not exist. */
const at = {
  token: (as: Credentials, ask = call) =>
    postForm(ask, '/oauth/v2/token', { form: { grant_type: 'client_credentials' }, as }),
  revocation: (as: Credentials, ask = call) =>
    postForm(ask, '/oauth/v2/revoke', { form: { token: 'x' }, as }),
  introspection: (as: Credentials, ask = call) =>
    postForm(ask, '/oauth/v2/introspect', { form: { token: 'x' }, as }),
};

const post = (id: string, secret: string): Credentials => ({
  form: { client_id: id, client_secret: secret },
});
const none = (id: string): Credentials => ({ form: { client_id: id } });
const jwt = (assertion: string, form: Record<string, string> = {}): Credentials => ({
  form: { client_assertion: assertion, client_assertion_type: assertionType, ...form },
});

const refused = { status: 401, body: { error: 'invalid_client' } };
const malformed = { status: 400, body: { error: 'invalid_request' } };

interface Signer {
  readonly id: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

function assertionOf(
  { id, privateKey, jwk }: Signer,
  differences: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const now = Math.floor(clock.now().getTime() / 1000);
  const claims = { iss: id, sub: id, aud: issuer, iat: now, exp: now + 60, jti: newId(), ...differences };
  const present = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  return new SignJWT(present)
    .setProtectedHeader({ alg: jwk.alg ?? 'RS256', kid: jwk.kid ?? '', ...header })
    .sign(privateKey);
}

async function signer(id: string, privateJwk: JWK | undefined): Promise<Signer> {
  const jwk = privateJwk ?? {};
  return { id, jwk, privateKey: (await importJWK(jwk)) as CryptoKey };
}

async function makeSigningApplication(algorithm: 'RS256' | 'ES256' | 'EdDSA' = 'RS256'): Promise<Signer> {
  const { id } = await makeApplication(container, orgId, { authMethod: 'private_key_jwt' });
  const { privateJwk } = await addClientKey(
    container,
    { kind: 'application', orgId, id, editor },
    { algorithm },
  );
  return signer(id, privateJwk);
}

async function makeSigningServiceUser(): Promise<Signer> {
  const { id } = await addServiceUser(container, { orgId, userName: uniqueName('robot'), editor });
  const { privateJwk } = await addClientKey(
    container,
    { kind: 'serviceUser', orgId, id, editor },
    { algorithm: 'ES256' },
  );
  return signer(id, privateJwk);
}

t.test(
  'a strict client authenticates by the method that it is registered with, and by no other',
  async (t) => {
    const strict = { strictAuthMethod: true };
    const clients = {
      client_secret_basic: await makeApplication(container, orgId, strict),
      client_secret_post: await makeApplication(container, orgId, {
        ...strict,
        authMethod: 'client_secret_post',
      }),
      none: await makeApplication(container, orgId, { ...strict, type: 'spa' }),
    };
    for (const [method, { id, ...client }] of Object.entries(clients)) {
      const secret = client.secret || 'guessed';
      const shown = {
        client_secret_basic: basic(id, secret),
        client_secret_post: post(id, secret),
        none: none(id),
      };
      for (const [used, credentials] of Object.entries(shown)) {
        const answer = await at.revocation(credentials);
        if (used === method) t.equal(answer.status, 200, method);
        else t.match(answer, refused, `${method} by ${used}`);
        t.equal(
          answer.headers['www-authenticate'] !== undefined,
          used === 'client_secret_basic' && used !== method,
        );
      }
    }
    const signing = await makeSigningApplication();
    t.equal((await at.revocation(jwt(await assertionOf(signing)))).status, 200);
    t.match(await at.revocation(none(signing.id)), refused);
    t.match(await at.revocation(post(signing.id, '')), refused);
  },
);

t.test('a secret is taken in the header or in the form, whichever of the two is registered', async (t) => {
  const signing = await makeSigningApplication();
  for (const authMethod of ['client_secret_basic', 'client_secret_post'] as const) {
    const { id, secret } = await makeApplication(container, orgId, { authMethod });
    for (const endpoint of [at.revocation, at.introspection]) {
      for (const credentials of [basic(id, secret), post(id, secret)]) {
        t.equal((await endpoint(credentials)).status, 200, authMethod);
      }
      for (const credentials of [basic(id, `${secret}x`), post(id, `${secret}x`), none(id)]) {
        t.match(await endpoint(credentials), refused, authMethod);
      }
    }
    t.match(await at.token(post(id, secret)), { status: 400, body: { error: 'unauthorized_client' } });
    t.match(await at.revocation(jwt(await assertionOf({ ...signing, id }))), refused, 'without a key');
    await changeApplication(container, { orgId, id, editor }, { strictAuthMethod: true });
    const [right, other] = [basic(id, secret), post(id, secret)];
    const isBasic = authMethod === 'client_secret_basic';
    t.equal((await at.revocation(isBasic ? right : other)).status, 200);
    t.match(await at.revocation(isBasic ? other : right), refused, 'strict');
  }
  t.match(await at.revocation(basic(signing.id, 'x')), refused, 'a client with a key has no secret');
});

t.test('an application of an earlier version is not strict', async (t) => {
  const { id, secret } = await makeApplication(container, orgId);
  const applications = container.mongo.db.collection<{ _id: string }>('applications');
  await applications.updateOne({ _id: id }, { $unset: { strictAuthMethod: 1 } });
  await container.caches.applications.invalidate(id);
  t.equal((await container.applications.findById(id))?.strictAuthMethod, false);
  t.equal((await at.revocation(post(id, secret))).status, 200);
});

t.test('the owner finds why a client was refused, by whom, and never a secret', async (t) => {
  const owner = await makeCaller(container, orgId, ['ORG_OWNER']);
  const stranger = await makeCaller(container, (await makeOrganization(container)).id, ['ORG_OWNER']);
  const app = await makeApplication(container, orgId, { strictAuthMethod: true });
  const web = await makeApplication(container, orgId);
  const spa = await makeApplication(container, orgId, { type: 'spa' });
  const signing = await makeSigningApplication();
  const inactive = await makeApplication(container, orgId);
  await changeApplication(container, { orgId, id: inactive.id, editor }, { active: false });
  const forged = { ...(await makeSigningApplication()), id: signing.id };
  const used = await assertionOf(signing);
  t.equal((await at.revocation(jwt(used))).status, 200);
  const wrong = 'Wrong-Secret-1';
  const expected = [
    [basic(web.id, wrong), web, 'client_secret_basic', 'secretWrong'],
    [post(app.id, app.secret), app, 'client_secret_post', 'methodNotRegistered'],
    [{ ...basic(web.id, web.secret), ...post(web.id, web.secret) }, web, undefined, 'requestMalformed'],
    [none(web.id), web, 'none', 'methodNotRegistered'],
    [inactive.credentials, inactive, 'client_secret_basic', 'applicationInactive'],
    [jwt(await assertionOf(forged)), signing, 'private_key_jwt', 'signatureWrong'],
    [
      jwt(await assertionOf(signing, { aud: 'https://other.example' })),
      signing,
      'private_key_jwt',
      'claimsWrong',
    ],
    [jwt(used), signing, 'private_key_jwt', 'assertionUsed'],
  ] as const;
  for (const [credentials] of expected) t.not((await at.revocation(credentials)).status, 200);
  t.match(await at.introspection(none(spa.id)), refused);
  await container.refusedAuthentications.flush();
  const search = (as: typeof owner, aggregateId: string) =>
    call('POST /admin/v1/events/_search', {
      as,
      body: { eventTypes: ['application.authentication.failed'], aggregateId, asc: true },
    });
  for (const [, { id }, method, reason] of expected) {
    const { body } = await search(owner, id);
    const found = body.events.find(
      ({ payload }: { payload: { reason: string } }) => payload.reason === reason,
    );
    t.match(found, {
      aggregate: { id, type: 'application', resourceOwner: orgId },
      editor: { userId: id, service: 'oidc' },
      payload: { reason, endpoint: 'revocation', address: '127.0.0.1', count: 1 },
    });
    t.equal(found?.payload.method, method);
    t.same((await search(stranger, id)).body.events, [], 'only of the own organization');
    t.notMatch(JSON.stringify(body), new RegExp(`${wrong}|${web.secret}|${app.secret}|${used.slice(-40)}`));
  }
  t.match((await search(owner, spa.id)).body.events, [
    { payload: { reason: 'methodNotAccepted', endpoint: 'introspection' } },
  ]);
});

t.test('a flood of refusals writes two events a minute, with their number', async (t) => {
  const { id } = await makeApplication(container, orgId);
  const events = async () =>
    (await container.events.search({ aggregateId: id, limit: 100, ascending: true }))
      .filter(({ type }) => type === 'application.authentication.failed')
      .map(({ payload: { reason, count } }) => [reason, count]);
  for (let number = 0; number < 50; number++) await at.revocation(basic(id, `x${number}`));
  for (let number = 0; number < 10; number++) await at.revocation(none(id));
  await container.refusedAuthentications.flush();
  t.same((await events()).sort(), [
    ['methodNotRegistered', 1],
    ['methodNotRegistered', 9],
    ['secretWrong', 1],
    ['secretWrong', 49],
  ]);
  for (let number = 0; number < 5; number++) await at.revocation(basic(newId(), 'x'));
  await container.refusedAuthentications.flush();
  t.equal((await events()).length, 4, 'a client that does not exist has no owner');
});

t.test('a shut-out address writes nothing', async (t) => {
  const limited = await buildTestApp(t, { rateLimitRefused: 5 });
  const { id: ownOrgId } = await makeOrganization(limited.container);
  const first = await makeApplication(limited.container, ownOrgId);
  const second = await makeApplication(limited.container, ownOrgId);
  limited.clock.startMinute();
  for (let number = 0; number < 5; number++) await at.revocation(basic(first.id, 'x'), limited.call);
  const both = { ...basic(second.id, 'x'), ...post(second.id, 'x') };
  for (const endpoint of Object.values(at)) {
    t.equal((await endpoint(basic(second.id, 'x'), limited.call)).status, 429);
    t.match(await endpoint(both, limited.call), malformed);
  }
  await limited.container.refusedAuthentications.flush();
  const found = await limited.container.events.search({
    aggregateId: second.id,
    limit: 100,
    ascending: true,
  });
  t.same(
    found.filter(({ type }) => type === 'application.authentication.failed'),
    [],
  );
});

t.test('a malformed request is answered while the store is away', async (t) => {
  const alone = await buildTestApp(t);
  Object.assign(alone.container.applications, {
    findById: () =>
      Promise.reject(new Error("Stream isn't writeable and enableOfflineQueue options is false")),
  });
  const id = newId();
  const both = { ...basic(id, 'x'), ...post(id, 'x') };
  for (const endpoint of Object.values(at)) t.match(await endpoint(both, alone.call), malformed);
  t.equal((await at.revocation(none(id), alone.call)).status, 503, 'what needs the store');
});

t.test('introspection takes a secret or a key, nothing weaker', async (t) => {
  const api = await makeApplication(container, orgId, { type: 'api' });
  const posting = await makeApplication(container, orgId, { authMethod: 'client_secret_post' });
  const spa = await makeApplication(container, orgId, { type: 'spa' });
  const machine = await makeServiceClient(container, orgId);
  const inactive = { status: 200, body: { active: false } };
  t.match(await at.introspection(api.credentials), inactive);
  t.match(await at.introspection(machine.credentials), inactive);
  t.match(await at.introspection(jwt(await assertionOf(await makeSigningApplication()))), inactive);
  t.match(await at.introspection(post(posting.id, posting.secret)), inactive);
  t.match(await at.introspection(post(posting.id, 'guessed')), refused);
  t.match(await at.introspection(none(spa.id)), refused);
  t.match(await at.introspection({}), refused);
});

t.test('wrong, absent and misplaced secrets are refused alike', async (t) => {
  const one = await makeApplication(container, orgId);
  const two = await makeApplication(container, orgId);
  const answers = await Promise.all(
    [
      basic(one.id, two.secret),
      basic(two.id, one.secret),
      basic(one.id, ''),
      basic(one.id, `${one.secret}x`),
      basic(one.id, one.secret.toUpperCase()),
      basic(one.id.toUpperCase(), one.secret),
      basic(`${one.id} `, one.secret),
      basic(newId(), one.secret),
      basic('nobody', 'x'),
      basic('{"$ne":""}', one.secret),
      basic('x'.repeat(10_000), one.secret),
      basic(one.id, 'x'.repeat(10_000)),
      basic(one.id, one.application.secrets[0]?.hash ?? ''),
    ].map((credentials) => at.revocation(credentials)),
  );
  for (const answer of answers) {
    t.match(answer, refused);
    t.equal(answer.body.error_description, answers[0]?.body.error_description);
    t.match(answer.headers['www-authenticate'], /^Basic realm=/);
    t.equal(answer.headers['cache-control'], 'no-store');
  }
  t.equal((await at.revocation(basic(one.id, one.secret))).status, 200);
});

t.test('several mechanisms at once, and repeated parameters, are a bad request', async (t) => {
  const one = await makeApplication(container, orgId);
  const signing = await makeSigningApplication();
  const assertion = await assertionOf(signing);
  for (const credentials of [
    { ...basic(one.id, one.secret), ...post(one.id, one.secret) },
    { ...basic(one.id, one.secret), ...jwt(assertion) },
    jwt(assertion, { client_secret: one.secret }),
    { ...basic(one.id, one.secret), form: { client_id: newId() } },
    { form: { client_assertion: assertion } },
    { form: { client_assertion_type: assertionType, client_id: signing.id } },
    { form: { client_assertion: assertion, client_assertion_type: `${assertionType}x` } },
  ]) {
    for (const endpoint of Object.values(at)) t.match(await endpoint(credentials), malformed);
  }
  const repeated = await call('POST /oauth/v2/revoke', {
    body: `token=x&client_id=${one.id}&client_id=${one.id}&client_secret=${one.secret}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  t.match(repeated, malformed);
  t.equal((await at.revocation(jwt(assertion))).status, 200, 'nothing of that used the assertion up');
});

t.test('two secrets serve while one is replaced, and one that is removed does not', async (t) => {
  const { id, secret, application } = await makeApplication(container, orgId);
  const target = { kind: 'application', orgId, id, editor } as const;
  const elsewhere = await buildAnotherApp(t, opened);
  const { clientSecret } = await addClientSecret(container, target);
  for (const ask of [call, elsewhere]) {
    for (const serving of [secret, clientSecret]) {
      t.equal((await at.revocation(basic(id, serving), ask)).status, 200);
    }
  }
  await removeClientSecret(container, target, application.secrets[0]?.id ?? '');
  t.match(await at.revocation(basic(id, secret)), refused);
  await until(async () => (await at.revocation(basic(id, secret), elsewhere)).status === 401);
  t.equal((await at.revocation(basic(id, clientSecret), elsewhere)).status, 200);
});

t.test('an inactive or removed client cannot authenticate', async (t) => {
  const app = await makeApplication(container, orgId);
  const spa = await makeApplication(container, orgId, { type: 'spa' });
  const signing = await makeSigningApplication();
  const all = async () => [basic(app.id, app.secret), none(spa.id), jwt(await assertionOf(signing))];
  for (const credentials of await all()) t.equal((await at.revocation(credentials)).status, 200);
  for (const { id } of [app, spa, signing]) {
    await changeApplication(container, { orgId, id, editor }, { active: false });
  }
  for (const credentials of await all()) t.match(await at.revocation(credentials), refused);
  for (const { id } of [app, spa, signing]) {
    await changeApplication(container, { orgId, id, editor }, { active: true });
    await removeApplication(container, { orgId, id, editor });
  }
  for (const credentials of await all()) t.match(await at.revocation(credentials), refused);
});

t.test('a service user that is named like an application is not taken for it', async (t) => {
  const app = await makeApplication(container, orgId);
  const impostor = await addServiceUser(container, { orgId, userName: app.id, editor });
  const { clientSecret } = await addClientSecret(container, {
    kind: 'serviceUser',
    orgId,
    id: impostor.id,
    editor,
  });
  t.match(await at.revocation(basic(app.id, clientSecret)), refused);
  t.match(await at.token(basic(app.id, clientSecret)), refused);
  t.equal((await at.token(basic(impostor.id, clientSecret))).status, 200);
  t.equal((await at.revocation(app.credentials)).status, 200);
});

t.test('service users have both ways to send a secret, and keys', async (t) => {
  const { id, userName, credentials } = await makeServiceClient(container, orgId);
  const secret = Buffer.from(credentials.headers?.['authorization']?.slice(6) ?? '', 'base64')
    .toString()
    .split(':')[1] as string;
  for (const shown of [
    basic(id, secret),
    basic(userName, secret),
    post(id, secret),
    post(userName, secret),
  ]) {
    t.match(await at.token(shown), { status: 200, body: { token_type: 'Bearer' } });
  }
  t.match(await at.token(none(id)), refused);
  const signing = await makeSigningServiceUser();
  t.match(await at.introspection(jwt(await assertionOf(signing))), { status: 200 });
  await changeServiceUser(container, { orgId, id: signing.id, change: { active: false }, editor });
  t.match(await at.introspection(jwt(await assertionOf(signing))), refused);
});

t.test('an application gets no token for itself', async (t) => {
  const app = await makeApplication(container, orgId);
  t.match(await at.token(app.credentials), { status: 400, body: { error: 'unauthorized_client' } });
});

t.test('assertions: all kinds of keys, both audiences, with and without client_id', async (t) => {
  for (const algorithm of ['RS256', 'ES256', 'EdDSA'] as const) {
    const signing = await makeSigningApplication(algorithm);
    for (const [claims, form] of [
      [{}, {}],
      [{ aud: `${issuer}/oauth/v2/revoke` }, {}],
      [{ aud: issuer }, { client_id: signing.id }],
      [{ iat: undefined }, {}],
    ] as const) {
      const answer = await at.revocation(jwt(await assertionOf(signing, claims), form));
      t.equal(answer.status, 200, `${algorithm} ${JSON.stringify(claims)}`);
    }
    t.equal((await at.revocation(jwt(await assertionOf(signing, {}, { kid: undefined })))).status, 200);
  }
});

t.test('an assertion names the called endpoint, and nothing besides', async (t) => {
  const addresses = {
    token: `${issuer}/oauth/v2/token`,
    revocation: `${issuer}/oauth/v2/revoke`,
    introspection: `${issuer}/oauth/v2/introspect`,
  };
  const signing = await makeSigningServiceUser();
  for (const endpoint of Object.keys(at) as (keyof typeof at)[]) {
    for (const [name, aud] of Object.entries(addresses)) {
      const { status } = await at[endpoint](jwt(await assertionOf(signing, { aud })));
      t.equal(status, name === endpoint ? 200 : 401, `${name} at ${endpoint}`);
    }
    for (const aud of [[issuer], [addresses[endpoint]], [issuer, 'https://other.example']]) {
      t.match(await at[endpoint](jwt(await assertionOf(signing, { aud }))), refused, `a list at ${endpoint}`);
    }
  }
});

t.test('a client of an earlier version may send a list that names this service alone', async (t) => {
  const applications = container.mongo.db.collection<{ _id: string }>('applications');
  const old = await makeSigningApplication();
  await applications.updateOne({ _id: old.id }, { $unset: { singleAudience: 1 } });
  await container.caches.applications.invalidate(old.id);
  const send = async (aud: string[]) => (await at.revocation(jwt(await assertionOf(old, { aud })))).status;
  t.equal(await send([issuer, `${issuer}/oauth/v2/token`]), 200);
  t.equal(await send([`${issuer}/oauth/v2/revoke`]), 200);
  t.equal(await send([`${issuer}/oauth/v2/token`]), 401, 'not the endpoint that is called');
  t.equal(await send([issuer, 'https://other.example']), 401, 'the other could use it here');
  await changeApplication(container, { orgId, id: old.id, editor }, { name: 'Renamed' });
  t.equal(await send([issuer]), 200, 'a change makes no new client of it');
});

t.test('an assertion counts once, in every process, as long as it could be used', async (t) => {
  const signing = await makeSigningApplication();
  const elsewhere = await buildAnotherApp(t, opened);
  const assertion = await assertionOf(signing, { jti: 'one' });
  const answers = await Promise.all(
    [call, elsewhere, call, elsewhere].map((ask) => at.revocation(jwt(assertion), ask)),
  );
  t.same(answers.map(({ status }) => status).sort(), [200, 401, 401, 401]);
  t.match(await at.revocation(jwt(await assertionOf(signing, { jti: 'one' }))), refused, 'the jti counts');
  const other = await makeSigningApplication();
  t.equal((await at.revocation(jwt(await assertionOf(other, { jti: 'one' })))).status, 200, 'of each client');
  const nameless = await assertionOf(signing, { jti: undefined });
  t.equal((await at.revocation(jwt(nameless))).status, 200, 'one without jti works');
  t.match(await at.revocation(jwt(nameless)), refused, 'once');
  for (const jti of [1, '']) {
    const answer = await at.revocation(jwt(await assertionOf(signing, { jti })));
    t.match(answer, refused, `jti ${JSON.stringify(jti)}`);
  }
});

t.test('another client cannot use up the identifiers of a client', async (t) => {
  const signing = await makeSigningApplication();
  const stranger = await makeSigningApplication();
  const forged = await assertionOf({ ...stranger, id: signing.id }, { jti: 'mine' });
  t.match(await at.revocation(jwt(forged)), refused);
  t.equal((await at.revocation(jwt(await assertionOf(signing, { jti: 'mine' })))).status, 200);
});

t.test('assertions with wrong claims are refused', async (t) => {
  const signing = await makeSigningApplication();
  const other = await makeSigningApplication();
  const now = () => Math.floor(clock.now().getTime() / 1000);
  for (const claims of [
    { iss: other.id },
    { sub: other.id },
    { iss: other.id, sub: other.id },
    { iss: undefined },
    { sub: undefined },
    { sub: { $ne: '' } },
    { aud: undefined },
    { aud: 'https://other.example' },
    { aud: `${issuer}/oauth/v2/introspect` },
    { exp: undefined },
    { exp: now() - 60 },
    { exp: now() + 7200 },
    { iat: now() - 7200, exp: now() + 60 },
    { iat: now() + 3000, exp: now() + 6000 },
    { nbf: now() + 600 },
  ]) {
    t.match(await at.revocation(jwt(await assertionOf(signing, claims))), refused, JSON.stringify(claims));
  }
  const named = jwt(await assertionOf(signing), { client_id: other.id });
  t.match(await at.revocation(named), refused, 'client_id of another');
});

t.test('assertions that the client did not sign are refused', async (t) => {
  const signing = await makeSigningApplication();
  const { privateKey } = await generateKeyPair('RS256');
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(clock.now().getTime() / 1000);
  const claims = { iss: signing.id, sub: signing.id, aud: issuer, iat: now, exp: now + 60, jti: newId() };
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...publicJwk } = signing.jwk;
  const hmacs = [JSON.stringify(publicJwk), String(publicJwk.n), ''].map((secret) => {
    const input = `${part({ alg: 'HS256', kid: signing.jwk.kid })}.${part(claims)}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  });
  const { secret } = await makeApplication(container, orgId);
  for (const assertion of [
    await assertionOf({ ...signing, privateKey }),
    await assertionOf({ ...signing, privateKey }, {}, { jwk: publicJwk }),
    await assertionOf({ ...signing, privateKey }, {}, { jku: 'https://evil.example/keys' }),
    await assertionOf(signing, {}, { kid: 'another' }),
    `${part({ alg: 'none' })}.${part(claims)}.`,
    `${part({ alg: 'none', kid: signing.jwk.kid })}.${part(claims)}.`,
    ...hmacs,
    part(claims),
    'a.b.c',
    '...',
    secret,
    'x'.repeat(50_000),
  ]) {
    t.match(await at.revocation(jwt(assertion)), refused, assertion.slice(0, 40));
  }
});

t.test('keys that were removed or have ended verify nothing', async (t) => {
  const signing = await makeSigningApplication();
  const target = { kind: 'application', orgId, id: signing.id, editor } as const;
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const expires = new Date(clock.now().getTime() + 60_000);
  const { key } = await addClientKey(container, target, {
    jwk: { ...(await exportJWK(publicKey)) },
    expires,
  });
  const brief = { id: signing.id, privateKey, jwk: { kid: key.kid, alg: 'ES256' } as JWK };
  t.equal((await at.revocation(jwt(await assertionOf(brief)))).status, 200);
  clock.advance(61);
  t.match(await at.revocation(jwt(await assertionOf(brief))), refused);
  t.equal((await at.revocation(jwt(await assertionOf(signing)))).status, 200);
  await removeClientKey(container, target, signing.jwk.kid ?? '');
  t.match(await at.revocation(jwt(await assertionOf(signing))), refused);
});

t.test('authenticating reads nothing but the client, and that once', async (t) => {
  const { id, credentials } = await makeApplication(container, orgId);
  const signing = await makeSigningApplication();
  const machine = await makeServiceClient(container, orgId);
  const spa = await makeApplication(container, orgId, { type: 'spa' });
  await container.mongo
    .collection('applications')
    .insertMany(
      Array.from({ length: 2_000 }, (_, n) => ({ _id: `filler-${n}` as never, orgId, version: 1 })),
    );
  const reads: string[] = [];
  for (const store of [container.applications, container.serviceUsers] as unknown as Record<
    string,
    (...args: unknown[]) => unknown
  >[]) {
    for (const [name, method] of Object.entries(store)) {
      store[name] = (...args) => {
        reads.push(name);
        return method.apply(store, args);
      };
      t.teardown(() => {
        store[name] = method;
      });
    }
  }
  await container.caches.applications.invalidate(id);
  await container.caches.applications.invalidate(signing.id);
  await container.caches.applications.invalidate(spa.id);
  const round = async () => {
    await at.revocation(credentials);
    await at.revocation(none(spa.id));
    await at.revocation(jwt(await assertionOf(signing)));
    await at.token(machine.credentials);
  };
  await round();
  t.ok(reads.length > 0 && reads.length <= 8, `first: ${reads.join(' ')}`);
  t.ok(reads.every((name) => name === 'findById' || name === 'findByCredentials'));
  reads.length = 0;
  await round();
  t.same(reads, [], 'then from memory');
});
