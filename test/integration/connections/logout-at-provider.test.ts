import t from 'tap';
import { changeApplication } from '#src/clients/applications/change-application.js';
import { linkIdentity } from '#src/connections/identities/link-identity.js';
import { createLogoutHints } from '#src/connections/sign-in/logout-hints.store.js';
import { testEditor } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  addConnectionTo,
  type Connected,
  isSignedIn,
  makeConnected,
  newVisitor,
  signInBy,
} from '../../support/oidc/connected.js';
import { discoveryPath } from '../../support/oidc/outside-issuer.js';
import type { Seen, Visitor } from '../../support/oidc/visitor.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, clock, call } = service;
const { baseUrl } = container.config;

/** A provider whose discovery document has an end session endpoint, or another value in its place. */
async function makeProvider(endSession?: unknown) {
  const provider = await startHostileProvider(t, certificate as never, () => clock.now());
  provider.lies = {
    discovery: { end_session_endpoint: endSession ?? `${provider.issuer}/logout?kept=1` },
  };
  return provider;
}

const provider = await makeProvider();
const ends = { provider: { endsSession: true } };

async function enter(connected: Connected, claims: Record<string, unknown>, by = provider): Promise<Visitor> {
  const visitor = newVisitor(service);
  const seen = await signInBy(visitor, connected, by, claims);
  if (!isSignedIn(seen)) throw new Error(`${seen.status} ${seen.location}`);
  return visitor;
}

/** Signs out on the page that asks. Returns what the browser sees then. */
async function signOut(visitor: Visitor, query = ''): Promise<Seen> {
  const asked = await visitor.get(`/oidc/v1/end_session${query}`);
  return visitor.fill(asked, { answer: 'yes' }, '/oidc/v1/end_session/confirm');
}

/** The address at the provider to which a page leads. */
function leadsTo({ status, text }: Seen): URL | undefined {
  const found = /<a class="button" data-leave href="([^"]+)"/.exec(text)?.[1];
  return status === 200 && found !== undefined ? new URL(found.replaceAll('&amp;', '&')) : undefined;
}

/** The path of the service to which the provider sends the browser back. */
function wayBack(left: URL): string {
  const back = new URL(left.searchParams.get('post_logout_redirect_uri') ?? '');
  return `${back.pathname}?${new URLSearchParams({ state: left.searchParams.get('state') ?? '' })}`;
}

t.test('a sign-out goes on to the provider, and comes back once, to this browser', async (t) => {
  const acme = await makeConnected(service, provider, ends);
  const shown = (await call(`GET ${acme.path}`, { as: acme.owner })).body;
  const visitor = await enter(acme, { sub: 'anna' });
  const page = await signOut(visitor);
  const left = leadsTo(page);
  t.equal(left?.href.split('?')[0], `${provider.issuer}/logout`);
  const query = Object.fromEntries(left?.searchParams ?? []);
  t.match(query, {
    kept: '1',
    client_id: 'muster',
    post_logout_redirect_uri: shown.postLogoutRedirectUri,
    state: /^[\w-]{43}$/,
    ui_locales: 'en',
  });
  const claims = JSON.parse(Buffer.from(query['id_token_hint']?.split('.')[1] ?? '', 'base64url').toString());
  t.match(claims, { iss: provider.issuer, sub: 'anna' });
  t.equal((await visitor.get('/account')).status, 303, 'the session here has ended before');
  t.match(page.headers['cache-control'], 'no-store');
  const back = wayBack(left as URL);
  const done = `${baseUrl}/oidc/v1/end_session/confirm?ended=done`;
  t.equal((await newVisitor(service).get(back)).location, done.replace(baseUrl, ''));
  const returned = await visitor.get(back);
  t.match(returned, { status: 303, location: done.replace(baseUrl, '') });
  t.match((await visitor.follow(returned)).text, 'You are signed out.');
});

