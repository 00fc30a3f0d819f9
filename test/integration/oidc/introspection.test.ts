import { request } from 'node:http';
import { decodeJwt } from 'jose';
import t from 'tap';
import { approveApplication } from '#src/clients/applications/approve-application.js';
import { changeApplication } from '#src/clients/applications/change-application.js';
import { changeUser } from '#src/people/users/change-user.js';
import { newId } from '#src/platform/ids.js';
import { removeUser } from '#src/removal/remove-user.js';
import type { AccessTokenClaims } from '#src/tokens/access-token-claims.js';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import {
  basic,
  type Credentials,
  makeApplication,
  makePerson,
  makeServiceClient,
  postForm,
  redeemCode,
} from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { watchCommands } from '../../support/stores/mongo-commands.js';
import { watchRedisCommands } from '../../support/stores/redis-commands.js';

const opened = await buildTestApp(t);
const { container, call, clock } = opened;
const organization = await makeOrganization(container);
const web = await makeApplication(container, organization.id, { projectId: 'shop' });
const api = await makeApplication(container, organization.id, { type: 'api', projectId: 'shop' });
const stranger = await makeApplication(container, organization.id, { type: 'api' });
const person = await makePerson(container, organization, {
  phoneNumbers: [{ value: '+46701234567' }],
  addresses: [{ streetAddress: 'Kungsgatan 1', locality: 'Stockholm', postalCode: '11143', country: 'SE' }],
  locale: 'sv-SE',
  timezone: 'Europe/Stockholm',
});
const everything = 'openid profile email phone address urn:service:iam:user:resourceowner';

async function signIn(scope = everything, client = web, whom = person) {
  const grant = { scope, authTime: clock.now() };
  const { body } = await redeemCode({ container, call }, { client, person: whom, grant });
  return body as { access_token: string; refresh_token: string };
}

function introspect(token: string, as: Credentials = api.credentials) {
  return postForm(call, '/oauth/v2/introspect', { form: { token }, as });
}

function revoke(token: string, as: Credentials = web.credentials) {
  return postForm(call, '/oauth/v2/revoke', { form: { token }, as });
}

function userinfo(token: string, method: 'GET' | 'POST' = 'GET') {
  return call(`${method} /oidc/v1/userinfo`, { as: { token } });
}

const claims = {
  name: 'Anna Lind',
  given_name: 'Anna',
  family_name: 'Lind',
  preferred_username: person.userName,
  locale: 'sv-SE',
  zoneinfo: 'Europe/Stockholm',
  email: person.emails[0]?.value,
  email_verified: true,
  phone_number: '+46701234567',
  phone_number_verified: true,
  address: { street_address: 'Kungsgatan 1', locality: 'Stockholm', postal_code: '11143', country: 'SE' },
  'urn:service:iam:user:resourceowner:id': organization.id,
  'urn:service:iam:user:resourceowner:name': organization.name,
};

t.test('a client of the audience learns what the token says and what its scopes tell', async (t) => {
  for (const accessTokenType of ['opaque', 'jwt'] as const) {
    const client = await makeApplication(container, organization.id, { projectId: 'shop', accessTokenType });
    const { access_token } = await signIn(everything, client);
    const { status, headers, body } = await introspect(access_token);
    t.equal(status, 200);
    t.equal(headers['cache-control'], 'no-store');
    t.match(body, {
      active: true,
      ...claims,
      sub: person.id,
      aud: [client.id, 'shop'],
      client_id: client.id,
      iss: container.config.baseUrl,
      scope: everything,
      token_type: 'Bearer',
      username: person.userName,
    });
    t.equal(body.exp - body.iat, 43_200);
    t.equal(body.nbf, body.iat);
    t.type(body.jti, 'string');
  }
});

