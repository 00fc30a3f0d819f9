import { verify, X509Certificate } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import t from 'tap';
import { makeApplication, postForm, redirectUri } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Connected, isSignedIn, leaveFor, newVisitor } from '../../support/oidc/connected.js';
import type { Seen, Visitor } from '../../support/oidc/visitor.js';
import {
  addSamlConnection,
  bringBack,
  createHostileSamlProvider,
  makeSamlConnected,
  signInBySaml,
} from '../../support/saml/hostile-saml-provider.js';
import {
  logoutRequestXml,
  rsaSha256,
  type SaidLogout,
  signedAddressQuery,
} from '../../support/saml/logout-requests.js';
import { makeSamlKey, type Said, signElement, toBase64 } from '../../support/saml/saml-documents.js';

const service = await buildTestApp(t, {});
const { app, container, call, clock } = service;
const { baseUrl } = container.config;
const provider = createHostileSamlProvider(() => clock.now());
const signOut = `${provider.entityId}/logout`;
const ends = { provider: { signOut, endsSession: true } };
const stranger = makeSamlKey();

const sloPath = ({ orgId, connectionId }: Connected) =>
  `/login/connections/${orgId}/${connectionId}/saml/logout`;

/** Signs somebody in. Returns the browser, and whether it is still signed in. */
async function enter(connected: Connected, person: Partial<Said>) {
  const visitor = newVisitor(service);
  const seen = await signInBySaml(service, visitor, connected, { provider, person });
  if (!isSignedIn(seen)) throw new Error(`${seen.status} ${seen.location} ${seen.text}`);
  return { visitor, isIn: async () => (await visitor.get('/account')).status === 200 };
}

let lastId = 0;

/** What a provider says that behaves. */
const saying = (connected: Connected, said: Partial<SaidLogout> = {}): SaidLogout => ({
  ...{ id: `_logout-${++lastId}`, version: '2.0', issuer: provider.entityId },
  ...{ destination: `${baseUrl}${sloPath(connected)}`, issued: clock.now(), notOnOrAfter: undefined },
  ...{ nameId: 'anna', sessionIndexes: [], more: '', ...said },
});

const signed = (xml: string, key = provider.key) => signElement(xml, 'LogoutRequest', { key });

/** Brings a request by a form, without a cookie, as the form of another site comes. */
const post = (connected: Connected, xml: string, more: Record<string, string> = {}) =>
  newVisitor(service).post(sloPath(connected), { SAMLRequest: toBase64(xml), ...more });

const bring = (connected: Connected, query: string) =>
  newVisitor(service).get(`${sloPath(connected)}?${query}`);

/** Reads a message of this service in an address. */
function read(address: string | undefined, name: 'SAMLRequest' | 'SAMLResponse') {
  const url = new URL(address ?? '');
  const xml = inflateRawSync(Buffer.from(url.searchParams.get(name) ?? '', 'base64')).toString();
  const attribute = (one: string) => new RegExp(` ${one}="([^"]*)"`).exec(xml)?.[1] ?? '';
  return { url, xml, attribute, relayState: url.searchParams.get('RelayState') };
}

/** Whether the address is signed with the key of the connection. */
async function isSignedBy({ path, owner }: Connected, { url }: { url: URL }, name: string) {
  const { certificate } = (await call(`GET ${path}`, { as: owner })).body.service;
  const parts = url.search.slice(1).split('&');
  const part = (one: string) => parts.filter((text) => text.startsWith(`${one}=`));
  const text = [...part(name), ...part('RelayState'), ...part('SigAlg')].join('&');
  const signature = Buffer.from(url.searchParams.get('Signature') ?? '', 'base64');
  t.equal(url.searchParams.get('SigAlg'), rsaSha256);
  return verify('sha256', Buffer.from(text), new X509Certificate(certificate).publicKey, signature);
}

async function signOutHere(visitor: Visitor): Promise<Seen> {
  const asked = await visitor.get('/oidc/v1/end_session');
  return visitor.fill(asked, { answer: 'yes' }, '/oidc/v1/end_session/confirm');
}