t.test('the application of the sign-out gets the browser back, and nobody else', async (t) => {
  const acme = await makeConnected(service, provider, ends);
  const other = await makeConnected(service, provider, ends);
  const client = await makeApplication(container, acme.orgId);
  const after = 'https://app.example/bye';
  const target = { orgId: acme.orgId, id: client.id, editor: testEditor };
  await changeApplication(container, target, { postLogoutRedirectUris: [after] });
  const query = `?${new URLSearchParams({ client_id: client.id, post_logout_redirect_uri: after, state: 'mine' })}`;
  const thief = await enter(acme, { sub: 'thief' });
  const theirs = wayBack(leadsTo(await signOut(thief, query)) as URL);
  const visitor = await enter(acme, { sub: 'anna' });
  const left = leadsTo(await signOut(visitor, query)) as URL;
  t.notMatch(left.href, 'app.example', 'the provider does not learn where the browser goes');
  const back = wayBack(left);
  for (const [what, path] of [
    ['another state', back.replace(/state=.{43}/, `state=${'x'.repeat(43)}`)],
    ['no state', back.replace(/\?.*/, '')],
    ['an address in place of the state', back.replace(/state=.*/, 'state=https%3A%2F%2Fevil.example')],
    ['another connection', back.replace(acme.connectionId, other.connectionId)],
    ['the state of another browser', theirs],
  ] as const)
    t.match((await visitor.get(path)).location, /^\/oidc\/v1\/end_session\/confirm\?ended=done$/, what);
  t.equal((await visitor.get(back)).location, `${after}?state=mine`);
  t.match((await visitor.get(back)).location, /ended=done$/, 'once');
});

t.test('only a connection that says so ends sessions at its provider', async (t) => {
  for (const [what, settings, by] of [
    ['no setting', {}, provider],
    ['no endpoint', ends, await makeProvider('')],
    ['a script', ends, await makeProvider('javascript:alert(1)')],
    ['no https', ends, await makeProvider('http://provider.example/logout')],
    ['credentials', ends, await makeProvider('https://a:b@provider.example/logout')],
    ['no text', ends, await makeProvider({ href: 'https://provider.example/logout' })],
    ['a long address', ends, await makeProvider(`https://provider.example/${'x'.repeat(2_000)}`)],
    ['this service', ends, await makeProvider(`${baseUrl}/oidc/v1/end_session`)],
  ] as const) {
    const acme = await makeConnected(service, by, settings);
    const visitor = await enter(acme, { sub: 'anna' }, by);
    const seen = await signOut(visitor);
    t.match(seen, { status: 303, location: /ended=done/ }, what);
    t.equal((await visitor.get('/account')).status, 303, what);
  }
});

t.test('a provider that is gone, or a connection that ended, keeps nobody signed in', async (t) => {
  const gone = await makeProvider();
  const acme = await makeConnected(service, gone, ends);
  const visitor = await enter(acme, { sub: 'anna' }, gone);
  gone.lies = { discovery: { issuer: 'https://other.example' } };
  clock.advance(3_700);
  t.match(await signOut(visitor), { status: 303, location: /ended=done/ }, 'its document is of another');
  t.equal((await visitor.get('/account')).status, 303);
  gone.lies = {};
  for (const [what, end] of [
    ['a connection that is switched off', { PATCH: { enabled: false } }],
    ['a connection that was removed', { DELETE: undefined }],
  ] as const) {
    const own = await makeConnected(service, provider, ends);
    const here = await enter(own, { sub: 'anna' });
    for (const [method, body] of Object.entries(end)) {
      const { status } = await call(`${method} ${own.path}`, { as: own.owner, ...(body && { body }) });
      t.ok(status < 300, `${what}: ${status}`);
    }
    t.match(await signOut(here), { status: 303, location: /ended=done/ }, what);
    t.equal((await here.get('/account')).status, 303, what);
  }
  const away = await makeProvider();
  const far = await makeConnected(service, away, ends);
  const there = await enter(far, { sub: 'anna' }, away);
  away.own.instead.set(discoveryPath, (request) => void request.socket.destroy());
  clock.advance(3_700);
  t.match(await signOut(there), { status: 303, location: /ended=done/ }, 'it cannot be reached');
  t.equal((await there.get('/account')).status, 303);
});

t.test('a long ID token is not shown, and the address of a form is taken by hand', async (t) => {
  const byHand = {
    authorization: `${provider.issuer}/authorize`,
    token: `${provider.issuer}/token`,
    keys: `${provider.issuer}/keys`,
    endSession: `${provider.issuer}/by-hand`,
  };
  const acme = await makeConnected(service, provider, {
    provider: { endsSession: true, endpoints: byHand },
  });
  const visitor = await enter(acme, { sub: 'anna', groups: 'x'.repeat(9_000) });
  const left = leadsTo(await signOut(visitor));
  t.equal(left?.pathname, '/by-hand');
  t.equal(left?.searchParams.has('id_token_hint'), false);
  t.equal(left?.searchParams.get('client_id'), 'muster');
  const wrong = await call(`PATCH ${acme.path}`, {
    as: acme.owner,
    body: { provider: { endpoints: { ...byHand, endSession: 'javascript:alert(1)' } } },
  });
  t.match(wrong, { status: 400 });
});