t.test('scopes that were not granted tell nothing', async (t) => {
  const { access_token } = await signIn('openid email');
  const { body } = await introspect(access_token);
  t.equal(body.email, claims.email);
  for (const claim of ['name', 'phone_number', 'address', 'urn:service:iam:user:resourceowner:name']) {
    t.notOk(claim in body, claim);
  }
});

t.test('the organizations of the user and of the client are always named', async (t) => {
  for (const accessTokenType of ['opaque', 'jwt'] as const) {
    const client = await makeApplication(container, organization.id, { projectId: 'shop', accessTokenType });
    const { access_token } = await signIn('openid', client);
    const named = {
      'urn:service:iam:user:resourceowner:id': organization.id,
      'urn:service:iam:client:resourceowner:id': organization.id,
    };
    t.match((await introspect(access_token)).body, { active: true, ...named });
    if (accessTokenType === 'jwt') t.match(decodeJwt(access_token), named);
  }
});

t.test('a person of one organization at an application of another: each is named as its own', async (t) => {
  const theirs = await makeOrganization(container);
  const project = { projectId: newId() };
  const { credentials } = await makeApplication(container, theirs.id, {
    type: 'api',
    ...project,
  });
  for (const accessTokenType of ['opaque', 'jwt'] as const) {
    const client = await makeApplication(container, theirs.id, {
      ...project,
      accessTokenType,
      orgOnly: false,
    });
    await approveApplication(container, { orgId: theirs.id, id: client.id, editor: testEditor }, true);
    const { access_token } = await signIn('openid', client);
    const named = {
      'urn:service:iam:user:resourceowner:id': organization.id,
      'urn:service:iam:client:resourceowner:id': theirs.id,
    };
    const { body } = await introspect(access_token, credentials);
    t.match(body, { active: true, sub: person.id, client_id: client.id, ...named }, accessTokenType);
    t.ok(body.aud.includes(project.projectId));
    if (accessTokenType === 'jwt') t.match(decodeJwt(access_token), { sub: person.id, ...named });
  }
});

t.test('whatever is wrong with the token, it is not active', async (t) => {
  const { access_token, refresh_token } = await signIn('openid offline_access');
  const inactive = { status: 200, body: { active: false } };
  const same = async (token: string, name: string, as?: Credentials) => {
    const { status, body } = await introspect(token, as);
    t.same({ status, body }, inactive, name);
  };
  await same('x', 'malformed');
  await same('x'.repeat(60_000), 'enormous');
  await same(`${access_token.slice(0, -4)}AAAA`, 'damaged');
  await same(refresh_token, 'a refresh token');
  await same(access_token, 'a caller outside the audience', stranger.credentials);
  await same(
    access_token,
    'a service user',
    (await makeServiceClient(container, organization.id)).credentials,
  );
  const unsigned = ['{"alg":"none","typ":"at+jwt"}', JSON.stringify({ sub: person.id, aud: api.id }), '']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  await same(unsigned, 'alg none');
  const foreign = await buildTestApp(t);
  const org = await makeOrganization(foreign.container);
  const theirs = await makeApplication(foreign.container, org.id);
  const them = await makePerson(foreign.container, org);
  await same(
    (await redeemCode(foreign, { client: theirs, person: them })).body.access_token,
    'of another instance',
  );

  t.equal((await introspect(access_token)).body.active, true);
  clock.advance(43_200);
  await same(access_token, 'expired');
});

t.test('only bad authentication of the client is an error', async (t) => {
  const { access_token } = await signIn();
  const wrong = await introspect(access_token, basic(api.id, 'wrong'));
  t.match(wrong, { status: 401, body: { error: 'invalid_client' } });
  t.match(wrong.headers['www-authenticate'], /^Basic /);
  const post = { form: { client_id: api.id, client_secret: api.secret } };
  t.match(await introspect(access_token, post), { status: 200, body: { active: true } });
  const target = { orgId: organization.id, id: api.id, editor: testEditor };
  await changeApplication(container, target, { strictAuthMethod: true });
  t.match(await introspect(access_token, post), { status: 401, body: { error: 'invalid_client' } }, 'strict');
  t.match(await introspect(access_token, {}), { status: 401, body: { error: 'invalid_client' } });
  const spa = await makeApplication(container, organization.id, { type: 'spa' });
  t.match(await introspect(access_token, spa.credentials), {
    status: 401,
    body: { error: 'invalid_client' },
  });
  const none = await postForm(call, '/oauth/v2/introspect', { form: {}, as: api.credentials });
  t.match(none, { status: 400, body: { error: 'invalid_request' } });
});

