import { decodeJwt } from 'jose';
import t from 'tap';
import { changeUser } from '#src/people/users/change-user.js';
import { makeOrganization, testEditor } from '../../support/app/make.js';
import { postForm } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { Browser, makeApplication, makePerson } from '../../support/oidc/browser.js';
import { visit } from '../../support/oidc/visitor.js';

/** The parameter `claims` of an authorization request (OpenID Connect Core section 5.5), to its end. */

const { app, container, call } = await buildTestApp(t);
const organization = await makeOrganization(container);
const elsewhere = await makeOrganization(container);
const ada = await makePerson(container, organization);
const redirectUri = 'https://client.example/callback';
const endpoint = '/oauth/v2/authorize';

type Client = Awaited<ReturnType<typeof makeApplication>>;

const web = await makeApplication(container, organization.id, {
  grantTypes: ['authorization_code', 'refresh_token'],
});

const requestOf = ({ application }: Client, claims: unknown, differences: Record<string, string> = {}) => ({
  client_id: application.id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid',
  claims: JSON.stringify(claims),
  ...differences,
});

async function tokensFor(client: Client, code: string) {
  const { application, clientSecret = '' } = client;
  const form = { client_id: application.id, client_secret: clientSecret };
  const ask = async (more: Record<string, string>) => {
    const answer = await postForm(call, '/oauth/v2/token', { form: { ...form, ...more } });
    t.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const first = await ask({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
  const refresh = (token: string, more = {}) =>
    ask({ grant_type: 'refresh_token', refresh_token: token, ...more });
  return { first, refresh };
}

const userinfo = async (token: string) => (await call('GET /oidc/v1/userinfo', { as: { token } })).body;

/** Goes the whole way: the request waits in the address, the person signs in, and the code is redeemed. */
async function signInFor(client: Client, claims: unknown, differences: Record<string, string> = {}) {
  const browser = new Browser(app);
  const begun = await browser.get(endpoint, requestOf(client, claims, differences));
  t.equal(begun.location.pathname, '/login', begun.location.href);
  const flow = begun.location.searchParams.get('request') ?? '';
  const session = await browser.signIn(container, ada);
  await container.authorizationRequests.update(flow, { sessionId: session.id });
  const done = await browser.get(`${endpoint}/callback`, { request: flow });
  return tokensFor(client, done.location.searchParams.get('code') ?? '');
}

const asked = {
  userinfo: { email: { essential: true }, given_name: null },
  id_token: { preferred_username: { essential: true }, birthdate: null },
};

t.test('claims come where they were asked for, beside those of the scope, and after a refresh', async (t) => {
  for (const accessTokenType of ['opaque', 'jwt'] as const) {
    const client = await makeApplication(container, organization.id, { accessTokenType });
    const { first, refresh } = await signInFor(client, asked, { scope: 'openid offline_access' });
    const second = await refresh(first.refresh_token);
    const narrowed = await refresh(second.refresh_token, { scope: 'openid' });
    for (const { access_token, id_token, scope } of [first, second, narrowed]) {
      t.notMatch(scope, /email|profile/, 'the scope stays as it was granted');
      t.same(await userinfo(access_token), {
        sub: ada.id,
        email: ada.emails[0]?.value,
        given_name: 'Ada',
      });
      const claims = decodeJwt(id_token);
      t.equal(claims['preferred_username'], ada.userName);
      for (const name of ['email', 'given_name', 'birthdate', 'name']) t.notOk(name in claims, name);
    }
  }
});

t.test(
  'a refresh that gives up a scope gives up its claims, also those that were requested singly',
  async (t) => {
    const wanted = {
      userinfo: { email: null, given_name: null },
      id_token: { email: null, given_name: null },
    };
    for (const accessTokenType of ['opaque', 'jwt'] as const) {
      const client = await makeApplication(container, organization.id, { accessTokenType });
      const { first, refresh } = await signInFor(client, wanted, { scope: 'openid email offline_access' });
      const whole = await refresh(first.refresh_token);
      const narrowed = await refresh(whole.refresh_token, { scope: 'openid' });
      const email = ada.emails[0]?.value;
      t.match(await userinfo(whole.access_token), { email, given_name: 'Ada' });
      t.match(decodeJwt(whole.id_token), { email, given_name: 'Ada' });
      t.same(await userinfo(narrowed.access_token), { sub: ada.id, given_name: 'Ada' });
      t.match(decodeJwt(narrowed.id_token), { given_name: 'Ada' }, 'that no scope ever contained');
      t.notOk('email' in decodeJwt(narrowed.id_token));
      const again = await refresh(narrowed.refresh_token);
      t.match(await userinfo(again.access_token), { email }, 'the refresh token keeps the whole scope');
    }
  },
);

t.test('a claim without a value is left out, essential or not, and comes when there is one', async (t) => {
  const wanted = { userinfo: { birthdate: { essential: true } } };
  const { first } = await signInFor(web, wanted);
  t.same(await userinfo(first.access_token), { sub: ada.id });
  const change = { birthdate: '1815-12-10' };
  await changeUser(container, {
    organization,
    id: ada.id,
    editor: testEditor,
    change: (current) => ({ profile: { ...current, ...change } }),
  });
  t.same(await userinfo(first.access_token), { sub: ada.id, ...change });
});

t.test('claims and scopes are joined', async (t) => {
  const { first } = await signInFor(web, asked, { scope: 'openid email' });
  t.same(await userinfo(first.access_token), {
    sub: ada.id,
    email: ada.emails[0]?.value,
    email_verified: true,
    given_name: 'Ada',
  });
});

t.test('an ID token without an access token has its claims', async (t) => {
  const client = await makeApplication(container, organization.id, { responseTypes: ['id_token'] });
  const browser = new Browser(app);
  await browser.signIn(container, ada);
  const differences = { response_type: 'id_token', nonce: 'n' };
  const seen = await browser.get(endpoint, requestOf(client, asked, differences));
  const claims = decodeJwt(new URLSearchParams(seen.location.hash.slice(1)).get('id_token') ?? '');
  t.equal(claims['preferred_username'], ada.userName);
  t.notOk('email' in claims, 'that was asked of userinfo');
});

t.test('sub and acr decide who answers', async (t) => {
  const grace = await makePerson(container, organization);
  const browser = new Browser(app);
  const answer = async (claims: unknown, differences = {}) => {
    const { location } = await browser.get(
      endpoint,
      requestOf(web, claims, { prompt: 'none', ...differences }),
    );
    return (
      location.searchParams.get('error') ?? (location.searchParams.has('code') ? 'code' : location.pathname)
    );
  };
  const sub = (value: string) => ({ id_token: { sub: { value } } });
  const acr = (...values: string[]) => ({ id_token: { acr: { essential: true, values } } });
  await browser.signIn(container, ada);
  t.equal(await answer(sub(ada.id)), 'code');
  t.equal(await answer(sub(grace.id)), 'login_required');
  t.equal(await answer(acr('1', '2')), 'code');
  t.equal(await answer(acr('2')), 'login_required');
  await browser.signIn(container, grace, [{ kind: 'password' }, { kind: 'code' }]);
  t.equal(await answer(sub(grace.id)), 'code', 'of two people the one who is meant');
  t.equal(await answer({ id_token: { ...sub(grace.id).id_token, ...acr('2').id_token } }), 'code');
  const flow = await (async () => {
    const { location } = await browser.get(endpoint, requestOf(web, acr('2'), { prompt: 'login' }));
    return location.searchParams.get('request') ?? '';
  })();
  const session = await browser.signIn(container, ada);
  await container.authorizationRequests.update(flow, { sessionId: session.id });
  const { location } = await browser.get(`${endpoint}/callback`, { request: flow });
  t.equal(location.searchParams.get('error'), 'unmet_authentication_requirements');
});

t.test('people of another organization consent to what single claims reveal', async (t) => {
  const theirs = await makeApplication(container, elsewhere.id, { orgOnly: false, name: 'Their Shop' });
  const browser = new Browser(app);
  await browser.signIn(container, ada);
  const none = await browser.get(endpoint, requestOf(theirs, {}, { prompt: 'none' }));
  t.equal(none.location.searchParams.get('error'), 'consent_required');

  const visitor = visit(app, container);
  const begin = async (claims: unknown) => {
    const query = new URLSearchParams(requestOf(theirs, claims));
    return visitor.follow(await visitor.get(`${endpoint}?${query}`));
  };
  const page = await begin({});
  const consent = await visitor.follow(
    await visitor.fill(page, { loginName: ada.userName, password: 'Sup3r-Secret-Horse' }),
  );
  t.match(consent.text, /An identifier that is yours/);
  t.notMatch(consent.text, /Your e-mail address/);
  const allowed = await visitor.fill(consent, { decision: 'allow' });
  const plain = new URL((await visitor.follow(allowed)).location ?? '');
  t.ok(plain.searchParams.get('code'), 'without claims the identifier is enough');

  const more = await begin(asked);
  t.match(more.text, /Your e-mail address/, 'asked again, because more is asked for');
  t.match(more.text, /Your name/);
  const done = await visitor.follow(await visitor.fill(more, { decision: 'allow' }));
  const { first } = await tokensFor(theirs, new URL(done.location ?? '').searchParams.get('code') ?? '');
  t.match(await userinfo(first.access_token), { email: ada.emails[0]?.value });
  t.match((await container.consents.ofUser(organization.id, { userId: ada.id, limit: 1 }))[0], {
    scopes: ['email', 'openid', 'profile'],
  });
  const again = new URL((await begin(asked)).location ?? '');
  t.ok(again.searchParams.get('code'), 'and then remembered');
});
