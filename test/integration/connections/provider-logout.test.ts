import { randomUUID } from 'node:crypto';
import t from 'tap';
import { linkIdentity } from '#src/connections/identities/link-identity.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { testEditor } from '../../support/app/make.js';
import { makeApplication, type OAuthClient, postForm, redirectUri } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  addConnectionTo,
  type Connected,
  isSignedIn,
  leaveFor,
  makeConnected,
  newVisitor,
  signInBy,
} from '../../support/oidc/connected.js';
import type { Visitor } from '../../support/oidc/visitor.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { app, container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());
const another = await startHostileProvider(t, certificate, () => clock.now());

const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const logoutClaims = (more: Record<string, unknown> = {}) => ({
  ...{ aud: 'muster', jti: randomUUID(), events: event, ...more },
});

async function send({ orgId, connectionId }: Connected, token: string) {
  const answer = await app.inject({
    method: 'POST',
    url: `/login/connections/${orgId}/${connectionId}/logout`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: token }).toString(),
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload };
}

const logOut = async (connected: Connected, more: Record<string, unknown>, header = {}) =>
  (await send(connected, await provider.own.sign(logoutClaims(more), header))).status;

/** Signs somebody in. Returns the browser, and whether it is still signed in. */
async function enter(connected: Connected, claims: Record<string, unknown>) {
  const visitor = newVisitor(service);
  const seen = await signInBy(visitor, connected, provider, claims);
  if (!isSignedIn(seen)) throw new Error(`${seen.status} ${seen.location}`);
  return { visitor, isIn: async () => (await visitor.get('/account')).status === 200 };
}

t.test('a logout token ends what its person began by the connection, in every browser', async (t) => {
  const acme = await makeConnected(service, provider);
  const other = await makeConnected(service, provider);
  const [first, second] = [await enter(acme, { sub: 'anna' }), await enter(acme, { sub: 'anna' })];
  const [bob, elsewhere] = [await enter(acme, { sub: 'bob' }), await enter(other, { sub: 'anna' })];
  const answer = await send(
    acme,
    await provider.own.sign(logoutClaims({ sub: 'anna' }), { typ: 'logout+jwt' }),
  );
  t.match(answer, { status: 200, headers: { 'cache-control': 'no-store' } });
  t.strictSame([await first.isIn(), await second.isIn()], [false, false]);
  t.strictSame([await bob.isIn(), await elsewhere.isIn()], [true, true]);
  t.equal(await logOut(acme, { sub: 'nobody' }), 200, 'whoever is unknown has no session');
});

