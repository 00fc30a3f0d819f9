import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { putSignInPolicy } from '#src/authentication/sign-in-policy/put-sign-in-policy.js';
import { directoryErrors } from '#src/directory/errors.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { entra } from '../../conformance/exchanges/entra.js';
import { makeCaller, makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  addConnectionTo,
  type Connected,
  isSignedIn,
  makeConnected,
  newVisitor,
  refusedPage,
  signInBy,
} from '../../support/oidc/connected.js';
import { formsOf, type Seen, type Visitor } from '../../support/oidc/visitor.js';
import { optionsIn } from '../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, {
  privateProviderHosts: '127.0.0.1',
  outgoingCa: certificate.cert,
  loginFailureMilliseconds: 0,
});
const { container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());
t.beforeEach(() => {
  provider.lies = {};
});

/** An organization that has verified a domain and given it to its connection. */
async function makeLeading(settings: Record<string, unknown> = {}) {
  const domain = `${uniqueName('acme')}.example`;
  const acme = await makeConnected(service, provider, settings);
  await verify(acme, domain);
  await give(acme, acme.connectionId, [domain]);
  return { ...acme, domain };
}

const verify = ({ orgId }: Connected, domain: string) =>
  changeOrganization(container, {
    ...{ orgId, editor: testEditor },
    change: ({ domains }) => ({ domains: [...domains, domain] }),
  });

async function give({ orgId, owner }: Connected, connectionId: string, domains: string[]) {
  const path = `/admin/v1/orgs/${orgId}/connections/${connectionId}`;
  const { status } = await call(`PATCH ${path}`, { as: owner, body: { domains } });
  if (status !== 200) throw new Error('The domain was not given');
}

const setPolicy = ({ orgId }: Connected, policy: SignInPolicy) =>
  putSignInPolicy(container, { orgId, policy, editor: testEditor });

const client = async (orgId: string, more: object = {}) => (await makeApplication(container, orgId, more)).id;

async function begin(visitor: Visitor, clientId: string, more: Record<string, string> = {}): Promise<Seen> {
  const query = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
  const address = `/oauth/v2/authorize?${new URLSearchParams({ ...query, state: 's', ...more })}`;
  return visitor.follow(await visitor.get(address));
}

const atProvider = ({ location }: Seen) => location?.startsWith(provider.issuer) === true;
const typeName = (visitor: Visitor, page: Seen, loginName: string) =>
  visitor.fill(page, { loginName }, '/login/name');

/** Whether a request leads to the provider after the person went on from the page with the hinted name. It never leads there by itself. */
async function leads(visitor: Visitor, clientId: string, more: Record<string, string>): Promise<boolean> {
  const page = await begin(visitor, clientId, more);
  if (atProvider(page)) throw new Error('The browser left without a question');
  const { login_hint: hint = '' } = more;
  if (!formsOf(page.text).some(({ action }) => action.endsWith('/login/name'))) return false;
  t.match(page.text, `value="${hint}"`, 'the person sees the name');
  t.notMatch(page.text, 'name="password"', 'and no field for a password');
  return atProvider(await typeName(visitor, page, hint));
}

t.test('the page of no organization asks for the name first, once a domain of anybody leads', async (t) => {
  const visitor = newVisitor(service);
  t.match((await visitor.get('/login')).text, 'name="password"', 'no connection has a domain');
  const other = await makeConnected(service, provider);
  await container.caches.leadingDomains.invalidate('any');
  t.match((await visitor.get('/login')).text, 'name="password"', 'a connection without a domain');
  const acme = await makeLeading();
  await container.caches.leadingDomains.invalidate('any');
  const page = await visitor.get('/login');
  t.notMatch(page.text, 'name="password"');
  t.notMatch(page.text, acme.connectionId, 'the page names nobody');
  t.ok(atProvider(await typeName(visitor, page, `nobody@${acme.domain}`)));
  for (const name of ['anna', 'anna@elsewhere.example', uniqueName('nobody')])
    t.match((await visitor.follow(await typeName(visitor, page, name))).text, 'name="password"', name);
  t.match((await visitor.get('/login?way=password')).text, 'name="password"', 'the link to the password');
  t.match((await visitor.get(`/login?organization=${other.orgId}`)).text, 'name="password"', 'another one');
  await call(`PATCH ${acme.path}`, { as: acme.owner, body: { enabled: false } });
  await container.caches.leadingDomains.invalidate('any');
  t.match((await visitor.get('/login')).text, 'name="password"', 'it was the only one');
});

