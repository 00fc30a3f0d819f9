import t from 'tap';
import { harmless, makePkce, startProvider } from '../support/relying-party.js';
import { isLoginPage, requireArrival, requirePage } from '../support/user-agent.js';

// What the Form Post OP profile of the OpenID Foundation's conformance suite checks: the modules of Basic and Implicit
// with response_mode=form_post. The user agent runs the page's script only where the page's policy allows it.

const provider = await startProvider(t);
const { baseUrl, person } = provider;
const types = ['code', 'id_token', 'id_token token'] as const;
const rp = await provider.newClient({ responseTypes: [...types] });
const formPost = { response_mode: 'form_post' };

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

t.test('oidcc-codereuse (form_post)', async (t) => {
  const { parameters } = await rp.authorize(provider.newAgent(), formPost);
  const { body } = await rp.redeem(parameters);
  t.match(await rp.redeem(parameters), { status: 400, body: { error: 'invalid_grant' } });
  t.equal((await rp.userinfo(body.access_token)).status, 401);
});

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
  t.notMatch(page.text, /evil\.example/);
});
