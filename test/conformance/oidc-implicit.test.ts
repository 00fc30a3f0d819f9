import { UnsecuredJWT } from 'jose';
import t from 'tap';
import { redirectUri } from '../support/app/oauth-client.js';
import { harmless, type Parameters, startProvider } from '../support/oidc/relying-party.js';
import { isLoginPage, requireArrival, requirePage } from '../support/oidc/user-agent.js';

// The checks of the Implicit OP profile of the OpenID Foundation's conformance suite, for both of its response types.

const provider = await startProvider(t);
const { baseUrl, clock, person } = provider;
const email = { email: `${person.userName}@example.com`, email_verified: true };

for (const responseType of ['id_token', 'id_token token'] as const) {
  const withToken = responseType === 'id_token token';
  const rp = await provider.newClient({ type: 'spa', responseTypes: [responseType] });

  /** Signs in, and validates the response as a careful client does. */
  const signIn = async (agent = provider.newAgent(), differences: Parameters = {}) => {
    const { url, parameters } = await rp.authorize(agent, differences);
    const accessToken = parameters.get('access_token') ?? undefined;
    const claims = await rp.readIdToken(parameters.get('id_token') ?? '', {
      ...(accessToken !== undefined && { accessToken }),
    });
    return { url, parameters, claims };
  };

  t.test(`oidcc-server (${responseType})`, async (t) => {
    const { url, parameters, claims } = await signIn();
    t.equal(url.search, '', 'nothing that a server would log');
    t.equal(url.origin + url.pathname, redirectUri);
    t.equal(claims.sub, person.id);
    const expected = ['id_token', 'expires_in', 'scope', 'state', 'iss', 'token_type'];
    t.same([...parameters.keys()].sort(), [...expected, ...(withToken ? ['access_token'] : [])].sort());
    t.match(Object.fromEntries(parameters), {
      state: rp.state,
      iss: baseUrl,
      token_type: 'Bearer',
      expires_in: /^\d+$/,
      scope: 'openid',
    });
  });

  t.test(`oidcc-ensure-request-without-nonce-fails (${responseType})`, async (t) => {
    const seen = await rp.open(provider.newAgent(), { nonce: undefined });
    const { url, parameters } = requireArrival(seen);
    t.equal(url.search, '', 'the error stands where the answer would');
    t.match(Object.fromEntries(parameters), { error: 'invalid_request', state: rp.state, iss: baseUrl });
  });

  t.test(`oidcc-scope-email (${responseType})`, async (t) => {
    const { parameters, claims } = await signIn(provider.newAgent(), { scope: 'openid email' });
    if (!withToken) {
      t.match(claims, email, 'there is no userinfo to ask, so the ID token tells');
      return;
    }
    t.notOk('email' in claims, 'userinfo tells it');
    const { body } = await rp.userinfo(parameters.get('access_token') ?? '');
    t.same(body, { sub: person.id, ...email });
  });

  t.test(`oidcc-prompt-login, oidcc-max-age-1 (${responseType})`, async (t) => {
    for (const ask of [{ prompt: 'login' }, { max_age: '1' }]) {
      const agent = provider.newAgent();
      const first = await signIn(agent);
      clock.advance(2);
      t.ok(isLoginPage(await rp.open(agent, ask)));
      const { claims } = await signIn(agent, ask);
      t.ok(Number(claims['auth_time']) >= Number(first.claims['auth_time']) + 2);
    }
  });

  t.test(`oidcc-prompt-none-not-logged-in, oidcc-prompt-none-logged-in (${responseType})`, async (t) => {
    const agent = provider.newAgent();
    const { url, parameters } = requireArrival(await rp.open(agent, { prompt: 'none' }));
    t.equal(url.search, '');
    t.match(Object.fromEntries(parameters), { error: 'login_required', state: rp.state });
    const first = await signIn(agent);
    const again = await signIn(agent, { prompt: 'none' });
    t.same([again.claims.sub, again.claims['auth_time']], [first.claims.sub, first.claims['auth_time']]);
  });

  t.test(`oidcc-id-token-hint (${responseType})`, async (t) => {
    const agent = provider.newAgent();
    const { parameters } = await signIn(agent);
    const hint = { prompt: 'none', id_token_hint: parameters.get('id_token') ?? '' };
    t.equal((await signIn(agent, hint)).claims.sub, person.id);
  });

  for (const [name, differences] of Object.entries(harmless)) {
    t.test(`${name} (${responseType})`, async (t) => {
      t.equal((await signIn(provider.newAgent(), differences)).claims.sub, person.id);
    });
  }

  for (const [scope, names] of Object.entries({
    profile: ['name', 'family_name', 'given_name', 'preferred_username', 'updated_at'],
    address: ['address'],
    phone: ['phone_number', 'phone_number_verified'],
    'profile email address phone': ['name', 'email', 'address', 'phone_number'],
  })) {
    t.test(`oidcc-scope-${scope.includes(' ') ? 'all' : scope} (${responseType})`, async (t) => {
      const { parameters, claims } = await signIn(provider.newAgent(), { scope: `openid ${scope}` });
      const told = withToken ? (await rp.userinfo(parameters.get('access_token') ?? '')).body : claims;
      t.same(
        names.filter((name) => !(name in told)),
        [],
        'all of the scope is told',
      );
      if (withToken) t.notOk(names.some((name) => name in claims));
    });
  }

  t.test(`oidcc-max-age-10000 (${responseType})`, async (t) => {
    const agent = provider.newAgent();
    const first = await signIn(agent);
    clock.advance(2);
    const seen = requireArrival(await rp.open(agent, { max_age: '10000' }));
    const claims = await rp.readIdToken(seen.parameters.get('id_token') ?? '');
    t.equal(claims['auth_time'], first.claims['auth_time']);
  });

  t.test(`oidcc-ensure-post-request-succeeds (${responseType})`, async (t) => {
    const agent = provider.newAgent();
    const seen = await agent.openByPost(`${baseUrl}/oauth/v2/authorize`, rp.request());
    const { parameters } = requireArrival(await rp.signIn(agent, seen));
    t.equal((await rp.readIdToken(parameters.get('id_token') ?? '')).sub, person.id);
  });

  t.test(`oidcc-ensure-registered-redirect-uri (${responseType})`, async (t) => {
    const seen = await rp.open(provider.newAgent(), { redirect_uri: `${redirectUri}/other` });
    t.equal(requirePage(seen).status, 400);
  });

  t.test(`oidcc-idtoken-signature, oidcc-idtoken-unsigned (${responseType})`, async (t) => {
    const { parameters } = await signIn(provider.newAgent(), { id_token_signed_response_alg: 'none' });
    const [header, payload, signature = ''] = (parameters.get('id_token') ?? '').split('.');
    t.notOk(signature === '', 'it is signed whatever was asked for');
    const changed = (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1);
    await t.rejects(rp.readIdToken([header, payload, changed].join('.')), {
      code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    });
  });

  t.test(`oidcc-response-type-missing (${responseType})`, async (t) => {
    const { parameters } = requireArrival(await rp.open(provider.newAgent(), { response_type: undefined }));
    t.match(Object.fromEntries(parameters), { error: 'invalid_request', state: rp.state });
  });

  t.test(`oidcc-ensure-request-object-with-redirect-uri (${responseType})`, async (t) => {
    const inside = { ...rp.request(), redirect_uri: 'https://evil.example/callback' };
    const request = new UnsecuredJWT(inside).encode();
    const { url, parameters } = requireArrival(await rp.open(provider.newAgent(), { request }));
    t.equal(url.origin + url.pathname, redirectUri, 'what a request object says moves nothing');
    t.equal(parameters.get('error'), 'request_not_supported');
  });

  t.test(`oidcc-unsigned-request-object, oidcc-request-uri (${responseType})`, async (t) => {
    for (const [name, value] of [
      ['request', 'eyJhbGciOiJub25lIn0.e30.'],
      ['request_uri', 'https://client.example/request.jwt'],
    ] as const) {
      const { url, parameters } = requireArrival(await rp.open(provider.newAgent(), { [name]: value }));
      t.equal(url.search, '');
      t.equal(parameters.get('error'), `${name}_not_supported`);
    }
  });

  if (withToken) {
    t.test(
      'oidcc-userinfo-get, oidcc-userinfo-post-header, oidcc-userinfo-post-body (id_token token)',
      async (t) => {
        const { parameters } = await signIn();
        const access_token = parameters.get('access_token') ?? '';
        const headers = { authorization: `Bearer ${access_token}` };
        const body = new URLSearchParams({ access_token });
        for (const request of [{ headers }, { method: 'POST', headers }, { method: 'POST', body }]) {
          const answer = await fetch(`${baseUrl}/oidc/v1/userinfo`, request);
          t.same(await answer.json(), { sub: person.id });
        }
      },
    );
  }

  t.test(`response_mode=query is not for tokens (${responseType})`, async (t) => {
    const { url } = await signIn(provider.newAgent(), { response_mode: 'query' });
    t.equal(url.search, '');
  });

  t.test(`offline_access gives nothing (${responseType})`, async (t) => {
    const { parameters } = await signIn(provider.newAgent(), { scope: 'openid offline_access' });
    t.equal(parameters.get('scope'), 'openid');
    t.notOk(parameters.has('refresh_token'));
  });
}

t.test('oidcc-ensure-registered-response-type: only for applications that opted in', async (t) => {
  const code = await provider.newClient();
  const { parameters } = requireArrival(await code.open(provider.newAgent(), { response_type: 'id_token' }));
  t.match(Object.fromEntries(parameters), { error: 'unauthorized_client', state: code.state });
});
