import { exportJWK, generateKeyPair } from 'jose';
import t from 'tap';
import { spreadMs } from '#src/keys/signing-key.js';
import { makeCaller, makeTenant, uniqueName } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';

const { container, call, clock } = await buildTestApp(t);
const acme = await makeTenant(container);
const other = await makeTenant(container);
const instanceOwner = await makeCaller(container, other.orgId, ['IAM_OWNER']);
const applications = `/admin/v1/orgs/${acme.orgId}/applications`;
const redirectUris = ['https://app.example/callback'];

const add = (body: Record<string, unknown> = {}, at = acme, as = at.owner) =>
  call(`POST /admin/v1/orgs/${at.orgId}/applications`, {
    as,
    body: { name: uniqueName('App'), type: 'web', redirectUris, ...body },
  });

/** Adds an application and returns its address. */
async function added(body: Record<string, unknown> = {}): Promise<string> {
  const answer = await add(body);
  t.equal(answer.status, 201, answer.body.detail);
  return `${applications}/${answer.body.id}`;
}

async function publicJwk(alg = 'ES256') {
  return exportJWK((await generateKeyPair(alg)).publicKey);
}

t.test('an application is made with defaults, read, changed and removed', async (t) => {
  const made = await add({ name: ' Shop ' });
  t.equal(made.status, 201);
  const { clientSecret, ...shown } = made.body;
  t.match(clientSecret, /^[\w-]{43}$/);
  t.equal(made.headers['cache-control'], 'no-store');
  t.match(shown, {
    orgId: acme.orgId,
    clientId: shown.id,
    name: 'Shop',
    type: 'web',
    authMethod: 'client_secret_basic',
    strictAuthMethod: false,
    redirectUris,
    postLogoutRedirectUris: [],
    responseTypes: ['code'],
    grantTypes: ['authorization_code', 'refresh_token'],
    accessTokenType: 'opaque',
    idTokenUserinfoAssertion: false,
    groupsClaim: 'names',
    groupsClaimSelection: 'all',
    groupsClaimPrefix: '',
    orgOnly: true,
    allowedGroups: [],
    connectionId: '',
    active: true,
  });
  const url = `${applications}/${shown.id}`;
  t.equal(made.headers['location'], `https://muster.example${url}`);
  t.same((await call(`GET ${url}`, { as: acme.owner })).body, shown, 'the secret is shown once');

  const body = {
    name: 'Store',
    project_id: uniqueName('project'),
    access_token_type: 'jwt',
    post_logout_redirect_uris: ['https://app.example/bye'],
    id_token_userinfo_assertion: true,
    groups_claim: 'identifiers',
    groups_claim_selection: 'assigned',
    groups_claim_prefix: ' app- ',
    org_only: false,
    strict_auth_method: true,
    id_token_signed_response_alg: 'ES256',
  };
  const changed = await call(`PATCH ${url}`, { as: instanceOwner, body });
  t.match(changed, {
    status: 200,
    body: {
      name: 'Store',
      projectId: body.project_id,
      accessTokenType: 'jwt',
      postLogoutRedirectUris: ['https://app.example/bye'],
      idTokenUserinfoAssertion: true,
      groupsClaim: 'identifiers',
      groupsClaimSelection: 'assigned',
      groupsClaimPrefix: 'app-',
      orgOnly: false,
      strictAuthMethod: true,
      idTokenSignedResponseAlg: 'ES256',
      redirectUris,
    },
  });
  t.notMatch(JSON.stringify(changed.body), /hash|clientSecret/);
  const again = await call(`PATCH ${url}`, { as: acme.owner, body });
  t.equal(again.body.lastModified, changed.body.lastModified, 'nothing differs, nothing is written');
  const cleared = await call(`PATCH ${url}`, {
    as: acme.owner,
    body: { projectId: null, groupsClaimSelection: 'all', idTokenSignedResponseAlg: null, active: false },
  });
  t.notOk('projectId' in cleared.body);
  t.notOk('idTokenSignedResponseAlg' in cleared.body);
  t.equal(cleared.body.active, false);

  t.match(await call(`DELETE ${url}`, { as: acme.owner }), { status: 204, body: undefined });
  for (const request of [`GET ${url}`, `PATCH ${url}`, `DELETE ${url}`]) {
    const change = request.startsWith('PATCH') && { body: {} };
    const { status, body } = await call(request, { as: acme.owner, ...change });
    t.match({ status, id: body.id }, { status: 404, id: 'directory.applicationNotFound' }, request);
  }
  const { body: found } = await call('POST /admin/v1/events/_search', {
    as: acme.owner,
    body: { aggregateId: shown.id, asc: true },
  });
  t.match(found.events, [
    { type: 'application.added', sequence: 1, editor: { userId: acme.owner.id } },
    { type: 'application.changed', sequence: 2 },
    {
      type: 'application.changed',
      sequence: 3,
      payload: { attributes: ['projectId', 'groupsClaimSelection', 'idTokenSignedResponseAlg'] },
    },
    { type: 'application.deactivated', sequence: 4 },
    { type: 'application.removed', sequence: 5, payload: { name: 'Store' } },
  ]);
  t.notMatch(JSON.stringify(found), new RegExp(clientSecret));
});

