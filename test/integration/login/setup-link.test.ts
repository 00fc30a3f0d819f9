import t from 'tap';
import { removeMembership } from '#src/access/memberships/index.js';
import { linkIdentity } from '#src/connections/identities/link-identity.js';
import { makeCaller, makeTenant, testEditor } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { makeConnected, newVisitor } from '../../support/oidc/connected.js';
import { makeSetupLink, openSetup } from '../../support/oidc/set-up.js';
import type { Seen, Visitor } from '../../support/oidc/visitor.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, {
  privateProviderHosts: '127.0.0.1',
  outgoingCa: certificate.cert,
});
const { container, clock, call } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());
t.beforeEach(() => {
  provider.lies = {};
});
const all = ['connection', 'provisioning', 'test', 'switchOn'];

const makeLink = (of: { orgId: string; owner: { token: string } }, steps = all) =>
  makeSetupLink(service, of, steps);
const opened = (path: string) => openSetup(service, path);

const typed = { template: 'other', issuer: provider.issuer, clientId: 'muster', clientSecret: 'top-secret' };

async function connect(visitor: Visitor, fields: Record<string, string> = {}): Promise<Seen> {
  const page = await visitor.get('/setup?template=other');
  return visitor.fill(page, { ...typed, ...fields }, '/setup/connection');
}

async function tryIt(visitor: Visitor): Promise<Seen> {
  const waiting = await visitor.follow(await visitor.fill(await visitor.get('/setup'), {}, '/setup/test'));
  const path = /\/login\/connection-tests\/[0-9a-f-]{36}/.exec(waiting.text)?.[0] ?? '';
  const left = await visitor.get(path);
  return visitor.follow(
    await visitor.get(provider.authorize(left.location ?? '', { sub: 'it', name: 'IT' })),
  );
}

t.test('the customer’s own IT connects, provisions, tries and switches on', async (t) => {
  const acme = await makeTenant(container);
  const { id, path } = await makeLink(acme);
  const visitor = await opened(path);
  const page = await visitor.get('/setup?template=other');
  const callback = /\/login\/connections\/[^/]+\/([0-9a-f-]{36})\/callback/.exec(page.text)?.[1] ?? '';
  t.match(await connect(visitor), { status: 303, location: '/setup' });
  const connection = await container.connections.find(acme.orgId, callback);
  t.match(connection, { enabled: false, creation: 'refuse', linking: { byDomain: false }, domains: [] });
  t.notMatch((await visitor.get('/setup')).text, 'top-secret');
  const shown = await visitor.fill(
    await visitor.get('/setup'),
    { credential: 'token' },
    '/setup/provisioning',
  );
  const token = /Token \(bearer\)<br><code[^>]*>([^<]+)</.exec(shown.text)?.[1] ?? '';
  t.equal((await call(`GET /scim/v2/${acme.orgId}/Users`, { as: { token } })).status, 200);
  t.equal((await call(`GET /admin/v1/orgs/${acme.orgId}`, { as: { token } })).status, 403, 'it is no owner');
  t.notMatch((await visitor.get('/setup')).text, token, 'the credential is shown once');
  const provisionedBy = (await container.connections.find(acme.orgId, callback))?.linking.provisionedBy;
  t.ok(provisionedBy, 'the connection knows who provisions its people');
  t.match((await visitor.get('/setup')).text, 'Try the sign-in first.');
  const tried = await tryIt(visitor);
  t.match(tried.text, 'It does not work yet: No user is linked', 'a stranger is refused, in words');
  t.match(
    tried.text,
    /<code>name<\/code><\/td><td><code>IT<\/code><\/td><td>Display name</,
    'where a claim goes',
  );
  t.match(tried.text, /<code>aud<\/code>.*?checked, and used for nothing else/s);
  t.match(tried.text, 'The provider does not say when the person signed in', 'what to know');
  await call(`PATCH /admin/v1/orgs/${acme.orgId}/connections/${callback}`, {
    as: acme.owner,
    body: { creation: 'create' },
  });
  t.match((await tryIt(visitor)).text, 'It works.');
  t.equal(await container.users.count(acme.orgId), 0, 'a test adds nobody');
  t.match(await visitor.fill(await visitor.get('/setup'), {}, '/setup/switch-on'), { status: 303 });
  t.match(await container.connections.find(acme.orgId, callback), { enabled: true });
  const { body } = await call(`GET /admin/v1/orgs/${acme.orgId}/setup-links`, { as: acme.owner });
  t.match(body.items, [
    { id, connectionId: callback, done: Object.fromEntries(all.map((one) => [one, String])) },
  ]);
  t.notMatch(JSON.stringify(body), /hash|secret/i);
  const events = await call('POST /admin/v1/events/_search', {
    as: acme.owner,
    body: { editorUserId: id, limit: 100, asc: true },
  });
  const types = events.body.events.map(({ type }: { type: string }) => type);
  for (const type of ['setup.link.opened', 'connection.added', 'setup.step.done', 'connection.changed'])
    t.ok(types.includes(type), `${type} is an event of the link`);
  const done = events.body.events.flatMap(({ type, payload }: { type: string; payload: { step: string } }) =>
    type === 'setup.step.done' ? [payload.step] : [],
  );
  for (const step of all) t.ok(done.includes(step), `the step ${step} is an event`);
  t.notMatch(JSON.stringify(events.body), /top-secret/);
});

