import t from 'tap';
import { templates } from '#src/http/providers/templates.js';
import { type ConsoleUser, openConsole } from '../../support/app/console.js';
import { makeCaller } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  isSignedIn,
  newVisitor,
  refusedPage,
  signInBy,
  storeConnection,
} from '../../support/oidc/connected.js';
import type { Seen } from '../../support/oidc/visitor.js';
import { addSamlConnection, createHostileSamlProvider } from '../../support/saml/hostile-saml-provider.js';

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
const home = await makeHome(container, { name: 'Acme', domains: ['acme.example'] });
const owner = await openConsole(service, home, { roles: ['ORG_OWNER'] });
const base = `/console/orgs/${home.id}/connections`;

const callbackIn = ({ text }: Seen) =>
  /\/login\/connections\/[^/]+\/([0-9a-f-]{36})\/callback/.exec(text)?.[1] ?? '';

async function add(user: ConsoleUser, fields: Record<string, string>, template = 'other'): Promise<Seen> {
  const page = await user.get(`${base}/new?template=${template}`);
  return user.fill(page, { issuer: provider.issuer, clientId: 'muster', ...fields }, `${base}/new`);
}

/** Adds a connection, and returns its path in the console. */
async function added(name: string, more: Record<string, string> = {}): Promise<string> {
  const seen = await add(owner, {
    name,
    clientSecret: 'a secret',
    enabled: 'on',
    creation: 'create',
    ...more,
  });
  t.equal(seen.status, 303, seen.text);
  return (seen.location ?? '').replace(/\?.*/, '');
}

const storedAt = (path: string) => container.connections.find(home.id, path.split('/').at(-1) ?? '');

t.test(
  'each provider has a form with its own fields, and the callback address before it is added',
  async (t) => {
    const list = await owner.get(base);
    t.match(list.text, 'Nobody signs in by a connection yet.');
    const choice = await owner.get(`${base}/new`);
    for (const { key, name = '', asks, clientId } of templates) {
      t.match(choice.text, `template=${key}`);
      const page = await owner.get(`${base}/new?template=${key}`);
      t.match(page, { status: 200 });
      t.ok(page.text.includes(clientId), `${key} calls it ${clientId}`);
      for (const { label } of asks) t.ok(page.text.includes(label), `${key} asks for ${label}`);
      t.ok(page.text.includes(name));
      t.match(callbackIn(page), /^[0-9a-f-]{36}$/);
    }
    t.match((await owner.get(`${base}/new?template=nobody`)).text, 'Choose the provider');
  },
);

t.test('the issuer of each template is what the provider has', async (t) => {
  const values: Readonly<Record<string, string>> = {
    tenant: '8F2C1D3E-5a6b-4c7d-9e0f-1a2b3c4d5e6f',
    domain: 'https://acme.okta.com/admin',
    host: 'fs.acme.example/',
    realm: 'a b',
    issuer: 'https://id.acme.example/x',
  };
  const issuers = templates.map(({ key, issuer }) => [key, issuer((name) => values[name] ?? '')]);
  t.strictSame(Object.fromEntries(issuers), {
    entra: 'https://login.microsoftonline.com/8f2c1d3e-5a6b-4c7d-9e0f-1a2b3c4d5e6f/v2.0',
    okta: 'https://acme.okta.com',
    google: 'https://accounts.google.com',
    keycloak: 'https://fs.acme.example/realms/a%20b',
    onelogin: 'https://acme.okta.com/oidc/2',
    ping: 'https://id.acme.example/x',
    adfs: 'https://fs.acme.example/adfs',
    jumpcloud: 'https://oauth.id.jumpcloud.com/',
    github: 'https://fs.acme.example',
    microsoft: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    apple: 'https://appleid.apple.com',
    other: 'https://id.acme.example/x',
  });
});

t.test(
  'a connection is added with the address that the form showed, off until it is switched on',
  async (t) => {
    const page = await owner.get(`${base}/new?template=other`);
    const id = callbackIn(page);
    const fields = {
      name: 'Company',
      issuer: provider.issuer,
      clientId: 'muster',
      clientSecret: 'top-secret',
    };
    const seen = await owner.fill(page, fields, `${base}/new`);
    t.equal(seen.location, `${base}/${id}?done=added`);
    const shown = await owner.follow(seen);
    t.match(shown.text, 'Test it, and then switch it on.');
    t.notMatch(shown.text, 'top-secret');
    t.match(await container.connections.find(home.id, id), { enabled: false, creation: 'refuse' });
    t.notMatch((await newVisitor(service).get(`/login?organization=${home.id}`)).text, 'Company');
    const on = await owner.fill(shown, {}, `${base}/${id}/switch-on`);
    t.match((await owner.follow(on)).text, 'badge good">on');
    t.match((await newVisitor(service).get(`/login?organization=${home.id}`)).text, 'Company');
    const again = await owner.fill(page, fields, `${base}/new`);
    t.match(
      again,
      { status: 409, text: /This identifier is taken/ },
      'no connection gets its identifier again',
    );
  },
);