t.test(
  'a chosen algorithm publishes its keys, and the response says what signs until clients know them',
  async (t) => {
    const keys = async () =>
      (await call('GET /oauth/v2/keys')).body.keys.map(({ alg }: { alg: string }) => alg);
    t.notOk((await keys()).includes('EdDSA'));
    const url = await added();
    t.notOk('idTokenSigning' in (await call(`GET ${url}`, { as: acme.owner })).body);
    const body = { idTokenSignedResponseAlg: 'EdDSA' };
    const changed = await call(`PATCH ${url}`, { as: acme.owner, body });
    t.match(changed, { status: 200, body: { ...body, idTokenSigning: { alg: 'RS256' } } });
    const { idTokenSigning } = changed.body;
    const waitMs = Date.parse(idTokenSigning.until) - clock.now().getTime();
    t.ok(waitMs > spreadMs - 10_000 && waitMs <= spreadMs, `${waitMs} ms`);
    t.ok((await keys()).includes('EdDSA'));
    const { body: read } = await call(`GET ${url}`, { as: acme.owner });
    t.match(read, { idTokenSigning });
    t.notOk('formerIdTokenAlg' in read);
    const { body: listed } = await call(`GET ${applications}`, { as: acme.owner });
    t.match(
      listed.items.find(({ id }: { id: string }) => id === read.id),
      { idTokenSigning },
    );
    t.match((await add(body)).body, { idTokenSigning });
    t.match((await call('GET /admin/v1/signing-keys', { as: instanceOwner })).body.signing, {
      alg: 'RS256',
      configured: 'RS256',
    });
    clock.advance(spreadMs / 1000);
    t.notOk('idTokenSigning' in (await call(`GET ${url}`, { as: acme.owner })).body);
    t.notOk('idTokenSigning' in (await add(body)).body);
  },
);

t.test('the four types', async (t) => {
  for (const [body, expected] of [
    [{ type: 'spa' }, { authMethod: 'none' }],
    [
      { type: 'native', redirectUris: ['com.example.app:/cb', 'http://127.0.0.1/cb'] },
      { authMethod: 'none' },
    ],
    [
      {
        type: 'native',
        redirectUris: ['cursor://auth/cb', 'exp://127.0.0.1:8081/--/cb'],
        postLogoutRedirectUris: ['myapp://'],
      },
      { authMethod: 'none', redirectUris: ['cursor://auth/cb', 'exp://127.0.0.1:8081/--/cb'] },
    ],
    [
      { type: 'api', redirectUris: [] },
      { authMethod: 'client_secret_basic', responseTypes: [] },
    ],
    [{ authMethod: 'private_key_jwt' }, { authMethod: 'private_key_jwt' }],
    [{ responseTypes: ['id_token'] }, { grantTypes: ['implicit'] }],
  ] as const) {
    const answer = await add(body);
    t.match(answer, { status: 201, body: expected }, JSON.stringify(body));
    t.equal('clientSecret' in answer.body, answer.body.authMethod.startsWith('client_secret'));
  }
});