t.test(
  'what a provider says in a test is text of a stranger, bounded, and tells of nobody here',
  async (t) => {
    const acme = await makeTenant(container);
    const organization = await container.organizations.find(acme.orgId);
    if (organization === undefined) throw new Error('No organization');
    const { id, path } = await makeLink(acme);
    const visitor = await opened(path);
    await connect(visitor);
    const [{ connectionId }] = await linksOf(acme);
    const person = await makePerson(container, organization, { displayName: 'Known Person' });
    await linkIdentity(container, {
      ...{ orgId: acme.orgId, userId: person.id, connectionId, subject: 'subject-7f3a' },
      ...{ rule: 'person', editor: testEditor },
    });
    const waiting = await visitor.follow(await visitor.fill(await visitor.get('/setup'), {}, '/setup/test'));
    const test = /\/login\/connection-tests\/[0-9a-f-]{36}/.exec(waiting.text)?.[0] ?? '';
    const left = await visitor.get(test);
    const claims = {
      ...{ sub: 'subject-7f3a', name: '<script>alert(1)</script>', '<b>claim</b>': '<img src=x>' },
      ...{ long: 'y'.repeat(20_000), [`z${'z'.repeat(2_000)}`]: 1, list: ['<i>', { a: '</table>' }] },
      ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`many-${at}`, at])),
    };
    const tried = await visitor.follow(await visitor.get(provider.authorize(left.location ?? '', claims)));
    t.match(tried.text, 'It works.');
    t.match(tried.text, '&lt;script&gt;');
    t.notMatch(tried.text, /<script>alert|<img src=x|<b>claim|<i>|y{301}|z{302}/);
    t.notMatch(tried.text, 'many-250', 'a bounded number of claims');
    for (const text of [person.id, person.userName, 'Known Person']) t.notMatch(tried.text, text);
    const { body } = await call('POST /admin/v1/events/_search', {
      as: acme.owner,
      body: { editorUserId: id, limit: 100, asc: true },
    });
    t.match(JSON.stringify(body), 'connection.signIn.tested');
    t.notMatch(JSON.stringify(body), /alert|many-|7f3a/, 'no claim is in an event');
    t.equal((await container.sessions.ofUser(person.id)).length, 0);
  },
);