t.test('a logout request of the provider ends the sessions that it names, and is answered', async (t) => {
  const acme = await makeSamlConnected(service, provider, ends);
  const [one, two] = [
    await enter(acme, { id: '_a1', sessionIndex: '_s1' }),
    await enter(acme, { id: '_a2', sessionIndex: '_s2' }),
  ];
  const bob = await enter(acme, { id: '_a3', nameId: 'bob', sessionIndex: '_s1' });
  const said = saying(acme, { sessionIndexes: ['_s1'] });
  const answer = await post(acme, signed(logoutRequestXml(said)), { RelayState: 'theirs' });
  t.strictSame([await one.isIn(), await two.isIn(), await bob.isIn()], [false, true, true]);
  t.equal(answer.status, 303);
  const response = read(answer.location, 'SAMLResponse');
  t.equal(`${response.url.origin}${response.url.pathname}`, signOut);
  t.equal(response.relayState, 'theirs');
  t.match([response.attribute('InResponseTo'), response.attribute('Destination')], [said.id, signOut]);
  t.match(response.xml, 'status:Success');
  t.ok(await isSignedBy(acme, response, 'SAMLResponse'));
  const all = signedAddressQuery(logoutRequestXml(saying(acme)), { key: provider.key, relayState: 'a&b' });
  t.equal(read((await bring(acme, all)).location, 'SAMLResponse').relayState, 'a&b', 'by an address');
  t.strictSame([await two.isIn(), await bob.isIn()], [false, true]);
  const nobody = await post(acme, signed(logoutRequestXml(saying(acme, { nameId: 'nobody' }))));
  t.match(nobody, { status: 200, location: undefined }, 'whoever is unknown has no session');
  t.match(nobody.text, `href="${signOut}?`, 'a browser that does not know the connection is asked first');
  t.match(nobody.text, new URL(signOut).host);
  const third = signedAddressQuery(logoutRequestXml(saying(acme)), { key: provider.key });
  t.match(await one.visitor.get(`${sloPath(acme)}?${third}`), { status: 303, location: /^https/ });
  const events = await container.events.search({
    ...{ resourceOwner: acme.orgId, eventTypes: ['user.session.ended'], limit: 5, ascending: true },
  });
  t.match(events, [
    { editor: { service: 'login' }, payload: { connectionId: acme.connectionId, sessions: 1 } },
    { payload: { connectionId: acme.connectionId, sessions: 1 } },
  ]);
  t.equal(events.length, 2, 'what ended nothing is no event');
});

t.test('the answer has the RelayState that was signed, and none that is long', async (t) => {
  const acme = await makeSamlConnected(service, provider, ends);
  const query = (relayState: string) =>
    signedAddressQuery(logoutRequestXml(saying(acme)), { key: provider.key, relayState });
  const returned = async (given: string) => {
    await enter(acme, { id: `_r${++lastId}` });
    return read((await bring(acme, given)).location, 'SAMLResponse').relayState;
  };
  t.equal(await returned(query('theirs?a')), 'theirs?a');
  t.equal(await returned(query('theirs').replace('SAMLRequest', 'x=?&SAMLRequest')), 'theirs', 'a second ?');
  const unsigned = signedAddressQuery(logoutRequestXml(saying(acme)), { key: provider.key });
  t.equal(await returned(`${unsigned}&Relay%53tate=evil`), null, 'a name that the signature does not cover');
  t.equal(await returned(query('x'.repeat(1_001))), null);
  const answer = await newVisitor(service).post(sloPath(acme), {
    ...{ SAMLResponse: toBase64('<x/>'), RelayState: 'y'.repeat(5_000) },
  });
  t.match(answer, { status: 303, location: /signed-out\?state=$/ });
});

