import { decodeJwt, decodeProtectedHeader, UnsecuredJWT } from 'jose';
import t from 'tap';
import { redirectUri } from '../support/app/oauth-client.js';
import { makePkce, password, type RelyingParty, startProvider } from '../support/oidc/relying-party.js';
import { addressesOf, isLoginPage, requireArrival, requirePage } from '../support/oidc/user-agent.js';

// The checks of the Basic OP profile of the OpenID Foundation's conformance suite. Each test has the name of the
// suite's module. Where the suite leaves a choice, the test checks the choice of this service.

const provider = await startProvider(t);
const { baseUrl, clock, person } = provider;
const rp = await provider.newClient();

const scopeClaims = {
  profile: {
    name: 'Anna Lind',
    given_name: 'Anna',
    family_name: 'Lind',
    middle_name: 'Maria',
    nickname: 'Ann',
    preferred_username: person.userName,
    profile: 'https://people.example/anna',
    picture: 'https://people.example/anna.png',
    locale: 'sv-SE',
    zoneinfo: 'Europe/Stockholm',
    updated_at: Math.floor(person.lastModified.getTime() / 1000),
  },
  email: { email: `${person.userName}@example.com`, email_verified: true },
  address: {
    address: {
      street_address: 'Storgatan 1',
      locality: 'Lund',
      postal_code: '223 50',
      country: 'SE',
      formatted: 'Storgatan 1\n223 50 Lund\nSweden',
    },
  },
  phone: { phone_number: '+46701234567', phone_number_verified: true },
};

/** The claims of the tokens of a first and a second sign-in at the same browser. */
async function signInTwice(client: RelyingParty, second: Record<string, string>, pause = 0) {
  const agent = provider.newAgent();
  const first = await client.getTokens(agent);
  clock.advance(pause);
  const seen = await client.open(agent, second);
  const asked = isLoginPage(seen);
  const arrival = requireArrival(asked ? await client.signIn(agent, seen) : seen);
  const again = await client.redeem(arrival.parameters);
  return {
    asked,
    first: await client.readIdToken(first.body.id_token),
    again: await client.readIdToken(again.body.id_token),
  };
}

t.test('oidcc-server', async (t) => {
  const { url, parameters } = await rp.authorize(provider.newAgent());
  t.equal(url.hash, '', 'the answer is in the query');
  t.same([...parameters.keys()].sort(), ['code', 'iss', 'state']);
  t.equal(parameters.get('state'), rp.state);
  t.equal(parameters.get('iss'), baseUrl);
  const { status, headers, body } = await rp.redeem(parameters);
  t.equal(status, 200);
  t.match(headers.get('content-type'), /^application\/json/);
  t.match(headers.get('cache-control'), /no-store/);
  t.match(body, { token_type: 'Bearer', expires_in: 43_200, scope: 'openid' });
  t.notOk('refresh_token' in body, 'no refresh token that was not asked for');
  const claims = await rp.readIdToken(body.id_token, { accessToken: body.access_token });
  t.equal(claims.sub, person.id);
});

t.test('oidcc-response-type-missing', async (t) => {
  const { parameters } = await rp.authorize(provider.newAgent(), { response_type: undefined });
  t.match(Object.fromEntries(parameters), { error: 'invalid_request', state: rp.state });
});

t.test('oidcc-idtoken-signature', async (t) => {
  const { body } = await rp.getTokens(provider.newAgent());
  const [header, payload, signature = ''] = body.id_token.split('.');
  const changed = (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1);
  await t.resolves(rp.readIdToken(body.id_token));
  await t.rejects(rp.readIdToken([header, payload, changed].join('.')), {
    code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  });
});

t.test('oidcc-idtoken-unsigned', async (t) => {
  // The suite leaves it out where discovery does not offer it: there is no ID token without a signature.
  const discovery = await fetch(`${baseUrl}/.well-known/openid-configuration`);
  t.notMatch(await discovery.json(), { id_token_signing_alg_values_supported: /\bnone\b/ });
  const asked = { id_token_signed_response_alg: 'none' };
  const { body } = await rp.getTokens(provider.newAgent(), asked);
  t.equal(decodeProtectedHeader(body.id_token).alg, 'RS256');
});