t.test('a link belongs to the browser that opens it first, and a look at it changes nothing', async (t) => {
  const acme = await makeTenant(container);
  const { path } = await makeLink(acme);
  const scanner = newVisitor(service);
  for (let times = 0; times < 3; times++) t.equal((await scanner.get(path)).status, 200);
  t.equal((await scanner.get('/setup')).status, 404, 'a look opens nothing');
  const stale = await scanner.get(path);
  const wrong = await newVisitor(service).get('/setup/open?link=nothing');
  t.equal(wrong.status, 200, 'a wrong link looks like a right one');
  await opened(path);
  t.equal((await scanner.fill(stale, {}, '/setup/open')).status, 404, 'another browser is too late');
  t.equal((await scanner.get('/setup')).status, 404);
  const forged = newVisitor(service);
  t.equal((await forged.post('/setup/open', { link: path.split('=')[1] ?? '' })).status, 403, 'no token');
});

t.test('a link reaches its steps of its connection, and nothing else', async (t) => {
  const other = await makeConnected(service, provider);
  const { path } = await makeLink(other, ['connection', 'test', 'switchOn']);
  const visitor = await opened(path);
  const page = await visitor.get('/setup');
  t.notMatch(page.text, '/setup/provisioning');
  const csrf =
    /name="csrf" value="([^"]+)"/.exec((await visitor.get('/setup?template=other')).text)?.[1] ?? '';
  for (const step of ['provisioning', 'switch-on', 'test'])
    t.equal(
      (await visitor.post(`/setup/${step}`, { csrf })).status,
      403,
      `the token of another form: ${step}`,
    );
  t.equal((await visitor.post('/setup/connection', { ...typed })).status, 403, 'no token');
  await connect(visitor, { connectionId: other.connectionId, id: other.connectionId, name: 'Stolen' });
  t.match(await container.connections.find(other.orgId, other.connectionId), { name: 'Acme', enabled: true });
  const first = await visitor.get('/setup');
  t.match(first.text, 'Try the sign-in first.');
  t.notMatch(first.text, 'action="[^"]*/setup/switch-on', 'nothing is switched on before the test');
  for (const address of ['/console', '/account'])
    t.equal((await visitor.get(address)).status, 303, `${address} asks for a sign-in`);
  const stolen = await visitor.get(`/setup?test=${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`);
  t.equal(stolen.status, 200);
  const { body } = await call(`POST ${other.path}/sign-in-tests`, { as: other.owner });
  const foreign = await visitor.get(`/setup?test=${body.id}`);
  t.notMatch(foreign.text, `connection-tests/${body.id}`, 'a test of another connection is not shown');
});

const linksOf = async ({ orgId, owner }: { orgId: string; owner: { token: string } }) =>
  (await call(`GET /admin/v1/orgs/${orgId}/setup-links`, { as: owner })).body.items;

/** A connection of a link, made, tried, and ready to be switched on. */
async function tried() {
  const acme = await makeTenant(container);
  const visitor = await opened((await makeLink(acme)).path);
  await connect(visitor);
  const [{ connectionId }] = await linksOf(acme);
  const path = `/admin/v1/orgs/${acme.orgId}/connections/${connectionId}`;
  const change = (body: object) => call(`PATCH ${path}`, { as: acme.owner, body });
  await change({ creation: 'create' });
  const test = await tryIt(visitor);
  t.match(test.text, 'It works.');
  const isOn = async () => (await call(`GET ${path}`, { as: acme.owner })).body.enabled;
  return { acme, visitor, change, isOn, connectionId, ready: await visitor.get('/setup') };
}

t.test('a link does not switch on again what an owner has switched off', async (t) => {
  const { acme, visitor, change, isOn, ready } = await tried();
  t.equal((await visitor.fill(ready, {}, '/setup/switch-on')).status, 303);
  t.ok(await isOn());
  t.equal((await visitor.fill(ready, {}, '/setup/switch-on')).status, 404, 'once');
  t.equal((await visitor.get('/setup')).status, 200);
  clock.advance(1);
  t.equal((await change({ enabled: false })).status, 200);
  for (const step of ['/setup/switch-on', '/setup/provisioning'])
    t.equal((await visitor.fill(ready, {}, step)).status, 404, step);
  t.equal((await visitor.get('/setup')).status, 404, 'the link has ended');
  t.strictSame(await linksOf(acme), []);
  t.notOk(await isOn());
});

