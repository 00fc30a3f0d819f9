import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, importJWK, jwtVerify, SignJWT } from 'jose';
import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { approveApplication } from '#src/clients/applications/approve-application.js';
import { changeApplication } from '#src/clients/applications/change-application.js';
import { addClientKey } from '#src/clients/change-credentials/client-keys.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { newId } from '#src/platform/ids.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import {
  type Credentials,
  makeApplication,
  makePerson,
  makeServiceClient,
  type OAuthClient,
  postForm,
  redeemCode,
} from '../../support/app/oauth-client.js';
import { buildAnotherApp, buildTestApp } from '../../support/app/test-app.js';

const opened = await buildTestApp(t);
const { container, call, clock } = opened;
const { baseUrl } = container.config;
const organization = await makeOrganization(container);
const owner = await makeCaller(container, organization.id, ['IAM_OWNER']);
const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange';
const client = await makeApplication(container, organization.id, {
  projectId: 'desk',
  grantTypes: ['authorization_code', 'refresh_token', grantType],
});
const person = await makePerson(container, organization);
const support = await makePerson(container, organization);
const outsider = await makePerson(container, await makeOrganization(container));
const types = {
  access: 'urn:ietf:params:oauth:token-type:access_token',
  refresh: 'urn:ietf:params:oauth:token-type:refresh_token',
  id: 'urn:ietf:params:oauth:token-type:id_token',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  user: 'urn:service:params:oauth:token-type:user_id',
};

interface Tokens {
  access_token: string;
  id_token: string;
  refresh_token: string;
}

async function signIn(whom: User, scope = 'openid profile email', as = client): Promise<Tokens> {
  const grant = { scope, authTime: clock.now() };
  return (await redeemCode({ container, call }, { client: as, person: whom, grant })).body;
}

function exchange(form: Record<string, string>, as = client.credentials) {
  return postForm(call, '/oauth/v2/token', { form: { grant_type: grantType, ...form }, as });
}

async function exchangeAccess(whom: User, more: Record<string, string> = {}) {
  const { access_token } = await signIn(whom);
  return exchange({ subject_token: access_token, subject_token_type: types.access, ...more });
}

/** The parameters of a request to act as this user. */
async function acting(actor: User, scope?: string) {
  const { access_token } = await signIn(actor, scope);
  return { actor_token: access_token, actor_token_type: types.access };
}

const asUser = ({ id }: User) => ({ subject_token: id, subject_token_type: types.user });

async function readClaims(token: string) {
  const claims = await container.accessTokens.read(token);
  if (claims === undefined) throw new Error('no access token of ours');
  return claims;
}

t.test('it is off until the owner of the instance turns it on, in every process', async (t) => {
  const form = { subject_token: 'x', subject_token_type: types.access };
  t.match(await exchange(form), { status: 400, body: { error: 'unsupported_grant_type' } });
  const other = await buildAnotherApp(t, opened);
  t.same((await call('GET /admin/v1/features', { as: owner })).body, { tokenExchange: false });
  const stranger = await makeCaller(container, organization.id, ['ORG_OWNER']);
  t.equal(
    (await call('PATCH /admin/v1/features', { as: stranger, body: { tokenExchange: true } })).status,
    403,
  );
  t.equal((await call('PATCH /admin/v1/features', { as: owner, body: { teleport: true } })).status, 400);
  const on = await call('PATCH /admin/v1/features', { as: owner, body: { tokenExchange: true } });
  t.match(on, { status: 200, body: { tokenExchange: true } });
  t.match(await exchange(form), { status: 400, body: { error: 'invalid_request' } });
  const there = await postForm(other, '/oauth/v2/token', {
    form: { grant_type: grantType, ...form },
    as: client.credentials,
  });
  t.match(there.body, { error: 'invalid_request' });
  const { body } = await call('POST /admin/v1/events/_search', {
    as: owner,
    body: { eventTypes: ['features.changed'] },
  });
  t.match(body.events, [{ payload: { tokenExchange: true }, editor: { userId: owner.id } }]);
});

t.test('it is for clients that have the grant', async (t) => {
  const without = await makeApplication(container, organization.id);
  const form = { subject_token: 'x', subject_token_type: types.access };
  t.match(await exchange(form, without.credentials), { status: 400, body: { error: 'unauthorized_client' } });
  t.match(await exchange(form, {}), { status: 401, body: { error: 'invalid_client' } });
});