t.test('oidcc-userinfo-get, oidcc-userinfo-post-header, oidcc-userinfo-post-body', async (t) => {
  const { body } = await rp.getTokens(provider.newAgent(), { scope: 'openid email' });
  const headers = { authorization: `Bearer ${body.access_token}` };
  const requests: [name: string, RequestInit][] = [
    ['get', { headers }],
    ['post-header', { method: 'POST', headers }],
    ['post-body', { method: 'POST', body: new URLSearchParams({ access_token: body.access_token }) }],
  ];
  for (const [name, request] of requests) {
    const answer = await fetch(`${baseUrl}/oidc/v1/userinfo`, request);
    t.equal(answer.status, 200, name);
    t.match(answer.headers.get('content-type'), /^application\/json/, name);
    t.same(await answer.json(), { sub: person.id, ...scopeClaims.email }, name);
  }
});

t.test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async (t) => {
  const { body } = await rp.getTokens(provider.newAgent(), { nonce: undefined });
  t.notOk('nonce' in (await rp.readIdToken(body.id_token, { nonce: undefined })));
});

for (const [scope, expected] of Object.entries(scopeClaims)) {
  t.test(`oidcc-scope-${scope}`, async (t) => {
    const { body } = await rp.getTokens(provider.newAgent(), { scope: `openid ${scope}` });
    t.equal(body.scope, `openid ${scope}`);
    t.same((await rp.userinfo(body.access_token)).body, { sub: person.id, ...expected });
    const claims = await rp.readIdToken(body.id_token);
    for (const name of Object.keys(expected)) t.notOk(name in claims, `${name} is only in userinfo`);
  });
}

t.test('oidcc-scope-all', async (t) => {
  const scope = 'openid profile email address phone';
  const { body } = await rp.getTokens(provider.newAgent(), { scope });
  t.equal(body.scope, scope);
  const { profile, email, address, phone } = scopeClaims;
  const all = { sub: person.id, ...profile, ...email, ...address, ...phone };
  t.same((await rp.userinfo(body.access_token)).body, all);
});

t.test('oidcc-scope-all with claims in the ID token where the client wants them there', async (t) => {
  const asserting = await provider.newClient({ idTokenUserinfoAssertion: true });
  const { body } = await asserting.getTokens(provider.newAgent(), { scope: 'openid email phone' });
  t.match(await asserting.readIdToken(body.id_token), { ...scopeClaims.email, ...scopeClaims.phone });
});

t.test('oidcc-alternate-happy-flow', async (t) => {
  const agent = provider.newAgent();
  const turned = Object.entries(rp.request({ scope: 'email openid' })).reverse();
  const seen = await agent.open(`${baseUrl}/oauth/v2/authorize?${new URLSearchParams(turned)}`);
  const { body } = await rp.redeem(requireArrival(await rp.signIn(agent, seen)).parameters);
  t.notOk('email' in (await rp.readIdToken(body.id_token)));
  t.same((await rp.userinfo(body.access_token)).body, { sub: person.id, ...scopeClaims.email });
});

t.test('oidcc-ensure-other-scope-order-succeeds', async (t) => {
  const { body } = await rp.getTokens(provider.newAgent(), { scope: 'email openid' });
  t.same((await rp.userinfo(body.access_token)).body, { sub: person.id, ...scopeClaims.email });
});

for (const display of ['page', 'popup']) {
  t.test(`oidcc-display-${display}`, async (t) => {
    const agent = provider.newAgent();
    const seen = await rp.open(agent, { display });
    t.ok(isLoginPage(seen));
    const { parameters } = requireArrival(await rp.signIn(agent, seen));
    t.equal((await rp.redeem(parameters)).status, 200);
  });
}

t.test('oidcc-prompt-login', async (t) => {
  const { asked, first, again } = await signInTwice(rp, { prompt: 'login' }, 2);
  t.ok(asked, 'the person proves it once more');
  t.equal(again.sub, first.sub);
  t.ok(Number(again['auth_time']) >= Number(first['auth_time']) + 2, 'and that is told');
});

t.test('oidcc-prompt-none-not-logged-in', async (t) => {
  const { parameters } = requireArrival(await rp.open(provider.newAgent(), { prompt: 'none' }));
  t.match(Object.fromEntries(parameters), { error: 'login_required', state: rp.state, iss: baseUrl });
  t.notOk(parameters.has('code'));
});

t.test('oidcc-prompt-none-logged-in', async (t) => {
  const { asked, first, again } = await signInTwice(rp, { prompt: 'none' }, 2);
  t.notOk(asked);
  t.equal(again.sub, first.sub);
  t.equal(again['auth_time'], first['auth_time'], 'the same authentication');
});