t.test('requests that cannot be right take no thread, and an address has few', async (t) => {
  const limited = await buildTestApp(t, { rateLimitRefused: 10 });
  const { container: other } = limited;
  const theirs = createHostileSamlProvider(() => limited.clock.now());
  const plain = await makeSamlConnected(limited, theirs);
  const acme = await makeSamlConnected(limited, theirs, ends);
  const one = newVisitor(limited);
  const asked: string[] = [];
  const { run } = other.samlThreads;
  other.samlThreads.run = (orgId, task, question) => {
    asked.push(task);
    return run(orgId, task, question);
  };
  const xml = (connected: Connected) =>
    logoutRequestXml(saying(connected, { issuer: theirs.entityId, issued: limited.clock.now() }));
  const sendTo = (connected: Connected, text: string) =>
    one.post(sloPath(connected), { SAMLRequest: toBase64(text) });
  const query = signedAddressQuery(xml(acme), { key: theirs.key });
  const get = (given: string) => one.get(`${sloPath(acme)}?${given}`);
  t.equal((await sendTo(plain, signed(xml(plain), theirs.key))).status, 400, 'no single logout here');
  t.equal((await sendTo(acme, xml(acme))).status, 400, 'no signature');
  t.equal((await get(query.replace(/&Signature=.*/, ''))).status, 400);
  t.equal((await get(query.replace(/SigAlg=[^&]*&/, ''))).status, 400);
  t.strictSame(asked, []);
  t.equal((await sendTo(acme, signed(xml(acme), stranger))).status, 400);
  t.strictSame(asked, ['verifyLogoutRequest']);
  const { body } = await limited.call(`GET ${acme.path}/health`, { as: acme.owner });
  t.equal(body.refusals[0]?.reason, 'signatureInvalid', 'the owner learns of it');
  for (let count = 5; count < 10; count++) t.equal((await sendTo(acme, xml(acme))).status, 400);
  t.equal((await sendTo(acme, signed(xml(acme), theirs.key))).status, 429);
  t.equal(asked.length, 1);
});