t.test('a client authenticates for it by any of the four methods', async (t) => {
  const grantTypes = ['authorization_code', grantType] as const;
  const given = (settings: Parameters<typeof makeApplication>[2]) =>
    makeApplication(container, organization.id, { grantTypes: [...grantTypes], ...settings });
  const basic = await given({});
  const post = await given({ authMethod: 'client_secret_post' });
  const none = await given({ type: 'spa' });
  const signing = await given({ authMethod: 'private_key_jwt' });
  const { key, privateJwk } = await addClientKey(
    container,
    { kind: 'application', orgId: organization.id, id: signing.id, editor: testEditor },
    { algorithm: 'ES256' },
  );
  if (privateJwk === undefined) throw new Error('The pair was not made');
  const assertion = await new SignJWT({ jti: newId() })
    .setProtectedHeader({ alg: 'ES256', kid: key.kid })
    .setIssuer(signing.id)
    .setSubject(signing.id)
    .setAudience(baseUrl)
    .setIssuedAt(clock.now())
    .setExpirationTime(new Date(clock.now().getTime() + 60_000))
    .sign(await importJWK(privateJwk, 'ES256'));
  const clients: Record<string, [OAuthClient, Credentials]> = {
    client_secret_basic: [basic, basic.credentials],
    client_secret_post: [post, { form: { client_id: post.id, client_secret: post.secret } }],
    none: [none, { form: { client_id: none.id } }],
    private_key_jwt: [
      signing,
      {
        form: {
          client_assertion: assertion,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        },
      },
    ],
  };
  for (const [method, [{ id }, credentials]] of Object.entries(clients)) {
    const subject_token = await container.accessTokens.issue(
      {
        jti: newId(),
        sub: person.id,
        org: person.orgId,
        clientId: id,
        clientOrgId: person.orgId,
        audience: [id],
        scope: 'openid',
        issuedAt: clock.now().getTime() / 1000,
        expiresAt: Math.floor(clock.now().getTime() / 1000) + 60,
      },
      'opaque',
    );
    const answer = await exchange({ subject_token, subject_token_type: types.access }, credentials);
    t.match(answer, { status: 200, body: { token_type: 'Bearer' } }, method);
    t.equal((await readClaims(answer.body.access_token)).clientId, id, method);
  }
});

t.test('an ID token of the second in which its organization was added works', async (t) => {
  clock.startMinute();
  const young = await makeOrganization(container);
  const first = await makePerson(container, young);
  const own = await makeApplication(container, young.id, { grantTypes: ['authorization_code', grantType] });
  const { id_token } = await signIn(first, 'openid', own);
  const form = { subject_token: id_token, subject_token_type: types.id };
  t.match(await exchange(form, own.credentials), { status: 200, body: { scope: 'openid' } });
});

t.test('an access token gives an opaque token of the same person, scope and audience', async (t) => {
  const { status, headers, body } = await exchangeAccess(person);
  t.equal(status, 200);
  t.equal(headers['cache-control'], 'no-store');
  t.match(body, {
    token_type: 'Bearer',
    issued_token_type: types.access,
    scope: 'openid profile email',
    id_token: String,
  });
  t.notOk('refresh_token' in body);
  t.notOk(body.access_token.includes('.'));
  t.match(await readClaims(body.access_token), { sub: person.id, audience: [client.id, 'desk'] });
  t.equal((await call('GET /oidc/v1/userinfo', { as: { token: body.access_token } })).body.sub, person.id);
});