t.test('a link ends also if the owner has switched on before', async (t) => {
  const { visitor, change, isOn, ready } = await tried();
  await change({ enabled: true });
  clock.advance(1);
  await change({ enabled: false });
  t.equal((await visitor.fill(ready, {}, '/setup/switch-on')).status, 404);
  t.notOk(await isOn());
});

t.test('a link leaves the client of a connection that people use', async (t) => {
  const { acme, visitor, isOn, ready, connectionId } = await tried();
  await visitor.fill(ready, {}, '/setup/switch-on');
  const refused = await connect(visitor, { clientId: 'another', clientSecret: 'another-secret' });
  t.match(refused.text, 'only its client secret can be changed here');
  const clientOf = async () => {
    const connection = await container.connections.find(acme.orgId, connectionId);
    return connection?.protocol === 'oidc' ? connection.provider.clientId : undefined;
  };
  t.equal(await clientOf(), 'muster');
  t.ok((await linksOf(acme))[0].done.test, 'the test is still that of the client');
  t.match(await connect(visitor, { clientSecret: 'a-later-secret' }), { status: 303 }, 'a new secret');
  t.ok(await isOn());
});

t.test('a test counts for the connection as it was tried', async (t) => {
  const { acme, visitor, isOn, ready } = await tried();
  const waiting = await visitor.follow(await visitor.fill(ready, {}, '/setup/test'));
  const id = /\/login\/connection-tests\/([0-9a-f-]{36})/.exec(waiting.text)?.[1] ?? '';
  const left = await visitor.get(`/login/connection-tests/${id}`);
  const back = await visitor.get(provider.authorize(left.location ?? '', { sub: 'it', name: 'IT' }));
  clock.advance(1);
  await connect(visitor, { clientId: 'another', clientSecret: 'another-secret' });
  t.equal((await visitor.fill(ready, {}, '/setup/switch-on')).status, 404);
  t.match((await visitor.follow(back)).text, 'It works.', 'a test that began before');
  t.notOk((await linksOf(acme))[0].done.test, 'it says nothing of the change');
  t.equal((await visitor.fill(ready, {}, '/setup/switch-on')).status, 404);
  t.notOk(await isOn());
  t.match((await tryIt(visitor)).text, 'It works.');
  t.equal((await visitor.fill(ready, {}, '/setup/switch-on')).status, 303);
});

t.test(
  'a request that ended halfway is finished by the next one, unless the owner switched off',
  async (t) => {
    const acme = await makeTenant(container);
    const { id, path } = await makeLink(acme);
    const visitor = await opened(path);
    await connect(visitor);
    const [{ connectionId }] = await linksOf(acme);
    const links = container.mongo.collection<{ _id: string }>('setupLinks');
    /** As after a process that ended between the connection and its note. */
    const forget = () =>
      links.updateOne({ _id: id }, { $unset: { connectionId: '', 'done.connection': '' } });
    await forget();
    t.notOk((await linksOf(acme))[0].connectionId);
    t.match(await connect(visitor, { clientId: 'another' }), { status: 303 });
    t.equal((await linksOf(acme))[0].connectionId, connectionId);
    t.equal(await container.connections.count(acme.orgId), 1);
    const one = `/admin/v1/orgs/${acme.orgId}/connections/${connectionId}`;
    for (const enabled of [true, false]) {
      clock.advance(1);
      t.equal((await call(`PATCH ${one}`, { as: acme.owner, body: { enabled } })).status, 200);
    }
    await forget();
    t.equal((await connect(visitor, { clientId: 'stolen' })).status, 400);
    t.match(await container.connections.find(acme.orgId, connectionId), {
      provider: { clientId: 'another' },
    });
  },
);

