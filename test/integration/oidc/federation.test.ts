import t, { type Test } from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { changeServiceUser } from '#src/clients/service-users/change-service-user.js';
import type { Role } from '#src/directory/roles.js';
import { newId } from '#src/platform/ids.js';
import { testEditor as editor, makeCaller, makeOrganization } from '../../support/app/make.js';
import { basic, makeApplication, makeServiceClient, postForm } from '../../support/app/oauth-client.js';
import { buildAnotherApp, buildTestApp } from '../../support/app/test-app.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { discoveryPath, keysPath, startOutsideIssuer } from '../../support/oidc/outside-issuer.js';
import { newUser } from '../../support/scim/scim-client.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const opened = await buildTestApp(t, { outgoingCa: certificate.cert, privateIssuerHosts: '127.0.0.1' });
const { container, call, clock } = opened;
const { id: orgId } = await makeOrganization(container);
await makeCaller(container, orgId, ['IAM_OWNER']);
const owner = await makeCaller(container, orgId, ['ORG_OWNER']);
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const subject = 'repo:acme/hr:environment:production';
const audience = 'api://muster';

const outside = (at: Pick<typeof t, 'teardown'>) => startOutsideIssuer(at, certificate, () => clock.now());
const machine = async () => (await makeServiceClient(container, orgId)).id;
const pathOf = (id: string, org = orgId) => `/admin/v1/orgs/${org}/service-users/${id}/federated-credentials`;
const trust = (id: string, body: Record<string, unknown>) => call(`POST ${pathOf(id)}`, { as: owner, body });
const token = (id: string, assertion: string, ask = call, form: Record<string, string> = {}) =>
  postForm(ask, '/oauth/v2/token', {
    form: {
      grant_type: 'client_credentials',
      client_id: id,
      client_assertion: assertion,
      client_assertion_type: assertionType,
      ...form,
    },
  });
const refused = { status: 401, body: { error: 'invalid_client' } };

/** The refusals of a service user, as its organization's owner finds them. */
async function refusalsOf(id: string) {
  await container.refusedAuthentications.flush();
  const { body } = await call('POST /admin/v1/events/_search', {
    as: owner,
    body: { eventTypes: ['user.machine.authentication.failed'], aggregateId: id, asc: true },
  });
  return body.events.map(({ payload }: { payload: Record<string, unknown> }) => payload);
}

t.test('a JWT of a trusted issuer is a service user, without a secret', async (t) => {
  const issuer = await outside(t);
  const id = await machine();
  const added = await trust(id, { issuer: issuer.issuer, subject, audience, label: 'Deployment' });
  t.match(added, {
    status: 201,
    body: { clientId: id, issuer: issuer.issuer, subject, audience, label: 'Deployment' },
  });
  const assertion = await issuer.sign({ sub: subject, aud: audience });
  const answer = await token(id, assertion);
  t.match(answer, { status: 200, body: { token_type: 'Bearer', expires_in: 3600 } });
  const info = await postForm(call, '/oauth/v2/introspect', {
    form: {
      token: answer.body.access_token,
      client_id: id,
      client_assertion: assertion,
      client_assertion_type: assertionType,
    },
  });
  t.equal(info.status, 200, 'at other endpoints too');
  t.equal((await token(id, assertion)).status, 200, 'platforms give the same JWT for an hour');
  const list = { aud: [audience] };
  t.equal(
    (await token(id, await issuer.sign({ sub: subject, ...list }))).status,
    200,
    'as Kubernetes writes it',
  );
  await container.secretUses.flush();
  t.match((await call(`GET ${pathOf(id)}`, { as: owner })).body.items, [
    { id: added.body.id, label: 'Deployment', lastUsed: String },
  ]);
});

