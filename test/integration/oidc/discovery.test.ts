import t from 'tap';
import { changeApplication } from '#src/clients/applications/change-application.js';
import { createGrants } from '#src/oidc/grants/grants.js';
import { removeApplication } from '#src/removal/remove-application.js';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { buildAnotherApp, buildTestApp } from '../../support/app/test-app.js';

const opened = await buildTestApp(t);
const { container, call, clock } = opened;
const home = await makeOrganization(container);
const owner = await makeCaller(container, home.id, ['IAM_OWNER']);
const issuer = 'https://muster.example';
const origin = { origin: 'https://spa.example' };

const discovery = async () => (await call('GET /.well-known/openid-configuration')).body;
const kids = async (ask = call) =>
  (await ask('GET /oauth/v2/keys')).body.keys.map(({ kid }: { kid: string }) => kid);

t.test('the provider tells what it offers', async (t) => {
  const { status, headers, body } = await call('GET /.well-known/openid-configuration');
  t.equal(status, 200);
  t.equal(headers['cache-control'], 'max-age=300');
  t.match(headers['content-type'], /^application\/json/);
  const four = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'];
  t.strictSame(
    {
      ...body,
      claims_supported: undefined,
      token_endpoint_auth_signing_alg_values_supported: undefined,
      introspection_endpoint_auth_signing_alg_values_supported: undefined,
      revocation_endpoint_auth_signing_alg_values_supported: undefined,
    },
    {
      issuer,
      authorization_endpoint: `${issuer}/oauth/v2/authorize`,
      token_endpoint: `${issuer}/oauth/v2/token`,
      introspection_endpoint: `${issuer}/oauth/v2/introspect`,
      revocation_endpoint: `${issuer}/oauth/v2/revoke`,
      userinfo_endpoint: `${issuer}/oidc/v1/userinfo`,
      end_session_endpoint: `${issuer}/oidc/v1/end_session`,
      jwks_uri: `${issuer}/oauth/v2/keys`,
      scopes_supported: [
        'openid',
        'profile',
        'email',
        'phone',
        'address',
        'groups',
        'offline_access',
        'urn:service:iam:user:resourceowner',
        'urn:service:iam:user:enterprise',
        'urn:service:iam:user:extensions',
        'urn:service:iam:admin',
        'urn:service:iam:org:projects:roles',
        'scim',
        'scim.readwrite',
      ],
      response_types_supported: ['code', 'id_token', 'id_token token'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: [
        'authorization_code',
        'implicit',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA'],
      token_endpoint_auth_methods_supported: four,
      introspection_endpoint_auth_methods_supported: four.filter((method) => method !== 'none'),
      revocation_endpoint_auth_methods_supported: four,
      code_challenge_methods_supported: ['S256'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
      acr_values_supported: ['1', '2', 'phr'],
      claim_types_supported: ['normal'],
      claims_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
      ui_locales_supported: ['en', 'de', 'fr', 'es', 'it'],
      claims_supported: undefined,
      token_endpoint_auth_signing_alg_values_supported: undefined,
      introspection_endpoint_auth_signing_alg_values_supported: undefined,
      revocation_endpoint_auth_signing_alg_values_supported: undefined,
    },
  );
  for (const claim of [
    ...['sub', 'iss', 'auth_time', 'acr', 'sid', 'name', 'email_verified', 'address'],
    ...['website', 'birthdate', 'gender', 'employee_number', 'manager'],
  ]) {
    t.ok(body.claims_supported.includes(claim), claim);
  }
  const algorithms: string[] = body.token_endpoint_auth_signing_alg_values_supported;
  t.ok(algorithms.includes('RS256') && algorithms.includes('ES256') && algorithms.includes('EdDSA'));
  t.notOk(algorithms.some((alg) => alg === 'none' || alg.startsWith('HS')));
});

t.test('every endpoint that it names is there', async (t) => {
  const document = await discovery();
  for (const [name, address] of Object.entries<string>(document)) {
    if (!/_endpoint$|_uri$/.test(name)) continue;
    const { pathname } = new URL(address);
    const method = /token|introspection|revocation/.test(name) ? 'POST' : 'GET';
    const { statusCode } = await opened.app.inject({ method, url: pathname as '/' });
    t.not(statusCode, 404, name);
    t.not(statusCode, 500, name);
  }
});

t.test('there is no other metadata endpoint', async (t) => {
  t.equal((await call('GET /.well-known/oauth-authorization-server')).status, 404);
});

t.test('token exchange is offered when it is on', async (t) => {
  const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
  t.notOk((await discovery()).grant_types_supported.includes(grant));
  const turned = await call('PATCH /admin/v1/features', { as: owner, body: { tokenExchange: true } });
  t.equal(turned.status, 200);
  t.ok((await discovery()).grant_types_supported.includes(grant));
});

t.test(
  'every grant of the token endpoint is in this document and in the description of the API',
  async (t) => {
    const taken = [...createGrants(container).keys()].sort();
    const told: string[] = (await discovery()).grant_types_supported;
    // The implicit grant is one of the authorization endpoint.
    t.same(told.filter((grant) => grant !== 'implicit').sort(), taken);
    const { components } = (await call('GET /openapi.json')).body;
    const forms = Object.values<{ properties?: { grant_type?: { const?: string } } }>(components.schemas);
    t.same(forms.flatMap(({ properties }) => properties?.grant_type?.const ?? []).sort(), taken);
  },
);

t.test('the key set is public, cacheable and without private parts', async (t) => {
  const { status, headers, body } = await call('GET /oauth/v2/keys');
  t.equal(status, 200);
  t.equal(headers['cache-control'], 'max-age=300');
  t.equal(body.keys.length, 2, 'the active one and the next of the algorithm that signs');
  const members: Record<string, string[]> = {
    RS256: ['alg', 'e', 'kid', 'kty', 'n', 'use'],
    ES256: ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
    EdDSA: ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
  };
  for (const key of body.keys) {
    t.same(Object.keys(key).sort(), members[key.alg], key.alg);
    t.equal(key.use, 'sig');
  }
});

t.test('the key set is served from memory', async (t) => {
  await kids();
  const { store } = container.signingKeyRotation;
  const all = store.all;
  let reads = 0;
  Object.assign(store, {
    all: () => {
      reads++;
      return all.call(store);
    },
  });
  t.teardown(() => Object.assign(store, { all }));
  for (let i = 0; i < 20; i++) await kids();
  t.equal(reads, 0);
});

t.test('pages of every origin may call what applications in a browser need', async (t) => {
  const endpoints = [
    'GET /.well-known/openid-configuration',
    'GET /oauth/v2/keys',
    'POST /oauth/v2/token',
    'POST /oauth/v2/revoke',
    'GET /oidc/v1/userinfo',
    'POST /oidc/v1/userinfo',
  ];
  for (const endpoint of endpoints) {
    const answer = await call(endpoint, { headers: origin });
    t.equal(answer.headers['access-control-allow-origin'], '*', endpoint);
    t.notOk(answer.headers['access-control-allow-credentials'], 'never with cookies');
    const [method, url] = endpoint.split(' ') as [string, string];
    const preflight = await call(`OPTIONS ${url}`, {
      headers: {
        ...origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    t.match(preflight, {
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': new RegExp(method),
        'access-control-allow-headers': /authorization, content-type/,
      },
    });
  }
});

t.test('pages of a registered origin may send credentials, as some libraries always do', async (t) => {
  const redirectUris = ['https://spa.registered.example:8443/callback', 'https://root.registered.example'];
  const spa = await makeApplication(container, home.id, { type: 'spa', redirectUris });
  const elsewhere = await buildAnotherApp(t, opened);
  const asked = (from: string, ask = call, request = 'GET /oauth/v2/keys') =>
    ask(request, {
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'traceparent,x-requested-with',
      },
    });
  for (const from of ['https://spa.registered.example:8443', 'https://root.registered.example']) {
    for (const request of ['POST /oauth/v2/token', 'OPTIONS /oauth/v2/token', 'GET /oidc/v1/userinfo']) {
      const { headers } = await asked(from, call, request);
      t.equal(headers['access-control-allow-origin'], from, request);
      t.equal(headers['access-control-allow-credentials'], 'true', request);
      t.match(headers['vary'], /^Origin\b/, request);
    }
  }
  const { headers: preflight } = await asked(
    'https://root.registered.example',
    call,
    'OPTIONS /oauth/v2/token',
  );
  const allowed = preflight['access-control-allow-headers']?.split(', ');
  for (const name of [
    'authorization',
    'content-type',
    'traceparent',
    'tracestate',
    'baggage',
    'x-requested-with',
  ]) {
    t.ok(allowed?.includes(name), name);
  }
  for (const from of [
    'https://spa.registered.example',
    'http://root.registered.example',
    'https://root.registered.example.evil.example',
    'https://root.registered.example-evil.example',
    'https://root.registered.exampl',
    'https://sub.root.registered.example',
    'https://root.registered.example/',
    'null',
    'https://',
    'com.example.app://root.registered.example',
    '{"$gt":""}',
  ]) {
    const { headers } = await asked(from);
    t.equal(headers['access-control-allow-origin'], '*', from);
    t.notOk('access-control-allow-credentials' in headers, from);
    t.match(headers['vary'], /^Origin\b/);
  }
  const { id } = spa;
  const later = 'https://later.registered.example';
  t.equal((await asked(later, elsewhere)).headers['access-control-allow-origin'], '*');
  const target = { orgId: home.id, id, editor: testEditor };
  await changeApplication(container, target, { redirectUris: [`${later}/cb`] });
  await until(async () => (await asked(later, elsewhere)).headers['access-control-allow-origin'] === later);
  t.equal((await asked('https://root.registered.example')).headers['access-control-allow-origin'], '*');
  await changeApplication(container, target, { active: false });
  await until(async () => (await asked(later, elsewhere)).headers['access-control-allow-origin'] === '*');
  await changeApplication(container, target, { active: true });
  await until(async () => (await asked(later, elsewhere)).headers['access-control-allow-origin'] === later);
  await removeApplication(container, target);
  await until(async () => (await asked(later, elsewhere)).headers['access-control-allow-origin'] === '*');
});

t.test('a preflight allows the headers that it asks for, within a bound', async (t) => {
  const allowed = async (asked: string, path = '/oauth/v2/token') => {
    const { status, headers } = await call(`OPTIONS ${path}`, {
      headers: {
        ...origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      },
    });
    t.equal(status, 204);
    t.match(headers['vary'], /^Origin\b.*Access-Control-Request-Headers/);
    return headers['access-control-allow-headers']?.split(', ') ?? [];
  };
  const names = [
    ...['authorization', 'cache-control', 'pragma', 'mcp-protocol-version', 'sentry-trace', 'dpop'],
    ...['x-datadog-trace-id', 'x-client-sku', 'x_odd.name', 'x-b3-traceid'],
  ];
  for (const path of [
    '/oauth/v2/token',
    '/oauth/v2/revoke',
    '/oauth/v2/introspect',
    '/oidc/v1/userinfo',
    '/oauth/v2/keys',
    '/.well-known/openid-configuration',
  ]) {
    const found = await allowed(names.join(','), path);
    t.same(
      names.filter((name) => !found.includes(name)),
      [],
      path,
    );
  }
  t.ok((await allowed('X-Client-SKU, , X-Client-VER ')).includes('x-client-ver'), 'in any form of a list');
  const many = Array.from({ length: 90 }, (_, n) => `x-tracing-header-${n}`).join(',');
  t.ok((await allowed(many)).includes('x-tracing-header-89'));
  const usual = await allowed('authorization');
  for (const asked of ['x'.repeat(2_001), 'x-ok,"quoted"', 'x-ok: evil', 'x-ok;q=1', 'x-ök', '(x)', ',']) {
    t.same(await allowed(asked), usual, JSON.stringify(asked).slice(0, 40));
  }
});

t.test('a slash at the end of a well-known address changes nothing', async (t) => {
  const { status, body, headers } = await call('GET /.well-known/openid-configuration/', { headers: origin });
  t.equal(status, 200);
  t.same(body, await discovery());
  t.equal(headers['access-control-allow-origin'], '*');
  t.equal((await call('GET /.well-known/openid-configuration/?x=1')).status, 200);
  t.equal((await call('OPTIONS /.well-known/openid-configuration/', { headers: origin })).status, 204);
  t.equal((await call('PUT /.well-known/openid-configuration/')).headers['allow'], 'GET, HEAD, OPTIONS');
  for (const path of ['openid-configuration//', 'openid-configuration/x', 'nothing/', '/', '']) {
    t.equal((await call(`GET /.well-known/${path}`)).status, 404, path);
  }
});

t.test('a slash at the end of an endpoint changes nothing', async (t) => {
  t.same((await call('GET /oauth/v2/keys/')).body, (await call('GET /oauth/v2/keys')).body);
  const statusOf = async (request: string) => {
    const [method, url] = request.split(' ') as ['GET', string];
    return (await opened.app.inject({ method, url })).statusCode;
  };
  for (const [request, status] of [
    ['POST /oauth/v2/token', 400],
    ['POST /oauth/v2/introspect', 400],
    ['POST /oauth/v2/revoke', 400],
    ['GET /oidc/v1/userinfo', 401],
    ['GET /oauth/v2/authorize', 400],
    ['GET /oidc/v1/end_session', 200],
    ['OPTIONS /oauth/v2/token', 204],
    ['GET /oauth/v2/token', 405],
  ] as const) {
    t.equal(await statusOf(request), status, request);
    for (const end of ['/', '/?x=1']) t.equal(await statusOf(request + end), status, request + end);
  }
  for (const path of ['oauth/v2/keys//', 'oauth/v2/', 'oauth/v2/keys/x/', 'oidc/v1//', 'admin/v1/orgs/'])
    t.equal((await call(`GET /${path}`, { as: owner })).status, 404, path);
});

t.test('whether an origin is registered comes from memory', async (t) => {
  const { hasOrigin } = container.applications;
  let reads = 0;
  Object.assign(container.applications, {
    hasOrigin: (from: string) => {
      reads++;
      return hasOrigin(from);
    },
  });
  t.teardown(() => Object.assign(container.applications, { hasOrigin }));
  for (let i = 0; i < 20; i++)
    await call('GET /oauth/v2/keys', { headers: { origin: 'https://none.example' } });
  t.equal(reads, 1);
  await container.caches.origins.invalidate('https://none.example');
  Object.assign(container.applications, { hasOrigin: () => Promise.reject(new Error('away')) });
  const { status, headers } = await call('GET /oauth/v2/keys', {
    headers: { origin: 'https://none.example' },
  });
  t.equal(status, 200, 'without the store nothing is lost but the credentials');
  t.equal(headers['access-control-allow-origin'], '*');
  Object.assign(container.applications, { hasOrigin: () => new Promise(() => undefined) });
  const waiting = await call('GET /oauth/v2/keys', { headers: { origin: 'https://other.example' } });
  t.equal(waiting.status, 200, 'nobody waits for a store that elects its primary');
  t.equal(waiting.headers['access-control-allow-origin'], '*');
});

t.test('pages of other origins can call neither what people see nor the administration', async (t) => {
  const from = 'https://cookies.registered.example';
  await makeApplication(container, home.id, { redirectUris: [`${from}/cb`] });
  for (const url of [
    '/oauth/v2/authorize',
    '/oidc/v1/end_session',
    '/admin/v1/orgs',
    '/login',
    '/login/select',
  ]) {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const answer = await opened.app.inject({ method, url, headers: { origin: from } });
      t.notOk(answer.headers['access-control-allow-origin'], `${method} ${url}`);
      t.notOk(answer.headers['access-control-allow-credentials'], `${method} ${url}`);
    }
  }
});

t.test('an instance owner rotates the keys, and every process agrees', async (t) => {
  const elsewhere = await buildAnotherApp(t, opened);
  const read = await call('GET /admin/v1/signing-keys', { as: owner });
  t.equal(read.status, 200);
  t.same(read.body.items.map(({ alg, state }: { alg: string; state: string }) => `${alg} ${state}`).sort(), [
    'ES256 active',
    'ES256 next',
    'EdDSA active',
    'EdDSA next',
    'RS256 active',
    'RS256 next',
  ]);
  t.notMatch(JSON.stringify(read.body), /sealed|publicJwk|"d":/);
  const keysOf = (answer: typeof read, algorithm: string) =>
    answer.body.items.filter(({ alg }: { alg: string }) => alg === algorithm);
  const before = keysOf(read, 'RS256');
  await kids(elsewhere);
  const early = await call('POST /admin/v1/signing-keys/_rotate', { as: owner });
  t.match(early, { status: 409, body: { id: 'keys.nextKeyTooFresh' } });
  t.ok(Number(early.headers['retry-after']) > 0);
  clock.advance(600);
  const rotated = await call('POST /admin/v1/signing-keys/_rotate', { as: owner });
  t.equal(rotated.status, 200);
  const stateOf = (items: { kid: string; state: string }[], kid: string) =>
    items.find((key) => key.kid === kid)?.state;
  for (const algorithm of ['RS256', 'ES256', 'EdDSA']) {
    const items = keysOf(rotated, algorithm);
    t.same(
      items.map(({ state }: { state: string }) => state).sort(),
      ['active', 'next', 'retired'],
      algorithm,
    );
    for (const { kid, state } of keysOf(read, algorithm)) {
      t.equal(stateOf(items, kid), state === 'next' ? 'active' : 'retired', algorithm);
    }
  }
  t.equal((await kids()).length, 3);
  await until(async () => (await kids(elsewhere)).length === 3);
  t.same(await kids(elsewhere), await kids());
  const alone = await call('POST /admin/v1/signing-keys/_rotate', {
    as: owner,
    body: { force: true, alg: 'RS256' },
  });
  t.equal(alone.status, 200);
  t.equal(keysOf(alone, 'RS256').length, 4);
  t.same(keysOf(alone, 'ES256'), keysOf(rotated, 'ES256'), 'only the keys of this algorithm');
  const retired = before.find(({ state }: { state: string }) => state === 'next').kid;
  t.equal((await call(`DELETE /admin/v1/signing-keys/${retired}`, { as: owner })).status, 204);
  t.notOk((await kids()).includes(retired));
  const again = await call(`DELETE /admin/v1/signing-keys/${retired}`, { as: owner });
  t.match(again, { status: 404, body: { id: 'keys.notFound' } });
  const { body } = await call('POST /admin/v1/events/_search', {
    as: owner,
    body: { eventTypes: ['signing.key.rotated'] },
  });
  t.same(body.events.map(({ payload }: { payload: { alg: string } }) => payload.alg).sort(), [
    'ES256',
    'EdDSA',
    'RS256',
    'RS256',
  ]);
  t.ok(body.events.every((event: { editor: { userId: string } }) => event.editor.userId === owner.id));
});

t.test('only an instance owner sees or rotates signing keys', async (t) => {
  const lesser = await makeCaller(container, home.id, ['ORG_OWNER']);
  for (const request of [
    'GET /admin/v1/signing-keys',
    'POST /admin/v1/signing-keys/_rotate',
    'DELETE /admin/v1/signing-keys/any',
  ]) {
    t.equal((await call(request)).status, 401);
    t.equal((await call(request, { as: lesser })).status, 403);
  }
  for (const body of [{ force: 'yes' }, { alg: 'HS256' }, { alg: '' }]) {
    const { status } = await call('POST /admin/v1/signing-keys/_rotate', { as: owner, body });
    t.equal(status, 400, JSON.stringify(body));
  }
});
