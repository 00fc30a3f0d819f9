import { decodeProtectedHeader, UnsecuredJWT } from 'jose';
import t from 'tap';
import { redirectUri } from '../support/app/oauth-client.js';
import { harmless, makePkce, startProvider } from '../support/oidc/relying-party.js';
import { addressesOf, isLoginPage, requireArrival, requirePage } from '../support/oidc/user-agent.js';

// The checks of the Form Post OP profile of the OpenID Foundation's conformance suite: the modules of Basic and
// Implicit with response_mode=form_post. The user agent runs the page's script only if the page's policy allows it.

const provider = await startProvider(t);
const { baseUrl, person } = provider;
const types = ['code', 'id_token', 'id_token token'] as const;
const rp = await provider.newClient({ responseTypes: [...types] });
const formPost = { response_mode: 'form_post' };
/** The claims of each scope. */
const told = {
  profile: ['name', 'family_name', 'given_name', 'preferred_username', 'updated_at'],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
};

for (const response_type of types) {
  t.test(`oidcc-server (form_post, ${response_type})`, async (t) => {
    const arrival = await rp.authorize(provider.newAgent(), { ...formPost, response_type });
    const { url, request, parameters } = arrival;
    t.equal(request.method, 'POST');
    t.equal(request.headers.get('content-type'), 'application/x-www-form-urlencoded;charset=UTF-8');
    t.equal(url.search + url.hash, '', 'nothing in the address');
    t.match(Object.fromEntries(parameters), { state: rp.state, iss: baseUrl });
    const code = parameters.get('code');
    t.equal(code !== null, response_type === 'code');
    const { body } = code === null ? { body: Object.fromEntries(parameters) } : await rp.redeem(parameters);
    const accessToken = body.access_token;
    const claims = await rp.readIdToken(body.id_token, { ...(accessToken && { accessToken }) });
    t.equal(claims.sub, person.id);
    t.equal(
      decodeProtectedHeader(body.id_token).alg,
      'RS256',
      'oidcc-idtoken-signature, oidcc-idtoken-unsigned',
    );
    t.equal(accessToken !== undefined, response_type !== 'id_token');
    if (accessToken) t.same((await rp.userinfo(accessToken)).body, { sub: person.id });
  });

  t.test(`oidcc-prompt-none-not-logged-in (form_post, ${response_type})`, async (t) => {
    const seen = await rp.open(provider.newAgent(), { ...formPost, response_type, prompt: 'none' });
    const { request, parameters } = requireArrival(seen);
    t.equal(request.method, 'POST', 'errors are posted too');
    t.match(Object.fromEntries(parameters), { error: 'login_required', state: rp.state, iss: baseUrl });
  });
}

for (const scope of ['profile', 'email', 'address', 'phone', 'all'] as const) {
  t.test(`oidcc-scope-${scope} (form_post)`, async (t) => {
    const expected = scope === 'all' ? Object.values(told).flat() : told[scope];
    const asked = scope === 'all' ? Object.keys(told).join(' ') : scope;
    for (const response_type of types) {
      const request = { ...formPost, response_type, scope: `openid ${asked}` };
      const { parameters } = await rp.authorize(provider.newAgent(), request);
      const body = parameters.has('code')
        ? (await rp.redeem(parameters)).body
        : Object.fromEntries(parameters);
      const idToken = await rp.readIdToken(body.id_token);
      const claims = body.access_token ? (await rp.userinfo(body.access_token)).body : idToken;
      for (const name of expected) t.ok(name in claims, `${name} (${response_type})`);
    }
  });
}

t.test('oidcc-userinfo-get, oidcc-userinfo-post-header, oidcc-userinfo-post-body (form_post)', async (t) => {
  const { body } = await rp.getTokens(provider.newAgent(), formPost);
  const access_token = body.access_token;
  const headers = { authorization: `Bearer ${access_token}` };
  const posted = new URLSearchParams({ access_token });
  for (const request of [{ headers }, { method: 'POST', headers }, { method: 'POST', body: posted }]) {
    const answer = await fetch(`${baseUrl}/oidc/v1/userinfo`, request);
    t.same(await answer.json(), { sub: person.id });
  }
});

t.test('oidcc-prompt-none-logged-in (form_post)', async (t) => {
  const agent = provider.newAgent();
  const first = await rp.readIdToken((await rp.getTokens(agent, formPost)).body.id_token);
  const { request, parameters } = requireArrival(await rp.open(agent, { ...formPost, prompt: 'none' }));
  t.equal(request.method, 'POST');
  const again = await rp.readIdToken((await rp.redeem(parameters)).body.id_token);
  t.same([again.sub, again['auth_time']], [first.sub, first['auth_time']]);
});

t.test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow (form_post)', async (t) => {
  const { body } = await rp.getTokens(provider.newAgent(), { ...formPost, nonce: undefined });
  t.notOk('nonce' in (await rp.readIdToken(body.id_token, { nonce: undefined })));
});

t.test('oidcc-ensure-post-request-succeeds (form_post)', async (t) => {
  const agent = provider.newAgent();
  const seen = await agent.openByPost(`${baseUrl}/oauth/v2/authorize`, rp.request(formPost));
  const { request, parameters } = requireArrival(await rp.signIn(agent, seen));
  t.equal(request.method, 'POST');
  t.equal((await rp.redeem(parameters)).status, 200);
});

t.test('oidcc-server-client-secret-post (form_post)', async (t) => {
  const posting = await provider.newClient({ authMethod: 'client_secret_post' });
  const form = { client_id: posting.client.id, client_secret: posting.client.secret };
  const { parameters } = await posting.authorize(provider.newAgent(), formPost);
  const code = parameters.get('code') ?? '';
  const redemption = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const { body } = await posting.post('/oauth/v2/token', redemption, { form });
  t.equal((await posting.readIdToken(body.id_token)).sub, person.id);
});