t.test('provisioning joins the connection, whichever comes first, and once', async (t) => {
  const acme = await makeTenant(container);
  const visitor = await opened((await makeLink(acme)).path);
  const page = await visitor.get('/setup');
  const provision = () => visitor.fill(page, { credential: 'token' }, '/setup/provisioning');
  const both = await Promise.all([provision(), provision()]);
  t.strictSame(
    both.map(({ status }) => status),
    [200, 200],
  );
  const made = (await container.serviceUsers.page(acme.orgId, { limit: 50 })).filter(
    ({ name }) => name === 'Provisioning',
  );
  t.equal(made.length, 1, 'two requests at once make one service user');
  await connect(visitor);
  const [{ connectionId, serviceUserId }] = await linksOf(acme);
  t.equal(serviceUserId, made[0]?.id);
  const provisioner = async () =>
    (await container.connections.find(acme.orgId, connectionId))?.linking.provisionedBy;
  t.equal(await provisioner(), serviceUserId);
  await call(`PATCH /admin/v1/orgs/${acme.orgId}/connections/${connectionId}`, {
    as: acme.owner,
    body: { linking: { provisionedBy: '' } },
  });
  t.equal((await provision()).status, 200, 'another credential');
  await connect(visitor, { clientId: 'another' });
  t.equal(await provisioner(), undefined, 'the owner said otherwise');
});

t.test('a refused form says why, and has no secret', async (t) => {
  const acme = await makeTenant(container);
  const visitor = await opened((await makeLink(acme)).path);
  const refused = await connect(visitor, { issuer: `${provider.issuer}/<b>` });
  t.equal(refused.status, 400);
  t.match(refused.text, 'Nothing was saved');
  t.notMatch(refused.text, /top-secret|<b>/);
});

t.test('a link ends by its time, by an owner, and with the rights of who made it', async (t) => {
  const acme = await makeTenant(container);
  const ended = await makeLink(acme);
  const visitor = await opened(ended.path);
  const path = `/admin/v1/orgs/${acme.orgId}/setup-links/${ended.id}`;
  const foe = await makeTenant(container);
  t.equal((await call(`DELETE ${path}`, { as: foe.owner })).status, 404, 'not by another organization');
  t.equal((await call(`DELETE ${path}`, { as: acme.owner })).status, 204);
  t.equal((await visitor.get('/setup')).status, 404);
  const maker = await makeCaller(container, acme.orgId, ['ORG_OWNER']);
  const ofMaker = await opened((await makeLink({ ...acme, owner: maker })).path);
  t.equal((await ofMaker.get('/setup')).status, 200);
  const [role] = await container.memberships.ofUser(maker.id);
  await removeMembership(container, { id: role?.id ?? '', orgId: acme.orgId, editor: testEditor });
  t.equal((await ofMaker.get('/setup')).status, 404, 'who made it is no owner any more');
  const late = await makeLink(acme);
  const unopened = await makeLink(acme);
  const lateVisitor = await opened(late.path);
  clock.advance(7 * 24 * 3600 + 1);
  t.equal((await lateVisitor.get('/setup')).status, 404);
  const tooLate = newVisitor(service);
  t.equal((await tooLate.fill(await tooLate.get(unopened.path), {}, '/setup/open')).status, 404);
});

t.test('links are few, and each begins with the connection', async (t) => {
  const acme = await makeTenant(container);
  const make = (steps: string[]) =>
    call(`POST /admin/v1/orgs/${acme.orgId}/setup-links`, { as: acme.owner, body: { steps } });
  t.equal((await make(['switchOn'])).status, 400);
  t.equal((await make(['everything'])).status, 400);
  for (let times = 0; times < 5; times++) t.equal((await make(['connection'])).status, 201);
  t.match(await make(['connection']), { status: 409, body: { id: 'connections.setupLinkLimit' } });
});