t.test('a refused form has what was typed, but never the secret, and says why at the field', async (t) => {
  const wrong = `${provider.issuer}/elsewhere`;
  const refused = await add(owner, { name: 'Typed', issuer: wrong, clientSecret: 'top-secret' });
  t.equal(refused.status, 400);
  t.match(refused.text, 'Muster cannot use this provider.');
  t.match(refused.text, /<p class="hint">At this address is no/, 'and the reason');
  t.match(refused.text, 'value="Typed"');
  t.match(refused.text, `value="${wrong}"`);
  t.notMatch(refused.text, 'top-secret');
  const tenant = await owner.fill(
    await owner.get(`${base}/new?template=entra`),
    { name: 'Entra', tenant: 'common', clientId: 'c', clientSecret: 's' },
    `${base}/new`,
  );
  t.equal(tenant.status, 400);
  t.match(tenant.text, /id="f-tenant"[^>]*aria-invalid/, 'the message is at the field of the tenant');
  const hostile = await add(owner, { name: '<script>alert(1)</script>', issuer: 'javascript:alert(1)' });
  t.equal(hostile.status, 400);
  t.notMatch(hostile.text, '<script>alert');
});

t.test('all settings change in one form, and a form that is out of date changes nothing', async (t) => {
  const { id: provisionedBy } = await makeCaller(container, home.id, ['ORG_USER_MANAGER']);
  const path = await added('Changing');
  const page = await owner.get(`${path}/change`);
  const fields = {
    ...{ name: 'Changed', clientId: 'muster', authMethod: 'client_secret_basic' },
    scopes: 'profile\nemail\ngroups',
    strength: 'claimed',
    creation: 'refuse',
    domains: 'acme.example',
    byDomain: 'on',
    identifierClaim: 'oid',
    provisionedBy,
    byPerson: 'on',
    readsUserInfo: 'on',
  };
  t.match(await owner.fill(page, fields, `${path}/change`), { status: 303 });
  t.match(await storedAt(path), {
    name: 'Changed',
    provider: { scopes: ['profile', 'email', 'groups'], readsUserInfo: true, issuer: provider.issuer },
    sealedSecret: String,
    domains: ['acme.example'],
    linking: { provisionedBy, identifierClaim: 'oid', byDomain: true, byPerson: true },
    creation: 'refuse',
    strength: 'claimed',
    claims: { familyName: 'family_name' },
  });
  const late = await owner.fill(page, { ...fields, name: 'Too late' }, `${path}/change`);
  t.match(late, { status: 409, text: /Too late/ });
  t.match(await storedAt(path), { name: 'Changed' });
  const bad = await owner.fill(
    await owner.get(`${path}/change`),
    { ...fields, provisionedBy: 'nobody', clientSecret: 'top-secret' },
    `${path}/change`,
  );
  t.equal(bad.status, 400);
  t.notMatch(bad.text, 'top-secret');
});