t.test('oidcc-max-age-1', async (t) => {
  const { asked, first, again } = await signInTwice(rp, { max_age: '1' }, 2);
  t.ok(asked);
  t.ok(Number(again['auth_time']) >= Number(first['auth_time']) + 2);
  t.ok(Number(again.iat) - Number(again['auth_time']) <= 1);
});

t.test('oidcc-max-age-10000', async (t) => {
  const { asked, first, again } = await signInTwice(rp, { max_age: '10000' }, 2);
  t.notOk(asked);
  t.equal(again.sub, first.sub);
  t.equal(again['auth_time'], first['auth_time']);
});

t.test('oidcc-ensure-request-with-unknown-parameter-succeeds', async (t) => {
  const { status } = await rp.getTokens(provider.newAgent(), { extra: 'foobar' });
  t.equal(status, 200);
});

t.test('oidcc-id-token-hint', async (t) => {
  const agent = provider.newAgent();
  const { body } = await rp.getTokens(agent);
  const again = await rp.open(agent, { prompt: 'none', id_token_hint: body.id_token });
  const redeemed = await rp.redeem(requireArrival(again).parameters);
  t.equal((await rp.readIdToken(redeemed.body.id_token)).sub, person.id);

  const stranger = provider.newAgent();
  const refused = await rp.open(stranger, { prompt: 'none', id_token_hint: body.id_token });
  t.equal(requireArrival(refused).parameters.get('error'), 'login_required', 'a hint signs nobody in');
});

t.test('oidcc-login-hint', async (t) => {
  const agent = provider.newAgent();
  const seen = await rp.open(agent, { login_hint: person.userName });
  t.match(requirePage(seen).text, `name="loginName" type="text" value="${person.userName}"`);
  t.ok(requireArrival(await rp.signIn(agent, seen)).parameters.get('code'));
});

t.test('oidcc-ui-locales', async (t) => {
  const agent = provider.newAgent();
  const seen = await rp.open(agent, { ui_locales: 'se fr-CA de' });
  t.match(requirePage(seen).text, '<html lang="fr">');
  t.ok(requireArrival(await rp.signIn(agent, seen)).parameters.get('code'));
  const unknown = await rp.open(provider.newAgent(), { ui_locales: 'se' });
  t.match(requirePage(unknown).text, '<html lang="en">', 'the language of the browser');
});

t.test('oidcc-claims-locales', async (t) => {
  t.equal((await rp.getTokens(provider.newAgent(), { claims_locales: 'se' })).status, 200);
});

t.test('oidcc-ensure-request-with-acr-values-succeeds', async (t) => {
  const { body } = await rp.getTokens(provider.newAgent(), { acr_values: '1 2' });
  t.match(await rp.readIdToken(body.id_token), { acr: '1', amr: ['pwd'] }, 'what was done is told');
});

for (const [name, seconds] of [
  ['oidcc-codereuse', 0],
  ['oidcc-codereuse-30seconds', 30],
] as const) {
  t.test(name, async (t) => {
    const { parameters } = await rp.authorize(provider.newAgent());
    const { body } = await rp.redeem(parameters);
    t.equal((await rp.userinfo(body.access_token)).status, 200);
    clock.advance(seconds);
    t.match(await rp.redeem(parameters), { status: 400, body: { error: 'invalid_grant' } });
    const { status, headers } = await rp.userinfo(body.access_token);
    t.equal(status, 401, 'what the first use issued is revoked');
    t.match(headers.get('www-authenticate'), /^Bearer .*error="invalid_token"/);
  });
}

t.test('oidcc-ensure-registered-redirect-uri', async (t) => {
  for (const wrong of [`${redirectUri}/other`, `${redirectUri}?x=1`, 'https://evil.example/callback']) {
    const page = requirePage(await rp.open(provider.newAgent(), { redirect_uri: wrong }));
    t.equal(page.status, 400, 'the person sees it, the client does not');
    t.match(page.headers.get('content-type'), /^text\/html/);
    t.notOk(addressesOf(page).includes(wrong), 'nothing leads there');
  }
});

t.test('oidcc-ensure-post-request-succeeds', async (t) => {
  const agent = provider.newAgent();
  const first = await agent.openByPost(`${baseUrl}/oauth/v2/authorize`, rp.request());
  const { parameters } = requireArrival(await rp.signIn(agent, first));
  t.equal((await rp.redeem(parameters)).status, 200);
  const again = await agent.openByPost(`${baseUrl}/oauth/v2/authorize`, rp.request());
  t.ok(requireArrival(again).parameters.get('code'), 'the session is found although the post had no cookie');
});

