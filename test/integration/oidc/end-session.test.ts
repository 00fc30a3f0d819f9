import { createHash } from 'node:crypto';
import { decodeJwt, generateKeyPair, SignJWT } from 'jose';
import t from 'tap';
import { approveApplication } from '#src/clients/applications/approve-application.js';
import type { User } from '#src/directory/user.js';
import { issueIdToken } from '#src/oidc/issuance/id-token.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { makeOrganization, testEditor } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import {
  Browser,
  makeApplication,
  makePerson,
  type Parameters,
  type Seen,
} from '../../support/oidc/browser.js';

const { app, container, clock } = await buildTestApp(t);
const { baseUrl } = container.config;
const organization = await makeOrganization(container);
const ada = await makePerson(container, organization);
const grace = await makePerson(container, organization);

const endpoint = '/oidc/v1/end_session';
const bye = 'https://client.example/bye';
const spaSettings = {
  type: 'spa',
  responseTypes: ['code', 'id_token'],
  postLogoutRedirectUris: [bye, `${bye}?from=muster`],
} as const;
const { application: client } = await makeApplication(container, organization.id, {
  ...spaSettings,
  responseTypes: [...spaSettings.responseTypes],
  postLogoutRedirectUris: [...spaSettings.postLogoutRedirectUris],
});
const { application: other } = await makeApplication(container, organization.id, {
  postLogoutRedirectUris: ['https://other.example/bye'],
});

async function signedIn(...people: User[]): Promise<Browser> {
  const browser = new Browser(app);
  for (const person of people) await browser.signIn(container, person);
  return browser;
}

/** The ID token that the client gets of the person's session. */
async function idTokenOf(browser: Browser, person: User): Promise<string> {
  const { location } = await browser.get('/oauth/v2/authorize', {
    client_id: client.id,
    redirect_uri: 'https://client.example/callback',
    response_type: 'id_token',
    scope: 'openid',
    nonce: 'n',
    login_hint: person.userName,
  });
  return String(new URLSearchParams(location.hash.slice(1)).get('id_token'));
}

async function namesOf(browser: Browser): Promise<string[]> {
  const sessions = await container.sessions.ofAgent(browser.agentHash);
  return sessions.map(({ userName }) => userName).sort();
}

/** The fields of the form on the page. */
function fieldsOf({ text }: Seen): Record<string, string> {
  const fields = text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]));
}

const isQuestion = ({ status, text, headers }: Seen) =>
  status === 200 &&
  headers['location'] === undefined &&
  text.includes(`action="${baseUrl}${endpoint}/confirm"`);

/** The page that the browser shows after a post that the endpoint itself answers with a page. */
const afterPost = (browser: Browser, { location }: Seen): Promise<Seen> => {
  if (location.origin !== baseUrl) throw new Error(`It leads to ${location}`);
  return browser.get(location.pathname + location.search);
};

t.test('what came of the answer can be looked at again, and shows nothing but that', async (t) => {
  const browser = new Browser(app);
  const at = (parameters: Parameters) => browser.get(`${endpoint}/confirm`, parameters);
  t.match((await at({ ended: 'done', ui_locales: 'de' })).text, /<html lang="de">.*Abgemeldet/s);
  for (const strange of ['<script>', '__proto__', 'x'.repeat(5_000)]) {
    const seen = await at({ ended: strange, organization: strange, ui_locales: strange });
    t.equal(seen.status, 200);
    t.notMatch(seen.text, strange);
  }
});