t.test('tokens end with the sessions', async (t) => {
  const acme = await makeSamlConnected(service, provider, { provider: { endsSession: true } });
  const client = await makeApplication(container, acme.orgId);
  const query = new URLSearchParams({
    ...{ client_id: client.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
  });
  const visitor = newVisitor(service);
  const page = await visitor.follow(await visitor.get(`/oauth/v2/authorize?${query}`));
  const address = await leaveFor(visitor, acme, page);
  const back = await visitor.follow(
    await bringBack(service, visitor, await provider.answer(address, { id: '_t1', sessionIndex: '_s9' })),
  );
  const form = {
    grant_type: 'authorization_code',
    code: new URL(back.location ?? '').searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
  };
  const { body } = await postForm(call, '/oauth/v2/token', { as: client.credentials, form });
  const isLive = async () =>
    (await call('GET /oidc/v1/userinfo', { as: { token: body.access_token } })).status === 200;
  t.ok(await isLive());
  const answer = await post(acme, signed(logoutRequestXml(saying(acme, { sessionIndexes: ['_s9'] }))));
  t.match(answer.location, /ended=done$/, 'a provider without an address for the answer');
  t.notOk(await isLive());
});

t.test('what is forged, old, for others or ambiguous ends nothing', async (t) => {
  const acme = await makeSamlConnected(service, provider, ends);
  const other = await makeSamlConnected(service, provider, ends);
  const second = await addSamlConnection(
    service,
    acme,
    createHostileSamlProvider(() => clock.now()),
  );
  const anna = await enter(acme, { id: '_f1' });
  const minutes = (count: number) => new Date(clock.now().getTime() + count * 60_000);
  const right = () => logoutRequestXml(saying(acme));
  const refused = async (seen: Promise<Seen>, what: string) =>
    t.match(await seen, { status: 400, location: undefined }, what);
  for (const [what, said] of [
    ['another issuer', { issuer: 'https://evil.example' }],
    ['another destination', { destination: `${baseUrl}${sloPath(other)}` }],
    ['no destination', { destination: undefined }],
    ['too old', { issued: minutes(-11) }],
    ['from the future', { issued: minutes(2) }],
    ['no time', { issued: undefined }],
    ['a time that is none', { issued: 'yesterday' }],
    ['expired', { notOnOrAfter: minutes(-2) }],
    ['another version', { version: '1.1' }],
    ['nobody', { nameId: undefined }],
    ['an empty name', { nameId: '' }],
    ['a name with a comment', { nameId: 'anna<!-- -->.other' }],
    ['two names', { more: '<saml:NameID>bob</saml:NameID>' }],
    ['two issuers', { more: `<saml:Issuer>${provider.entityId}</saml:Issuer>` }],
    ['too many sessions', { sessionIndexes: Array.from({ length: 21 }, (_, index) => `_${index}`) }],
    ['another request in it', { more: logoutRequestXml(saying(acme)) }],
    ['the same identifier twice', { id: '_twice', more: '<samlp:Extensions ID="_twice"/>' }],
    ['too long', { more: `<samlp:Extensions>${'x'.repeat(33_000)}</samlp:Extensions>` }],
  ] as const) {
    const xml = logoutRequestXml(saying(acme, said));
    await refused(bring(acme, signedAddressQuery(xml, { key: provider.key })), `${what}, by an address`);
    if (what !== 'the same identifier twice') await refused(post(acme, signed(xml)), what);
  }
  await refused(post(acme, right()), 'no signature');
  await refused(post(acme, signed(right(), stranger)), 'the key of somebody else');
  await refused(post(acme, signed(right()).replace('anna', 'bob')), 'changed after it was signed');
  await refused(post(second, signed(right())), 'the request of another connection');
  await refused(post({ ...acme, connectionId: 'unknown' }, signed(right())), 'no such connection');
  await refused(post(acme, signed(right()), { SAMLRequest: '!' }), 'no base64');
  await refused(post(acme, '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), 'a DTD');
  const wrapped = signed(right());
  const inner = wrapped.replace(/^<samlp:LogoutRequest/, '<samlp:LogoutRequest');
  const outer = right().replace(
    '</samlp:LogoutRequest>',
    `<samlp:Extensions>${inner}</samlp:Extensions></samlp:LogoutRequest>`,
  );
  await refused(post(acme, outer), 'a signed request wrapped in another one');
  const moved = /<ds:Signature.*<\/ds:Signature>/s.exec(wrapped)?.[0] ?? '';
  await refused(post(acme, logoutRequestXml(saying(acme, { more: moved }))), 'the signature of another one');
  t.ok(await anna.isIn(), 'none of them ended anything');
  t.equal((await post(acme, signed(right()))).status, 303);
  t.notOk(await anna.isIn());
});

t.test('an address is signed as a whole, once', async (t) => {
  const acme = await makeSamlConnected(service, provider, ends);
  const anna = await enter(acme, { id: '_q1' });
  const xml = () => logoutRequestXml(saying(acme));
  const query = () => signedAddressQuery(xml(), { key: provider.key, relayState: 'theirs' });
  const deflated = (text: string) => encodeURIComponent(deflateRawSync(text).toString('base64'));
  const unsigned = `SAMLRequest=${deflated(xml())}`;
  for (const [what, given] of [
    ['no signature', unsigned],
    ['no algorithm', query().replace(/SigAlg=[^&]*&/, '')],
    ['an empty signature', query().replace(/Signature=.*/, 'Signature=')],
    ['the key of somebody else', signedAddressQuery(xml(), { key: stranger })],
    [
      'SHA-1',
      signedAddressQuery(xml(), {
        key: provider.key,
        algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
      }),
    ],
    ['an algorithm that is none', query().replace(/SigAlg=[^&]*/, 'SigAlg=none')],
    ['another RelayState', query().replace('theirs', 'mine')],
    ['no RelayState', query().replace('RelayState=theirs&', '')],
    ['another request', query().replace(/SAMLRequest=[^&]*/, unsigned)],
    ['a second request before it', `${unsigned}&${query()}`],
    ['a second request after it', `${query()}&${unsigned}`],
    [
      'a second request by another name',
      `SAMLRequest%20=x&x${unsigned}&${query().replace('SAMLRequest', 'ySAMLRequest')}`,
    ],
    ['a broken encoding', query().replace(/Signature=/, 'Signature=%zz')],
    [
      'not compressed',
      query().replace(/SAMLRequest=[^&]*/, `SAMLRequest=${encodeURIComponent(toBase64(xml()))}`),
    ],
    ['a bomb', signedAddressQuery(`${' '.repeat(5_000_000)}${xml()}`, { key: provider.key })],
    ['a signature in the document', signedAddressQuery(signed(xml()), { key: provider.key })],
  ] as const)
    t.match(await bring(acme, given), { status: 400 }, what);
  t.ok(await anna.isIn());
  const once = query();
  t.equal((await bring(acme, once)).status, 303);
  t.notOk(await anna.isIn());
  const again = await enter(acme, { id: '_q2' });
  t.equal((await bring(acme, once)).status, 400, 'it counts once');
  t.ok(await again.isIn());
  const sha1 = { provider: { ...ends.provider, allowsSha1: true } };
  const old = await makeSamlConnected(service, provider, sha1);
  const xmlOfOld = logoutRequestXml(saying(old));
  const algorithm = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
  const answer = await bring(old, signedAddressQuery(xmlOfOld, { key: provider.key, algorithm }));
  t.equal(answer.status, 200, 'SHA-1, if the connection allows it');
  const long = await app.inject({
    method: 'POST',
    url: sloPath(acme),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `SAMLRequest=${'A'.repeat(70_000)}`,
  });
  t.equal(long.statusCode, 413);
});

t.test('a sign-out here goes on to the provider, by a signed request, and comes back', async (t) => {
  const acme = await makeSamlConnected(service, provider, ends);
  const { visitor } = await enter(acme, { id: '_o1', sessionIndex: '_s7' });
  const page = await signOutHere(visitor);
  const href = /<a class="button" data-leave href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
  const request = read(href, 'SAMLRequest');
  t.equal(`${request.url.origin}${request.url.pathname}`, signOut);
  t.match(request.xml, '>anna<');
  t.match(request.xml, '>_s7<');
  t.equal(request.attribute('Destination'), signOut);
  t.ok(await isSignedBy(acme, request, 'SAMLRequest'));
  t.equal((await visitor.get('/account')).status, 303, 'the session here has ended before');
  // The answer is not read, because nothing depends on it.
  const brought = await newVisitor(service).post(sloPath(acme), {
    SAMLResponse: toBase64('<x/>'),
    RelayState: request.relayState ?? '',
  });
  t.match(brought, { status: 303, location: /\/signed-out\?state=/ });
  t.match((await newVisitor(service).get(brought.location ?? '')).location, /ended=done$/);
  t.match((await visitor.get(brought.location ?? '')).location, /ended=done$/);
  t.equal(await container.logoutReturns.find(request.relayState ?? ''), undefined, 'it came back once');
});

t.test('the metadata names single logout, and requests are signed, only with the setting', async (t) => {
  const plain = await makeSamlConnected(service, provider);
  const acme = await makeSamlConnected(service, provider, ends);
  const metadataOf = async ({ orgId, connectionId }: Connected) =>
    (await newVisitor(service).get(`/login/connections/${orgId}/${connectionId}/saml/metadata`)).text;
  t.notMatch(await metadataOf(plain), 'SingleLogoutService');
  const metadata = await metadataOf(acme);
  t.match(metadata, `Location="${baseUrl}${sloPath(acme)}"`);
  t.match(metadata, 'use="signing"');
  t.match((await call(`GET ${acme.path}`, { as: acme.owner })).body, {
    service: { sloUrl: `${baseUrl}${sloPath(acme)}` },
    provider: { signOut, endsSession: true, passesLoginHint: false },
  });
  t.match(await leaveFor(newVisitor(service), acme), /&Signature=/);
  t.notMatch(await leaveFor(newVisitor(service), plain), /&Signature=/);
  const { visitor } = await enter(plain, { id: '_m1' });
  t.match(await signOutHere(visitor), { status: 303, location: /ended=done/ });
  const none = await call(`PATCH ${acme.path}`, {
    as: acme.owner,
    body: { protocol: 'saml', provider: { signOut: null } },
  });
  t.equal(none.body.provider.signOut, undefined);
  const after = await enter(acme, { id: '_m2' });
  t.match(await signOutHere(after.visitor), { status: 303, location: /ended=done/ }, 'no address there');
  const script = { protocol: 'saml', provider: { signOut: 'javascript:alert(1)' } };
  t.equal((await call(`PATCH ${acme.path}`, { as: acme.owner, body: script })).status, 400);
});

t.test('a session here ends with that at the provider, if it says when', async (t) => {
  const acme = await makeSamlConnected(service, provider);
  const sessionEnds = new Date(clock.now().getTime() + 600_000);
  const short = await enter(acme, { id: '_e1', sessionEnds });
  const long = await enter(acme, { id: '_e2', nameId: 'bob' });
  t.ok(await short.isIn());
  clock.advance(601);
  t.strictSame([await short.isIn(), await long.isIn()], [false, true]);
});

t.test('the login name goes to the provider only if the connection says so', async (t) => {
  for (const passesLoginHint of [true, false]) {
    const acme = await makeSamlConnected(service, provider, { provider: { passesLoginHint } });
    const client = await makeApplication(container, acme.orgId);
    const query = new URLSearchParams({
      ...{ client_id: client.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
      login_hint: 'anna@acme.example',
    });
    const visitor = newVisitor(service);
    const page = await visitor.follow(await visitor.get(`/oauth/v2/authorize?${query}`));
    const left = new URL(await leaveFor(visitor, acme, page));
    t.equal(left.searchParams.get('login_hint'), passesLoginHint ? 'anna@acme.example' : null);
  }
});