t.test('introspection sends one command to Redis, and reads a person once after each change', async (t) => {
  const reader = await makePerson(container, organization);
  const { access_token } = await signIn(everything, web, reader);
  // In memory only once Redis is trusted, which is filled in the background.
  await until(async () => {
    t.equal((await introspect(access_token)).body.active, true);
    return container.people.held(organization.id, reader.id) !== undefined;
  });
  const mongodb = watchCommands();
  const redis = watchRedisCommands(container.redis);
  t.teardown(() => {
    mongodb.stop();
    redis.stop();
  });
  for (const request of [() => introspect(access_token), () => userinfo(access_token)]) {
    t.equal((await request()).status, 200);
    t.same(redis.names, ['mget']);
    t.same(mongodb.commands, []);
    redis.names.length = 0;
  }
  await changeUser(container, {
    organization,
    id: reader.id,
    editor: testEditor,
    change: (profile) => ({ profile: { ...profile, nickName: 'Nick' } }),
  });
  redis.names.length = 0;
  mongodb.commands.length = 0;
  t.match((await introspect(access_token)).body, { active: true, nickname: 'Nick' });
  t.same(redis.names, ['mget']);
  t.same(
    mongodb.commands.map(({ find, filter }) => ({ find, filter })),
    [{ find: 'users', filter: { _id: reader.id, orgId: organization.id } }],
  );
});

t.test('userinfo answers GET and POST, by header or form', async (t) => {
  const { access_token } = await signIn();
  for (const method of ['GET', 'POST'] as const) {
    const { status, headers, body } = await userinfo(access_token, method);
    t.equal(status, 200);
    t.equal(headers['cache-control'], 'no-store');
    t.match(body, { sub: person.id, ...claims });
  }
  const form = await postForm(call, '/oidc/v1/userinfo', { form: { access_token } });
  t.equal(form.body.sub, person.id);
  t.same((await userinfo((await signIn('openid')).access_token)).body, { sub: person.id });
});

t.test('userinfo takes a POST without a body, whatever type it names', async (t) => {
  const { access_token } = await signIn('openid profile');
  const authorization = `Bearer ${access_token}`;
  const post = (headers: Record<string, string>, payload?: string) =>
    opened.app.inject({
      method: 'POST',
      url: '/oidc/v1/userinfo',
      headers: { authorization, ...headers },
      ...(payload !== undefined && { payload }),
    });
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/xml',
  ]) {
    for (const length of [undefined, '0']) {
      const answer = await post({ 'content-type': type, ...(length && { 'content-length': length }) });
      t.equal(answer.statusCode, 200, `${type} ${length}`);
      t.equal(answer.json().sub, person.id);
    }
  }
  for (const body of ['{}', ' ', `{"access_token":"${access_token}"}`]) {
    const answer = await post({ 'content-type': 'application/json' }, body);
    t.match(
      { status: answer.statusCode, body: answer.json() },
      { status: 400, body: { error: 'invalid_request' } },
    );
  }
  // An empty body may come in chunks, as some libraries send it.
  const address = await opened.app.listen({ port: 0, host: '127.0.0.1' });
  const chunked = await new Promise<number | undefined>((done, failed) => {
    const headers = { authorization, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const sent = request(`${address}/oidc/v1/userinfo`, { method: 'POST', headers }, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode));
    });
    sent.once('error', failed).end();
  });
  t.equal(chunked, 200);
  const none = await opened.app.inject({
    method: 'POST',
    url: '/oidc/v1/userinfo',
    headers: { 'content-type': 'application/json' },
  });
  t.match({ status: none.statusCode, body: none.json() }, { status: 401, body: { error: 'invalid_token' } });
});