/** A service user with a role that trusts an issuer of the form that Entra has, and the token request that Entra sends. */
async function connectEntra(t: Test, role: Role) {
  const entra = await outside(t);
  const [tenant, appId, object] = [newId(), newId(), newId()];
  const issuer = `${entra.issuer}/${tenant}/v2.0`;
  entra.instead.set(`/${tenant}/v2.0${discoveryPath}`, (_request, response) => {
    response.end(JSON.stringify({ issuer, jwks_uri: `${entra.issuer}${keysPath}` }));
  });
  const id = await machine();
  await addMembership(container, { userId: id, role, orgId, editor });
  const aud = `api://${appId}`;
  t.equal((await trust(id, { issuer, subject: object, audience: aud })).status, 201);
  const iat = Math.floor(clock.now().getTime() / 1000);
  const claims = {
    ...{ aud, iss: issuer, iat, nbf: iat, exp: iat + 3900, appid: appId, azp: appId, appidacr: '2' },
    ...{ idp: issuer, oid: newId(), sub: object, tid: tenant, ver: '2.0' },
  };
  const assertion = await entra.sign(claims, { typ: 'JWT' });
  const ask = (scope: string) => token(id, assertion, call, { scope });
  return { id, ask };
}

t.test('Entra asks with the scope scim, and the token opens SCIM and nothing else', async (t) => {
  const { id, ask } = await connectEntra(t, 'ORG_OWNER');
  for (const scope of ['scim', 'scim.readwrite', 'openid scim']) {
    const answer = await ask(scope);
    t.match(answer, { status: 200, body: { token_type: 'Bearer', expires_in: 3600, scope } }, scope);
    const as = { token: answer.body.access_token };
    const users = `/scim/v2/${orgId}/Users`;
    const found = await call(`GET ${users}?filter=${encodeURIComponent(`userName eq "${scope}"`)}`, { as });
    t.match(found, { status: 200, body: { totalResults: 0 } });
    const added = await call(`POST ${users}`, { as, body: newUser({ userName: scope }) });
    t.equal(added.status, 201);
    const admin = await call(`GET /admin/v1/orgs/${orgId}`, { as });
    t.match(admin, { status: 403, headers: { 'x-error-id': 'tokens.scimAlone' } });
    t.match(admin.headers, { 'www-authenticate': /insufficient_scope/ });
    for (const route of ['GET /admin/v1/jobs', 'GET /admin/v1/me', `GET ${pathOf(id)}`])
      t.equal((await call(route, { as })).status, 403, route);
    const more = { as, body: { issuer: 'https://login.example', subject } };
    t.equal((await call(`POST ${pathOf(id)}`, more)).status, 403);
    const bulk = await call(`POST /scim/v2/${orgId}/Bulk`, {
      as,
      headers: { prefer: 'respond-async' },
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations: [{ method: 'DELETE', path: `/Users/${added.body.id}` }],
      },
    });
    t.equal(bulk.status, 202);
    const job = new URL(String(bulk.headers.location)).pathname;
    t.equal((await call(`GET ${job}`, { as })).status, 200, 'the result of its own Bulk');
    const { body: other } = await (await connectEntra(t, 'ORG_OWNER')).ask('scim');
    t.equal((await call(`GET ${job}`, { as: { token: other.access_token } })).status, 404, 'not of others');
  }
  for (const scope of ['', 'openid', 'scim urn:service:iam:admin']) {
    const as = { token: (await ask(scope)).body.access_token };
    t.equal((await call(`GET /admin/v1/orgs/${orgId}`, { as })).status, 200, scope);
  }
  for (const scope of ['scim.read', 'scimitar', 'scim unknown'])
    t.match(await ask(scope), { status: 400, body: { error: 'invalid_scope' } }, scope);
});

t.test('the scope scim gives no permission that the role lacks', async (t) => {
  const { ask } = await connectEntra(t, 'ORG_USER_VIEWER');
  const as = { token: (await ask('scim')).body.access_token };
  t.equal((await call(`GET /scim/v2/${orgId}/Users?count=1`, { as })).status, 200);
  const denied = { as, body: newUser({ userName: 'denied' }) };
  t.equal((await call(`POST /scim/v2/${orgId}/Users`, denied)).status, 403);
  const { id: elsewhere } = await makeOrganization(container);
  t.equal((await call(`GET /scim/v2/${elsewhere}/Users`, { as })).status, 404);
});

t.test('a token for SCIM alone cannot be exchanged for one that permits more', async (t) => {
  const instance = await makeCaller(container, orgId, ['IAM_OWNER']);
  await call('PATCH /admin/v1/features', { as: instance, body: { tokenExchange: true } });
  const { ask } = await connectEntra(t, 'ORG_OWNER');
  const { credentials } = await makeServiceClient(container, orgId);
  const exchange = async (scope: string) =>
    postForm(call, '/oauth/v2/token', {
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: (await ask(scope)).body.access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        scope: 'openid',
      },
      as: credentials,
    });
  t.match(await exchange('openid scim'), { status: 400, body: { error: 'invalid_request' } });
  t.equal((await exchange('openid')).status, 200);
});

