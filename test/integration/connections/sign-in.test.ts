import t from 'tap';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  addConnectionTo,
  isSignedIn,
  leaveFor,
  makeConnected,
  newVisitor,
  refusedPage,
  signInBy,
} from '../../support/oidc/connected.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, {
  privateProviderHosts: '127.0.0.1',
  outgoingCa: certificate.cert,
});
const { container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());
const another = await startHostileProvider(t, certificate, () => clock.now());
t.beforeEach(() => {
  provider.lies = {};
  another.lies = {};
});

/** The person of an organization who has the identity. */
async function holder(orgId: string, connectionId: string, subject: string) {
  const page = await container.identityLinks.pageOfAll(orgId, { limit: 100 });
  const list = page.find(({ items }) =>
    Object.values(items).some((link) => link.connectionId === connectionId && link.subject === subject),
  );
  return list && container.accounts.find(orgId, list.userId);
}

async function reasons(connected: { path: string; owner: { token: string } }) {
  const { body } = await call(`GET ${connected.path}/health`, { as: connected.owner });
  return body.refusals.map(({ reason }: { reason: string }) => reason);
}

t.test(
  'a person signs in at the provider of the organization, and is the same one the next time',
  async (t) => {
    const acme = await makeConnected(service, provider);
    const claims = { sub: 'anna', given_name: 'Anna', family_name: 'Lind', email: 'anna@acme.example' };
    const visitor = newVisitor(service);
    const address = new URL(await leaveFor(visitor, acme));
    t.equal(address.origin, new URL(provider.issuer).origin);
    const asked = Object.fromEntries(address.searchParams);
    t.match(asked, {
      response_type: 'code',
      client_id: 'muster',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      redirect_uri: `${container.config.baseUrl}/login/connections/${acme.orgId}/${acme.connectionId}/callback`,
    });
    const seen = await visitor.get(provider.authorize(address.href, claims));
    t.ok(isSignedIn(seen), `${seen.status} ${seen.location} ${seen.text}`);
    t.match((await visitor.follow(seen)).text, 'Anna Lind');
    const account = await holder(acme.orgId, acme.connectionId, 'anna');
    t.match(account, { user: { name: { givenName: 'Anna', familyName: 'Lind' }, active: true } });
    t.equal(account?.password, undefined);
    t.equal(account?.user.emails[0]?.verified, false, 'no domain of the connection, so nobody proved it');
    t.match(provider.tokenRequests.at(-1)?.authorization, /^Basic /);
    t.ok(isSignedIn(await signInBy(newVisitor(service), acme, provider, { ...claims, given_name: 'Other' })));
    t.equal(await container.users.count(acme.orgId), 1);
    await container.secretUses.flush();
    const { body } = await call(`GET ${acme.path}/health`, { as: acme.owner });
    t.match(body, { lastSignIn: String, refusals: [] });
  },
);

t.test('a. an identity belongs to one connection of one organization', async (t) => {
  const [acme, other] = [await makeConnected(service, provider), await makeConnected(service, provider)];
  const second = await addConnectionTo(service, acme, provider, { name: 'Second' });
  const claims = { sub: 'shared', name: 'Shared' };
  const people = [];
  for (const connected of [acme, other, { ...acme, connectionId: second }]) {
    t.ok(isSignedIn(await signInBy(newVisitor(service), connected, provider, claims)));
    people.push((await holder(connected.orgId, connected.connectionId, 'shared'))?.user.id);
  }
  t.equal(new Set(people).size, 3, 'three people');
});

t.test('b. an answer counts for the connection and the browser that left, once', async (t) => {
  const acme = await makeConnected(service, provider);
  const second = await addConnectionTo(service, acme, another, { name: 'Second' });
  const other = await makeConnected(service, provider);
  const visitor = newVisitor(service);
  const back = provider.authorize(await leaveFor(visitor, acme), { sub: 'mixed' });
  const pathOf = ({ orgId, connectionId }: { orgId: string; connectionId: string }) =>
    `/login/connections/${orgId}/${connectionId}/callback`;
  for (const elsewhere of [{ ...acme, connectionId: second }, other]) {
    const seen = await visitor.get(back.replace(pathOf(acme), pathOf(elsewhere)));
    t.equal(seen.status, 400, 'the answer to another connection');
  }
  const attacker = newVisitor(service);
  await attacker.get('/login');
  t.equal((await attacker.get(back)).status, 400, 'another browser with a cookie');
  t.equal((await newVisitor(service).get(back)).status, 400, 'a browser without one');
  t.equal((await visitor.get(back.replace(/state=[^&]+/, 'state=forged'))).status, 400);
  t.equal(provider.tokenRequests.filter(({ form }) => back.includes(form.get('code') ?? '-')).length, 0);
  t.ok(isSignedIn(await visitor.get(back)), 'none of them ended the sign-in');
  t.equal((await visitor.get(back)).status, 400, 'an answer works once');
});