t.test('bad values are refused', async (t) => {
  const url = await added();
  for (const body of [
    { name: '' },
    { name: undefined },
    { type: 'machine' },
    { type: undefined },
    { redirectUris: [] },
    { redirectUris: 'https://app.example/callback' },
    { redirectUris: ['http://app.example/'] },
    { redirectUris: ['https://app.example/#'] },
    { redirectUris: ['https://*.example/'] },
    { redirectUris: ['com.example.app:/cb'] },
    { redirectUris: ['javascript:alert(1)'] },
    { postLogoutRedirectUris: ['http://app.example/'] },
    { responseTypes: ['token'] },
    { responseTypes: ['code id_token'] },
    { grantTypes: ['password'] },
    { grantTypes: ['client_credentials'] },
    { type: 'spa', authMethod: 'client_secret_basic' },
    { type: 'native', authMethod: 'client_secret_post' },
    { type: 'api' },
    { type: 'api', redirectUris: [], authMethod: 'none' },
    { authMethod: 'client_secret_jwt' },
    { accessTokenType: 'paper' },
    { idTokenSignedResponseAlg: 'HS256' },
    { idTokenSignedResponseAlg: 'none' },
    { strictAuthMethod: 'yes' },
    { projectId: 'https://muster.example' },
    { groupsClaimSelection: 'assigned' },
    { groupsClaimSelection: 'some', projectId: uniqueName('project') },
    { groupsClaimPrefix: 'x'.repeat(201) },
    { groupsClaimPrefix: 'a\nb' },
    { groupsClaimPrefix: null },
    { acr: '1' },
    { acr: '3' },
    { connectionId: null },
    { connectionId: 'a b' },
    { connectionId: '..' },
    { connectionId: 'x'.repeat(201) },
    { type: 'api', redirectUris: [], authMethod: 'private_key_jwt', connectionId: 'x' },
    { allowedGroups: null },
    { allowedGroups: 'all' },
    { allowedGroups: [''] },
    { allowedGroups: ['a b'] },
    { allowedGroups: ['unknown'] },
    { allowedGroups: Array.from({ length: 21 }, (_, index) => `g${index}`) },
    { type: 'api', redirectUris: [], authMethod: 'private_key_jwt', acr: '2' },
    { type: 'native', redirectUris: ['javascript:alert(1)'] },
    { type: 'native', redirectUris: ['myapp://cb'], responseTypes: ['id_token'] },
    { type: 'native', redirectUris: ['myapp://cb'], postLogoutRedirectUris: ['intent://x'] },
    { type: 'spa', redirectUris: ['myapp://cb'] },
    { id: 'mine' },
    { orgId: other.orgId },
    { secrets: [] },
    { keys: [] },
    { version: 7 },
  ]) {
    const answer = await add(body);
    t.equal(answer.status, 400, JSON.stringify(body));
  }
  for (const body of [
    { type: 'spa' },
    { redirectUris: [] },
    { active: null },
    { responseTypes: ['id_token'] },
    { secrets: [] },
    { name: { $ne: '' } },
  ]) {
    t.equal((await call(`PATCH ${url}`, { as: acme.owner, body })).status, 400, JSON.stringify(body));
  }
});

t.test('an address with an umlaut is answered with the form to register', async (t) => {
  for (const attribute of ['redirectUris', 'postLogoutRedirectUris']) {
    const answer = await add({ [attribute]: ['https://müller.example/cb'] });
    t.match(answer, {
      status: 400,
      body: {
        id: 'directory.valueInvalid',
        detail: `${attribute}[0] is not in ASCII. Its form in ASCII is https://xn--mller-kva.example/cb`,
      },
    });
  }
  const url = await added({
    type: 'native',
    redirectUris: ['com.example.app:/cb'],
    responseTypes: ['id_token'],
  });
  const late = await call(`PATCH ${url}`, { as: acme.owner, body: { redirectUris: ['myapp:/cb'] } });
  t.match(
    late,
    { status: 400, body: { detail: /without a dot/ } },
    'tokens go to no scheme that anybody claims',
  );
});

t.test('a secret is replaced while the old one still serves', async (t) => {
  const url = await added();
  const list = async () => (await call(`GET ${url}/secrets`, { as: acme.owner })).body.items;
  const [first] = await list();
  const second = await call(`POST ${url}/secrets`, { as: acme.owner });
  t.match(second, { status: 201, body: { clientId: url.split('/').at(-1), clientSecret: /^[\w-]{43}$/ } });
  t.equal(second.headers['cache-control'], 'no-store');
  t.same(
    (await list()).map(({ id }: { id: string }) => id),
    [first.id, second.body.id],
  );
  t.notMatch(JSON.stringify(await list()), /hash|clientSecret/);
  for (let number = 3; number <= 5; number++) {
    t.equal((await call(`POST ${url}/secrets`, { as: acme.owner })).status, 201);
  }
  const sixth = await call(`POST ${url}/secrets`, { as: acme.owner });
  t.match(sixth, { status: 409, body: { id: 'directory.secretLimit' } });
  t.equal((await call(`DELETE ${url}/secrets/${first.id}`, { as: acme.owner })).status, 204);
  t.equal((await list()).length, 4);
  const gone = await call(`DELETE ${url}/secrets/${first.id}`, { as: acme.owner });
  t.match(gone, { status: 404, body: { id: 'directory.secretNotFound' } });

  const turned = await call(`PATCH ${url}`, { as: acme.owner, body: { authMethod: 'none' } });
  t.equal(turned.status, 200);
  t.same(await list(), [], 'a public client has no secret');
  const unused = await call(`POST ${url}/secrets`, { as: acme.owner });
  t.match(unused, { status: 409, body: { id: 'directory.secretUnused' } });
});