t.test('without an audience it is the issuer of this service', async (t) => {
  const issuer = await outside(t);
  const id = await machine();
  const { body } = await trust(id, { issuer: issuer.issuer, subject });
  t.equal(body.audience, 'https://muster.example');
  t.equal((await token(id, await issuer.sign({ sub: subject, aud: 'https://muster.example' }))).status, 200);
});

t.test('everything else is refused, and the owner finds why', async (t) => {
  const issuer = await outside(t);
  const other = await outside(t);
  const id = await machine();
  await trust(id, { issuer: issuer.issuer, subject, audience });
  const now = Math.floor(clock.now().getTime() / 1000);
  const good = { sub: subject, aud: audience };
  const cases: [string, string, Promise<string>][] = [
    ['another subject', 'subjectNotTrusted', issuer.sign({ ...good, sub: 'repo:acme/hr:ref:refs/heads/x' })],
    ['no subject', 'subjectNotTrusted', issuer.sign({ aud: audience })],
    ['another audience', 'subjectNotTrusted', issuer.sign({ ...good, aud: 'api://other' })],
    ['a second audience', 'subjectNotTrusted', issuer.sign({ ...good, aud: [audience, 'api://other'] })],
    ['another issuer', 'issuerNotTrusted', other.sign(good)],
    ['a key of another issuer', 'signatureWrong', other.sign({ ...good, iss: issuer.issuer })],
    ['expired', 'claimsWrong', issuer.sign({ ...good, iat: now - 700, exp: now - 31 })],
    ['no expiry', 'claimsWrong', issuer.sign({ ...good, exp: undefined })],
    ['too long a life', 'claimsWrong', issuer.sign({ ...good, exp: now + 25 * 3600 })],
    ['from the future', 'claimsWrong', issuer.sign({ ...good, iat: now + 60 })],
    ['not valid yet', 'claimsWrong', issuer.sign({ ...good, nbf: now + 60 })],
    ['a logout token', 'claimsWrong', issuer.sign(good, { typ: 'logout+jwt' })],
    ['a security event', 'claimsWrong', issuer.sign(good, { typ: 'secevent+jwt' })],
  ];
  for (const [what, reason, making] of cases) {
    const assertion = await making;
    t.match(await token(id, assertion), refused, what);
    await container.refusedAuthentications.flush();
    const last = (await refusalsOf(id)).at(-1);
    t.match(last, { reason, method: 'private_key_jwt', endpoint: 'token' }, what);
    t.notOk(JSON.stringify(last).includes(assertion.split('.')[2] ?? ''), 'not the JWT');
  }
  t.match(
    (await refusalsOf(id)).find(({ subject }: { subject?: string }) => subject?.includes('/x')),
    { issuer: issuer.issuer, subject: 'repo:acme/hr:ref:refs/heads/x', audience },
    'what would have to be trusted',
  );
  const assertion = await issuer.sign(good);
  const [header, payload, signature = ''] = assertion.split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  t.match(await token(id, `${none}.${payload}.`), refused);
  t.match(await token(id, `${header}.${payload}.${signature.slice(0, -4)}AAAA`), refused);
  t.match(await token(newId(), assertion), refused, 'an unknown client');
  t.match(await token(await machine(), assertion), refused, 'a service user that trusts nobody');
  t.match(await token((await makeApplication(container, orgId)).id, assertion), refused, 'an application');
  const { client_id: _, ...form } = {
    client_id: '',
    client_assertion: assertion,
    client_assertion_type: assertionType,
  };
  t.match(
    await postForm(call, '/oauth/v2/token', { form: { grant_type: 'client_credentials', ...form } }),
    refused,
    'the JWT does not say for whom it is',
  );
});