t.test('the matrix of token types', async (t) => {
  const jwts = await makeApplication(container, organization.id, {
    accessTokenType: 'jwt',
    grantTypes: ['authorization_code', 'refresh_token', grantType],
  });
  const forJwts = await signIn(person, 'openid', jwts);
  const fromJwt = await exchange(
    { subject_token: forJwts.access_token, subject_token_type: types.access },
    jwts.credentials,
  );
  t.equal(fromJwt.status, 200, 'a JWT as subject');
  t.notOk(fromJwt.body.access_token.includes('.'), 'access_token is opaque whatever the application gets');

  const jwt = await exchangeAccess(person, { requested_token_type: types.jwt });
  t.match(jwt.body, { token_type: 'Bearer', issued_token_type: types.jwt });
  t.equal(decodeProtectedHeader(jwt.body.access_token).typ, 'at+jwt');

  const idToken = await exchangeAccess(person, { requested_token_type: types.id });
  t.match(idToken.body, { token_type: 'N_A', issued_token_type: types.id });
  const keys = createLocalJWKSet({ keys: [...(await container.signingKeys.publicJwks())] });
  const { payload } = await jwtVerify(idToken.body.access_token, keys, {
    issuer: baseUrl,
    audience: client.id,
  });
  t.match(payload, { sub: person.id, name: 'Anna Lind' }, 'without an access token the claims are in it');
  for (const name of ['client_id', 'origins', 'scope']) t.notOk(name in payload, name);

  const { id_token } = await signIn(person);
  for (const name of ['client_id', 'origins', 'jti', 'scope']) t.notOk(name in decodeJwt(id_token), name);
  const fromId = await exchange({ subject_token: id_token, subject_token_type: types.id });
  t.match(fromId, { status: 200, body: { scope: 'openid' } });
  t.equal((await readClaims(fromId.body.access_token)).sub, person.id);

  const { refresh_token, access_token } = await signIn(person, 'openid offline_access');
  const refused: Record<string, Record<string, string>> = {
    'a refresh token as subject': { subject_token: refresh_token, subject_token_type: types.refresh },
    'a refresh token said to be an access token': {
      subject_token: refresh_token,
      subject_token_type: types.access,
    },
    'a refresh token as actor': {
      subject_token: access_token,
      subject_token_type: types.access,
      actor_token: refresh_token,
      actor_token_type: types.refresh,
    },
    'a refresh token requested': {
      subject_token: access_token,
      subject_token_type: types.access,
      requested_token_type: types.refresh,
    },
    'a user identifier requested': {
      subject_token: access_token,
      subject_token_type: types.access,
      requested_token_type: types.user,
    },
    'a JWT as actor': {
      subject_token: access_token,
      subject_token_type: types.access,
      actor_token: 'x',
      actor_token_type: types.jwt,
    },
    'a user identifier without actor': asUser(person),
    'a JWT without actor': { subject_token: 'x', subject_token_type: types.jwt },
    'an unknown type': { subject_token: 'x', subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' },
    'an ID token said to be an access token': { subject_token: id_token, subject_token_type: types.access },
    'a JWT access token said to be an ID token': {
      subject_token: jwt.body.access_token,
      subject_token_type: types.id,
    },
    'an actor token without type': {
      subject_token: access_token,
      subject_token_type: types.access,
      actor_token: access_token,
    },
    'an actor type without token': {
      subject_token: access_token,
      subject_token_type: types.access,
      actor_token_type: types.access,
    },
    'no subject': { subject_token_type: types.access },
    'no type': { subject_token: access_token },
    nonsense: { subject_token: 'nonsense', subject_token_type: types.access },
    'an enormous token': { subject_token: 'x.'.repeat(30_000), subject_token_type: types.id },
  };
  for (const [name, form] of Object.entries(refused)) {
    t.match(await exchange(form), { status: 400, body: { error: 'invalid_request' } }, name);
  }
});

t.test('audience and scope are subsets, resource is not supported', async (t) => {
  const narrow = await exchangeAccess(person, { audience: 'desk', scope: 'openid email' });
  t.equal(narrow.body.scope, 'openid email');
  t.same((await readClaims(narrow.body.access_token)).audience, ['desk']);
  const plain = await exchangeAccess(person, { scope: 'email' });
  t.notOk('id_token' in plain.body, 'no ID token without openid');
  t.match(await exchangeAccess(person, { audience: 'elsewhere' }), {
    status: 400,
    body: { error: 'invalid_target' },
  });
  t.match(await exchangeAccess(person, { audience: `desk ${baseUrl}` }), {
    body: { error: 'invalid_target' },
  });
  t.match(await exchangeAccess(person, { resource: 'https://a.example' }), {
    status: 400,
    body: { error: 'invalid_target' },
  });
  t.match(await exchangeAccess(person, { scope: 'openid phone' }), {
    status: 400,
    body: { error: 'invalid_scope' },
  });
  t.match(await exchangeAccess(person, { scope: 'openid offline_access' }), {
    body: { error: 'invalid_scope' },
  });
});

t.test('only a client that the token is for exchanges it', async (t) => {
  const other = await makeApplication(container, organization.id, {
    grantTypes: ['authorization_code', grantType],
  });
  const { access_token, id_token } = await signIn(person);
  for (const [subject_token, subject_token_type] of [
    [access_token, types.access],
    [id_token, types.id],
  ] as const) {
    const answer = await exchange({ subject_token, subject_token_type }, other.credentials);
    t.match(answer, { status: 400, body: { error: 'invalid_request' } });
  }
});

t.test(
  'a token that is revoked, expired or of an inactive person is not exchanged, and lives no longer',
  async (t) => {
    const { access_token } = await signIn(person);
    clock.advance(3600);
    const { body } = await exchange({ subject_token: access_token, subject_token_type: types.access });
    t.ok(body.expires_in <= 39_600, 'it lives no longer than what it was made of');
    await postForm(call, '/oauth/v2/revoke', { form: { token: access_token }, as: client.credentials });
    const again = await exchange({ subject_token: access_token, subject_token_type: types.access });
    t.equal(again.body.error, 'invalid_request', 'revoked');

    const { access_token: late, id_token } = await signIn(person);
    clock.advance(43_200);
    t.equal(
      (await exchange({ subject_token: late, subject_token_type: types.access })).body.error,
      'invalid_request',
    );
    t.equal(
      (await exchange({ subject_token: id_token, subject_token_type: types.id })).body.error,
      'invalid_request',
    );
    const gone = await makePerson(container, organization);
    const theirs = await signIn(gone);
    await container.mongo.collection<{ _id: string }>('users').deleteOne({ _id: gone.id });
    // Every write of a user announces it. Without that, the process may use the user of the sign-in.
    await container.revocations.restamp(gone.id);
    t.equal(
      (await exchange({ subject_token: theirs.id_token, subject_token_type: types.id })).body.error,
      'invalid_request',
      'removed',
    );
  },
);

t.test('offline_access gives a refresh token that keeps scope and audience', async (t) => {
  const scope = 'openid email offline_access';
  const { access_token } = await signIn(person, scope);
  const { body } = await exchange({
    subject_token: access_token,
    subject_token_type: types.access,
    audience: 'desk',
    scope,
  });
  const refreshed = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token: body.refresh_token },
    as: client.credentials,
  });
  t.match(refreshed, { status: 200, body: { scope } });
  t.same((await readClaims(refreshed.body.access_token)).audience, ['desk']);
});