t.test('the page says whether the connection works, and each refusal in words', async (t) => {
  const { id: provisionedBy, token } = await makeCaller(container, home.id, ['ORG_USER_MANAGER']);
  const path = await added('Healthy', { creation: 'refuse', provisionedBy });
  const connectionId = path.split('/').at(-1) ?? '';
  const connected = { orgId: home.id, connectionId };
  t.match((await owner.get(path)).text, 'No sign-in was refused.');
  const visitor = newVisitor(service);
  await refusedPage(visitor, await signInBy(visitor, connected, provider, { sub: 'stranger' }));
  provider.lies = { claims: { aud: 'another' } };
  const second = newVisitor(service);
  await refusedPage(second, await signInBy(second, connected, provider, { sub: 'stranger' }));
  await call(`GET /scim/v2/${home.id}/Users?count=1`, { as: { token } });
  await container.provisioningLog.flush();
  const { text } = await owner.get(path);
  t.match(text, 'No user is linked, and no rule links one.');
  t.match(text, 'The ID token is not for this connection');
  t.match(text, `serviceUserId=${provisionedBy}`, 'the log of the client');
  t.match(text, /badge good">200/, 'the last request of the client');
  const german = await openConsole(service, home, {
    roles: ['ORG_OWNER'],
    profile: { preferredLanguage: 'de' },
  });
  t.match((await german.get(path)).text, 'Kein Benutzer ist verknüpft');
  t.match((await owner.get(base)).text, 'Healthy');
});

t.test('the provider is tested by a button', async (t) => {
  const path = await added('Tested');
  const works = await owner.fill(await owner.get(path), {}, `${path}/test`);
  t.match(works.text, 'The provider answers and can be used.');
  const { id } = await storeConnection(container, home.id, {});
  const gone = await owner.fill(await owner.get(`${base}/${id}`), {}, `${base}/${id}/test`);
  t.match(gone.text, 'The provider cannot be used.');
});

t.test('to switch off and to remove says what ends, and ends it', async (t) => {
  const path = await added('Ending');
  const connected = { orgId: home.id, connectionId: path.split('/').at(-1) ?? '' };
  const visitor = newVisitor(service);
  const seen = await signInBy(visitor, connected, provider, { sub: 'ending', name: 'Ending' });
  t.ok(isSignedIn(seen));
  const off = await owner.get(`${path}/switch-off`);
  t.match(off.text, 'end at once');
  t.match(await owner.fill(off, {}, `${path}/switch-off`), { status: 303 });
  t.equal((await visitor.get('/account')).status, 303, 'the session has ended');
  const removal = await owner.get(`${path}/remove`);
  const wrong = await owner.fill(removal, { confirmed: 'Else' }, `${path}/remove`);
  t.equal(wrong.status, 400);
  t.ok(await storedAt(path));
  const removed = await owner.fill(removal, { confirmed: 'Ending' }, `${path}/remove`);
  t.equal(removed.location, `${base}?done=removed`);
  t.notOk(await storedAt(path));
  t.equal((await owner.get(path)).status, 404);
});

t.test('another organization reaches nothing', async (t) => {
  const path = await added('Ours');
  const other = await makeHome(container, { name: 'Foe' });
  const foe = await openConsole(service, other, { roles: ['ORG_OWNER'] });
  for (const address of [base, `${base}/new`, path, `${path}/change`, `${path}/remove`])
    t.ok([403, 404].includes((await foe.get(address)).status), address);
  const own = path.replace(home.id, other.id);
  t.equal((await foe.get(own)).status, 404, 'nor under its own organization');
  const page = await foe.get(`/console/orgs/${other.id}/connections/new?template=other`);
  const stolen = await foe.fill(
    page,
    {
      ...{ id: path.split('/').at(-1) ?? '', name: 'Copy', issuer: provider.issuer },
      ...{ clientId: 'c', clientSecret: 's' },
    },
    `/console/orgs/${other.id}/connections/new`,
  );
  t.equal(stolen.status, 409, 'the identifier of another connection is taken');
  t.match(await storedAt(path), { orgId: home.id, name: 'Ours' });
});

t.test('a test of the sign-in shows each claim and where it goes, and signs nobody in', async (t) => {
  const path = await added('Tried', { enabled: '', creation: 'create' });
  t.match(await storedAt(path), { enabled: false }, 'it works before the connection is switched on');
  const before = await container.users.count(home.id);
  const waiting = await owner.follow(await owner.fill(await owner.get(path), {}, `${path}/sign-in-tests`));
  t.match(waiting.text, 'Sign in at the provider');
  const address = /\/login\/connection-tests\/[\w-]{36}/.exec(waiting.text)?.[0] ?? '';
  const visitor = newVisitor(service);
  const left = await visitor.get(address);
  const claims = { sub: 'tried', given_name: 'Ann', email: 'a@acme.example', shoe: '<b>42</b>' };
  const back = provider.authorize(left.location ?? '', claims);
  t.equal((await newVisitor(service).get(back)).status, 400, 'another browser ends nothing');
  const ended = await visitor.get(back);
  t.match(ended, { status: 303, location: waiting.url });
  t.equal((await visitor.get('/account')).status, 303, 'nobody is signed in');
  t.equal(await container.users.count(home.id), before, 'nobody is added');
  const { text } = await owner.get(waiting.url);
  t.match(text, 'A new user with these values would be added.');
  t.match(text, /given_name<\/code>.*?Ann.*?Given name/s);
  t.match(text, '&lt;b&gt;42&lt;/b&gt;');
  t.notMatch(text, '<b>42');
  t.match(text, /shoe<\/code>.*?nowhere/s);
  t.match(text, 'auth_time', 'what to know');
  const { body } = await call('POST /admin/v1/events/_search', {
    as: await makeCaller(container, home.id, ['ORG_OWNER']),
    body: { eventTypes: ['connection.signIn.tested'], limit: 10 },
  });
  t.match(body.events, [{ payload: { name: 'Tried', outcome: 'created' } }]);
  t.notMatch(JSON.stringify(body.events), 'acme.example', 'no claim is in the log');
});

t.test('a test says in words what is wrong', async (t) => {
  const path = await added('Wrong');
  const begin = async () => {
    const page = await owner.follow(await owner.fill(await owner.get(path), {}, `${path}/sign-in-tests`));
    return { url: page.url, address: /\/login\/connection-tests\/[\w-]{36}/.exec(page.text)?.[0] ?? '' };
  };
  const { url, address } = await begin();
  const visitor = newVisitor(service);
  provider.lies = {
    token: (_request, response) =>
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}'),
  };
  await visitor.get(provider.authorize((await visitor.get(address)).location ?? '', { sub: 'x' }));
  t.match((await owner.get(url)).text, 'The provider refused the client secret or the code.');
  const foe = await openConsole(service, await makeHome(container), { roles: ['ORG_OWNER'] });
  const testId = url.split('/').at(-1) ?? '';
  t.equal((await foe.get(url)).status, 403, 'another organization sees no result');
  t.equal((await owner.get(`${url.slice(0, -36)}${'x'.repeat(36)}`)).status, 404);
  const other = await storeConnection(container, home.id, { name: 'Other' });
  t.equal((await owner.get(`${base}/${other.id}/sign-in-tests/${testId}`)).status, 404);
  const removed = await begin();
  await owner.fill(await owner.get(`${path}/remove`), { confirmed: 'Wrong' }, `${path}/remove`);
  t.equal((await newVisitor(service).get(removed.address)).status, 400, 'the connection is gone');
});