t.test('an ID token of a live session ends it without asking', async (t) => {
  const browser = await signedIn(ada, grace);
  const session = (await container.sessions.ofAgent(browser.agentHash)).find((s) => s.userId === ada.id);
  const hint = await idTokenOf(browser, ada);
  const seen = await browser.get(endpoint, {
    id_token_hint: hint,
    post_logout_redirect_uri: bye,
    state: 'x&y=1\r\nSet-Cookie: a=b',
  });
  t.equal(seen.status, 303);
  t.equal(seen.location.origin + seen.location.pathname, bye);
  t.same([...seen.location.searchParams], [['state', 'x&y=1\r\nSet-Cookie: a=b']]);
  t.equal(seen.headers['cache-control'], 'no-store');
  t.equal(seen.headers['referrer-policy'], 'no-referrer');
  t.same(await namesOf(browser), [grace.userName], 'and no other');
  const claims = { jti: 'j', sub: ada.id, session: String(session?.id), issuedAt: 0 };
  t.ok(await container.revocations.isRevoked(claims), 'its access tokens are revoked');

  const again = await browser.get(endpoint, { id_token_hint: hint, post_logout_redirect_uri: bye });
  t.equal(again.headers['location'], bye, 'nobody whom the hint names is signed in');
  t.same(await namesOf(browser), [grace.userName], 'who stays signed in');
});

t.test('without an address the person sees that it is done', async (t) => {
  const browser = await signedIn(ada);
  const seen = await browser.get(endpoint, {
    id_token_hint: await idTokenOf(browser, ada),
    ui_locales: 'fr',
  });
  t.equal(seen.status, 200);
  t.match(seen.text, /<html lang="fr">.*Déconnecté/s);
  t.same(await namesOf(browser), []);
});

t.test('a registered address with a query keeps it, and nothing is added without state', async (t) => {
  const browser = await signedIn(ada);
  const hint = await idTokenOf(browser, ada);
  const uri = `${bye}?from=muster`;
  const seen = await browser.get(endpoint, { id_token_hint: hint, post_logout_redirect_uri: uri });
  t.equal(seen.headers['location'], uri);
});

t.test('an expired hint is as good as a new one', async (t) => {
  const browser = await signedIn(ada);
  const hint = await idTokenOf(browser, ada);
  clock.advance(container.config.idTokenSeconds + 60);
  const seen = await browser.get(endpoint, { id_token_hint: hint, post_logout_redirect_uri: bye });
  t.equal(seen.headers['location'], bye);
  t.same(await namesOf(browser), []);
});