t.test('oidcc-server-client-secret-post', async (t) => {
  const posting = await provider.newClient({ authMethod: 'client_secret_post' });
  const form = { client_id: posting.client.id, client_secret: posting.client.secret };
  const { parameters } = await posting.authorize(provider.newAgent());
  const code = parameters.get('code') ?? '';
  const redemption = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const { status, body } = await posting.post('/oauth/v2/token', redemption, { form });
  t.equal(status, 200);
  t.equal((await posting.readIdToken(body.id_token)).sub, person.id);
});

t.test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', async (t) => {
  const request = new UnsecuredJWT({ ...rp.request(), nonce: 'other' }).encode();
  const { parameters } = requireArrival(await rp.open(provider.newAgent(), { request }));
  t.match(Object.fromEntries(parameters), { error: 'request_not_supported', state: rp.state });
});

for (const kind of ['unsigned', 'signed-rs256']) {
  t.test(`oidcc-request-uri-${kind}-supported-correctly-or-rejected-as-unsupported`, async (t) => {
    const request_uri = 'https://client.example/request.jwt';
    const { parameters } = requireArrival(await rp.open(provider.newAgent(), { request_uri }));
    t.match(Object.fromEntries(parameters), { error: 'request_uri_not_supported', state: rp.state });
  });
}

t.test('oidcc-ensure-request-object-with-redirect-uri', async (t) => {
  const inside = { ...rp.request(), redirect_uri: 'https://evil.example/callback' };
  const request = new UnsecuredJWT(inside).encode();
  const { url, parameters } = requireArrival(await rp.open(provider.newAgent(), { request }));
  t.equal(url.origin + url.pathname, redirectUri, 'what a request object says moves nothing');
  t.equal(parameters.get('error'), 'request_not_supported');
  const only = await rp.open(provider.newAgent(), { request, redirect_uri: undefined });
  t.equal(requirePage(only).status, 400);
});

t.test('oidcc-claims-essential', async (t) => {
  const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
  const { status, body } = await rp.getTokens(provider.newAgent(), { claims });
  t.equal(status, 200);
  t.same((await rp.userinfo(body.access_token)).body, { sub: person.id, name: 'Anna Lind' });
  t.notOk('name' in (await rp.readIdToken(body.id_token)));
});

t.test('oidcc-refresh-token', async (t) => {
  const { body } = await rp.getTokens(provider.newAgent(), { scope: 'openid email offline_access' });
  const first = await rp.readIdToken(body.id_token);
  const refresh = (refresh_token: string) =>
    rp.post('/oauth/v2/token', { grant_type: 'refresh_token', refresh_token });
  const { status, body: renewed } = await refresh(body.refresh_token);
  t.equal(status, 200);
  t.not(renewed.refresh_token, body.refresh_token, 'it rotates');
  t.not(renewed.access_token, body.access_token);
  const { iss, sub, aud, azp, auth_time } = first;
  t.match(decodeJwt(renewed.id_token), { iss, sub, aud, azp, auth_time });
  t.same((await rp.userinfo(renewed.access_token)).body, { sub: person.id, ...scopeClaims.email });

  const other = await provider.newClient();
  const stolen = { grant_type: 'refresh_token', refresh_token: renewed.refresh_token };
  t.match(await other.post('/oauth/v2/token', stolen), { status: 400, body: { error: 'invalid_grant' } });
});

t.test('oidcc-ensure-request-with-valid-pkce-succeeds', async (t) => {
  const { verifier, challenge } = makePkce();
  const { parameters } = await rp.authorize(provider.newAgent(), challenge);
  t.equal((await rp.redeem(parameters, { code_verifier: verifier })).status, 200);
  const another = await rp.authorize(provider.newAgent(), challenge);
  const wrong = await rp.redeem(another.parameters, { code_verifier: makePkce().verifier });
  t.match(wrong, { status: 400, body: { error: 'invalid_grant' } });
});

t.test('a wrong password leads nowhere', async (t) => {
  const agent = provider.newAgent();
  const seen = await rp.open(agent);
  const wrong = await agent.signIn(seen, { loginName: person.userName, password: `${password}!` });
  t.ok(isLoginPage(wrong));
  t.equal(requirePage(wrong).status, 400);
  const { parameters } = requireArrival(await rp.open(agent, { prompt: 'none' }));
  t.equal(parameters.get('error'), 'login_required');
});
