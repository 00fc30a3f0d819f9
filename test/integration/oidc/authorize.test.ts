import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import t from 'tap';
import { changeApplication } from '#src/clients/applications/change-application.js';
import { makeOrganization, testEditor } from '../../support/app/make.js';
import { goodPassword, makePerson as makePersonWithPassword } from '../../support/app/people.js';
import { buildTestApp, serve } from '../../support/app/test-app.js';
import {
  Browser,
  makeApplication,
  makePerson,
  type Parameters,
  type Seen,
} from '../../support/oidc/browser.js';
import { visit } from '../../support/oidc/visitor.js';
import { keysOf } from '../../support/stores/redis-keys.js';

const { app, container, clock, openAnother } = await buildTestApp(t);
const { baseUrl } = container.config;
const organization = await makeOrganization(container);
const elsewhere = await makeOrganization(container);
const ada = await makePerson(container, organization);
const grace = await makePerson(container, organization);
const stranger = await makePerson(container, elsewhere);

const redirectUri = 'https://client.example/callback';
const { application: web } = await makeApplication(container, organization.id);
const { application: spa } = await makeApplication(container, organization.id, {
  type: 'spa',
  responseTypes: ['code', 'id_token', 'id_token token'],
});
const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url');
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };

const request = (differences: Parameters = {}): Parameters => ({
  client_id: web.id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid',
  state: 'st/ate?1',
  ...differences,
});

const endpoint = '/oauth/v2/authorize';
const newBrowser = () => new Browser(app);

async function signedIn(...people: (typeof ada)[]): Promise<Browser> {
  const browser = newBrowser();
  for (const person of people) await browser.signIn(container, person);
  return browser;
}

/** The parameters that the client receives, in the query or in the fragment. */
function answerOf({ location }: Seen): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1) || location.search));
}