t.test('without a hint the person is asked', async (t) => {
  const browser = await signedIn(ada, grace);
  const parameters = { client_id: client.id, post_logout_redirect_uri: bye, state: 's<1>' };
  const question = await browser.get(endpoint, parameters);
  t.ok(isQuestion(question));
  t.notMatch(question.headers['content-security-policy'], /form-action/);
  t.match(question.headers['content-security-policy'], /frame-ancestors 'none'/);
  t.match(question.headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  t.match(question.text, ada.userName);
  t.match(question.text, grace.userName);
  t.same(await namesOf(browser), [ada.userName, grace.userName].sort(), 'nothing has happened yet');

  const fields = fieldsOf(question);
  const confirm = (differences: Parameters, by = browser) =>
    by.post(`${endpoint}/confirm`, { ...parameters, csrf: fields['csrf'], ...differences });
  const no = await confirm({ answer: 'no' });
  t.match(no, { status: 303, headers: { 'cache-control': 'no-store' } }, 'reloading posts nothing again');
  t.match((await afterPost(browser, no)).text, 'Still signed in');
  t.equal((await namesOf(browser)).length, 2);

  const forged: [Parameters, Browser?][] = [
    [{ answer: 'yes', csrf: undefined }],
    [{ answer: 'yes', csrf: '' }],
    [{ answer: 'yes', csrf: 'A'.repeat(43) }],
    [{ answer: 'yes', csrf: [String(fields['csrf']), String(fields['csrf'])] }],
    [{ answer: 'yes' }, await signedIn(ada)],
    [{ answer: 'yes' }, new Browser(app)],
  ];
  for (const [differences, by = browser] of forged) {
    const anew = await confirm(differences, by);
    t.match(anew, { status: 303, headers: { location: /end_session\?posted=/ } }, 'another site or browser');
    if (by === browser) t.ok(isQuestion(await afterPost(browser, anew)), 'the person is asked anew');
  }
  t.equal((await namesOf(browser)).length, 2);

  const tampered = await confirm({ answer: 'yes', post_logout_redirect_uri: 'https://evil.example/' });
  t.equal(tampered.status, 400, 'the address is checked anew');

  const yes = await confirm({ answer: 'yes' });
  t.equal(yes.status, 303);
  t.equal(yes.headers['location'], `${bye}?state=s%3C1%3E`);
  t.same(await namesOf(browser), []);
});

t.test('logout_hint names whom to ask about', async (t) => {
  const browser = await signedIn(ada, grace);
  const question = await browser.get(endpoint, { logout_hint: grace.userName });
  t.match(question.text, grace.userName);
  t.notMatch(question.text, `</strong> ${ada.userName}<`);
  const fields = fieldsOf(question);
  await browser.post(`${endpoint}/confirm`, { ...fields, answer: 'yes' });
  t.same(await namesOf(browser), [ada.userName]);
});

t.test('a hint of a session of another browser only asks', async (t) => {
  const elsewhere = await signedIn(ada);
  const hint = await idTokenOf(elsewhere, ada);
  const browser = await signedIn(ada);
  t.ok(isQuestion(await browser.get(endpoint, { id_token_hint: hint, post_logout_redirect_uri: bye })));
  t.same(await namesOf(browser), [ada.userName]);
  t.same(await namesOf(elsewhere), [ada.userName]);
});

t.test('the second application that signs out a person is answered at once', async (t) => {
  const browser = await signedIn(ada);
  const hint = await idTokenOf(browser, ada);
  await browser.get(endpoint, { id_token_hint: hint });
  const target = { id_token_hint: hint, post_logout_redirect_uri: bye, state: 's' };
  for (const by of [browser, new Browser(app)]) {
    const seen = await by.get(endpoint, target);
    t.match(seen, { status: 303, headers: { location: `${bye}?state=s` } });
    const posted = await by.post(endpoint, target);
    const answered = await by.get(posted.location.pathname + posted.location.search);
    t.equal(answered.headers['location'], `${bye}?state=s`, 'by POST too');
    const bare = await by.get(endpoint, { id_token_hint: hint });
    t.match(bare, { status: 200, text: /Signed out/ }, 'without an address it says so');
    t.notOk(isQuestion(bare));
  }
  const expired = new Browser(app);
  clock.advance(container.config.idTokenSeconds + 60);
  t.equal((await expired.get(endpoint, target)).headers['location'], `${bye}?state=s`, 'an expired hint');
});

t.test('other people who are signed in are asked only if something is left to ask', async (t) => {
  const hint = await idTokenOf(await signedIn(ada), ada);
  const browser = await signedIn(grace);
  const target = { id_token_hint: hint, post_logout_redirect_uri: bye };
  t.equal((await browser.get(endpoint, target)).headers['location'], bye);
  t.ok(isQuestion(await browser.get(endpoint, { ...target, logout_hint: grace.userName })), 'both are named');
  t.ok(isQuestion(await browser.get(endpoint, { id_token_hint: hint })), 'no address to go to');
  const stranger = await makePerson(container, await makeOrganization(container));
  t.ok(
    isQuestion(await (await signedIn(stranger)).get(endpoint, target)),
    'an application of an organization that is not theirs leads nobody away without a page',
  );
  t.equal((await (await signedIn(stranger, grace)).get(endpoint, target)).headers['location'], bye);
  t.same(await namesOf(browser), [grace.userName]);
});

t.test('forged hints never end a session and never redirect', async (t) => {
  const browser = await signedIn(ada);
  const [session] = await container.sessions.ofAgent(browser.agentHash);
  const real = await idTokenOf(browser, ada);
  const [header = '', payload = '', signature = ''] = real.split('.');
  const { privateKey } = await generateKeyPair('RS256');
  const { kid } = await container.signingKeys.active();
  const claims = { azp: client.id, sid: String(session?.id) };
  const sign = (alg: string) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid, typ: 'JWT' }).setIssuer(baseUrl).setSubject(ada.id);
  const publicText = new TextEncoder().encode(JSON.stringify(await container.signingKeys.publicJwks()));
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = {
    'another key': await sign('RS256').sign(privateKey),
    'HMAC with the public key': await sign('HS256').sign(publicText),
    'alg none': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'no signature': `${header}.${payload}.`,
    'changed payload': `${header}.${encode({ ...claims, iss: baseUrl, sub: ada.id })}.${signature}`,
    nonsense: 'nonsense',
  };
  for (const [name, id_token_hint] of Object.entries(forged)) {
    const parameters = { id_token_hint, client_id: client.id, post_logout_redirect_uri: bye };
    const question = await browser.get(endpoint, parameters);
    t.ok(isQuestion(question), name);
    t.same(await namesOf(browser), [ada.userName], name);
    const done = await afterPost(
      browser,
      await browser.post(`${endpoint}/confirm`, { ...fieldsOf(question), answer: 'yes' }),
    );
    t.equal(done.status, 200, name);
    t.equal(done.headers['location'], undefined, name);
    t.same(await namesOf(browser), [], name);
    await browser.signIn(container, ada);
  }
});