t.test('c. what comes through the browser says nothing about the person', async (t) => {
  const acme = await makeConnected(service, provider);
  const visitor = newVisitor(service);
  const victim = provider.authorize(await leaveFor(visitor, acme), { sub: 'victim' });
  const thief = newVisitor(service);
  const own = new URL(provider.authorize(await leaveFor(thief, acme), { sub: 'thief' }));
  own.searchParams.set('code', new URL(victim).searchParams.get('code') ?? '');
  const refused = await refusedPage(thief, await thief.get(own.href));
  t.match(refused.text, /The sign-in with Acme did not work/, 'a stolen code has another verifier');
  t.strictSame(await reasons(acme), ['codeRefused']);
  const visitor2 = newVisitor(service);
  const more = new URL(provider.authorize(await leaveFor(visitor2, acme), { sub: 'honest', name: 'Honest' }));
  for (const [name, value] of Object.entries({
    sub: 'victim',
    email: 'boss@acme.example',
    user: '{"name":"Boss"}',
  }))
    more.searchParams.set(name, value);
  t.match((await visitor2.follow(await visitor2.get(more.href))).text, 'Honest');
  const honest = await holder(acme.orgId, acme.connectionId, 'honest');
  t.equal(honest?.user.displayName, 'Honest');
  t.strictSame(honest?.user.emails, []);
  t.equal(await holder(acme.orgId, acme.connectionId, 'victim'), undefined);
  const visitor3 = newVisitor(service);
  const implicit = provider.authorize(await leaveFor(visitor3, acme), { sub: 'x' });
  const seen = await visitor3.get(`${implicit}&id_token=x.y.z`);
  t.match((await refusedPage(visitor3, seen)).status, 400, 'no token comes through the browser');
  const visitor4 = newVisitor(service);
  const twice = provider.authorize(await leaveFor(visitor4, acme), { sub: 'x' });
  t.match((await refusedPage(visitor4, await visitor4.get(`${twice}&code=other`))).status, 400);
});

t.test('a provider answers by a form, from another site', async (t) => {
  const acme = await makeConnected(service, provider, { provider: { answersByForm: true } });
  const visitor = newVisitor(service);
  const address = await leaveFor(visitor, acme);
  t.equal(new URL(address).searchParams.get('response_mode'), 'form_post');
  const back = new URL(provider.authorize(address, { sub: 'apple' }));
  const posted = await newVisitor(service).post(back.pathname, {
    ...Object.fromEntries(back.searchParams),
    user: '{"name":{"firstName":"Somebody"}}',
  });
  t.equal(posted.status, 303);
  t.notMatch(posted.location, 'user');
  t.ok(isSignedIn(await visitor.get(posted.location ?? '')), 'the browser follows with its cookie');
});

t.test('b. an answer without its issuer, or with that of another provider, is refused', async (t) => {
  const acme = await makeConnected(service, provider);
  for (const iss of [undefined, another.issuer, `${provider.issuer}/`]) {
    provider.lies = { answer: { iss } };
    const visitor = newVisitor(service);
    const seen = await signInBy(visitor, acme, provider, { sub: 'x' });
    t.match((await refusedPage(visitor, seen)).text, /did not work/);
    clock.advance(11);
  }
  t.strictSame(await reasons(acme), ['answerInvalid', 'answerInvalid', 'answerInvalid']);
  t.equal(await container.users.count(acme.orgId), 0);
});

t.test('l. who cancels comes back to all ways of signing in, and nothing leads away by itself', async (t) => {
  const acme = await makeConnected(service, provider);
  for (const [error, text] of [
    ['access_denied', /You ended the sign-in with Acme/],
    ['server_error', /did not work/],
    ['<script>alert(1)</script>', /did not work/],
  ] as const) {
    provider.lies = { answer: { code: undefined, error, error_description: '<b>call 555</b>' } };
    const visitor = newVisitor(service);
    const page = await refusedPage(visitor, await signInBy(visitor, acme, provider, { sub: 'x' }));
    t.match(page.text, text);
    t.notMatch(page.text, /555|<script>alert/);
    t.match(page.text, 'name="password"', 'another way');
  }
});

t.test(
  'k. a request that forbids pages never leads to a provider, and others pass on what they want',
  async (t) => {
    const acme = await makeConnected(service, provider);
    const { id: clientId } = await makeApplication(container, acme.orgId, {});
    const request = (more: Record<string, string>) =>
      `/oauth/v2/authorize?${new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid',
        state: 's',
        ...more,
      })}`;
    const visitor = newVisitor(service);
    t.match((await visitor.get(request({ prompt: 'none' }))).location, /error=login_required/);
    const page = await visitor.follow(
      await visitor.get(request({ login_hint: 'anna', max_age: '60', ui_locales: 'de' })),
    );
    const asked = new URL(await leaveFor(visitor, acme, page)).searchParams;
    t.match(Object.fromEntries(asked), { login_hint: 'anna', max_age: '60', ui_locales: 'de' });
    const again = await visitor.follow(await visitor.get(request({ prompt: 'login' })));
    const address = await leaveFor(visitor, acme, again);
    t.match(Object.fromEntries(new URL(address).searchParams), { prompt: 'login', max_age: '0' });
    const old = Math.floor(clock.now().getTime() / 1000) - 3600;
    const refused = await refusedPage(
      visitor,
      await visitor.get(provider.authorize(address, { sub: 'a', auth_time: old })),
    );
    t.match(refused.text, /The sign-in with Acme did not work. Try again/, 'the provider did not ask again');
    const left = await leaveFor(visitor, acme, refused);
    const now = Math.floor(clock.now().getTime() / 1000);
    const done = await visitor.follow(
      await visitor.get(provider.authorize(left, { sub: 'a', auth_time: now - 30 })),
    );
    t.match(done.location, /^https:\/\/client\.example\/callback\?code=/);
  },
);

t.test('g. addresses come from the configuration', async (t) => {
  const acme = await makeConnected(service, provider);
  const visitor = newVisitor(service);
  const page = await visitor.get(`/login?organization=${acme.orgId}`);
  t.notMatch(page.text, 'evil.example');
  const forged = await service.app.inject({
    url: `/login?organization=${acme.orgId}`,
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  });
  t.notMatch(forged.payload, 'evil.example');
  t.match(forged.payload, `${container.config.baseUrl}/login/connections/${acme.orgId}`);
});