t.test('refreshing ends with the tokens that were exchanged', async (t) => {
  const scope = 'openid offline_access';
  const refresh = (refresh_token: string) =>
    postForm(call, '/oauth/v2/token', {
      form: { grant_type: 'refresh_token', refresh_token },
      as: client.credentials,
    });
  const begin = async (more: Record<string, string> = {}) => {
    const parent = await signIn(person, scope);
    const { body } = await exchange({
      subject_token: parent.access_token,
      subject_token_type: types.access,
      scope,
      ...more,
    });
    const next = await refresh(body.refresh_token);
    t.equal(next.status, 200);
    return { parent, claims: await readClaims(parent.access_token), next: next.body };
  };
  const revoke = (token: string) =>
    postForm(call, '/oauth/v2/revoke', { form: { token }, as: client.credentials });
  const refused = { status: 400, body: { error: 'invalid_grant' } };

  const byToken = await begin();
  await revoke(byToken.parent.access_token);
  t.match(await refresh(byToken.next.refresh_token), refused, 'the token is revoked');

  const byFamily = await begin();
  await revoke(byFamily.parent.refresh_token);
  t.match(await refresh(byFamily.next.refresh_token), refused, 'its family has ended');

  const bySession = await begin();
  await container.sessions.end(person.id, String(bySession.claims.session));
  t.match(await refresh(bySession.next.refresh_token), refused, 'its session has ended');

  const byTime = await begin();
  const life = byTime.claims.expiresAt - byTime.claims.issuedAt;
  clock.advance(life - 60);
  const late = await refresh(byTime.next.refresh_token);
  t.ok((await readClaims(late.body.access_token)).expiresAt <= byTime.claims.expiresAt);
  clock.advance(60);
  t.match(await refresh(late.body.refresh_token), refused, 'it has expired');
});