t.test('errors that the client gets', async (t) => {
  const implicit = { client_id: spa.id, response_type: 'id_token' };
  const manyScopes = Array.from({ length: 100 }, (_, index) => `s${index}`).join(' ');
  const rows: [name: string, differences: Parameters, error: string][] = [
    ['response_type is missing', { response_type: undefined }, 'invalid_request'],
    ['response_type does not exist', { response_type: 'token' }, 'unsupported_response_type'],
    ['hybrid response_type', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['response_type of nothing', { response_type: 'none' }, 'unsupported_response_type'],
    ['application did not opt in', { response_type: 'id_token', nonce: 'n' }, 'unauthorized_client'],
    ['scope is missing', { scope: undefined }, 'invalid_scope'],
    ['scope has no openid', { scope: 'profile email' }, 'invalid_scope'],
    ['scope is malformed', { scope: 'openid "x"' }, 'invalid_scope'],
    ['scope is endless', { scope: `openid ${manyScopes}` }, 'invalid_scope'],
    [
      'scope names two organizations',
      { scope: 'openid urn:service:iam:org:id:a urn:service:iam:org:id:b' },
      'invalid_scope',
    ],
    ['scope is repeated', { scope: ['openid', 'openid'] }, 'invalid_request'],
    ['nonce is repeated', { nonce: ['a', 'b'] }, 'invalid_request'],
    ['nonce is missing in the implicit flow', { ...implicit }, 'invalid_request'],
    ['nonce is too long', { ...implicit, nonce: 'n'.repeat(513) }, 'invalid_request'],
    ['request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['request by reference', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
    ['public client without PKCE', { client_id: spa.id }, 'invalid_request'],
    ['PKCE plain', { code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE without method, which means plain', { code_challenge: challenge }, 'invalid_request'],
    ['PKCE method without challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['PKCE challenge too short', { ...pkce, code_challenge: 'short' }, 'invalid_request'],
    ['PKCE challenge repeated', { ...pkce, code_challenge: [challenge, challenge] }, 'invalid_request'],
    ['prompt is unknown', { prompt: 'dance' }, 'invalid_request'],
    ['prompt none with another', { prompt: 'none login' }, 'invalid_request'],
    ['claims is no JSON', { claims: '{' }, 'invalid_request'],
    ['claims is no object', { claims: '{"userinfo":[]}' }, 'invalid_request'],
    [
      'claims is too long',
      { claims: JSON.stringify({ userinfo: { x: 'x'.repeat(4_096) } }) },
      'invalid_request',
    ],
    ['claims is repeated', { claims: ['{}', '{}'] }, 'invalid_request'],
    ['max_age is no number', { max_age: 'young' }, 'invalid_request'],
    ['max_age is negative', { max_age: '-1' }, 'invalid_request'],
    ['nobody is signed in and nothing may be asked', { prompt: 'none' }, 'login_required'],
  ];
  for (const [name, differences, error] of rows) {
    const seen = await newBrowser().get(endpoint, request(differences));
    t.equal(seen.status, 303, name);
    t.equal(seen.location.origin + seen.location.pathname, redirectUri, name);
    const answer = answerOf(seen);
    t.match(answer, { error, error_description: /./, state: 'st/ate?1', iss: baseUrl }, name);
    t.notOk('code' in answer || 'id_token' in answer, name);
  }
});

t.test('a repeated or oversized state does not come back', async (t) => {
  for (const state of [['a', 'b'], 's'.repeat(9_000)]) {
    const seen = await newBrowser().get(endpoint, request({ state }));
    t.match(answerOf(seen), { error: 'invalid_request', iss: baseUrl });
    t.notOk('state' in answerOf(seen));
  }
});

t.test('a fault of ours is server_error for the client and tells nothing', async (t) => {
  const browser = await signedIn(ada);
  const { find } = container.users;
  container.users.find = () => Promise.reject(new Error('secret detail'));
  t.teardown(() => {
    container.users.find = find;
  });
  const seen = await browser.get(endpoint, request());
  t.match(answerOf(seen), { error: 'server_error', state: 'st/ate?1', iss: baseUrl });
  t.notMatch(seen.location.href, /secret/);
});

t.test('errors that the person sees', async (t) => {
  const shown = async (differences: Parameters, name: string) => {
    const browser = await signedIn(ada);
    const seen = await browser.get(endpoint, request(differences));
    t.equal(seen.status, 400, name);
    t.equal(seen.headers['location'], undefined, name);
    t.match(seen.headers, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': /frame-ancestors 'none'/,
    });
    return seen;
  };
  await shown({ client_id: undefined }, 'no client');
  await shown({ client_id: [web.id, spa.id] }, 'two clients');
  await shown({ client_id: 'x'.repeat(9_000) }, 'endless client');
  const { text } = await shown({ client_id: '<script>alert(1)</script>' }, 'unknown client');
  t.notMatch(text, '<script');
  await shown({ redirect_uri: undefined }, 'no redirect URI');
  await shown({ redirect_uri: [redirectUri, redirectUri] }, 'two redirect URIs');

  const german = await newBrowser().get(endpoint, request({ client_id: 'x', ui_locales: 'pt de' }));
  t.match(german.text, /<html lang="de">/);
});

t.test('a redirect URI is registered character by character or not at all', async (t) => {
  const wrong = [
    `${redirectUri}/`,
    `${redirectUri}/more`,
    `${redirectUri}2`,
    `${redirectUri}?a=b`,
    `${redirectUri}#fragment`,
    `${redirectUri}#`,
    `${redirectUri}/..`,
    `${redirectUri}%2f..%2fother`,
    `${redirectUri}\n`,
    ` ${redirectUri}`,
    'https://client.example/callbac',
    'https://client.example/%63allback',
    'https://client.example/a/../callback',
    'https://client.example//callback',
    'https://client.example/CALLBACK',
    'https://CLIENT.example/callback',
    'https://client.example:443/callback',
    'https://client.example:8443/callback',
    'http://client.example/callback',
    'https://client.example@evil.example/callback',
    'https://evil.example@client.example/callback',
    'https://client.example.evil.example/callback',
    'https://evil.example/https://client.example/callback',
    'https://evil.example\\@client.example/callback',
    '//client.example/callback',
    '/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'null',
  ];
  const browser = await signedIn(ada);
  for (const redirect_uri of wrong) {
    const seen = await browser.get(endpoint, request({ redirect_uri }));
    t.equal(seen.status, 400, redirect_uri);
    t.equal(seen.headers['location'], undefined, redirect_uri);
  }
});

t.test('a code goes to a private scheme, bound by PKCE', async (t) => {
  const browser = await signedIn(ada);
  for (const redirect_uri of [
    'cursor://auth/callback',
    'myapp://',
    'exp://127.0.0.1:8081/--/cb?x=1',
    'myapp:/cb',
  ]) {
    const { application } = await makeApplication(container, organization.id, {
      type: 'native',
      redirectUris: [redirect_uri],
    });
    const asked = request({ client_id: application.id, redirect_uri });
    const { location } = await browser.get(endpoint, { ...asked, ...pkce });
    t.ok(location.href.startsWith(redirect_uri), location.href);
    t.match(Object.fromEntries(location.searchParams), { code: /.{20,}/, state: 'st/ate?1', iss: baseUrl });
    const open = await browser.get(endpoint, asked);
    t.equal(open.location.searchParams.get('error'), 'invalid_request', 'without PKCE there is no code');
    for (const other of [`${redirect_uri}x`, redirect_uri.replace(':', '2:'), redirect_uri.toUpperCase()]) {
      const wrong = await browser.get(endpoint, { ...asked, ...pkce, redirect_uri: other });
      t.equal(wrong.status, 400, other);
    }
  }
});

t.test('a native application may choose the port of a loopback address and nothing else', async (t) => {
  const { application } = await makeApplication(container, organization.id, {
    type: 'native',
    redirectUris: ['http://127.0.0.1/cb', 'http://[::1]:7000/cb', 'com.example.app:/cb'],
  });
  const browser = await signedIn(ada);
  const go = (redirect_uri: string, client = application) =>
    browser.get(endpoint, request({ client_id: client.id, redirect_uri, ...pkce }));
  for (const uri of [
    'http://127.0.0.1/cb',
    'http://127.0.0.1:51004/cb',
    'http://[::1]:1/cb',
    'com.example.app:/cb',
  ]) {
    const seen = await go(uri);
    t.equal(seen.status, 303, uri);
    t.ok(String(seen.headers['location']).startsWith(`${uri}?code=`), uri);
  }
  for (const uri of [
    'http://127.0.0.1:51004/other',
    'http://127.0.0.1:51004/cb/',
    'http://127.0.0.1:51004/cb?x=1',
    'http://127.0.0.1:51004/cb#x',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:/cb',
    'http://127.0.0.1:80@evil.example/cb',
    'http://127.0.0.1:80.evil.example/cb',
    'http://127.0.0.2:80/cb',
    'http://localhost:80/cb',
    'https://127.0.0.1:80/cb',
    'com.example.app:8080/cb',
  ]) {
    const seen = await go(uri);
    t.equal(seen.status, 400, uri);
    t.equal(seen.headers['location'], undefined, uri);
  }
});

t.test('response types', async (t) => {
  const browser = await signedIn(ada);
  const implicit = (response_type: string) =>
    browser.get(endpoint, request({ client_id: spa.id, response_type, nonce: 'n-1', scope: 'openid email' }));

  const code = await browser.get(endpoint, request());
  t.same(Object.keys(answerOf(code)).sort(), ['code', 'iss', 'state']);
  t.match(answerOf(code), { state: 'st/ate?1', iss: baseUrl });
  t.equal(code.location.hash, '');

  const idToken = await implicit('id_token');
  t.equal(idToken.location.search, '');
  t.match(answerOf(idToken), {
    token_type: 'Bearer',
    expires_in: /^\d+$/,
    scope: 'openid email',
    iss: baseUrl,
  });
  t.notOk('access_token' in answerOf(idToken));
  const [session] = await container.sessions.ofAgent(browser.agentHash);
  t.match(decodeJwt(String(answerOf(idToken)['id_token'])), {
    sub: ada.id,
    aud: spa.id,
    nonce: 'n-1',
    sid: session?.id,
    email: ada.emails[0]?.value,
  });

  const both = answerOf(await implicit('id_token token'));
  const claims = decodeJwt(String(both['id_token']));
  t.match(claims, { at_hash: /./, nonce: 'n-1' });
  t.notOk('email' in claims, 'the client gets it from userinfo');
  t.ok(await container.accessTokens.read(String(both['access_token'])));
  t.ok('id_token' in answerOf(await implicit('token id_token')), 'the order of the words means nothing');
});

t.test('a code stands for the request and the signed-in person', async (t) => {
  const browser = await signedIn(ada);
  const seen = await browser.get(
    endpoint,
    request({ ...pkce, nonce: 'n-2', scope: 'openid offline_access unknown email openid' }),
  );
  const redeemed = await container.codes.redeem(String(answerOf(seen)['code']));
  const [session] = await container.sessions.ofAgent(browser.agentHash);
  t.match(redeemed, {
    grant: {
      clientId: web.id,
      redirectUri,
      userId: ada.id,
      orgId: organization.id,
      sessionId: session?.id,
      scope: 'openid offline_access email',
      nonce: 'n-2',
      codeChallenge: challenge,
      authTime: session?.authTime,
      amr: ['pwd'],
    },
  });
});

t.test('response modes', async (t) => {
  const browser = await signedIn(ada);
  const fragment = await browser.get(endpoint, request({ response_mode: 'fragment' }));
  t.equal(fragment.location.search, '');
  t.ok(answerOf(fragment)['code']);

  const ignored = await browser.get(endpoint, request({ response_mode: 'carrier_pigeon' }));
  t.ok(ignored.location.searchParams.get('code'), 'an invalid mode is ignored');

  const implicit = { client_id: spa.id, response_type: 'id_token', nonce: 'n', response_mode: 'query' };
  const tokens = await browser.get(endpoint, request(implicit));
  t.equal(tokens.location.search, '', 'tokens never stand in a query');
  t.ok(answerOf(tokens)['id_token']);

  const withQuery = 'https://client.example/callback?tenant=1';
  const { application } = await makeApplication(container, organization.id, { redirectUris: [withQuery] });
  const kept = await browser.get(endpoint, request({ client_id: application.id, redirect_uri: withQuery }));
  t.equal(kept.location.searchParams.get('tenant'), '1');
  t.ok(kept.location.searchParams.get('code'));
});

t.test('form_post', async (t) => {
  const browser = await signedIn(ada);
  const state = `"><script>alert(1)</script>'&amp;`;
  const seen = await browser.get(endpoint, request({ response_mode: 'form_post', state }));
  t.equal(seen.status, 200);
  t.equal(seen.headers['cache-control'], 'no-store');
  const policy = String(seen.headers['content-security-policy']);
  const script = /<script>(.*)<\/script>/s.exec(seen.text)?.[1] ?? '';
  const hash = createHash('sha256').update(script).digest('base64');
  t.match(policy, `script-src 'sha256-${hash}';`);
  t.notMatch(policy, 'form-action', 'the application redirects where it wants');
  t.match(policy, "default-src 'none'");
  t.match(policy, "frame-ancestors 'none'");
  t.match(seen.text, `<form method="post" action="${redirectUri}">`);
  t.match(seen.text, /<input type="hidden" name="code" value="[\w-]{43}">/);
  t.match(seen.text, /<button type="submit">/);
  t.match(seen.text, 'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;amp;"');
  t.equal(seen.text.split('<script>').length, 2, 'only our script');

  const error = await browser.get(endpoint, request({ response_mode: 'form_post', scope: 'email' }));
  t.match(error.text, 'name="error" value="invalid_scope"');
  t.match(error.text, 'name="iss"');
});

t.test('state cannot leave its place', async (t) => {
  const browser = await signedIn(ada);
  const state = 'a\r\nSet-Cookie: evil=1\r\n\r\n<b>&code=forged#x\u0000é';
  const seen = await browser.get(endpoint, request({ state }));
  t.equal(seen.status, 303);
  t.notMatch(String(seen.headers['location']), /[\r\n#<]/);
  t.equal(seen.headers['set-cookie'], undefined);
  t.equal(seen.location.searchParams.get('state'), state, 'and comes back unmodified');
  t.equal(seen.location.searchParams.getAll('code').length, 1);
});

t.test('POST is as good as GET', async (t) => {
  const browser = await signedIn(ada);
  const posted = await browser.post(endpoint, request({ extra: 'ignored' }));
  t.equal(posted.status, 303);
  t.equal(posted.location.origin + posted.location.pathname, `${baseUrl}${endpoint}`);
  t.same([...posted.location.searchParams.keys()], ['posted'], 'nothing that was posted is in the address');
  const onwards = posted.location.pathname + posted.location.search;
  t.ok(answerOf(await browser.get(onwards))['code']);
  t.ok(answerOf(await browser.get(onwards))['code'], 'also when it is reloaded');
  const unknown = await browser.get(endpoint, { posted: 'x'.repeat(43), client_id: web.id });
  t.match(unknown, { status: 400, text: /invalid_request: The request has expired/ });

  const repeated = await browser.post(endpoint, request({ scope: ['openid', 'email'] }));
  const seen = await browser.get(repeated.location.pathname + repeated.location.search);
  t.equal(answerOf(seen)['error'], 'invalid_request');
  t.equal((await browser.post(endpoint, request({ state: 's'.repeat(40_000) }))).status, 413);
  t.equal((await browser.post(endpoint, request({ state: 's'.repeat(100_000) }))).status, 413);
  const json = await app.inject({ method: 'POST', url: endpoint, payload: { client_id: web.id } });
  t.equal(json.statusCode, 400);
  t.match(json.headers['content-type'], /text\/html/);
});

t.test('without a session the person signs in and the request goes on', async (t) => {
  const browser = newBrowser();
  const seen = await browser.get(endpoint, request({ login_hint: 'ada', ui_locales: 'de x', nonce: 'n' }));
  t.equal(seen.location.origin + seen.location.pathname, `${baseUrl}/login`);
  t.match(seen.headers['set-cookie'], [
    /^__Host-muster-agent=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
    /^__Host-muster-flow=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600; Secure$/,
  ]);
  const id = seen.location.searchParams.get('request') ?? '';
  t.match(await container.authorizationRequests.find(id), {
    clientId: web.id,
    redirectUri,
    loginHint: 'ada',
    uiLocales: ['de'],
    agentHash: browser.agentHash,
  });
  const callback = `${endpoint}/callback`;

  const early = await browser.get(callback, { request: id });
  t.equal(early.location.pathname, '/login', 'coming back without signing in leads to the page again');

  const foreign = await signedIn(ada);
  t.equal((await foreign.get(callback, { request: id })).status, 400, 'another browser cannot go on with it');
  t.equal((await newBrowser().get(callback, { request: id })).status, 400);

  const session = await browser.signIn(container, ada);
  await container.authorizationRequests.update(id, { sessionId: session.id });
  const done = await browser.get(callback, { request: id });
  t.match(answerOf(done), { code: /./, state: 'st/ate?1', iss: baseUrl });

  const again = await browser.get(callback, { request: id });
  t.match(
    answerOf(again),
    { code: /./, state: 'st/ate?1' },
    'asked again, it is as if the application asked again',
  );
  t.not(answerOf(again)['code'], answerOf(done)['code']);
  t.equal((await browser.get(callback, { request: ['a', 'b'] })).status, 400);
  t.equal((await browser.get(callback)).status, 400);
});

t.test('of many answers to a request at once each has a code of its own', async (t) => {
  const browser = newBrowser();
  const seen = await browser.get(endpoint, request());
  const id = seen.location.searchParams.get('request') ?? '';
  const session = await browser.signIn(container, ada);
  await container.authorizationRequests.update(id, { sessionId: session.id });
  const { find } = container.authorizationRequests;
  // Each has read the request before any is answered.
  let arrived = 0;
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  container.authorizationRequests.find = async (wanted) => {
    const found = await find(wanted);
    if (++arrived === 5) open();
    await all;
    return found;
  };
  t.teardown(() => {
    container.authorizationRequests.find = find;
  });
  const callback = () => browser.get(`${endpoint}/callback`, { request: id });
  const answers = await Promise.all([callback(), callback(), callback(), callback(), callback()]);
  t.same(
    answers.map(({ status }) => status),
    [303, 303, 303, 303, 303],
  );
  t.equal(new Set(answers.map((seen) => answerOf(seen)['code'])).size, 5);
});

/** Sends a long form as the page of this service does that sends it again. */
function sendAgain(browser: Browser, parameters: Parameters): Promise<Seen> {
  browser.headers['origin'] = new URL(baseUrl).origin;
  const sent = browser.post(endpoint, { ...parameters, again: '1' });
  delete browser.headers['origin'];
  return sent;
}

t.test('a state of 8,192 bytes comes back, whatever it consists of', async (t) => {
  const letters = randomBytes(6_144).toString('base64url');
  const anything = String.fromCharCode(...randomBytes(8_192).map((byte) => 32 + (byte % 95)));
  const international = Array.from(randomBytes(4_096), (byte) => String.fromCharCode(0x100 + byte)).join('');
  for (const state of [letters, anything, international]) {
    t.equal(Buffer.byteLength(state), 8_192);
    for (const send of ['get', 'post'] as const) {
      const browser = newBrowser();
      const asked = request({ state, nonce: randomBytes(384).toString('base64url') });
      const begun = send === 'get' ? await browser.get(endpoint, asked) : await sendAgain(browser, asked);
      t.equal(begun.location.pathname, '/login', send);
      t.ok(begun.location.href.length < 14_000, `the address has ${begun.location.href.length} characters`);
      const id = begun.location.searchParams.get('request') ?? '';
      t.equal((await container.authorizationRequests.find(id))?.state, state);
      const session = await browser.signIn(container, ada);
      await container.authorizationRequests.update(id, { sessionId: session.id });
      const seen = await browser.get(`${endpoint}/callback`, { request: id });
      t.equal(seen.location.searchParams.get('state'), state, send);
    }
  }
});

t.test('the longest request of all parameters waits too', async (t) => {
  const text = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
  const scopes = Array.from({ length: 36 }, () => `urn:service:iam:org:project:id:${text(190)}:aud`);
  const browser = newBrowser();
  const all = request({
    state: text(8_192),
    nonce: text(512),
    scope: ['openid', ...scopes].join(' '),
    login_hint: text(320),
    claims: JSON.stringify({
      userinfo: { email: { essential: true }, name: null },
      id_token: { birthdate: null },
    }),
    ui_locales: Array.from({ length: 10 }, () => 'de-CH').join(' '),
  });
  const begun = await sendAgain(browser, all);
  t.equal(begun.location.pathname, '/login', begun.text.slice(0, 300));
  const id = begun.location.searchParams.get('request') ?? '';
  t.ok(id.length <= 24_000, `${id.length} characters`);
  t.match(await container.authorizationRequests.find(id), {
    state: all['state'],
    claims: { userinfo: ['name', 'email'] },
  });
});

t.test('a request that is too long to wait goes back to the client, with a text', async (t) => {
  const text = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
  const anyLetters = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(0x4e00 + randomBytes(2).readUInt16BE() / 4)).join('');
  const anything = (length: number) =>
    String.fromCharCode(...randomBytes(length).map((byte) => 32 + (byte % 95)));
  const longAddress = `https://client.example/${text(1_970)}`;
  const { application } = await makeApplication(container, organization.id, { redirectUris: [longAddress] });
  const scopes = Array.from({ length: 34 }, () => `urn:service:iam:org:project:id:${text(199)}:aud`);
  const subjects = (value: () => string) =>
    JSON.stringify({ id_token: { sub: { values: Array.from({ length: 10 }, value) } } });
  const longest = {
    client_id: application.id,
    redirect_uri: longAddress,
    scope: ['openid', ...scopes].join(' '),
  };
  const refused = { error: 'invalid_request', error_description: /too long.*24000 characters/ };
  const claims = subjects(() => anyLetters(130));
  const parameters = { nonce: anyLetters(512), login_hint: anyLetters(320), state: anything(8_192), claims };
  const long = await sendAgain(newBrowser(), request({ ...longest, ...parameters }));
  t.equal(long.location.origin, new URL(redirectUri).origin, long.text.slice(0, 300));
  t.match(answerOf(long), refused);
  // It would seal to a short text, but has more bytes than are inflated.
  const control = { state: '\u0001'.repeat(8_192), nonce: '\u0001'.repeat(512) };
  const wide = { ...longest, ...control, claims: subjects(() => '\u0001'.repeat(60)) };
  t.match(answerOf(await sendAgain(newBrowser(), request(wide))), refused);
  const browser = await signedIn(ada);
  const answered = await sendAgain(browser, request({ ...longest, ...control }));
  t.ok(answerOf(answered)['code'], 'a request that need not wait has no such bound');
});

t.test('a state has a bound', async (t) => {
  const browser = newBrowser();
  for (const state of ['s'.repeat(8_193), 'é'.repeat(4_097)]) {
    const seen = await browser.get(endpoint, request({ state }));
    t.match(answerOf(seen), { error: 'invalid_request' });
  }
});

t.test('a redirect URI that was removed gets no answer to a waiting request', async (t) => {
  const { application } = await makeApplication(container, organization.id);
  const browser = newBrowser();
  const seen = await browser.get(endpoint, request({ client_id: application.id }));
  const id = seen.location.searchParams.get('request') ?? '';
  const target = { orgId: organization.id, id: application.id, editor: testEditor };
  await changeApplication(container, target, { redirectUris: ['https://client.example/new'] });
  const session = await browser.signIn(container, ada);
  await container.authorizationRequests.update(id, { sessionId: session.id });
  const refused = await browser.get(`${endpoint}/callback`, { request: id });
  t.equal(refused.status, 400);
  t.notOk(refused.headers['location']);
});

t.test('a request that was answered demands anew what it demanded', async (t) => {
  const browser = newBrowser();
  const seen = await browser.get(endpoint, request({ prompt: 'login' }));
  const id = seen.location.searchParams.get('request') ?? '';
  const go = () => browser.get(`${endpoint}/callback`, { request: id });
  const session = await browser.signIn(container, ada);
  await container.authorizationRequests.update(id, { sessionId: session.id });
  t.ok(answerOf(await go())['code']);
  clock.advance(5);
  const again = await go();
  t.equal(again.location.pathname, '/login', 'a sign-in before it is not fresh any more');
  t.not(again.location.searchParams.get('request'), id);
});

t.test(
  'a request that is too old is checked again, and the application hears what it may not ask any more',
  async (t) => {
    const settings = { responseTypes: ['code', 'id_token'] as ('code' | 'id_token')[] };
    const { application } = await makeApplication(container, organization.id, settings);
    const target = { orgId: organization.id, id: application.id, editor: testEditor };
    const asked = { client_id: application.id, response_type: 'id_token', nonce: 'n' };
    const browser = newBrowser();
    const begun = await browser.get(endpoint, request(asked));
    const id = begun.location.searchParams.get('request') ?? '';
    const go = (by: Browser) => by.get(`${endpoint}/callback`, { request: id });
    clock.advance(31 * 60);
    const anew = await go(browser);
    t.equal(anew.location.pathname, '/login');
    t.not(anew.location.searchParams.get('request'), id);
    t.match(
      answerOf(await go(newBrowser())),
      { error: 'login_required', state: 'st/ate?1', iss: baseUrl },
      'another browser cannot begin it anew',
    );
    await changeApplication(container, target, {
      responseTypes: ['code'],
      grantTypes: ['authorization_code'],
    });
    const refused = { error: 'unauthorized_client', state: 'st/ate?1', iss: baseUrl };
    t.match(answerOf(await go(browser)), refused);
    await browser.signIn(container, ada);
    t.match(answerOf(await go(browser)), refused, 'nor does a person get an answer');
    await changeApplication(container, target, { redirectUris: ['https://client.example/new'] });
    for (const by of [browser, newBrowser()]) {
      t.match(
        await go(by),
        { status: 400, headers: { location: undefined } },
        'nothing goes to an old address',
      );
    }
  },
);

t.test('a request survives that the agent gets a new secret', async (t) => {
  const browser = newBrowser();
  const seen = await browser.get(endpoint, request());
  const id = seen.location.searchParams.get('request') ?? '';
  const before = browser.agentHash;
  const renewed = newBrowser();
  await container.sessions.moveAgent(before, renewed.agentHash);
  const session = await renewed.signIn(container, ada);
  await container.authorizationRequests.update(id, { sessionId: session.id });
  t.same(await container.sessions.ofAgent(before), [], 'what was planted before leads nowhere');
  t.ok(answerOf(await renewed.get(`${endpoint}/callback`, { request: id }))['code']);
});

t.test('prompt', async (t) => {
  const pageOf = async (browser: Browser, differences: Parameters) => {
    const { location } = await browser.get(endpoint, request(differences));
    return location.origin === baseUrl ? location.pathname : Object.keys(answerOf({ location } as Seen))[0];
  };
  const nobody = newBrowser();
  const one = await signedIn(ada);
  const two = await signedIn(ada, grace);
  const rows: [Browser, string | undefined, string | undefined][] = [
    [nobody, undefined, '/login'],
    [nobody, 'login', '/login'],
    [nobody, 'select_account', '/login'],
    [nobody, 'create', '/login/register'],
    [one, undefined, 'code'],
    [one, 'none', 'code'],
    [one, 'consent', '/login/consent'],
    [one, 'login', '/login'],
    [one, 'select_account', '/login/select'],
    [one, 'create', '/login/register'],
    [two, undefined, '/login/select'],
    [two, 'login', '/login'],
    [two, 'select_account login', '/login/select'],
  ];
  for (const [browser, prompt, expected] of rows) {
    t.equal(await pageOf(browser, { prompt }), expected, `${prompt}`);
  }
  const none = await two.get(endpoint, request({ prompt: 'none' }));
  t.equal(answerOf(none)['error'], 'interaction_required');
});

t.test('prompt login wants an authentication that is newer than the request', async (t) => {
  const browser = await signedIn(ada);
  const [old] = await container.sessions.ofAgent(browser.agentHash);
  clock.advance(5);
  const seen = await browser.get(endpoint, request({ prompt: 'login' }));
  const id = seen.location.searchParams.get('request') ?? '';
  const go = () => browser.get(`${endpoint}/callback`, { request: id });

  await container.authorizationRequests.update(id, { sessionId: String(old?.id) });
  t.equal((await go()).location.pathname, '/login', 'the old session is not enough');
  clock.advance(5);
  const fresh = await browser.signIn(container, ada);
  t.equal(fresh.id, old?.id, 'the session is the same one');
  t.ok(answerOf(await go())['code']);
});

t.test('max_age', async (t) => {
  const browser = await signedIn(ada);
  clock.advance(100);
  t.ok(answerOf(await browser.get(endpoint, request({ max_age: '200' })))['code']);
  t.equal((await browser.get(endpoint, request({ max_age: '50' }))).location.pathname, '/login');
  const none = await browser.get(endpoint, request({ max_age: '50', prompt: 'none' }));
  t.equal(answerOf(none)['error'], 'login_required');

  const seen = await browser.get(endpoint, request({ max_age: '0' }));
  const id = seen.location.searchParams.get('request') ?? '';
  clock.advance(3);
  const session = await browser.signIn(container, ada);
  await container.authorizationRequests.update(id, { sessionId: session.id });
  clock.advance(30);
  const done = await browser.get(`${endpoint}/callback`, { request: id });
  t.ok(answerOf(done)['code'], 'whoever has signed in for this request need not do so again');
});

t.test('hints', async (t) => {
  const browser = await signedIn(ada, grace);
  const idTokenOf = async (signedInBrowser: Browser) => {
    const implicit = { client_id: spa.id, response_type: 'id_token', nonce: 'n' };
    return String(answerOf(await signedInBrowser.get(endpoint, request(implicit)))['id_token']);
  };
  const hint = await idTokenOf(await signedIn(ada));
  const subjectOf = async (seen: Seen) => {
    const redeemed = await container.codes.redeem(String(answerOf(seen)['code']));
    return redeemed && 'grant' in redeemed ? redeemed.grant.userId : undefined;
  };
  const byHint = await browser.get(endpoint, request({ prompt: 'none', id_token_hint: hint }));
  t.equal(await subjectOf(byHint), ada.id);
  const byName = await browser.get(endpoint, request({ login_hint: grace.userName.toUpperCase() }));
  t.equal(await subjectOf(byName), grace.id);

  const absentPerson = await makePerson(container, organization);
  const other = await idTokenOf(await signedIn(absentPerson));
  const absent = await browser.get(endpoint, request({ prompt: 'none', id_token_hint: other }));
  t.equal(answerOf(absent)['error'], 'login_required', 'the person meant is not signed in');

  const broken = [`${hint.slice(0, -6)}AAAAAA`, 'x', `${'a'.repeat(8_000)}`];
  const single = await signedIn(grace);
  for (const id_token_hint of broken) {
    const seen = await single.get(endpoint, request({ prompt: 'none', id_token_hint }));
    t.equal(await subjectOf(seen), grace.id, 'a broken hint is ignored');
  }
  const accessToken = await container.accessTokens.issue(
    {
      jti: 'j',
      sub: ada.id,
      org: organization.id,
      clientId: web.id,
      clientOrgId: organization.id,
      audience: [web.id],
      scope: 'openid',
      issuedAt: 1,
      expiresAt: 9_999_999_999,
    },
    'jwt',
  );
  const misused = await single.get(endpoint, request({ prompt: 'none', id_token_hint: accessToken }));
  t.equal(await subjectOf(misused), grace.id, 'an access token is no ID token');

  clock.advance(container.config.idTokenSeconds + 10);
  await browser.signIn(container, ada);
  const expired = await browser.get(endpoint, request({ prompt: 'none', id_token_hint: hint }));
  t.equal(await subjectOf(expired), ada.id, 'an expired hint still names its person');

  const asked = await newBrowser().get(endpoint, request({ id_token_hint: hint }));
  const id = asked.location.searchParams.get('request') ?? '';
  t.match(await container.authorizationRequests.find(id), { hintedUserId: ada.id });
});

t.test('another person than the hinted one signs in', async (t) => {
  const implicit = { client_id: spa.id, response_type: 'id_token', nonce: 'n' };
  const hint = answerOf(await (await signedIn(ada)).get(endpoint, request(implicit)))['id_token'];
  const browser = newBrowser();
  const seen = await browser.get(endpoint, request({ id_token_hint: hint }));
  const id = seen.location.searchParams.get('request') ?? '';
  const session = await browser.signIn(container, grace);
  await container.authorizationRequests.update(id, { sessionId: session.id });
  const done = await browser.get(`${endpoint}/callback`, { request: id });
  t.match(answerOf(done), { error: 'login_required', state: 'st/ate?1' });
});

t.test('people of other organizations', async (t) => {
  const scope = `openid urn:service:iam:org:id:${organization.id}`;
  const { application: closed } = await makeApplication(container, organization.id, { orgOnly: true });
  for (const differences of [{ scope }, { client_id: closed.id }]) {
    const both = await signedIn(ada, stranger);
    t.ok(answerOf(await both.get(endpoint, request(differences)))['code'], 'only one session is meant');
    const browser = await signedIn(stranger);
    const none = await browser.get(endpoint, request({ ...differences, prompt: 'none' }));
    t.equal(answerOf(none)['error'], 'login_required');
    const seen = await browser.get(endpoint, request(differences));
    t.equal(seen.location.pathname, '/login');
    const id = seen.location.searchParams.get('request') ?? '';
    const session = await browser.signIn(container, stranger);
    await container.authorizationRequests.update(id, { sessionId: session.id });
    const done = await browser.get(`${endpoint}/callback`, { request: id });
    t.equal(answerOf(done)['error'], 'access_denied');
  }
});

t.test('a session that has ended, or whose person is gone, signs in no more', async (t) => {
  const gone = await makePerson(container, organization);
  const browser = await signedIn(gone);
  const session = (await container.sessions.ofAgent(browser.agentHash))[0];
  const { find } = container.users;
  container.users.find = async (...key) => {
    const user = await find(...key);
    return user?.id === gone.id ? { ...user, active: false } : user;
  };
  await container.revocations.restamp(gone.id);
  t.teardown(() => {
    container.users.find = find;
  });
  t.equal((await browser.get(endpoint, request())).location.pathname, '/login');
  container.users.find = find;
  await container.revocations.restamp(gone.id);
  t.ok(answerOf(await browser.get(endpoint, request()))['code']);

  await container.sessions.end(gone.id, String(session?.id));
  t.equal((await browser.get(endpoint, request())).location.pathname, '/login');
});

t.test('while Redis is away the person sees a page', async (t) => {
  const browser = await signedIn(ada);
  const { readAgent } = container.sessions;
  container.sessions.readAgent = () => Promise.reject(new Error('Connection is closed.'));
  t.teardown(() => {
    container.sessions.readAgent = readAgent;
  });
  const seen = await browser.get(endpoint, request());
  t.equal(seen.status, 503);
  t.ok(seen.headers['retry-after']);
  t.match(seen.headers['content-type'], /text\/html/);
  t.notMatch(seen.text, /Connection|\.ts/);
});

t.test('sign-ins that nobody finishes store nothing and keep nobody out', async (t) => {
  const prefix = `${container.config.redisPrefix}:*`;
  const before = (await keysOf(container.redis, prefix)).length;
  const query = new URLSearchParams(request() as Record<string, string>);
  const payload = `${query}&login_hint=${'x'.repeat(8_000)}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (let times = 0; times < 400; times++) {
    const begun = await app.inject({ url: `${endpoint}?${query}` });
    if (begun.statusCode !== 303) return t.fail(`answered ${begun.statusCode}`);
    const posted = await app.inject({ method: 'POST', url: endpoint, payload, headers });
    if (posted.statusCode !== 200) return t.fail(`answered ${posted.statusCode}`);
    if (times % 20 > 0) continue;
    const [cookie = ''] = [begun.headers['set-cookie'] ?? ''].flat()[0]?.split(';') ?? [];
    const flow = new URL(String(begun.headers['location'])).searchParams.get('request');
    const refused = await app.inject({
      url: `/oauth/v2/authorize/callback?request=${flow}&denied=true`,
      headers: { cookie },
    });
    if (!/error=access_denied/.test(String(refused.headers['location'])))
      return t.fail(`${refused.statusCode}: ${refused.headers['location']}`);
  }
  t.equal((await keysOf(container.redis, prefix)).length, before);
});

t.test('what the sign-ins of a person store has a limit per minute', async (t) => {
  const limited = await openAnother({ rateLimitPerPerson: 6 });
  const process = await serve(t, limited);
  const browserOf = async (person: typeof ada) => {
    const browser = new Browser(process.app);
    await browser.signIn(limited, person);
    return browser;
  };
  const stored = async () =>
    (
      await Promise.all(
        ['code:', 'authorization-request:', 'login-step:', 'agent:'].map((kind) =>
          keysOf(container.redis, `${container.config.redisPrefix}:${kind}*`),
        ),
      )
    ).flat().length;
  clock.startMinute();
  const [person, other] = [await makePersonWithPassword(container, organization), grace];
  const browser = await browserOf(person);
  for (let i = 0; i < 6; i++) t.ok(answerOf(await browser.get(endpoint, request()))['code']);
  const before = await stored();
  const refuses = async (what: string, seen: Promise<Seen>) => {
    t.match(
      await seen,
      { status: 429, headers: { 'retry-after': /^\d+$/ }, text: /Too many attempts/ },
      what,
    );
    t.equal(await stored(), before, `${what} stores nothing`);
  };
  await refuses('a code', browser.get(endpoint, request()));
  await refuses('without interaction', browser.get(endpoint, request({ prompt: 'none' })));
  const consenting = await browser.get(endpoint, request({ prompt: 'consent' }));
  const flow = consenting.location.searchParams.get('request') ?? '';
  const callback = '/oauth/v2/authorize/callback';
  await refuses('a refusal', browser.get(callback, { request: flow, denied: 'true' }));
  const login = visit(process.app, limited);
  const form = await login.get('/login');
  const signedIn = login.fill(form, { loginName: person.userName, password: goodPassword });
  t.match(await signedIn, { status: 429, text: /Too many attempts/ }, 'a sign-in');
  t.equal(await stored(), before, 'a sign-in stores nothing');

  const others = await browserOf(other);
  t.ok(answerOf(await others.get(endpoint, request()))['code'], 'another person goes on');
  clock.advance(60);
  t.ok(answerOf(await browser.get(endpoint, request()))['code'], 'and so does the person after a minute');
});

t.test(
  'a form that is too long for an address is sent again by our page, which has the cookie',
  async (t) => {
    const browser = await signedIn(ada);
    const hint = 'x'.repeat(7_000);
    const page = await browser.post(endpoint, request({ login_hint: hint, scope: ['openid', 'email'] }));
    t.equal(page.status, 200);
    t.equal(page.headers['referrer-policy'], 'same-origin');
    t.match(page.text, `<form method="post" action="${baseUrl}${endpoint}">`);
    t.equal(page.text.match(/name="scope"/g)?.length, 2, 'repeated parameters stay repeated');

    const again = request({ login_hint: ada.userName.padEnd(7_000), again: '1' });
    const origin = new URL(baseUrl).origin;
    const payload = new URLSearchParams(again as Record<string, string>).toString();
    const send = (headers: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url: endpoint,
        payload,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
    const answered = await send({ origin });
    t.equal(answered.statusCode, 303);
    t.match(answered.headers['location'], `${baseUrl}/login`);
    for (const headers of [{}, { origin: 'null' }, { origin: 'https://attacker.example' }]) {
      const refused = await send(headers);
      t.equal(refused.statusCode, 400);
      t.notOk(refused.headers['set-cookie'], 'the browser keeps its cookie');
    }
  },
);