t.test('userinfo refuses bad tokens by the rules of bearer tokens', async (t) => {
  const { access_token, refresh_token } = await signIn('openid offline_access');
  for (const token of [
    'x',
    refresh_token,
    `${access_token}AAAA`,
    (await makeCaller(container, organization.id)).token,
  ]) {
    const answer = await userinfo(token);
    t.equal(answer.status, 401);
    t.match(answer.headers['www-authenticate'], /^Bearer .*error="invalid_token"/);
    t.equal(answer.headers['cache-control'], 'no-store');
  }
  const none = await call('GET /oidc/v1/userinfo');
  t.equal(none.status, 401);
  t.match(none.headers['www-authenticate'], /^Bearer /);
  t.notMatch(none.headers['www-authenticate'], /error=/);
  t.equal(
    (await call(`GET /oidc/v1/userinfo?access_token=${access_token}`)).status,
    401,
    'never in the query',
  );
  const twice = await call('POST /oidc/v1/userinfo', {
    as: { token: access_token },
    body: `access_token=${access_token}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  t.match(twice, { status: 400, body: { error: 'invalid_request' } });
});

t.test('a token ends with its user at once and for good', async (t) => {
  const leaver = await makePerson(container, organization);
  const { access_token, refresh_token } = await signIn('openid offline_access', web, leaver);
  t.equal((await userinfo(access_token)).status, 200);
  const setActive = (active: boolean) =>
    changeUser(container, {
      organization,
      id: leaver.id,
      editor: testEditor,
      change: (profile) => ({ profile: { ...profile, active } }),
    });
  await setActive(false);
  t.equal((await introspect(access_token)).body.active, false);
  t.equal((await userinfo(access_token)).status, 401);
  await setActive(true);
  t.equal((await introspect(access_token)).body.active, false, 'which does not come back');
  const refreshed = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token },
    as: web.credentials,
  });
  t.equal(refreshed.body.error, 'invalid_grant');

  clock.advance(1);
  const again = await signIn('openid', web, leaver);
  t.equal((await introspect(again.access_token)).body.active, true);
  await removeUser(container, { orgId: organization.id, id: leaver.id, editor: testEditor });
  t.equal((await introspect(again.access_token)).body.active, false);
});

t.test('a token ends with its client', async (t) => {
  const client = await makeApplication(container, organization.id, { projectId: 'shop' });
  const { access_token } = await signIn('openid', client);
  t.equal((await userinfo(access_token)).status, 200);
  const target = { orgId: organization.id, id: client.id, editor: testEditor };
  await changeApplication(container, target, { active: false });
  t.equal((await introspect(access_token)).body.active, false);
  t.equal((await userinfo(access_token)).status, 401);
});

t.test('revoking an access token revokes it alone', async (t) => {
  const first = await signIn('openid offline_access');
  const { body: second } = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token: first.refresh_token },
    as: web.credentials,
  });
  t.same(await revoke(first.access_token).then(({ status, body }) => ({ status, body })), {
    status: 200,
    body: {},
  });
  t.equal((await introspect(first.access_token)).body.active, false);
  t.equal((await introspect(second.access_token)).body.active, true);
  const next = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token: second.refresh_token },
    as: web.credentials,
  });
  t.equal(next.status, 200);
  t.equal((await revoke(first.access_token)).status, 200, 'again');
});

t.test('revoking a refresh token revokes its access tokens too', async (t) => {
  const { access_token, refresh_token } = await signIn('openid offline_access');
  t.equal((await revoke(refresh_token)).status, 200);
  t.equal((await introspect(access_token)).body.active, false);
  t.equal((await userinfo(access_token)).status, 401);
  const after = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token },
    as: web.credentials,
  });
  t.equal(after.body.error, 'invalid_grant');
});

t.test('revocation of an unknown token is harmless, and of another client is refused', async (t) => {
  const { access_token, refresh_token } = await signIn('openid offline_access');
  for (const token of ['x', 'mrt_AAAA', 'x'.repeat(50_000)]) t.equal((await revoke(token)).status, 200);
  const other = await makeApplication(container, organization.id);
  for (const token of [access_token, refresh_token]) {
    t.match(await revoke(token, other.credentials), { status: 401, body: { error: 'invalid_client' } });
  }
  t.equal((await introspect(access_token)).body.active, true);
  t.match(await revoke(access_token, {}), { status: 401, body: { error: 'invalid_client' } });
  const missing = await postForm(call, '/oauth/v2/revoke', { form: {}, as: web.credentials });
  t.match(missing, { status: 400, body: { error: 'invalid_request' } });
  const hinted = await postForm(call, '/oauth/v2/revoke', {
    form: { token: access_token, token_type_hint: 'refresh_token' },
    as: web.credentials,
  });
  t.equal(hinted.status, 200);
  t.equal((await introspect(access_token)).body.active, false, 'a wrong hint misleads nobody');
});

t.test('public clients revoke their own tokens with their client_id', async (t) => {
  const spa = await makeApplication(container, organization.id, { type: 'spa', projectId: 'shop' });
  const issuedAt = Math.floor(clock.now().getTime() / 1000);
  const token: AccessTokenClaims = {
    jti: newId(),
    sub: person.id,
    org: person.orgId,
    clientId: spa.id,
    audience: [spa.id, 'shop'],
    scope: 'openid',
    issuedAt,
    expiresAt: issuedAt + 60,
  };
  const text = await container.accessTokens.issue({ ...token, clientOrgId: organization.id }, 'opaque');
  t.equal((await introspect(text)).body.active, true);
  t.equal((await revoke(text, spa.credentials)).status, 200);
  t.equal((await introspect(text)).body.active, false);
});

t.test(
  'the log says that a token is not for the API, and names only clients of the same organization',
  async (t) => {
    const reasonsOf = async ({ id }: { id: string }) => {
      await container.refusedAuthentications.flush();
      const events = await container.events.search({
        ascending: true,
        aggregateId: id,
        eventTypes: ['application.introspection.failed'],
        limit: 10,
      });
      return events.map(({ payload }) => payload);
    };
    const other = await makeApplication(container, organization.id, { type: 'api', projectId: 'other' });
    const { access_token: token } = await signIn('openid');
    t.strictSame((await introspect(token, other.credentials)).body, { active: false });
    t.match(await reasonsOf(other), [
      {
        reason: 'tokenNotForClient',
        clientId: web.id,
        audience: `${web.id} shop`,
        endpoint: 'introspection',
      },
    ]);
    t.strictSame((await introspect('nonsense', other.credentials)).body, { active: false });
    t.equal((await reasonsOf(other)).length, 1, 'a text that is no token is no event');
    t.equal((await introspect(token)).body['active'], true);
    t.strictSame(await reasonsOf(api), [], 'a token for the API is none either');

    const foe = await makeApplication(container, (await makeOrganization(container)).id, { type: 'api' });
    t.strictSame((await introspect(token, foe.credentials)).body, { active: false });
    const [seen] = await reasonsOf(foe);
    t.equal(seen?.['reason'], 'tokenNotForClient');
    t.notOk(JSON.stringify(seen).includes(web.id), 'the client of another organization is not named');
    for (const payload of [seen, ...(await reasonsOf(other))])
      t.notOk(JSON.stringify(payload).includes(token), 'the token is in no event');
  },
);