t.test('an application names the connection, of its own organization alone', async (t) => {
  const acme = await makeConnected(service, provider);
  const second = await addConnectionTo(service, acme, provider, { name: 'Second' });
  const other = await makeConnected(service, provider);
  const app = await client(acme.orgId);
  const page = await begin(newVisitor(service), app, { connection: second });
  const order = [...page.text.matchAll(/\/login\/connections\/[^/"]+\/([^/"]+)"/g)].map(([, id]) => id);
  t.strictSame(order, [second, acme.connectionId], 'a browser that does not know it is asked, with it first');
  const knowing = newVisitor(service);
  t.ok(
    isSignedIn(await signInBy(knowing, { ...acme, connectionId: second }, provider, { sub: 'of second' })),
  );
  const left = await begin(knowing, app, { connection: second, prompt: 'login' });
  t.ok(atProvider(left), `${left.status} ${left.location}`);
  t.notOk(
    atProvider(await begin(knowing, app, { connection: acme.connectionId, prompt: 'login' })),
    'it knows another',
  );
  t.match(new URL(left.location ?? '').searchParams.get('redirect_uri'), second);
  for (const connection of [other.connectionId, 'unknown', 'x'.repeat(200), ''])
    t.match((await begin(newVisitor(service), app, { connection })).text, 'name="password"', connection);
  const none = await begin(newVisitor(service), app, { connection: second, prompt: 'none' });
  t.match(none.location, 'error=login_required', 'prompt=none never leaves');
  const visitor = knowing;
  const address = new URL(
    (await begin(visitor, app, { connection: second, prompt: 'login' })).location ?? '',
  );
  const answer = new URLSearchParams({
    ...{ error: 'access_denied', iss: provider.issuer },
    state: address.searchParams.get('state') ?? '',
  });
  const cancelled = await visitor.get(`${address.searchParams.get('redirect_uri')}?${answer}`);
  t.match(
    (await refusedPage(visitor, cancelled)).text,
    'name="password"',
    'a cancelled sign-in leads nowhere',
  );
});

t.test('an application leads to its connection, unless the request names another one', async (t) => {
  const acme = await makeConnected(service, provider);
  const second = await addConnectionTo(service, acme, provider, { name: 'Second' });
  const other = await makeConnected(service, provider);
  const orderAt = async (connectionId: string, more: Record<string, string> = {}) => {
    const page = await begin(newVisitor(service), await client(acme.orgId, { connectionId }), more);
    t.match(page.text, 'name="password"');
    return [...page.text.matchAll(/\/login\/connections\/[^/"]+\/([^/"]+)"/g)].map(([, id]) => id);
  };
  const usual = await orderAt('');
  t.strictSame(await orderAt(second), [second, acme.connectionId]);
  t.strictSame(await orderAt(acme.connectionId), [acme.connectionId, second]);
  t.strictSame(await orderAt(second, { connection: acme.connectionId }), [acme.connectionId, second]);
  for (const id of [other.connectionId, 'unknown']) t.strictSame(await orderAt(id), usual, id);
  for (const connection of [other.connectionId, 'unknown'])
    t.strictSame(await orderAt(second, { connection }), [second, acme.connectionId], connection);
  const knowing = newVisitor(service);
  const bySecond = { ...acme, connectionId: second };
  t.ok(isSignedIn(await signInBy(knowing, bySecond, provider, { sub: 'of second' })));
  const app = await client(acme.orgId, { connectionId: second });
  t.ok(atProvider(await begin(knowing, app, { prompt: 'login' })), 'a browser that knows it leaves');
  t.notOk(atProvider(await begin(newVisitor(service), app, { prompt: 'login' })), 'no other one does');
  const elsewhere = await client(other.orgId, { connectionId: second, orgOnly: false });
  t.notOk(atProvider(await begin(knowing, elsewhere, { prompt: 'login' })), 'it is of another organization');
});

t.test('the connection of an application takes nobody from that of the domain of the name', async (t) => {
  const acme = await makeLeading();
  const second = await addConnectionTo(service, acme, provider, { name: 'Second' });
  const app = await client(acme.orgId, { connectionId: second });
  const knowing = newVisitor(service);
  t.ok(isSignedIn(await signInBy(knowing, { ...acme, connectionId: second }, provider, { sub: 'somebody' })));
  const hinted = { prompt: 'login', login_hint: `ann@${acme.domain}` };
  for (const visitor of [knowing, newVisitor(service)]) {
    const page = await begin(visitor, app, hinted);
    t.notOk(atProvider(page), 'the page of the name comes first');
    const left = await typeName(visitor, page, hinted.login_hint);
    const callback = new URL(left.location ?? 'x:').searchParams.get('redirect_uri');
    t.match(callback, acme.connectionId, `${left.status} ${left.location}`);
  }
  t.ok(atProvider(await begin(knowing, app, { prompt: 'login', login_hint: 'ann@elsewhere.example' })));
});

t.test('a name in a domain of a connection leads to its provider, whoever exists', async (t) => {
  const acme = await makeLeading();
  const organization = await container.organizations.find(acme.orgId);
  if (organization === undefined) throw new Error('No organization');
  const anna = `anna@${acme.domain}`;
  await makePerson(container, organization, { userName: anna });
  const seen = [];
  for (const name of [anna, `nobody@${acme.domain}`, ` NOBODY@${acme.domain.toUpperCase()} `]) {
    const visitor = newVisitor(service);
    const page = await visitor.get(`/login?organization=${acme.orgId}`);
    t.notMatch(page.text, 'name="password"', 'the name comes first');
    const left = await typeName(visitor, page, name);
    t.ok(atProvider(left), `${left.status} ${left.location} ${left.text}`);
    const address = new URL(left.location ?? '');
    t.equal(address.searchParams.get('login_hint'), name.trim());
    seen.push([left.status, [...address.searchParams.keys()]]);
    if (name === anna) t.ok(isSignedIn(await visitor.get(provider.authorize(address.href, { sub: 'anna' }))));
  }
  t.strictSame(seen[0], seen[1]);
  const visitor = newVisitor(service);
  for (const name of [
    'anna',
    `anna@sub.${acme.domain}`,
    `anna@${acme.domain}.evil.example`,
    `@${acme.domain}`,
  ]) {
    const page = await visitor.get(`/login?organization=${acme.orgId}`);
    const next = await visitor.follow(await typeName(visitor, page, name));
    t.match(next.text, 'name="password"', name);
  }
});

t.test('a domain leads only where its organization has verified it and given it', async (t) => {
  const acme = await makeLeading();
  const other = await makeConnected(service, provider);
  const clientId = await client(other.orgId, { orgOnly: false });
  const hint = { login_hint: `anna@${acme.domain}` };
  const leadsNew = (id: string, more: Record<string, string> = hint) => leads(newVisitor(service), id, more);
  t.ok(await leadsNew(clientId), 'an application of another organization');
  const only = await client(other.orgId, { orgOnly: true });
  t.notOk(await leadsNew(only), 'that serves its own people alone');
  const scopeOf = (orgId: string) => `openid urn:service:iam:org:id:${orgId}`;
  t.notOk(
    await leadsNew(clientId, { ...hint, scope: scopeOf(other.orgId) }),
    'another organization is asked for',
  );
  t.ok(await leadsNew(clientId, { ...hint, scope: scopeOf(acme.orgId) }));
  await call(`PATCH ${acme.path}`, { as: acme.owner, body: { enabled: false } });
  t.notOk(await leadsNew(clientId), 'switched off');
  await call(`PATCH ${acme.path}`, { as: acme.owner, body: { enabled: true } });
  await changeOrganization(container, { orgId: acme.orgId, change: { domains: [] }, editor: testEditor });
  t.notOk(await leadsNew(clientId), 'the domain was lost');
});

t.test('a page of a stranger leads no browser to a provider of its choice', async (t) => {
  const evil = await makeLeading();
  const hint = `anna@${evil.domain}`;
  const scope = `openid urn:service:iam:org:id:${evil.orgId}`;
  const shared = await client((await makeConnected(service, provider)).orgId, { orgOnly: false });
  const own = await client(evil.orgId, { orgOnly: true });
  const requests: [clientId: string, more: Record<string, string>][] = [
    [shared, { login_hint: hint }],
    [shared, { login_hint: hint, scope }],
    [shared, { login_hint: hint, prompt: 'login' }],
    [shared, { scope }],
    [own, {}],
    [own, { login_hint: hint, max_age: '0' }],
    [own, { connection: evil.connectionId }],
  ];
  const stays = async (visitor: Visitor) => {
    for (const [clientId, more] of requests) {
      const seen = await begin(visitor, clientId, more);
      t.equal(seen.status, 200, `${JSON.stringify(more)} ${seen.location}`);
    }
  };
  await stays(newVisitor(service));
  await changeOrganization(container, {
    ...{ orgId: evil.orgId, editor: testEditor },
    change: { signInPolicy: { firstFactors: ['connection'] } },
  });
  await stays(newVisitor(service));
  const alone = await begin(newVisitor(service), own);
  t.match(alone.text, `/login/connections/${evil.orgId}/${evil.connectionId}`, 'the only way is a button');
  t.notMatch(alone.text, 'name="password"');
  const knowing = newVisitor(service);
  t.ok(isSignedIn(await signInBy(knowing, evil, provider, { sub: 'anna' })));
  for (const [clientId, more] of [requests[0], requests[4]].flatMap((one) => (one ? [one] : [])))
    t.ok(atProvider(await begin(knowing, clientId, { ...more, prompt: 'login' })), 'a browser that knows it');
});

t.test('nothing leads away twice, and another way is always there', async (t) => {
  const acme = await makeLeading();
  const clientId = await client(acme.orgId);
  const visitor = newVisitor(service);
  const hint = { login_hint: `anna@${acme.domain}` };
  const left = await typeName(visitor, await begin(visitor, clientId, hint), hint.login_hint);
  t.ok(atProvider(left));
  provider.lies = { answer: { code: undefined, error: 'access_denied' } };
  const back = await refusedPage(visitor, await visitor.get(provider.authorize(left.location ?? '', {})));
  t.match(back.text, /You ended the sign-in with Acme/);
  t.match(back.text, /name="password"|Use your password/);
  t.match((await begin(visitor, clientId, { ...hint, prompt: 'none' })).location, /error=login_required/);
  const page = await visitor.get(`/login?organization=${acme.orgId}`);
  const [, way = ''] = /href="([^"]*way=password[^"]*)"/.exec(page.text) ?? [];
  t.match((await visitor.get(way.replaceAll('&amp;', '&'))).text, 'name="password"');
});

t.test('a browser forgets the connection when somebody signs in there by a password', async (t) => {
  const acme = await makeLeading();
  const visitor = newVisitor(service);
  t.ok(isSignedIn(await signInBy(visitor, acme, provider, { sub: 'an attacker' })));
  const clientId = await client(acme.orgId);
  const demand = { login_hint: `anna@${acme.domain}`, prompt: 'login' };
  t.ok(atProvider(await begin(visitor, clientId, demand)), 'the browser knows the connection');
  const { orgId } = await makeTenant(container);
  const organization = await container.organizations.find(orgId);
  if (organization === undefined) throw new Error('No organization');
  const member = await makePerson(container, organization);
  const page = await visitor.get('/login?to=account&way=password');
  const named = { loginName: member.userName, password: goodPassword };
  t.ok(isSignedIn(await visitor.fill(page, named, '/login')));
  t.notOk(visitor.cookies.get('muster-connection') ?? '');
  t.notOk(atProvider(await begin(visitor, clientId, demand)), 'nothing leads there unasked');
});

t.test('several connections of a domain are a choice, the last used one first', async (t) => {
  const acme = await makeLeading();
  const second = await addConnectionTo(service, acme, provider, { name: 'Second', domains: [acme.domain] });
  const visitor = newVisitor(service);
  const page = await visitor.get(`/login?organization=${acme.orgId}`);
  const choice = await visitor.follow(await typeName(visitor, page, `anna@${acme.domain}`));
  const order = (text: string) =>
    [...text.matchAll(/\/login\/connections\/[^/"]+\/([^/"]+)"/g)].map(([, id]) => id);
  t.strictSame(new Set(order(choice.text)), new Set([acme.connectionId, second]));
  t.match(choice.text, 'name="password"', 'another way');
  for (const connectionId of [second, acme.connectionId]) {
    t.ok(
      isSignedIn(await signInBy(visitor, { ...acme, connectionId }, provider, { sub: `of ${connectionId}` })),
    );
    t.equal(order((await visitor.get(`/login?organization=${acme.orgId}`)).text)[0], connectionId);
    const cookie = [...visitor.cookies].find(([name]) => name.endsWith('muster-connection'));
    t.equal(cookie?.[1], connectionId, 'the cookie has no secret');
  }
  visitor.cookies.set('muster-connection', '"><script>');
  t.equal((await visitor.get(`/login?organization=${acme.orgId}`)).status, 200);
});

t.test(
  'the policy of an organization says whether connections, passwords and passkeys begin a sign-in',
  async (t) => {
    const acme = await makeLeading();
    const clientId = await client(acme.orgId, { orgOnly: true });
    const organization = await container.organizations.find(acme.orgId);
    if (organization === undefined) throw new Error('No organization');
    const member = await makePerson(container, organization);
    const boss = await makePerson(container, organization);
    await addMembership(container, {
      userId: boss.id,
      role: 'ORG_OWNER',
      orgId: acme.orgId,
      editor: testEditor,
    });
    // No owner could break the glass.
    const refused = { message: directoryErrors.lastAbleOwner.message };
    await t.rejects(setPolicy(acme, { firstFactors: ['connection'] }), refused);
    await t.rejects(setPolicy(acme, { firstFactors: ['connection', 'passkey'] }), refused);
    const key = await enrolPasskey(container, boss);
    const untested = { message: directoryErrors.passkeyUntested.message };
    await t.rejects(setPolicy(acme, { firstFactors: ['connection', 'passkey'] }), untested);
    const browser = newVisitor(service);
    const login = await browser.get('/login?to=account&way=password');
    const hidden = formsOf(login.text).find(({ action }) => action.endsWith('/login'))?.hidden;
    const response = key.get(optionsIn(login.text, 'get'), new URL(container.config.baseUrl).origin);
    t.ok(isSignedIn(await browser.post('/login/passkey', { ...hidden, response })));
    await setPolicy(acme, { firstFactors: ['connection', 'passkey'] });
    const page = await begin(newVisitor(service), clientId);
    t.notMatch(page.text, /name="password"|Use your password|Forgot your password/);
    t.match(page.text, 'data-passkey-ask', 'the owner with the passkey has a way');
    t.match(page.text, `/login/connections/${acme.orgId}`);
    t.ok(isSignedIn(await signInBy(newVisitor(service), acme, provider, { sub: 'x' })));

    await setPolicy(acme, { firstFactors: ['password', 'passkey'] });
    const without = await begin(newVisitor(service), clientId);
    t.notMatch(without.text, '/login/connections/', 'connections are off');
    const hinted = await begin(newVisitor(service), clientId, { login_hint: `a@${acme.domain}` });
    t.notOk(atProvider(hinted), 'and nothing leads to one');
    const visitor = newVisitor(service);
    const seen = await visitor.fill(
      without,
      { loginName: member.userName, password: goodPassword },
      '/login',
    );
    t.ok(seen.status === 303 || seen.status === 403);
  },
);

t.test('a person whom Entra provisioned signs in at Entra, and sees no password page', async (t) => {
  const tenant = '8f2c1d3e-5a6b-4c7d-9e0f-1a2b3c4d5e6f';
  const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`;
  const at = (path: string) => `${provider.issuer}${path}`;
  const acme = await makeConnected(service, provider);
  await verify(acme, 'contoso.com');
  const scim = await makeCaller(container, acme.orgId, ['ORG_USER_MANAGER']);
  const added = await call(`POST /admin/v1/orgs/${acme.orgId}/connections`, {
    as: acme.owner,
    body: {
      name: 'Entra',
      provider: {
        issuer,
        clientId: 'muster',
        endpoints: { authorization: at('/authorize'), token: at('/token'), keys: at('/keys') },
      },
      clientSecret: 'a-secret-of-ours',
      domains: ['contoso.com'],
      linking: { provisionedBy: scim.id, identifierClaim: 'oid' },
    },
  });
  t.equal(added.status, 201, JSON.stringify(added.body));
  const recorded = entra[0]?.exchanges.find(({ request }) => request === 'POST /Users');
  const created = await call(`POST /scim/v2/${acme.orgId}/Users`, { as: scim, body: recorded?.body });
  t.equal(created.status, 201);
  const { userName, externalId } = created.body;
  const clientId = await client(acme.orgId);
  const claims = { sub: 'pairwise', oid: externalId, tid: tenant, preferred_username: userName };
  const signIn = async (visitor: Visitor, more: Record<string, unknown>) => {
    const page = await begin(visitor, clientId, { login_hint: userName });
    t.notMatch(page.text, 'name="password"', 'the first page asks for no password');
    const left = await typeName(visitor, page, userName);
    t.ok(atProvider(left), 'the next page is that of Entra');
    provider.lies = { claims: { iss: issuer }, answer: { iss: undefined } };
    return visitor.get(provider.authorize(left.location ?? '', { ...claims, ...more }));
  };
  for (const wrong of [
    { tid: '9188040d-6c67-4c5b-b112-36a304b66dad' },
    { tid: undefined },
    { oid: 'other' },
  ]) {
    clock.advance(11);
    t.notOk(isSignedIn(await signIn(newVisitor(service), wrong)), JSON.stringify(wrong));
  }
  const visitor = newVisitor(service);
  const done = await visitor.follow(await signIn(visitor, {}));
  t.match(done.location, /^https:\/\/client\.example\/callback\?code=/);
  const { body } = await call(`GET /admin/v1/orgs/${acme.orgId}/users/${created.body.id}/identities`, {
    as: acme.owner,
  });
  t.match(body.items, [{ connection: 'Entra', subject: 'pairwise' }]);
});

t.test('a browser that left in vain finds the way of the owners who break the glass', async (t) => {
  const acme = await makeConnected(service, provider);
  const clientId = await client(acme.orgId, { orgOnly: true });
  const visitor = newVisitor(service);
  t.ok(isSignedIn(await signInBy(visitor, acme, provider, { sub: 'x' })));
  const signInPolicy: SignInPolicy = { firstFactors: ['connection'] };
  const change = (policy: SignInPolicy) =>
    changeOrganization(container, {
      orgId: acme.orgId,
      change: { signInPolicy: policy },
      editor: testEditor,
    });
  await change(signInPolicy);
  const leave = () => begin(visitor, clientId, { prompt: 'login' });
  t.ok(atProvider(await leave()));
  t.ok(atProvider(await leave()), 'nobody has another way');
  await change({ ...signInPolicy, breakGlassOwners: ['somebody'] });
  t.ok(atProvider(await leave()));
  t.match((await leave()).text, 'Emergency access', 'the provider did not answer');
  t.ok(isSignedIn(await signInBy(visitor, acme, provider, { sub: 'x' })));
  t.ok(atProvider(await leave()), 'it has answered');
});