t.test('a set-up link is made with its steps, shown once, and ended', async (t) => {
  const setup = `${base}/setup`;
  const page = await owner.get(setup);
  t.match(page.text, 'No set-up link is open.');
  const made = await owner.fill(page, { steps: 'connection' }, setup);
  const address = /\/setup\/open\?link=[\w-]{43}/.exec(made.text)?.[0] ?? '';
  t.match(address, /link=/);
  const list = await owner.get(setup);
  t.match(list.text, 'not opened yet');
  t.notMatch(list.text, address, 'the address is shown once');
  const action = /\/setup\/[0-9a-f-]{36}\/end/.exec(list.text)?.[0] ?? '';
  t.match(await owner.fill(list, {}, `${base}${action}`), { status: 303 });
  t.match((await owner.get(setup)).text, 'No set-up link is open.');
  t.match(await owner.fill(page, { steps: 'switchOn' }, setup), { status: 400 });
});

t.test(
  'a connection by SAML is shown with what its provider must know, and its settings are changed',
  async (t) => {
    const saml = createHostileSamlProvider(() => clock.now());
    const api = await makeCaller(container, home.id, ['ORG_OWNER']);
    const { connectionId } = await addSamlConnection(service, { orgId: home.id, owner: api }, saml);
    const path = `${base}/${connectionId}`;
    const page = await owner.get(path);
    t.equal(page.status, 200);
    t.match(page.text, saml.entityId);
    t.match(page.text, `/${connectionId}/saml/metadata`);
    t.match(page.text, `/${connectionId}/saml/acs`);
    t.match(page.text, 'BEGIN CERTIFICATE');
    t.notMatch(page.text, /undefined|client_id/);
    const form = await owner.get(`${path}/change`);
    t.notMatch(form.text, /name="clientId"|undefined/);
    const changed = {
      ...{ name: 'Renamed', strength: 'single', creation: 'create', identifierClaim: 'sub' },
      ...{ nameIdFormat: 'persistent', signedPart: 'assertion' },
    };
    const saved = await owner.fill(form, changed, `${path}/change`);
    t.equal(saved.status, 303, saved.text);
    const stored = await storedAt(path);
    t.match(stored, { name: 'Renamed', protocol: 'saml', provider: { issuer: saml.entityId } });
  },
);