t.test('acting as a user needs the role IMPERSONATOR over their organization', async (t) => {
  const denied = await exchange({ ...asUser(person), ...(await acting(support)) });
  t.match(denied, { status: 400, body: { error: 'invalid_request' } });
  const { access_token: hers } = await signIn(person);
  const withToken = await exchange({
    subject_token: hers,
    subject_token_type: types.access,
    ...(await acting(support)),
  });
  t.match(withToken, { status: 400, body: { error: 'invalid_request' } }, 'not even with a token of hers');

  await addMembership(container, {
    userId: support.id,
    role: 'IMPERSONATOR',
    orgId: organization.id,
    editor: testEditor,
  });
  const { status, body } = await exchange({ ...asUser(person), ...(await acting(support)) });
  t.equal(status, 200);
  const act = { iss: baseUrl, sub: support.id };
  t.match(await readClaims(body.access_token), { sub: person.id, act, audience: [client.id, 'desk'] });
  t.match(decodeJwt(body.id_token), { sub: person.id, act });
  t.notOk('auth_time' in decodeJwt(body.id_token), 'she did not sign in');
  const seen = await postForm(call, '/oauth/v2/introspect', {
    form: { token: body.access_token },
    as: client.credentials,
  });
  t.match(seen.body, { active: true, sub: person.id, username: person.userName, act });

  const elsewhere = await exchange({ ...asUser(outsider), ...(await acting(support)) });
  t.match(elsewhere, { status: 400, body: { error: 'invalid_request' } }, 'another organization');
  const unknown = await exchange({
    ...asUser(person),
    ...(await acting(support)),
    subject_token: '{"$ne":null}',
  });
  t.match(unknown, { status: 400, body: { error: 'invalid_request' } }, 'nobody');
  t.same(unknown.body, elsewhere.body, 'who is no person of theirs is not told apart from nobody');

  const { body: found } = await call('POST /admin/v1/events/_search', {
    as: owner,
    body: { eventTypes: ['user.impersonated'] },
  });
  t.match(found.events, [
    {
      aggregate: { id: person.id, type: 'user', resourceOwner: organization.id },
      editor: { userId: support.id, service: 'oidc' },
      payload: { clientId: client.id },
    },
  ]);
  t.equal(found.events.length, 1, 'refused attempts did not happen');
});

t.test('the organization of an actor says how long a sign-in counts as fresh', async (t) => {
  const orgId = organization.id;
  const setPolicy = (signInPolicy: SignInPolicy) =>
    changeOrganization(container, { orgId, change: { signInPolicy }, editor: testEditor });
  t.teardown(() => setPolicy({}));
  const form = { ...asUser(person), ...(await acting(support)) };
  await setPolicy({ freshSignInSeconds: 60 });
  clock.advance(61);
  t.match(await exchange(form), { status: 400, body: { error_description: /must have signed in lately/ } });
  await setPolicy({});
  t.equal((await exchange(form)).status, 200, 'the time of the instance is longer');
});

t.test('scope and audience of an impersonation are what the actor holds', async (t) => {
  const form = { ...asUser(person), ...(await acting(support, 'openid email')) };
  t.match(await exchange({ ...form, scope: 'openid profile' }), { body: { error: 'invalid_scope' } });
  t.match(await exchange({ ...form, audience: 'billing' }), { body: { error: 'invalid_target' } });
  t.match(await exchange({ ...form, scope: 'email', audience: 'desk' }), {
    status: 200,
    body: { scope: 'email' },
  });
  const wrongOrg = await exchange({
    ...asUser(person),
    ...(await acting(support, `openid urn:service:iam:org:id:${organization.id}`)),
  });
  t.match(wrongOrg, { status: 200, body: { scope: `openid urn:service:iam:org:id:${organization.id}` } });
});