t.test('oidcc-refresh-token (form_post)', async (t) => {
  const scope = 'openid offline_access';
  const { body } = await rp.getTokens(provider.newAgent(), { ...formPost, scope });
  const renewed = await rp.post('/oauth/v2/token', {
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token,
  });
  t.equal(renewed.status, 200);
  t.same((await rp.userinfo(renewed.body.access_token)).body, { sub: person.id });
});

t.test('oidcc-ensure-request-object-with-redirect-uri (form_post)', async (t) => {
  const inside = { ...rp.request(), redirect_uri: 'https://evil.example/callback' };
  const request = new UnsecuredJWT(inside).encode();
  const { url, parameters } = requireArrival(await rp.open(provider.newAgent(), { ...formPost, request }));
  t.equal(url.href, redirectUri, 'what a request object says moves nothing');
  t.equal(parameters.get('error'), 'request_not_supported');
});

for (const [name, differences] of Object.entries(harmless)) {
  t.test(`${name} (form_post)`, async (t) => {
    const { request, parameters } = await rp.authorize(provider.newAgent(), { ...formPost, ...differences });
    t.equal(request.method, 'POST');
    const { body } = await rp.redeem(parameters);
    t.equal((await rp.readIdToken(body.id_token)).sub, person.id);
  });
}

t.test(
  'oidcc-prompt-login, oidcc-max-age-1, oidcc-max-age-10000, oidcc-id-token-hint (form_post)',
  async (t) => {
    const agent = provider.newAgent();
    const first = (await rp.getTokens(agent, formPost)).body.id_token;
    provider.clock.advance(2);
    t.ok(isLoginPage(await rp.open(agent, { ...formPost, prompt: 'login' })));
    t.ok(isLoginPage(await rp.open(agent, { ...formPost, max_age: '1' })));
    for (const differences of [{ max_age: '10000' }, { prompt: 'none', id_token_hint: first }]) {
      const { request, parameters } = requireArrival(await rp.open(agent, { ...formPost, ...differences }));
      t.equal(request.method, 'POST');
      t.equal((await rp.redeem(parameters)).status, 200);
    }
  },
);

for (const [name, seconds] of [
  ['oidcc-codereuse', 0],
  ['oidcc-codereuse-30seconds', 30],
] as const) {
  t.test(`${name} (form_post)`, async (t) => {
    const { parameters } = await rp.authorize(provider.newAgent(), formPost);
    const { body } = await rp.redeem(parameters);
    provider.clock.advance(seconds);
    t.match(await rp.redeem(parameters), { status: 400, body: { error: 'invalid_grant' } });
    t.equal((await rp.userinfo(body.access_token)).status, 401);
  });
}

t.test('oidcc-unsigned-request-object, oidcc-request-uri (form_post)', async (t) => {
  for (const [name, value] of [
    ['request', 'eyJhbGciOiJub25lIn0.e30.'],
    ['request_uri', 'https://client.example/request.jwt'],
  ] as const) {
    const seen = await rp.open(provider.newAgent(), { ...formPost, [name]: value });
    const { request, parameters } = requireArrival(seen);
    t.equal(request.method, 'POST');
    t.equal(parameters.get('error'), `${name}_not_supported`);
  }
});

t.test('oidcc-response-type-missing (form_post)', async (t) => {
  const seen = await rp.open(provider.newAgent(), { ...formPost, response_type: undefined });
  const { request, parameters } = requireArrival(seen);
  t.equal(request.method, 'POST');
  t.equal(parameters.get('error'), 'invalid_request');
});

t.test('oidcc-ensure-request-without-nonce-fails (form_post)', async (t) => {
  const differences = { ...formPost, response_type: 'id_token', nonce: undefined };
  const { parameters } = requireArrival(await rp.open(provider.newAgent(), differences));
  t.equal(parameters.get('error'), 'invalid_request');
});

t.test('oidcc-ensure-request-with-valid-pkce-succeeds (form_post)', async (t) => {
  const { verifier, challenge } = makePkce();
  const { parameters } = await rp.authorize(provider.newAgent(), { ...formPost, ...challenge });
  t.equal((await rp.redeem(parameters, { code_verifier: verifier })).status, 200);
});

t.test('the page posts by itself, offers a button without JavaScript, and leaks nothing', async (t) => {
  const state = '"><script>alert(1)</script>&amp;\u00e9';
  const answer = await fetch(rp.address({ ...formPost, prompt: 'none', state }), { redirect: 'manual' });
  t.equal(answer.status, 200);
  t.match(answer.headers.get('content-type'), /^text\/html/);
  t.match(answer.headers.get('cache-control'), /no-store/);
  t.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  const text = await answer.text();
  t.match(text, '<script>document.forms[0].submit()</script>');
  t.match(text, '<button type="submit">');
  t.notMatch(text, '<script>alert');
  const { parameters } = requireArrival(
    await rp.open(provider.newAgent(), { ...formPost, prompt: 'none', state }),
  );
  t.equal(parameters.get('state'), state, 'and arrives as it was');
});

t.test('oidcc-ensure-registered-redirect-uri (form_post)', async (t) => {
  const wrong = { ...formPost, redirect_uri: 'https://evil.example/callback' };
  const page = requirePage(await rp.open(provider.newAgent(), wrong));
  t.equal(page.status, 400);
  t.notOk(
    addressesOf(page).some((address) => address.includes('evil.example')),
    'nothing leads there',
  );
});