t.test('hints of one person are few', async (t) => {
  const of = (ref: number) => ({ orgId: 'acme', userId: 'many', connectionId: 'c', ref: `r${ref}` });
  const { logoutHints } = container;
  for (let ref = 0; ref <= 100; ref++) await logoutHints.put(of(ref), { idToken: `${ref}` });
  t.equal(await logoutHints.take(of(0)), undefined);
  t.match(await logoutHints.take(of(100)), { idToken: '100' });
  t.equal(await logoutHints.take(of(100)), undefined, 'once');
});

t.test('hints of one organization are few and short', async (t) => {
  const hints = createLogoutHints({
    ...{ redis: container.redis, prefix: container.config.redisPrefix, clock },
    ...{ sealer: container.connectionSealer, lifeSeconds: 600, mostOfOrganization: 3 },
  });
  const of = (userId: string, ref = 'r', orgId = 'few') => ({ orgId, userId, connectionId: 'c', ref });
  const has = async (...given: Parameters<typeof of>) => (await hints.take(of(...given))) !== undefined;
  for (const userId of ['a', 'b', 'c', 'd']) await hints.put(of(userId), { idToken: userId });
  await hints.put(of('e', 'r', 'other'), { idToken: 'e' });
  t.strictSame([await has('d'), await has('e', 'r', 'other')], [false, true], 'others have their own');
  t.ok(await has('a'));
  await hints.put(of('d'), { idToken: 'd' });
  t.ok(await has('d'), 'one that was taken leaves its place');
  await hints.put(of('d', 'two'), { idToken: 'd' });
  await hints.put(of('f'), { idToken: 'f' });
  t.notOk(await has('f'), 'full again');
  await hints.forget({ orgId: 'few', userId: 'd' });
  await hints.forget({ orgId: 'few', userId: 'b', connectionId: 'another' });
  await hints.put(of('g'), { idToken: 'x'.repeat(4_200) });
  t.notOk(await has('g'), 'a long one is not kept');
  await hints.put(of('g'), { idToken: 'g' });
  t.strictSame([await has('d', 'two'), await has('b'), await has('g')], [false, true, true]);
  for (const userId of ['h', 'i']) await hints.put(of(userId), { idToken: userId });
  clock.advance(601);
  await hints.put(of('j'), { idToken: 'j' });
  t.ok(await has('j'), 'places end with the sessions');
});

t.test('hints end with the identity, and with the person', async (t) => {
  for (const ended of ['/identities', ''] as const) {
    const acme = await makeConnected(service, provider, ends);
    await enter(acme, { sub: 'anna' });
    const [list] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
    const userId = list?.userId ?? '';
    const key = `${container.config.redisPrefix}:connection-logout-hints:${userId}`;
    t.equal(await container.redis.hlen(key), 1);
    if (ended === '') {
      const { status } = await call(`DELETE /scim/v2/${acme.orgId}/Users/${userId}`, { as: acme.owner });
      t.equal(status, 204);
    } else {
      const { orgId, connectionId } = acme;
      // Another way in.
      const second = await addConnectionTo(service, acme, provider, { name: 'Second' });
      await linkIdentity(container, {
        ...{ orgId, userId, connectionId: second, subject: 'anna', rule: 'person', editor: testEditor },
      });
      const path = `/admin/v1/orgs/${acme.orgId}/users/${userId}/identities/${connectionId}`;
      t.equal((await call(`DELETE ${path}`, { as: acme.owner })).status, 204);
    }
    t.equal(await container.redis.hlen(key), 0, ended);
  }
});

t.test('whoever is added after the question for an account is signed out at the provider, too', async (t) => {
  const acme = await makeConnected(service, provider, {
    ...ends,
    ...{ creation: 'create', linking: { byPerson: true } },
  });
  const visitor = newVisitor(service);
  const seen = await signInBy(visitor, acme, provider, { sub: 'new' });
  t.match(seen.location, /^\/login\/link\?/);
  const page = await visitor.get(seen.location ?? '');
  t.ok(isSignedIn(await visitor.fill(page, {}, '/login/link/none')));
  const left = leadsTo(await signOut(visitor));
  const [, claims = ''] = left?.searchParams.get('id_token_hint')?.split('.') ?? [];
  t.match(Buffer.from(claims, 'base64url').toString(), '"sub":"new"');
});