for (const kind of ['application', 'service user'] as const) {
  t.test(`keys of an ${kind}: brought, made, listed and removed`, async (t) => {
    const url =
      kind === 'application'
        ? await added({ authMethod: 'private_key_jwt' })
        : `/admin/v1/orgs/${acme.orgId}/service-users/${acme.viewer.id}`;
    const post = (body: unknown) => call(`POST ${url}/keys`, { as: acme.owner, body });
    const jwk = await publicJwk();
    const brought = await post({ jwk: { ...jwk, kid: 'mine', use: 'sig', key_ops: ['verify'] } });
    t.match(brought, { status: 201, body: { kid: 'mine', jwk, clientId: url.split('/').at(-1) } });
    t.notOk('privateJwk' in brought.body);
    const made = await post({ algorithm: 'EdDSA', expires: '2999-01-01T00:00:00Z' });
    t.match(made, {
      status: 201,
      body: { privateJwk: { d: String, kid: made.body.kid }, expires: '2999-01-01T00:00:00.000Z' },
    });
    t.equal(made.headers['cache-control'], 'no-store');
    const listed = await call(`GET ${url}/keys`, { as: acme.owner });
    t.match(listed.body.items, [{ kid: 'mine' }, { kid: made.body.kid }]);
    t.notMatch(JSON.stringify(listed.body), /"d":|private/);
    t.match(await post({ jwk: { ...(await publicJwk()), kid: 'mine' } }), {
      status: 409,
      body: { id: 'directory.keyExists' },
    });
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    for (const body of [
      { jwk: await exportJWK(privateKey) },
      { jwk: { kty: 'oct', k: 'AAAA' } },
      { jwk: 'x' },
      { jwk, algorithm: 'ES256' },
      { algorithm: 'HS256' },
      { algorithm: 'ES256', expires: '2001-01-01T00:00:00Z' },
      { privateKey: 'x' },
    ]) {
      t.equal((await post(body)).status, 400, JSON.stringify(body).slice(0, 60));
    }
    t.equal((await call(`DELETE ${url}/keys/mine`, { as: acme.owner })).status, 204);
    const gone = await call(`DELETE ${url}/keys/mine`, { as: acme.owner });
    t.match(gone, { status: 404, body: { id: 'directory.keyNotFound' } });
    const { body } = await call('POST /admin/v1/events/_search', {
      as: acme.owner,
      body: { aggregateId: url.split('/').at(-1), limit: 2 },
    });
    const prefix = kind === 'application' ? 'application' : 'user.machine';
    t.match(body.events, [
      { type: `${prefix}.key.removed`, payload: { kid: 'mine' } },
      { type: `${prefix}.key.added`, payload: { kid: made.body.kid } },
    ]);
  });
}

t.test('a project belongs to one organization, and its id is not a client_id', async (t) => {
  const projectId = uniqueName('shared');
  const addAsOwner = (body: Record<string, unknown>, at = acme) => add(body, at, instanceOwner);
  t.equal((await addAsOwner({ projectId })).status, 201);
  t.equal((await add({ projectId, type: 'api', redirectUris: [] })).status, 201);
  const taken = { status: 409, body: { id: 'directory.projectTaken' } };
  t.match(await addAsOwner({ projectId }, other), taken);
  const unknown = { status: 404, body: { id: 'directory.projectNotFound' } };
  t.match(await add({ projectId }, other), unknown, 'only an instance owner learns that it exists');
  const theirs = (await add({}, other)).body.id;
  const path = `/admin/v1/orgs/${other.orgId}/applications/${theirs}`;
  t.match(await call(`PATCH ${path}`, { as: instanceOwner, body: { projectId } }), taken);
  t.match(await addAsOwner({ projectId: theirs }), taken, 'else it would be in the audience of their tokens');
  const raced = uniqueName('raced');
  const racers = await Promise.all([
    addAsOwner({ projectId: raced }),
    addAsOwner({ projectId: raced }, other),
  ]);
  t.same(racers.map(({ status }) => status).sort(), [201, 409]);
});