t.test('an application that admits its own organization alone does so for those acted for too', async (t) => {
  const { id: orgId } = await makeOrganization(container);
  const theirs = await makeApplication(container, orgId, {
    grantTypes: ['authorization_code', 'refresh_token', grantType],
    orgOnly: false,
  });
  await approveApplication(container, { orgId, id: theirs.id, editor: testEditor }, true);
  const scope = 'openid offline_access';
  const colleague = await makePerson(container, (await container.organizations.find(orgId)) as never);
  await addMembership(container, {
    userId: colleague.id,
    role: 'IMPERSONATOR',
    orgId: organization.id,
    editor: testEditor,
  });
  const actor = await signIn(colleague, scope, theirs);
  const form = {
    ...asUser(person),
    actor_token: actor.access_token,
    actor_token_type: types.access,
    scope,
  };
  const open = await exchange(form, theirs.credentials);
  t.equal(open.status, 200);
  const change = { orgOnly: true };
  await changeApplication(container, { orgId, id: theirs.id, editor: testEditor }, change);
  t.match(await exchange(form, theirs.credentials), { status: 400, body: { error: 'invalid_request' } });
  const refreshed = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token: open.body.refresh_token },
    as: theirs.credentials,
  });
  t.match(refreshed, { status: 400, body: { error: 'invalid_grant' } });
});

t.test('service users and people with more power are not impersonated', async (t) => {
  const machine = await makeServiceClient(container, organization.id);
  const actor = await acting(support);
  const form = { subject_token: machine.id, subject_token_type: types.user, ...actor };
  t.match(await exchange(form), { status: 400, body: { error: 'invalid_request' } });
  const boss = await makePerson(container, organization);
  await addMembership(container, {
    userId: boss.id,
    role: 'ORG_OWNER',
    orgId: organization.id,
    editor: testEditor,
  });
  t.match(await exchange({ ...asUser(boss), ...actor }), { status: 400, body: { error: 'invalid_request' } });
});

t.test('a service user with the role acts with its own token', async (t) => {
  const machine = await makeServiceClient(container, organization.id);
  await addMembership(container, {
    userId: machine.id,
    role: 'IMPERSONATOR',
    orgId: organization.id,
    editor: testEditor,
  });
  const { body: own } = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'client_credentials', scope: 'openid' },
    as: machine.credentials,
  });
  const form = { ...asUser(person), actor_token: own.access_token, actor_token_type: types.access };
  const { status, body } = await exchange(form, machine.credentials);
  t.equal(status, 200);
  t.match(await readClaims(body.access_token), {
    sub: person.id,
    act: { sub: machine.id },
    clientId: machine.id,
  });
  t.equal(
    (await call('GET /admin/v1/orgs', { as: { token: body.access_token } })).status,
    401,
    'no token for the API',
  );
});

t.test('a JWT of the client names whom the actor acts as', async (t) => {
  const { key, privateJwk } = await addClientKey(
    container,
    { kind: 'application', orgId: organization.id, id: client.id, editor: testEditor },
    { algorithm: 'RS256' },
  );
  if (privateJwk === undefined) throw new Error('The pair was not made');
  const signed = async (claims: Record<string, unknown> = {}) =>
    new SignJWT({ iss: client.id, sub: person.id, aud: baseUrl, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid })
      .setIssuedAt(clock.now())
      .setExpirationTime(new Date(clock.now().getTime() + 60_000))
      .sign(await importJWK(privateJwk, 'RS256'));
  const actor = await acting(support);
  const attempt = async (token: string) =>
    exchange({ subject_token: token, subject_token_type: types.jwt, ...actor });
  const once = await signed();
  const { body } = await attempt(once);
  t.match(await readClaims(body.access_token), { sub: person.id, act: { sub: support.id } });
  t.match(await attempt(once), { status: 400, body: { error: 'invalid_request' } }, 'a JWT works once');
  const refused = [
    await signed({ iss: 'somebody' }),
    await signed({ aud: 'elsewhere' }),
    await signed({ sub: 'nobody' }),
    `${(await signed()).split('.').slice(0, 2).join('.')}.`,
    (await signIn(person)).id_token,
  ];
  for (const token of refused)
    t.match(await attempt(token), { status: 400, body: { error: 'invalid_request' } });
});