t.test('tokens end with the sessions', async (t) => {
  const acme = await makeConnected(service, provider);
  const client: OAuthClient = await makeApplication(container, acme.orgId, {
    grantTypes: ['authorization_code', 'refresh_token'],
  });
  const query = new URLSearchParams({
    ...{ client_id: client.id, redirect_uri: redirectUri, response_type: 'code', state: 's' },
    scope: 'openid offline_access',
  });
  const visitor: Visitor = newVisitor(service);
  const page = await visitor.follow(await visitor.get(`/oauth/v2/authorize?${query}`));
  const address = await leaveFor(visitor, acme, page);
  const back = await visitor.follow(
    await visitor.get(provider.authorize(address, { sub: 'anna', sid: 's-1' })),
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
  t.equal(await logOut(acme, { sid: 's-1' }), 200);
  t.notOk(await isLive());
  const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
  t.equal((await postForm(call, '/oauth/v2/token', { as: client.credentials, form: refresh })).status, 400);
});

t.test('a session identifier ends that session alone', async (t) => {
  const acme = await makeConnected(service, provider);
  const [first, second] = [
    await enter(acme, { sub: 'anna', sid: 'one' }),
    await enter(acme, { sub: 'anna', sid: 'two' }),
  ];
  t.equal(await logOut(acme, { sid: 'three' }), 200);
  t.equal(await logOut(acme, { sub: 'anna', sid: 'one' }), 200);
  t.strictSame([await first.isIn(), await second.isIn()], [false, true]);
  t.equal(await logOut(acme, { sid: 'two' }), 200);
  t.notOk(await second.isIn());
});

t.test('a session that is being begun is found, although another one of the same name ends', async (t) => {
  const acme = await makeConnected(service, provider);
  await enter(acme, { sub: 'anna', sid: 'shared' });
  const [link] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
  const anna = link?.userId ?? '';
  const [first] = await container.sessions.ofUser(anna);
  t.ok(first);
  // As between the arrival and the last page of a sign-in.
  await container.providerSessions.put({ ...acme, sid: 'shared', userId: anna });
  await container.sessions.end(anna, first?.id ?? '');
  const { orgId, userName, displayName } = first ?? { orgId: '', userName: '', displayName: '' };
  const { connectionId } = acme;
  const begun = clock.now().getTime();
  const proof = { kind: 'connection', connectionId, sid: 'shared', strength: '1', begun } as const;
  const person = { userId: anna, orgId, userName, displayName, proofs: [proof] };
  const session = await container.sessions.signIn(hashSecret(randomUUID()), person);
  t.ok(await container.sessions.find(anna, session.id));
  t.equal(await logOut(acme, { sid: 'shared' }), 200);
  t.equal(await container.sessions.find(anna, session.id), undefined);
});

t.test(
  'what names a session at the provider is forgotten with it, and with what it belongs to',
  async (t) => {
    const acme = await makeConnected(service, provider);
    const { redisPrefix } = container.config;
    const keyOf = ({ connectionId }: Connected, sid: string) =>
      `${redisPrefix}:connection-sid:${connectionId}:${hashSecret(sid)}`;
    const known = async (of: Connected, sid: string) => (await container.redis.exists(keyOf(of, sid))) === 1;
    const personOf = async ({ orgId }: Connected) => {
      const [list] = await container.identityLinks.pageOfAll(orgId, { limit: 5 });
      return list?.userId ?? '';
    };
    for (const sid of ['one', 'one', 'two']) await enter(acme, { sub: 'anna', sid });
    const anna = await personOf(acme);
    const end = async (sid: string) => {
      const sessions = await container.sessions.ofUser(anna);
      const session = sessions.find(({ proofs }) =>
        proofs.some((proof) => 'sid' in proof && proof.sid === sid),
      );
      await container.sessions.end(anna, session?.id ?? '');
    };
    await end('one');
    t.ok(await known(acme, 'one'), 'another session here goes by the same name');
    await end('one');
    t.strictSame([await known(acme, 'one'), await known(acme, 'two')], [false, true]);
    t.equal(await logOut(acme, { sid: 'two' }), 200);
    t.notOk(await known(acme, 'two'), 'the provider ended it');

    const endings: Record<string, (of: Connected, userId: string) => Promise<number>> = {
      async unlinked({ orgId, owner }, userId) {
        const [{ id } = { id: '' }] = await container.caches.connections.get(orgId);
        const second = await addConnectionTo(service, { orgId, owner }, provider, { name: 'Second' });
        await linkIdentity(container, {
          ...{ orgId, userId, connectionId: second, subject: 'anna', rule: 'person', editor: testEditor },
        });
        const path = `/admin/v1/orgs/${orgId}/users/${userId}/identities/${id}`;
        return (await call(`DELETE ${path}`, { as: owner })).status;
      },
      person: async ({ orgId, owner }, userId) =>
        (await call(`DELETE /scim/v2/${orgId}/Users/${userId}`, { as: owner })).status,
      connection: async ({ path, owner }) => (await call(`DELETE ${path}`, { as: owner })).status,
      switchedOff: async ({ path, owner }) => {
        const { status } = await call(`PATCH ${path}`, { as: owner, body: { enabled: false } });
        return status === 200 ? 204 : status;
      },
    };
    for (const [name, ending] of Object.entries(endings)) {
      const other = await makeConnected(service, provider);
      await enter(other, { sub: 'anna', sid: 'one' });
      const userId = await personOf(other);
      t.ok(await known(other, 'one'));
      t.equal(await ending(other, userId), 204, name);
      t.notOk(await known(other, 'one'), name);
      t.equal(await container.redis.exists(`${redisPrefix}:connection-sids:${userId}`), 0, name);
    }
  },
);

t.test('the end of the first of two people of one session at the provider leaves the other', async (t) => {
  const acme = await makeConnected(service, provider);
  const { connectionId } = acme;
  const [first, second] = [`first-${randomUUID()}`, `second-${randomUUID()}`];
  for (const userId of [first, second])
    await container.providerSessions.put({ connectionId, sid: 'one', userId });
  await container.providerSessions.forget({ userId: first });
  t.equal(await container.providerSessions.find({ connectionId, sid: 'one' }), second);
  await container.providerSessions.forget({ userId: second });
  t.equal(await container.providerSessions.find({ connectionId, sid: 'one' }), undefined);
});

t.test('no name outlives the list of its person, and the end of all sessions reads them once', async (t) => {
  const acme = await makeConnected(service, provider);
  const { redisPrefix } = container.config;
  const { connectionId } = acme;
  const userId = `many-${randomUUID()}`;
  const sids = Array.from({ length: 105 }, (_, at) => `sid-${at}`);
  for (const sid of sids) {
    clock.advance(1);
    await container.providerSessions.put({ connectionId, sid, userId });
  }
  const left = async () => {
    const keys = sids.map((sid) => `${redisPrefix}:connection-sid:${connectionId}:${hashSecret(sid)}`);
    const found = await Promise.all(keys.map((key) => container.redis.exists(key)));
    return sids.filter((_, at) => found[at] === 1);
  };
  t.strictSame(await left(), sids.slice(5), 'those that end first gave way, with their keys');
  t.equal(await container.redis.zcard(`${redisPrefix}:connection-sids:${userId}`), 100);
  await container.providerSessions.forget({ userId });
  t.strictSame(await left(), []);

  for (let at = 0; at < 12; at++) await enter(acme, { sub: 'anna', sid: `own-${at}` });
  const [link] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
  const anna = link?.userId ?? '';
  const sessions = await container.sessions.ofUser(anna);
  t.equal(sessions.length, 12);
  const reads = t.capture(container.redis, 'zrange', container.redis.zrange);
  await container.sessions.endAllOf(anna);
  const lists = reads().length;
  t.ok(lists < 6, `${lists} lists are read`);
  t.same(await container.sessions.ofUser(anna), []);
  t.equal(await container.redis.exists(`${redisPrefix}:connection-sids:${anna}`), 0);
});

t.test('a logout token is checked like any other', async (t) => {
  const acme = await makeConnected(service, provider);
  const second = { ...acme, connectionId: await addConnectionTo(service, acme, another, { name: 'Second' }) };
  const anna = await enter(acme, { sub: 'anna' });
  const now = Math.floor(clock.now().getTime() / 1000);
  for (const [what, claims, header] of [
    ['another issuer', { iss: another.issuer }],
    ['another audience', { aud: 'other' }],
    ['no audience', { aud: undefined }],
    ['too old', { iat: now - 700, exp: undefined }],
    ['from the future', { iat: now + 120 }],
    ['no time', { iat: undefined }],
    ['expired', { exp: now - 120 }],
    ['no identifier', { jti: undefined }],
    ['a long identifier', { jti: 'x'.repeat(256) }],
    ['no event', { events: undefined }],
    ['another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['an event that is no object', { events: { [Object.keys(event)[0] ?? '']: true } }],
    ['a nonce, as an ID token has', { nonce: 'n' }],
    ['nobody', { sub: undefined }],
    ['a subject that is no text', { sub: ['anna'] }],
    ['another type', {}, { typ: 'at+jwt' }],
    ['an unknown key', {}, { kid: 'other' }],
  ] as const)
    t.equal(await logOut(acme, { sub: 'anna', ...claims }, header), 400, what);
  const right = logoutClaims({ sub: 'anna' });
  const forged = await another.own.sign({ ...right, iss: provider.issuer }, { kid: 'key-1' });
  t.equal((await send(acme, forged)).status, 400, 'the key of somebody else');
  const plain = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  const body = Buffer.from(JSON.stringify({ iss: provider.issuer, ...right, iat: now })).toString(
    'base64url',
  );
  for (const token of ['', 'x', 'a.b.c', `${plain}.${body}.`, 'x'.repeat(20_000)])
    t.equal((await send(acme, token)).status, 400, token.slice(0, 20));
  const own = await provider.own.sign(right);
  t.equal((await send(second, own)).status, 400, 'the token of another connection');
  t.equal((await send({ ...acme, connectionId: 'unknown' }, own)).status, 400);
  t.ok(await anna.isIn(), 'none of them ended anything');
  t.equal((await send(acme, own)).status, 200);
  t.notOk(await anna.isIn());
  const again = await enter(acme, { sub: 'anna' });
  t.match(await send(acme, own), { status: 400, text: /used before/ }, 'it counts once');
  t.ok(await again.isIn());
  await call(`PATCH ${acme.path}`, { as: acme.owner, body: { enabled: false } });
  t.equal(await logOut(acme, { sub: 'anna' }), 400, 'a connection that is switched off');
});

t.test('a session here ends with that at the provider, if it says when', async (t) => {
  const acme = await makeConnected(service, provider);
  const now = Math.floor(clock.now().getTime() / 1000);
  const short = await enter(acme, { sub: 'anna', session_expiry: now + 600 });
  const odd = await enter(acme, { sub: 'bob', session_expiry: 'soon' });
  t.ok(await short.isIn());
  clock.advance(601);
  t.strictSame([await short.isIn(), await odd.isIn()], [false, true]);
});

t.test(
  'a sign-in that the provider starts is a new request to it, and leads to no other address',
  async (t) => {
    const acme = await makeConnected(service, provider);
    const path = `/login/connections/${acme.orgId}/${acme.connectionId}/start`;
    const query = (more: Record<string, string>) =>
      `${path}?${new URLSearchParams({ iss: provider.issuer, ...more })}`;
    const visitor = newVisitor(service);
    const asked = await visitor.get(query({ login_hint: 'anna' }));
    t.equal(
      asked.location,
      `/login?organization=${acme.orgId}&to=account`,
      'no page signs a browser in unasked',
    );
    await signInBy(visitor, acme, provider, { sub: 'anna' });
    const left = await visitor.get(query({ login_hint: 'anna', target_link_uri: 'https://evil.example/' }));
    t.ok(left.location?.startsWith(`${provider.issuer}/authorize?`));
    t.equal(new URL(left.location ?? '').searchParams.get('login_hint'), 'anna');
    const done = await visitor.get(provider.authorize(left.location ?? '', { sub: 'anna' }));
    t.match(done.location, /^\/account\?session=/);
    for (const [name, value] of [
      ['iss', another.issuer],
      ['iss', ''],
      ['iss', `${provider.issuer}/`],
    ] as const)
      t.match((await newVisitor(service).get(query({ [name]: value }))).location, /^\/login\?to=account/);
    const posted = await visitor.post(path, { iss: provider.issuer });
    t.ok(posted.location?.startsWith(provider.issuer), 'by POST');
    const unknown = path.replace(acme.connectionId, 'unknown');
    t.match((await newVisitor(service).get(`${unknown}?iss=${provider.issuer}`)).location, /^\/login/);
    const back = await newVisitor(service).get(provider.authorize(left.location ?? '', { sub: 'thief' }));
    t.equal(back.status, 400, 'another browser cannot finish it');
  },
);