t.test('the list is paged and holds this organization alone', async (t) => {
  for (let i = 0; i < 4; i++) await added();
  const seen: { id: string; orgId: string }[] = [];
  let next: string | undefined;
  do {
    const after = next === undefined ? '' : `&after=${next}`;
    const { body } = await call(`GET ${applications}?limit=3${after}`, { as: acme.viewer });
    t.equal(body.status, 403);
    const page = await call(`GET ${applications}?limit=3${after}`, { as: acme.owner });
    seen.push(...page.body.items);
    next = page.body.next;
  } while (next !== undefined);
  t.equal(new Set(seen.map(({ id }) => id)).size, seen.length);
  t.ok(seen.length >= 4);
  t.ok(seen.every(({ orgId }) => orgId === acme.orgId));
});

t.test('lesser roles are refused; other organizations are not there', async (t) => {
  const url = await added();
  const requests = [
    `POST ${applications}`,
    `GET ${applications}`,
    ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} ${url}`),
    `POST ${url}/secrets`,
    `GET ${url}/secrets`,
    `DELETE ${url}/secrets/x`,
    `POST ${url}/keys`,
    `GET ${url}/keys`,
    `DELETE ${url}/keys/x`,
  ];
  for (const request of requests) {
    const options = /^(GET|DELETE) /.test(request) ? {} : { body: {} };
    t.equal((await call(request, options)).status, 401, request);
    t.equal((await call(request, { as: acme.manager, ...options })).status, 403, request);
    t.match(
      await call(request, { as: other.owner, ...options }),
      { status: 404, body: { id: 'directory.organizationNotFound' } },
      request,
    );
    const crossed = request.replace(acme.orgId, other.orgId);
    if (!crossed.includes(url.slice(applications.length))) continue;
    t.match(
      await call(crossed, { as: other.owner, ...options }),
      { status: 404, body: { id: 'directory.applicationNotFound' } },
      crossed,
    );
  }
  t.equal((await call(`GET ${url}`, { as: acme.owner })).status, 200);
});

t.test('changes at once all count', async (t) => {
  const url = await added();
  const bodies = [{ name: 'One' }, { orgOnly: false }, { accessTokenType: 'jwt' }];
  const answers = await Promise.all(bodies.map((body) => call(`PATCH ${url}`, { as: acme.owner, body })));
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  t.match((await call(`GET ${url}`, { as: acme.owner })).body, {
    name: 'One',
    orgOnly: false,
    accessTokenType: 'jwt',
  });
});

t.test('the list is narrowed to a type and to a project, page by page', async (t) => {
  const tenant = await makeTenant(container);
  const at = `/admin/v1/orgs/${tenant.orgId}`;
  const { id: projectId } = (
    await call(`POST ${at}/projects`, { as: tenant.owner, body: { name: 'Narrow' } })
  ).body;
  for (const body of [
    { type: 'web', redirectUris, projectId },
    { type: 'spa', redirectUris },
    { type: 'api', projectId },
    { type: 'api' },
    { type: 'api' },
  ]) {
    const as = tenant.owner;
    await call(`POST ${at}/applications`, { as, body: { name: uniqueName('App'), ...body } });
  }
  const list = async (query: string) => call(`GET ${at}/applications${query}`, { as: tenant.owner });
  const types = async (query: string) =>
    (await list(query)).body.items.map(({ type }: { type: string }) => type).sort();
  t.strictSame(await types('?type=api'), ['api', 'api', 'api']);
  t.strictSame(await types(`?projectId=${projectId}`), ['api', 'web']);
  t.strictSame(await types(`?projectId=${projectId}&type=api`), ['api']);
  t.strictSame(await types('?projectId=nobody'), []);
  const first = (await list('?type=api&limit=2')).body;
  t.equal(first.items.length, 2);
  const last = (await list(`?type=api&limit=2&after=${first.next}`)).body;
  t.strictSame([last.items.length, last.next], [1, undefined]);
  for (const bad of ['?type=robot', '?type=api&type=web', `?projectId=${'x'.repeat(201)}`])
    t.equal((await list(bad)).status, 400, bad);
  t.strictSame(
    (await call(`GET ${applications}?projectId=${projectId}`, { as: acme.owner })).body.items,
    [],
    'a project of another organization names none of ours',
  );
});