t.test('refused with a page, and no session ends', async (t) => {
  const browser = await signedIn(ada);
  const hint = await idTokenOf(browser, ada);
  const rows: [string, Parameters][] = [
    [
      'client_id is not the azp',
      { client_id: other.id, post_logout_redirect_uri: 'https://other.example/bye' },
    ],
    ['another client’s address', { post_logout_redirect_uri: 'https://other.example/bye' }],
    ['prefix', { post_logout_redirect_uri: `${bye}/more` }],
    ['fragment', { post_logout_redirect_uri: `${bye}#x` }],
    ['encoding', { post_logout_redirect_uri: 'https://client.example/%62ye' }],
    ['user-info part', { post_logout_redirect_uri: 'https://client.example@evil.example/bye' }],
    ['redirect URI of the login', { post_logout_redirect_uri: 'https://client.example/callback' }],
    ['repeated', { post_logout_redirect_uri: [bye, bye] }],
    ['state is repeated', { post_logout_redirect_uri: bye, state: ['a', 'b'] }],
    ['endless state', { post_logout_redirect_uri: bye, state: 's'.repeat(9_000) }],
  ];
  for (const [name, differences] of rows) {
    const seen = await browser.get(endpoint, { id_token_hint: hint, ...differences });
    t.equal(seen.status, 400, name);
    t.equal(seen.headers['location'], undefined, name);
    t.same(await namesOf(browser), [ada.userName], name);
  }
  const unknown = { client_id: 'unknown', post_logout_redirect_uri: 'https://evil.example/' };
  t.equal((await browser.get(endpoint, unknown)).status, 400);
});

t.test('an address without a client is ignored', async (t) => {
  const browser = await signedIn(ada);
  const question = await browser.get(endpoint, { post_logout_redirect_uri: 'https://evil.example/' });
  t.ok(isQuestion(question));
  t.notMatch(question.headers['content-security-policy'], /evil/);
  const done = await browser.post(`${endpoint}/confirm`, { ...fieldsOf(question), answer: 'yes' });
  t.match((await afterPost(browser, done)).text, 'Signed out');
  t.same(await namesOf(browser), []);
});

t.test('a browser without a session is asked too', async (t) => {
  const browser = new Browser(app);
  const question = await browser.get(endpoint, { client_id: client.id, post_logout_redirect_uri: bye });
  t.ok(isQuestion(question));
  t.match(question.text, /Nobody is signed in.*Continue/s);
  t.notMatch(question.text, 'Stay signed in', 'there is nothing to stay in');
  const done = await browser.post(`${endpoint}/confirm`, { ...fieldsOf(question), answer: 'yes' });
  t.equal(done.headers['location'], bye);
});

t.test('POST is as good as GET', async (t) => {
  const browser = await signedIn(ada);
  const hint = await idTokenOf(browser, ada);
  const posted = await browser.post(endpoint, {
    id_token_hint: hint,
    post_logout_redirect_uri: bye,
    state: 'a b',
  });
  t.equal(posted.status, 303);
  t.equal(posted.location.origin + posted.location.pathname, `${baseUrl}${endpoint}`);
  const seen = await browser.get(posted.location.pathname + posted.location.search);
  t.equal(seen.headers['location'], `${bye}?state=a+b`);
  t.notMatch(String(posted.location), hint);
  const other = await signedIn(ada);
  const asked = (await other.post(endpoint, { client_id: client.id })).location;
  clock.advance(3_600);
  t.ok(
    isQuestion(await other.get(asked.pathname + asked.search)),
    'its page is shown again by a reload, however late',
  );
  t.equal((await browser.post(endpoint, { state: 's'.repeat(40_000) })).status, 413);
});