t.test('it ends with the trust, the service user, or its activity, at every process', async (t) => {
  const issuer = await outside(t);
  const another = await buildAnotherApp(t, opened);
  const id = await machine();
  const { body } = await trust(id, { issuer: issuer.issuer, subject, audience });
  const assertion = await issuer.sign({ sub: subject, aud: audience });
  t.equal((await token(id, assertion, another)).status, 200);
  await changeServiceUser(container, { orgId, id, editor, change: { active: false } });
  t.match(await token(id, assertion, another), refused);
  await changeServiceUser(container, { orgId, id, editor, change: { active: true } });
  t.equal((await token(id, assertion, another)).status, 200);
  t.equal((await call(`DELETE ${pathOf(id)}/${body.id}`, { as: owner })).status, 204);
  t.match(await token(id, assertion, another), refused);
  t.equal((await call(`DELETE ${pathOf(id)}/${body.id}`, { as: owner })).status, 404);
});

t.test('own keys and secrets go on beside a trust', async (t) => {
  const issuer = await outside(t);
  const { id, credentials } = await makeServiceClient(container, orgId);
  await trust(id, { issuer: issuer.issuer, subject, audience });
  const form = { grant_type: 'client_credentials' };
  t.equal((await postForm(call, '/oauth/v2/token', { form, as: credentials })).status, 200);
  t.match(await postForm(call, '/oauth/v2/token', { form, as: basic(id, 'wrong') }), refused);
});

t.test('keys are read once, and again when the issuer has a new one', async (t) => {
  const issuer = await outside(t);
  const id = await machine();
  await trust(id, { issuer: issuer.issuer, subject, audience });
  const claims = { sub: subject, aud: audience };
  for (let turn = 0; turn < 5; turn++) t.equal((await token(id, await issuer.sign(claims))).status, 200);
  t.equal((await token(id, await issuer.sign(claims, { kid: undefined }))).status, 200, 'there is only one');
  t.same(issuer.asked, [discoveryPath, keysPath]);
  await issuer.rotate();
  t.match(await token(id, await issuer.sign(claims)), refused, 'at most once in 30 seconds');
  clock.advance(31);
  t.equal((await token(id, await issuer.sign(claims))).status, 200);
  t.equal(issuer.asked.length, 4);
  clock.advance(31);
  const unknown = Array.from({ length: 20 }, (_, number) =>
    issuer.sign(claims, { kid: `made-up-${number}` }),
  );
  for (const assertion of await Promise.all(unknown)) t.match(await token(id, assertion), refused);
  t.equal(issuer.asked.length, 6, 'made-up keys do not make it ask again');
  const nameless = await issuer.sign(claims, { kid: undefined });
  t.match(await token(id, nameless), refused, 'of several keys a JWT names one');
  await issuer.rotate({ alg: 'ES256' });
  clock.advance(31);
  t.equal((await token(id, await issuer.sign(claims))).status, 200);
});

t.test('an issuer that is away', async (t) => {
  const issuer = await outside(t);
  const id = await machine();
  await trust(id, { issuer: issuer.issuer, subject, audience });
  const assertion = () => issuer.sign({ sub: subject, aud: audience });
  const unknown = await issuer.sign({ sub: subject, aud: audience }, { kid: 'other' });
  await issuer.stop();
  clock.advance(45 * 60);
  t.equal((await token(id, await assertion())).status, 200, 'its known keys serve for an hour');
  t.match(await token(id, unknown), refused);
  clock.advance(16 * 60);
  const away = await token(id, await assertion());
  t.match(away, { status: 503, body: { error: 'temporarily_unavailable' } });
  t.match(away.headers, { 'retry-after': /^\d+$/ });
  t.match((await refusalsOf(id)).at(-1), { reason: 'issuerUnavailable', issuer: issuer.issuer });
});