t.test('act nests, to a limit', async (t) => {
  const second = await makePerson(container, organization);
  await addMembership(container, {
    userId: second.id,
    role: 'IMPERSONATOR',
    orgId: organization.id,
    editor: testEditor,
  });
  let token = (await exchange({ ...asUser(person), ...(await acting(support)) })).body.access_token;
  const nest = async (actor: User) =>
    exchange({ subject_token: token, subject_token_type: types.access, ...(await acting(actor)) });
  token = (await nest(second)).body.access_token;
  t.same((await readClaims(token)).act, {
    iss: baseUrl,
    sub: second.id,
    act: { iss: baseUrl, sub: support.id },
  });
  const plain = await exchange({ subject_token: token, subject_token_type: types.access });
  t.match(await readClaims(plain.body.access_token), { act: { sub: second.id, act: { sub: support.id } } });
  for (const actor of [support, second, support]) token = (await nest(actor)).body.access_token;
  t.match(await nest(second), { status: 400, body: { error: 'invalid_request' } });
});

t.test('the tokens of an actor end with the actor', async (t) => {
  const temp = await makePerson(container, organization);
  const { id } = await addMembership(container, {
    userId: temp.id,
    role: 'IMPERSONATOR',
    orgId: organization.id,
    editor: testEditor,
  });
  const scope = 'openid offline_access';
  const { body } = await exchange({ ...asUser(person), ...(await acting(temp, scope)), scope });
  const refresh = (refresh_token: string) =>
    postForm(call, '/oauth/v2/token', {
      form: { grant_type: 'refresh_token', refresh_token },
      as: client.credentials,
    });
  const next = await refresh(body.refresh_token);
  t.match(await readClaims(next.body.access_token), { sub: person.id, act: { sub: temp.id } });
  await call(`DELETE /admin/v1/orgs/${organization.id}/memberships/${id}`, { as: owner });
  t.equal((await refresh(next.body.refresh_token)).body.error, 'invalid_grant', 'without the role');

  const now = clock.now();
  const revocation = {
    kind: 'user' as const,
    id: temp.id,
    sub: temp.id,
    issuedUntil: now.getTime() / 1000,
    expires: new Date(now.getTime() + 100_000),
  };
  await container.revocations.record(revocation);
  await container.revocations.publish(revocation);
  t.equal((await call('GET /oidc/v1/userinfo', { as: { token: next.body.access_token } })).status, 401);
});

t.test('every actor in a chain must have the role at each use', async (t) => {
  const role = 'IMPERSONATOR' as const;
  const allowed = async () => {
    const user = await makePerson(container, organization);
    const { id } = await addMembership(container, {
      userId: user.id,
      role,
      orgId: organization.id,
      editor: testEditor,
    });
    const dismiss = () => call(`DELETE /admin/v1/orgs/${organization.id}/memberships/${id}`, { as: owner });
    return { user, dismiss };
  };
  const scope = 'openid offline_access';
  const tokenOf = (access_token: string) => ({
    actor_token: access_token,
    actor_token_type: types.access,
  });
  const refresh = (refresh_token: string) =>
    postForm(call, '/oauth/v2/token', {
      form: { grant_type: 'refresh_token', refresh_token },
      as: client.credentials,
    });

  const [far, near] = [await allowed(), await allowed()];
  const asNear = await exchange({ ...asUser(near.user), ...(await acting(far.user, scope)), scope });
  t.equal(asNear.status, 200);
  const through = await exchange({ ...asUser(person), ...tokenOf(asNear.body.access_token), scope });
  const chain = { sub: near.user.id, act: { sub: far.user.id } };
  t.match(await readClaims(through.body.access_token), { sub: person.id, act: chain });
  const next = await refresh(through.body.refresh_token);
  t.equal(next.status, 200);
  const { body } = await call('POST /admin/v1/events/_search', {
    as: owner,
    body: { eventTypes: ['user.impersonated'], aggregateId: person.id, editorUserId: near.user.id },
  });
  t.equal(body.events.length, 2, 'the exchange and the refresh');
  for (const { payload } of body.events)
    t.same(payload.actors, [near.user.id, far.user.id], 'the record names both');
  const again = { subject_token: next.body.access_token, subject_token_type: types.access };
  t.equal((await exchange(again)).status, 200);
  await far.dismiss();
  t.equal((await refresh(next.body.refresh_token)).body.error, 'invalid_grant', 'who acts through another');
  t.match(await exchange(again), { status: 400, body: { error: 'invalid_request' } }, 'nor is it exchanged');
});