t.test('an ID token with a great many claims is a hint too', async (t) => {
  const browser = await signedIn(ada);
  const { sid } = decodeJwt(await idTokenOf(browser, ada));
  const hint = await issueIdToken(container, {
    sub: ada.id,
    clientId: client.id,
    clientOrgId: client.orgId,
    sessionId: String(sid),
    claims: { address: { formatted: 'x'.repeat(11_000) } },
  });
  t.ok(hint.length > 14_000 && hint.length < 16_384);
  const seen = await browser.get(endpoint, { id_token_hint: hint, post_logout_redirect_uri: bye });
  t.equal(seen.headers['location'], bye);
  const longer = await browser.get(endpoint, { id_token_hint: 'x'.repeat(16_385) });
  t.equal(longer.status, 400);
});

t.test('pages show no markup of the request or of a name', async (t) => {
  const marked = await makePerson(container, organization, '<img src=x onerror=alert(1)>');
  const browser = await signedIn(marked);
  const question = await browser.get(endpoint, { state: '"><script>alert(1)</script>' });
  t.ok(isQuestion(question));
  t.notMatch(question.text, /<img|<script/);
});

t.test('pages have the look of the organization of the client', async (t) => {
  const { id: orgId } = await makeOrganization(container);
  const login = {
    logoUrl: 'https://cdn.example/bolt.png',
    faviconUrl: 'https://icons.example/bolt.ico',
    brandColor: '#0A6B4F',
  };
  const change = { name: 'Bolt & Co', login };
  await changeOrganization(container, { orgId, change, editor: testEditor });
  const { application } = await makeApplication(container, orgId, {
    responseTypes: ['code', 'id_token'],
    orgOnly: false,
  });
  await approveApplication(container, { orgId, id: application.id, editor: testEditor }, true);
  const authorize = {
    client_id: application.id,
    redirect_uri: 'https://client.example/callback',
    response_type: 'id_token',
    response_mode: 'form_post',
    scope: 'openid',
    nonce: 'n',
  };
  const browser = await signedIn(ada);
  const question = await browser.get(endpoint, { client_id: application.id });
  const pages = {
    form_post: await browser.get('/oauth/v2/authorize', authorize),
    'an error': await browser.get('/oauth/v2/authorize', {
      ...authorize,
      redirect_uri: 'https://else.example',
    }),
    'the question': question,
    'the answer no': await afterPost(
      browser,
      await browser.post(`${endpoint}/confirm`, { ...fieldsOf(question), answer: 'no' }),
    ),
    'signed out': await afterPost(
      browser,
      await browser.post(`${endpoint}/confirm`, { ...fieldsOf(question), answer: 'yes' }),
    ),
  };
  for (const [name, { text, headers }] of Object.entries(pages)) {
    t.match(
      text,
      /<p class="brand"><img class="logo" src="https:\/\/cdn.example\/bolt.png" alt="Bolt &amp; Co"/,
      name,
    );
    t.match(text, '<link rel="icon" href="https://icons.example/bolt.ico">', name);
    const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
    t.match(style, /^:root\{--accent:#0a6b4f;/, name);
    const policy = String(headers['content-security-policy']);
    t.match(policy, /img-src 'self' https:\/\/cdn.example https:\/\/icons.example;/, name);
    t.match(
      policy,
      `style-src 'self' 'sha256-${createHash('sha256').update(style).digest('base64')}';`,
      name,
    );
  }
  const own = await signedIn(ada);
  const text = (await own.get(endpoint)).text;
  t.match(text, new RegExp(`class="brand".*${organization.name}`), 'nobody asks: of who is signed in');
  const stranger = await makePerson(container, await makeOrganization(container));
  const mixed = await signedIn(ada, stranger);
  t.notMatch((await mixed.get(endpoint)).text, /class="brand"/, 'people of two organizations');
});