t.test('an issuer is checked when it is added', async (t) => {
  const issuer = await outside(t);
  const id = await machine();
  const answerWith = (path: string, body: unknown, status = 200) => {
    issuer.instead.set(path, (_request, response) => {
      response.writeHead(status, { location: `${issuer.issuer}/elsewhere` });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  };
  const bad: [string, unknown, number, RegExp][] = [
    [discoveryPath, {}, 404, /status 404/],
    [discoveryPath, {}, 302, /status 302/],
    [discoveryPath, 'hello', 200, /not JSON/],
    [discoveryPath, 'null', 200, /another issuer/],
    [
      discoveryPath,
      { issuer: 'https://other.example', jwks_uri: `${issuer.issuer}/keys` },
      200,
      /another issuer/,
    ],
    [discoveryPath, { issuer: issuer.issuer }, 200, /no jwks_uri/],
    [discoveryPath, { issuer: issuer.issuer, jwks_uri: 'http://127.0.0.1/keys' }, 200, /https/],
    [discoveryPath, { issuer: issuer.issuer, jwks_uri: 'https://10.0.0.1/keys' }, 200, /private/],
    [discoveryPath, 'x'.repeat(70_000), 200, /more than 65536 bytes/],
    [keysPath, 'x'.repeat(140_000), 200, /more than 131072 bytes/],
    [keysPath, {}, 200, /no key/],
    [
      keysPath,
      { keys: [{ kty: 'oct', k: 'AAAA' }, null, 7, { kty: 'RSA', n: 'AQAB', e: 'AQAB' }] },
      200,
      /no key/,
    ],
  ];
  for (const [path, body, status, message] of bad) {
    issuer.instead.clear();
    answerWith(path, body, status);
    const answer = await trust(id, { issuer: issuer.issuer, subject });
    t.match(answer, { status: 400, headers: { 'x-error-id': 'directory.issuerUnusable' } }, String(message));
    t.match(answer.body.detail, message);
  }
  issuer.instead.clear();
  t.equal((await trust(id, { issuer: issuer.issuer, subject })).status, 201, 'an error is not remembered');
});

t.test('what cannot be an issuer', async (t) => {
  const id = await machine();
  const wrong = [
    'http://login.example',
    'https://user:password@login.example',
    'https://login.example?tenant=1',
    'https://login.example#x',
    'https://muster.example',
    'https://muster.example/',
    'login.example',
    ' https://login.example',
  ];
  for (const issuer of wrong)
    t.match(
      await trust(id, { issuer, subject }),
      { status: 400, headers: { 'x-error-id': 'directory.valueInvalid' } },
      issuer,
    );
  for (const host of ['10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706434'])
    t.match(
      await trust(id, { issuer: `https://${host}`, subject }),
      { status: 400, headers: { 'x-error-id': 'directory.issuerUnusable' }, body: { detail: /private/ } },
      host,
    );
});

t.test('a trust that cannot be kept does not make the service ask an issuer', async (t) => {
  const [known, fresh] = [await outside(t), await outside(t)];
  const id = await machine();
  for (let number = 0; number < 20; number++)
    t.equal((await trust(id, { issuer: known.issuer, subject: `s${number}` })).status, 201);
  t.equal((await trust(id, { issuer: fresh.issuer, subject: 'more' })).status, 409);
  t.equal((await trust('nobody', { issuer: fresh.issuer, subject })).status, 404);
  t.same(fresh.asked, []);
});

t.test('bounds', async (t) => {
  const issuer = await outside(t);
  const id = await machine();
  for (let number = 0; number < 20; number++)
    t.equal((await trust(id, { issuer: issuer.issuer, subject: `s${number}` })).status, 201);
  t.match(await trust(id, { issuer: issuer.issuer, subject: 's0' }), {
    status: 409,
    headers: { 'x-error-id': 'directory.federatedCredentialExists' },
  });
  t.match(await trust(id, { issuer: issuer.issuer, subject: 'more' }), {
    status: 409,
    headers: { 'x-error-id': 'directory.federatedCredentialLimit' },
  });
  for (const bad of [
    { subject: '' },
    { subject: 'x'.repeat(501) },
    { subject: 'a\u202eb' },
    { subject: 'x', audience: 'a\nb' },
    {},
  ])
    t.equal((await trust(await machine(), { issuer: issuer.issuer, ...bad })).status, 400);
});

t.test('another organization neither sees nor changes a trust', async (t) => {
  const issuer = await outside(t);
  const id = await machine();
  const { body } = await trust(id, { issuer: issuer.issuer, subject, audience });
  const { id: otherId } = await makeOrganization(container);
  const stranger = await makeCaller(container, otherId, ['ORG_OWNER']);
  for (const org of [orgId, otherId]) {
    t.equal((await call(`GET ${pathOf(id, org)}`, { as: stranger })).status, 404);
    t.equal((await call(`DELETE ${pathOf(id, org)}/${body.id}`, { as: stranger })).status, 404);
    const add = { as: stranger, body: { issuer: issuer.issuer, subject: 'mine' } };
    t.equal((await call(`POST ${pathOf(id, org)}`, add)).status, 404);
  }
});