t.test('an exchanged token ends with every token that it derives from, over all exchanges', async (t) => {
  const actor = await makePerson(container, organization);
  const roles = await addMembership(container, {
    userId: actor.id,
    role: 'IMPERSONATOR',
    orgId: organization.id,
    editor: testEditor,
  });
  const scope = 'openid offline_access';
  const revoke = (token: string) =>
    postForm(call, '/oauth/v2/revoke', { form: { token }, as: client.credentials });
  const isLive = async (token: string) =>
    (await postForm(call, '/oauth/v2/introspect', { form: { token }, as: client.credentials })).body.active;
  const refresh = (refresh_token: string) =>
    postForm(call, '/oauth/v2/token', {
      form: { grant_type: 'refresh_token', refresh_token },
      as: client.credentials,
    });
  /** An impersonation with a refresh token, and an exchange of its ID token. Each has its own tokens. */
  const begin = async () => {
    const theirs = await signIn(actor, scope);
    const hers = await signIn(person, scope);
    const first = await exchange({
      subject_token: hers.access_token,
      subject_token_type: types.access,
      actor_token: theirs.access_token,
      actor_token_type: types.access,
      scope,
    });
    const asId = await exchange({
      subject_token: first.body.access_token,
      subject_token_type: types.access,
      requested_token_type: types.id,
    });
    const asJwt = await exchange({
      subject_token: asId.body.access_token,
      subject_token_type: types.id,
      requested_token_type: types.jwt,
    });
    const refreshed = await refresh(first.body.refresh_token);
    t.equal(refreshed.status, 200);
    const made = {
      first: first.body.access_token,
      refreshed: refreshed.body.access_token,
      asJwt: asJwt.body.access_token,
    };
    for (const [name, token] of Object.entries(made)) t.equal(await isLive(token), true, `${name} before`);
    return { theirs, hers, made, asId: asId.body.access_token, refreshToken: refreshed.body.refresh_token };
  };
  const endings: Record<string, (of: { theirs: Tokens; hers: Tokens }) => Promise<unknown>> = {
    'the token of the actor': ({ theirs }) => revoke(theirs.access_token),
    'the family of the actor': ({ theirs }) => revoke(theirs.refresh_token),
    'the session of the actor': async ({ theirs }) =>
      container.sessions.end(actor.id, String((await readClaims(theirs.access_token)).session)),
    'the token of the subject': ({ hers }) => revoke(hers.access_token),
    'the family of the subject': ({ hers }) => revoke(hers.refresh_token),
  };
  for (const [name, end] of Object.entries(endings)) {
    const begun = await begin();
    await end(begun);
    for (const [what, token] of Object.entries(begun.made))
      t.equal(await isLive(token), false, `${name}: ${what}`);
    t.equal((await refresh(begun.refreshToken)).body.error, 'invalid_grant', name);
    const idToken = await exchange({
      subject_token: begun.made.asJwt,
      subject_token_type: types.access,
      requested_token_type: types.id,
    });
    t.equal(idToken.body.error, 'invalid_request', name);
    const again = await exchange({ subject_token: begun.asId, subject_token_type: types.id });
    t.equal(again.body.error, 'invalid_request', `${name}: its ID token is exchanged no more`);
  }

  const { refreshToken } = await begin();
  const recorded = async () => {
    const { body } = await call('POST /admin/v1/events/_search', {
      as: owner,
      body: { eventTypes: ['user.impersonated'], editorUserId: actor.id, limit: 1000 },
    });
    return body.events.length;
  };
  const before = await recorded();
  const next = await refresh(refreshToken);
  t.equal(await recorded(), before + 1, 'each refresh is recorded');
  await call(`DELETE /admin/v1/orgs/${organization.id}/memberships/${roles.id}`, { as: owner });
  t.equal((await refresh(next.body.refresh_token)).body.error, 'invalid_grant', 'without the role');
  t.equal(await recorded(), before + 1, 'what was refused did not happen');
});

t.test('exchanges of exchanges have a limit, since tokens name all that they came of', async (t) => {
  let { access_token: token } = await signIn(person);
  let answer = await exchange({ subject_token: token, subject_token_type: types.access });
  for (let depth = 1; answer.status === 200 && depth < 30; depth++) {
    token = answer.body.access_token;
    answer = await exchange({ subject_token: token, subject_token_type: types.access });
  }
  t.match(answer, {
    status: 400,
    body: { error: 'invalid_request', error_description: 'Too many exchanges' },
  });
  t.ok(token.length < 8192);
});
