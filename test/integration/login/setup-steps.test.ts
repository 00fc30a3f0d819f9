import t from 'tap';
import { checkDomainProof } from '#src/organizations/domain-proofs/index.js';
import { addDomain, removeDomain } from '#src/organizations/index.js';
import { makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { startNameServer } from '../../support/network/name-server.js';
import { isSignedIn, newVisitor } from '../../support/oidc/connected.js';
import { makeSetupLink, openSetup } from '../../support/oidc/set-up.js';
import { type Visitor, visit } from '../../support/oidc/visitor.js';
import {
  bringBack,
  createHostileSamlProvider,
  signInBySaml,
} from '../../support/saml/hostile-saml-provider.js';
import { startRealSamlProvider } from '../../support/saml/real-saml-provider.js';
import { makeSamlKey } from '../../support/saml/saml-documents.js';

/** The steps of a set-up link that prove a domain, and that connect a provider of SAML. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const names = await startNameServer(t);
const service = await buildTestApp(t, {
  ...{ privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert, dnsServers: names.address },
});
const { container, call, clock } = service;
const find = container.connections.find.bind(container.connections);
const provider = await startHostileProvider(t, certificate, () => clock.now());

type Acme = Awaited<ReturnType<typeof makeTenant>>;

/** An organization, and the browser of its IT. */
async function open(steps: readonly string[]): Promise<{ acme: Acme; visitor: Visitor; id: string }> {
  const acme = await makeTenant(container);
  const { id, path } = await makeSetupLink(service, acme, steps);
  return { acme, id, visitor: await openSetup(service, path) };
}

const linkOf = async ({ orgId, owner }: Acme) =>
  (await call(`GET /admin/v1/orgs/${orgId}/setup-links`, { as: owner })).body.items[0];
const connectionOf = async (acme: Acme) =>
  container.connections.find(acme.orgId, (await linkOf(acme)).connectionId ?? '');
const domainsOf = async ({ orgId }: Acme) => (await container.organizations.find(orgId))?.domains;

const nameIt = async (visitor: Visitor, domain: string) =>
  visitor.fill(await visitor.get('/setup'), { domain }, '/setup/domain');
const look = async (visitor: Visitor, domain: string) => {
  clock.advance(11);
  return visitor.fill(await visitor.get('/setup'), { domain }, '/setup/domain/check');
};

/** Publishes the record that the page shows. */
async function publish(visitor: Visitor): Promise<void> {
  const { text } = await visitor.get('/setup');
  const name = /data-copy>(_muster-challenge\.[^<]+)</.exec(text)?.[1] ?? '';
  const value = /data-copy>(muster-domain-verification=[^<]+)</.exec(text)?.[1] ?? '';
  names.answers.set(name, [value]);
}

const connect = async (visitor: Visitor) =>
  visitor.fill(
    await visitor.get('/setup?template=other'),
    { template: 'other', issuer: provider.issuer, clientId: 'muster', clientSecret: 's' },
    '/setup/connection',
  );

t.test('the IT of the customer proves a domain, which then leads to its connection', async (t) => {
  const { acme, visitor, id } = await open(['domain', 'connection']);
  const domain = `${uniqueName('acme')}.example`;
  t.match(await nameIt(visitor, domain), { status: 303, location: '/setup' });
  t.match((await look(visitor, domain)).text, 'The record is not there yet.');
  const { text } = await visitor.get('/setup');
  const name = `_muster-challenge.${domain}`;
  t.match(text, name);
  names.answers.set(name, ['another text']);
  t.match((await look(visitor, domain)).text, 'none with this value');
  names.answers.set(name, 'failure');
  t.match((await look(visitor, domain)).text, 'The name server did not answer.');
  t.same(await domainsOf(acme), []);
  await publish(visitor);
  t.match(await look(visitor, domain), { status: 303, location: '/setup' });
  t.same(await domainsOf(acme), [domain]);
  t.match((await visitor.get('/setup')).text, 'is proved.');
  await connect(visitor);
  t.same((await connectionOf(acme))?.domains, [domain], 'a connection that is made later has it');
  t.match(await connectionOf(acme), { linking: { byDomain: false } }, 'and links nobody by it');
  const { body } = await call('POST /admin/v1/events/_search', {
    as: acme.owner,
    body: { editorUserId: id, limit: 100, asc: true },
  });
  const types = body.events.map(({ type }: { type: string }) => type);
  for (const type of ['setup.domain.named', 'setup.step.done', 'org.changed'])
    t.ok(types.includes(type), `${type} is an event of the link`);
});

t.test('a domain that is proved later is given to the connection once', async (t) => {
  const { acme, visitor } = await open(['domain', 'connection']);
  const domain = `${uniqueName('late')}.example`;
  await connect(visitor);
  await nameIt(visitor, domain);
  await publish(visitor);
  await look(visitor, domain);
  t.same((await connectionOf(acme))?.domains, [domain]);
  const { connectionId } = await linkOf(acme);
  const path = `/admin/v1/orgs/${acme.orgId}/connections/${connectionId}`;
  t.equal((await call(`PATCH ${path}`, { as: acme.owner, body: { domains: [] } })).status, 200);
  await connect(visitor);
  t.same((await connectionOf(acme))?.domains, [], 'what an owner takes away stays away');
});

t.test('what an owner took away stays away, also if an old page looks for the record again', async (t) => {
  const { acme, visitor } = await open(['domain', 'connection']);
  const domain = `${uniqueName('twice')}.example`;
  await connect(visitor);
  await nameIt(visitor, domain);
  await publish(visitor);
  const old = await visitor.get('/setup');
  await look(visitor, domain);
  const { connectionId } = await linkOf(acme);
  const path = `/admin/v1/orgs/${acme.orgId}/connections/${connectionId}`;
  await call(`PATCH ${path}`, { as: acme.owner, body: { domains: [] } });
  clock.advance(11);
  t.match(await visitor.fill(old, { domain }, '/setup/domain/check'), { status: 303, location: '/setup' });
  t.same((await connectionOf(acme))?.domains, []);
});

t.test('a domain that the organization has verified is not given to a link', async (t) => {
  const { acme, visitor } = await open(['domain', 'connection']);
  const domain = `${uniqueName('owners')}.example`;
  const verified = { orgId: acme.orgId, domainName: domain, editor: testEditor };
  await addDomain(container, verified, { isVerified: true });
  const page = await visitor.get('/setup');
  const refused = await nameIt(visitor, domain);
  t.match(refused, { status: 409, text: /with this identifier or this domain already exists/ });
  t.notOk((await linkOf(acme)).domains);
  t.equal((await visitor.fill(page, { domain }, '/setup/domain')).status, 409);
  t.notMatch((await visitor.get('/setup')).text, domain);
  await connect(visitor);
  t.same((await connectionOf(acme))?.domains, []);
});

t.test('a domain that others verified meanwhile is the connection’s by its record alone', async (t) => {
  const { acme, visitor } = await open(['domain', 'connection']);
  const domain = `${uniqueName('halfway')}.example`;
  await connect(visitor);
  await nameIt(visitor, domain);
  await publish(visitor);
  clock.advance(11);
  // As after a request of the link that ended halfway, and after an owner who looked first.
  const checked = await checkDomainProof(container, {
    orgId: acme.orgId,
    domainName: domain,
    editor: testEditor,
  });
  t.equal(checked, 'proved');
  const name = `_muster-challenge.${domain}`;
  t.match((await visitor.get('/setup')).text, name, 'the step is not done');
  t.match(await nameIt(visitor, domain), { status: 303 }, 'to name it again changes nothing');
  const record = names.answers.get(name);
  names.answers.delete(name);
  t.match((await look(visitor, domain)).text, 'The record is not there yet.');
  t.same((await connectionOf(acme))?.domains, []);
  if (record !== undefined) names.answers.set(name, record);
  t.match(await look(visitor, domain), { status: 303, location: '/setup' });
  t.same((await connectionOf(acme))?.domains, [domain]);
  t.ok((await linkOf(acme)).done.domain);
  t.match((await visitor.get('/setup')).text, 'is proved.');
});

t.test('a link adds no domain again that an owner removed', async (t) => {
  const { acme, visitor } = await open(['domain', 'connection']);
  const domain = `${uniqueName('gone')}.example`;
  await nameIt(visitor, domain);
  const at = { orgId: acme.orgId, domainName: domain, editor: testEditor };
  await removeDomain(container, at);
  t.match(await nameIt(visitor, domain), { status: 409, text: /Ask an owner to add it again/ });
  const had = await container.organizations.find(acme.orgId);
  t.match(had, { domains: [], unverifiedDomains: [] });
  await addDomain(container, at, {});
  t.match(await nameIt(visitor, domain), { status: 303 });
  t.match((await visitor.get('/setup')).text, `_muster-challenge.${domain}`);
});

t.test('a link proves the domains that it named, few of them, and none of somebody else', async (t) => {
  const { acme, visitor } = await open(['domain', 'connection']);
  for (const [domain, status] of [
    ['gmail.com', 400],
    ['not a domain', 400],
    ['', 400],
  ] as const)
    t.match(await nameIt(visitor, domain), { status, text: /Nothing was saved/ }, domain);
  t.notOk((await linkOf(acme)).domains);
  t.same((await container.organizations.find(acme.orgId))?.unverifiedDomains, []);
  const unnamed = `${uniqueName('owners')}.example`;
  await addDomain(container, { orgId: acme.orgId, domainName: unnamed, editor: testEditor }, {});
  const proof = `/admin/v1/orgs/${acme.orgId}/domains/${unnamed}/proof`;
  const { body: record } = await call(`POST ${proof}`, { as: acme.owner });
  names.answers.set(record.recordName, [record.recordValue]);
  t.notMatch((await visitor.get('/setup')).text, unnamed, 'it does not see the other domains');
  const page = await visitor.get('/setup');
  const domain = `${uniqueName('own')}.example`;
  await visitor.fill(page, { domain }, '/setup/domain');
  t.equal((await look(visitor, unnamed)).status, 404, 'a domain that the link did not name');
  t.same(await domainsOf(acme), [], 'also if its record is there');
  await publish(visitor);
  await look(visitor, domain);
  t.equal(
    (await look(visitor, domain).catch(() => ({ status: 0 }))).status,
    0,
    'nothing is left to look for',
  );

  const foe = await open(['domain', 'connection']);
  await nameIt(foe.visitor, domain);
  await publish(foe.visitor);
  t.match(await look(foe.visitor, domain), { status: 409 }, 'it is that of another organization');
  t.same(await domainsOf(foe.acme), []);

  for (let times = 0; times < 6; times++) await nameIt(visitor, `${uniqueName('many')}.example`);
  t.equal((await linkOf(acme)).domains.length, 5);
  const without = await open(['connection']);
  t.notMatch((await without.visitor.get('/setup')).text, '/setup/domain');
  const { text } = await without.visitor.get('/setup?template=other');
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  t.equal((await without.visitor.post('/setup/domain', { csrf, domain })).status, 403);
});

t.test('the resolver is asked at most once in ten seconds', async (t) => {
  const { visitor } = await open(['domain', 'connection']);
  const domain = `${uniqueName('fast')}.example`;
  await nameIt(visitor, domain);
  await look(visitor, domain);
  const again = await visitor.fill(await visitor.get('/setup'), { domain }, '/setup/domain/check');
  t.match(again, { status: 429, text: /Try again in 10 seconds/ });
});

t.test('a provider of SAML is connected, tried and switched on', async (t) => {
  const { acme, visitor } = await open(['connection', 'test', 'switchOn']);
  const choice = await visitor.get('/setup');
  for (const key of ['entra', 'okta', 'google', 'onelogin', 'ping', 'adfs', 'keycloak', 'jumpcloud', 'other'])
    t.ok(choice.text.includes(`/setup?saml=${key}`), key);
  const page = await visitor.get('/setup?saml=okta');
  t.match(page.text, 'Audience URI (SP Entity ID)');
  t.match(page.text, 'Single sign-on URL');
  const saml = createHostileSamlProvider(() => clock.now());
  const send = (fields: Record<string, string>) => visitor.fill(page, fields, '/setup/saml');
  t.match(await send({ subjectAttribute: '' }), {
    status: 400,
    text: /Address of the metadata: Fill in this field/,
  });
  t.match(await send({ metadata: '<a/>' }), { status: 400, text: /Nothing was saved/ });
  t.equal((await send({ metadata: 'x'.repeat(440_000) })).status, 413);
  const given = { metadata: saml.metadata(), subjectAttribute: '' };
  t.match(await send(given), { status: 303, location: '/setup' });
  t.match(await connectionOf(acme), {
    ...{ protocol: 'saml', enabled: false, creation: 'refuse', name: 'Okta', domains: [] },
    provider: { issuer: saml.entityId, signedPart: 'assertion', allowsSha1: false, startsAtProvider: false },
    linking: { byDomain: false, byPerson: false },
  });
  t.notMatch((await visitor.get('/setup')).text, '/setup?template=', 'it stays a connection by SAML');
  const { connectionId } = await linkOf(acme);
  t.match(await send({ ...given, subjectAttribute: 'uid' }), { status: 303 });
  t.match(await connectionOf(acme), { id: connectionId, provider: { subjectAttribute: 'uid' } });
  t.match(await send(given), { status: 303 });
  const foreign = createHostileSamlProvider(() => clock.now());
  t.equal((await send({ ...given, metadata: foreign.metadata() })).status, 400, 'the issuer never changes');

  const path = `/admin/v1/orgs/${acme.orgId}/connections/${connectionId}`;
  await call(`PATCH ${path}`, { as: acme.owner, body: { creation: 'create' } });
  const waiting = await visitor.follow(await visitor.fill(await visitor.get('/setup'), {}, '/setup/test'));
  const test = /\/login\/connection-tests\/[0-9a-f-]{36}/.exec(waiting.text)?.[0] ?? '';
  const left = await visitor.get(test);
  const answer = await saml.answer(left.location ?? '', { nameId: 'it' });
  const tried = await visitor.follow(await bringBack(service, visitor, answer));
  t.match(tried.text, 'It works.');
  t.notMatch(tried.text, 'The certificate in the metadata', 'it lasts');
  t.match(await visitor.fill(await visitor.get('/setup'), {}, '/setup/switch-on'), { status: 303 });
  const connected = { orgId: acme.orgId, connectionId };
  const person = { nameId: 'anna' };
  const seen = await signInBySaml(service, newVisitor(service), connected, { provider: saml, person });
  t.ok(isSignedIn(seen));
  const before = await connectionOf(acme);
  const thief = createHostileSamlProvider(() => clock.now());
  const keys = saml.metadata().replace(/<ds:X509Certificate>.*<\/ds:X509Certificate>/s, () => {
    const [own = ''] = /<ds:X509Certificate>.*<\/ds:X509Certificate>/s.exec(thief.metadata()) ?? [];
    return own;
  });
  const stolen = await send({ ...given, metadata: keys });
  t.match(stolen.text, 'only its client secret can be changed here', 'people use it, so its keys stay');
  t.strictSame(await connectionOf(acme), before);
});

t.test('a test names the day on which the certificate of the provider ended, or will end', async (t) => {
  for (const [days, said] of [
    [-1, /The certificate in the metadata of the provider ended on <time/],
    [29, /The certificate in the metadata of the provider ends on <time/],
  ] as const) {
    const { visitor } = await open(['connection', 'test']);
    const saml = createHostileSamlProvider(() => clock.now());
    const until = new Date(clock.now().getTime() + days * 24 * 3_600_000);
    const page = await visitor.get('/setup?saml=other');
    const given = { metadata: saml.metadata([makeSamlKey({ until })]), subjectAttribute: '' };
    t.match(await visitor.fill(page, given, '/setup/saml'), { status: 303 });
    const waiting = await visitor.follow(await visitor.fill(await visitor.get('/setup'), {}, '/setup/test'));
    const test = /\/login\/connection-tests\/[0-9a-f-]{36}/.exec(waiting.text)?.[0] ?? '';
    const left = await visitor.get(test);
    const answer = await saml.answer(left.location ?? '', { nameId: 'it' });
    const tried = await visitor.follow(await bringBack(service, visitor, answer));
    t.match(tried.text, 'It does not work yet', 'another key has signed');
    t.match(tried.text, said);
    t.match(tried.text, until.toISOString().slice(0, 10));
  }
});

t.test('a provider of SAML is read at its address', async (t) => {
  const real = await startRealSamlProvider(t, certificate);
  const { acme, visitor } = await open(['connection']);
  const page = await visitor.get('/setup?saml=other');
  const { metadataUrl } = real;
  t.match(await visitor.fill(page, { metadataUrl }, '/setup/saml'), { status: 303 });
  t.match(await connectionOf(acme), { provider: { issuer: real.issuer, metadataUrl } });
  const inside = await visitor.fill(page, { metadataUrl: 'https://10.1.2.3/metadata' }, '/setup/saml');
  t.equal(inside.status, 400, 'no address of a private network');
});

t.test('a link overwrites nothing that an owner changes at the same time', async (t) => {
  const { acme, visitor } = await open(['connection']);
  const saml = createHostileSamlProvider(() => clock.now());
  const page = await visitor.get('/setup?saml=okta');
  const given = { metadata: saml.metadata(), subjectAttribute: '' };
  await visitor.fill(page, given, '/setup/saml');
  const { connectionId } = await linkOf(acme);
  const path = `/admin/v1/orgs/${acme.orgId}/connections/${connectionId}`;
  let renames = 0;
  let isRenaming = false;
  const read = t.intercept(container.connections, 'find', {
    value: async (orgId: string, id: string) => {
      const found = await find(orgId, id);
      // The two reads before the change: whether the link serves, and whether it may change the connection.
      if (isRenaming || renames === 2 || id !== connectionId) return found;
      isRenaming = true;
      await call(`PATCH ${path}`, { as: acme.owner, body: { name: `Name ${++renames}` } });
      isRenaming = false;
      return found;
    },
  });
  const answer = await visitor.fill(page, { ...given, subjectAttribute: 'uid' }, '/setup/saml');
  read.restore();
  t.equal(answer.status, 503, 'and it says so');
  const kept = await connectionOf(acme);
  t.equal(kept?.name, 'Name 2');
  t.notMatch(kept?.provider, { subjectAttribute: 'uid' });
});

t.test('every reason why nothing was saved is in the language of the page', async (t) => {
  const { acme, visitor: opened } = await open(['domain', 'connection']);
  const visitor = visit(service.app, container, { language: 'de' });
  for (const [name, value] of opened.cookies) visitor.cookies.set(name, value);
  const send = async (fields: Record<string, string>, template = 'other') =>
    visitor.fill(
      await visitor.get(`/setup?template=${template}`),
      { clientId: 'muster', clientSecret: 's', ...fields },
      '/setup/connection',
    );
  const reasonIn = ({ text }: { text: string }) =>
    /<p class="error" role="alert">(.*?)<\/p>/.exec(text)?.[1] ?? '';
  const german: [() => Promise<{ text: string }>, RegExp][] = [
    [() => send({ issuer: 'http://id.acme.example' }), /: Issuer: Geben Sie eine Adresse mit https:\/\//],
    [() => send({ issuer: provider.issuer, clientId: 'a\nb' }), /: client_id: /],
    [() => send({ issuer: 'https://10.0.0.1' }), /: Der Host hat eine private Adresse/],
    [() => send({ host: 'github.acme.invalid' }, 'github'), /: /],
    [async () => nameIt(visitor, 'gmail.com'), /: /],
    [async () => nameIt(visitor, 'no domain'), /: /],
  ];
  for (const [refused, said] of german) {
    const reason = reasonIn(await refused());
    t.match(reason, /^Nichts wurde gespeichert: /);
    t.match(reason, said);
    t.notMatch(reason, /lang="en"|must|The /, reason);
  }
  t.notOk((await linkOf(acme)).connectionId);
});
