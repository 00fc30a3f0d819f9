import { X509Certificate } from 'node:crypto';
import t from 'tap';
import { refreshAllMetadata } from '#src/connections/saml/index.js';
import { signOutOfConnection } from '#src/sessions/sign-out.js';
import { makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { addConnectionTo, isSignedIn, newVisitor } from '../../support/oidc/connected.js';
import { startOutsideIssuer } from '../../support/oidc/outside-issuer.js';
import {
  createHostileSamlProvider,
  makeSamlConnected,
  signInBySaml,
} from '../../support/saml/hostile-saml-provider.js';
import { makeSamlKey } from '../../support/saml/saml-documents.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, {
  privateProviderHosts: '127.0.0.1',
  outgoingCa: certificate.cert,
  workers: true,
});
const { container, call, clock } = service;
const provider = createHostileSamlProvider(() => clock.now());
const server = await startOutsideIssuer(t, certificate);
let served = '';
server.instead.set('/metadata', (_request, response) => void response.end(served));
const metadataUrl = `${server.issuer}/metadata`;

const { orgId, owner } = await makeTenant(container);
const path = `/admin/v1/orgs/${orgId}/connections`;
const add = (own: object, more: object = {}) =>
  call(`POST ${path}`, { as: owner, body: { name: 'Acme', protocol: 'saml', provider: own, ...more } });
const pemOf = (text: string) => new X509Certificate(text).toString();

t.test('metadata says what a connection needs', async (t) => {
  const { status, body } = await add({ metadata: provider.metadata() });
  t.equal(status, 201, JSON.stringify(body));
  t.match(body, {
    protocol: 'saml',
    enabled: true,
    creation: 'refuse',
    provider: {
      issuer: provider.entityId,
      signIn: { address: `${provider.entityId}/redirect`, binding: 'redirect' },
      certificates: [pemOf(provider.key.certificate)],
      signedPart: 'assertion',
      allowsSha1: false,
      nameIdFormat: 'persistent',
      signsRequests: false,
      startsAtProvider: false,
      multiFactorAcrs: [],
    },
    service: { entityId: /\/saml\/metadata$/, acsUrl: /\/saml\/acs$/, certificate: /BEGIN CERTIFICATE/ },
  });
  t.notMatch(JSON.stringify(body), /PRIVATE|sealed/i);
  t.strictSame((await call(`GET ${path}/${body.id}`, { as: owner })).body, body);
  t.match((await call(`POST ${path}/${body.id}/test`, { as: owner })).body, { outcome: 'usable' });
});

t.test('what cannot work is refused, each place by itself', async (t) => {
  const by = {
    issuer: provider.entityId,
    signIn: { address: 'https://idp.example/sso?idpid=7', binding: 'redirect' },
    certificates: [provider.key.certificate],
  };
  t.equal((await add(by)).status, 201, 'by hand');
  const { generateKeyPairSync } = await import('node:crypto');
  const { selfSignedCertificate } = await import('#src/keys/self-signed-certificate.js');
  const [from, until] = [new Date(0), new Date('2040-01-01')];
  const small = selfSignedCertificate(generateKeyPairSync('rsa', { modulusLength: 1024 }), {
    name: 'x',
    from,
    until,
  });
  const refused: [own: object, at: string, rule: string][] = [
    [{}, 'provider.issuer', 'required'],
    [{ ...by, certificates: [] }, 'provider.certificates', 'required'],
    [{ ...by, certificates: ['not a certificate'] }, 'provider.certificates.0', 'certificate'],
    [{ ...by, certificates: [small] }, 'provider.certificates.0', 'certificate'],
    [{ ...by, certificates: [certificate.cert] }, 'provider.certificates.0', 'certificate'],
    [{ ...by, certificates: Array(7).fill('x') }, 'provider.certificates', 'tooMany'],
    [
      { ...by, signIn: { address: 'http://idp.example', binding: 'redirect' } },
      'provider.signIn.address',
      'httpsAddress',
    ],
    [
      { ...by, signIn: { address: 'javascript:alert(1)', binding: 'post' } },
      'provider.signIn.address',
      'httpsAddress',
    ],
    [
      { ...by, signIn: { address: 'https://idp.example', binding: 'artifact' } },
      'provider.signIn.binding',
      'notOffered',
    ],
    [{ ...by, nameIdFormat: 'emailAddress' }, 'provider.subjectAttribute', 'required'],
    [{ ...by, nameIdFormat: 'transient' }, 'provider.subjectAttribute', 'required'],
    [{ ...by, clientId: 'x' }, 'provider.clientId', 'unknown'],
  ];
  for (const [own, at, rule] of refused) {
    const { status, body } = await add(own);
    t.equal(status, 400, at);
    const pointer = `#/${at.replaceAll('.', '/')}`;
    t.match(body.errors, [{ pointer, id: `value.${rule}` }], JSON.stringify(body).slice(0, 300));
  }
  const unknown = await call(`POST ${path}`, {
    as: owner,
    body: { name: 'X', protocol: 'xml', provider: {} },
  });
  t.match(unknown.body.errors, [{ pointer: '#/protocol', id: 'value.notOffered' }]);
});

t.test('a key of another kind in the metadata is left out and counted', async (t) => {
  const elliptic = { ...provider.key, certificate: certificate.cert };
  const keys = [elliptic, provider.key, { ...elliptic, certificate: 'AAAA' }];
  const { status, body } = await add({ metadata: provider.metadata(keys) }, { creation: 'create' });
  t.equal(status, 201, JSON.stringify(body));
  t.strictSame(body.provider.certificates, [pemOf(provider.key.certificate)]);
  t.equal(body.provider.unusableCertificates, 2);
  const connected = { orgId, connectionId: body.id };
  const enter = () =>
    signInBySaml(service, newVisitor(service), connected, { provider, person: { nameId: 'anna' } });
  t.ok(isSignedIn(await enter()));
  t.match(await add({ metadata: provider.metadata([elliptic]) }), {
    status: 400,
    body: { detail: /RSA key/ },
  });
  const byHand = { protocol: 'saml', provider: { certificates: [provider.key.certificate] } };
  const changed = await call(`PATCH ${path}/${body.id}`, { as: owner, body: byHand });
  t.equal(changed.body.provider.unusableCertificates, 0, 'who names them leaves nothing out');
  const again = { protocol: 'saml', provider: { metadata: provider.metadata(keys) } };
  await call(`PATCH ${path}/${body.id}`, { as: owner, body: again });
  const exported = await container.connections.find(orgId, body.id);
  t.match(exported, { provider: { unusableCertificates: 2 } });
  const file = await call(`POST /admin/v1/orgs/${orgId}/export`, {
    ...{ as: owner, body: { timeout: '5m', responseOutput: true } },
  });
  const [{ connections }] = file.body.orgs as [{ connections: { connectionId: string }[] }];
  const own = { orgId, connections: connections.filter(({ connectionId }) => connectionId === body.id) };
  const imported = await call(`POST /admin/v1/orgs/${orgId}/import`, {
    ...{ as: owner, body: { timeout: '5m', update: true, dataOrgsv1: { orgs: [own] } } },
  });
  t.notOk(imported.body.errors, JSON.stringify(imported.body));
  t.same(await container.connections.find(orgId, body.id), exported, 'its own export changes nothing');
});

t.test('metadata that describes no provider is refused with the reason', async (t) => {
  const good = provider.metadata();
  const wrong: [what: RegExp, metadata: string][] = [
    [/is a page of HTML/, '<!DOCTYPE html>\n<html><body>Sign in</body></html>'],
    [/is a page of HTML/, ' <html lang="en"></html>'],
    [/is a page of HTML/, '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x" "y"><html></html>'],
    [/describes no provider/, '<html:html xmlns:html="urn:x"/>'],
    [/no well-formed XML/, '<md'],
    [/declaration/, `<!DOCTYPE x [<!ENTITY e "x">]>${good.replace(/^<\?xml.*?>\s*/, '')}`],
    [/describes no provider/, good.replaceAll('IDPSSODescriptor', 'SPSSODescriptor')],
    [/several providers/, twice(good)],
    [/another protocol/, good.replace('SAML:2.0:protocol"', 'SAML:1.1:protocol"')],
    [
      /out of date/,
      good.replace('<md:IDPSSODescriptor', '<md:IDPSSODescriptor validUntil="2020-01-01T00:00:00Z"'),
    ],
    [/lacks the entity ID/, good.replaceAll('SingleSignOnService', 'Other')],
  ];
  for (const [what, metadata] of wrong) {
    const { status, body } = await add({ metadata });
    t.equal(status, 400);
    t.match(body.detail, what);
  }
});

function twice(metadata: string): string {
  const [one = ''] = /<md:EntityDescriptor.*<\/md:EntityDescriptor>/s.exec(metadata) ?? [];
  return `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${one}${one}</md:EntitiesDescriptor>`;
}

t.test('an address of metadata is read within the rules for addresses', async (t) => {
  served = provider.metadata();
  const { status, body } = await add({ metadataUrl });
  t.equal(status, 201, JSON.stringify(body));
  t.equal(body.provider.metadataUrl, metadataUrl);
  for (const [address, why] of [
    ['https://169.254.169.254/metadata', /private address/],
    [`${server.issuer}/gone`, /status 404/],
    ['http://127.0.0.1/metadata', /https/],
  ] as const) {
    const answer = await add({ metadataUrl: address });
    t.equal(answer.status, 400, address);
    t.match(JSON.stringify(answer.body), why);
  }
  served = ' '.repeat(262_145);
  t.match((await add({ metadataUrl })).body.detail, /more than 262144 bytes/);
  t.match((await call(`POST ${path}/${body.id}/test`, { as: owner })).body, { outcome: 'unusable' });
});

t.test('certificates of the metadata are taken over every day, and both count meanwhile', async (t) => {
  const next = makeSamlKey();
  served = provider.metadata();
  const acme = await makeSamlConnected(service, provider, { provider: { metadata: undefined, metadataUrl } });
  const asked = (key: typeof next) => {
    provider.lies = { key };
    return signInBySaml(service, newVisitor(service), acme, { provider, person: { nameId: 'anna' } });
  };
  const refresh = () => {
    const endSignIns = (of: { orgId: string; connectionId: string }) => signOutOfConnection(container, of);
    return refreshAllMetadata({ ...container, endSignIns });
  };
  t.notOk(isSignedIn(await asked(next)));
  served = provider.metadata([provider.key, next]);
  await refresh();
  t.ok(isSignedIn(await asked(next)));
  t.ok(isSignedIn(await asked(provider.key)));
  served = provider.metadata([next]);
  await refresh();
  t.notOk(isSignedIn(await asked(provider.key)), 'the former key counts no more');
  const read = () => call(`GET ${acme.path}`, { as: acme.owner });
  const { version } = (await read()).body;
  await refresh();
  t.equal((await read()).body.version, version, 'the same metadata is no change');
  for (const bad of ['<x/>', createHostileSamlProvider(() => clock.now()).metadata()]) {
    served = bad;
    clock.advance(11);
    await refresh();
    t.equal((await read()).body.version, version, 'what cannot be used changes nothing');
    const { body } = await call(`GET ${acme.path}/health`, { as: acme.owner });
    t.equal(body.refusals[0].reason, 'metadataInvalid');
  }
  served = provider.metadata([makeSamlKey()]);
  const again = { protocol: 'saml', provider: { metadataUrl } };
  t.equal((await call(`PATCH ${acme.path}`, { as: acme.owner, body: again })).status, 200);
  t.equal((await read()).body.version, version + 1, 'an administrator need not wait for the day');
});

t.test('an address for single logout in metadata is taken if it can be used, and never needed', async (t) => {
  const own = `${server.issuer}/with-logout`;
  let said = '';
  const withLogout = (location: string) => {
    const binding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
    const service = `<md:SingleLogoutService Binding="${binding}" Location="${location}"/>`;
    return provider.metadata([provider.key]).replace('<md:SingleSignOnService', `${service}$&`);
  };
  server.instead.set('/with-logout', (_request, response) => void response.end(said));
  const unusable = [
    'http://idp.example/logout',
    '',
    `https://idp.example/${'x'.repeat(3_000)}`,
    'javascript:alert(1)',
    'https://a:b@idp.example/logout',
    ' https://idp.example/logout',
  ];
  for (const location of unusable) {
    const { status, body } = await add({ metadata: withLogout(location) });
    t.equal(status, 201, `${location.slice(0, 40)} ${JSON.stringify(body).slice(0, 300)}`);
    t.equal(body.provider.signOut, undefined);
  }
  said = withLogout('https://idp.example/logout?id=7');
  const added = await add({ metadataUrl: own });
  t.equal(added.body.provider.signOut, 'https://idp.example/logout?id=7');
  const one = `${path}/${added.body.id}`;
  const refresh = () => {
    const endSignIns = (of: { orgId: string; connectionId: string }) => signOutOfConnection(container, of);
    return refreshAllMetadata({ ...container, endSignIns });
  };
  const read = async () => (await call(`GET ${one}`, { as: owner })).body.provider;
  const next = makeSamlKey();
  for (const location of unusable) {
    said = withLogout(location);
    await refresh();
    t.equal((await read()).signOut, 'https://idp.example/logout?id=7', 'what was there stays');
  }
  const byHand = { protocol: 'saml', provider: { signOut: 'https://idp.example/by-hand' } };
  t.equal((await call(`PATCH ${one}`, { as: owner, body: byHand })).status, 200);
  said = provider.metadata([next]);
  await refresh();
  t.match(await read(), {
    signOut: 'https://idp.example/by-hand',
    certificates: [pemOf(next.certificate)],
  });
  said = withLogout('https://idp.example/moved');
  await refresh();
  t.match(await read(), {
    signOut: 'https://idp.example/moved',
    certificates: [pemOf(provider.key.certificate)],
  });
});

t.test('a change that is made while the metadata is read wins over it', async (t) => {
  // An address of its own: the refresh asks for those of other connections, too.
  const own = `${server.issuer}/raced`;
  server.instead.set('/raced', (_request, response) => void response.end(provider.metadata()));
  const acme = await makeSamlConnected(service, provider, {
    provider: { metadata: undefined, metadataUrl: own },
  });
  const leaked = makeSamlKey();
  const safe = makeSamlKey();
  const meanwhile = { protocol: 'saml', provider: { certificates: [safe.certificate] } };
  server.instead.set('/raced', (_request, response) => {
    call(`PATCH ${acme.path}`, { as: acme.owner, body: meanwhile }).then(() =>
      response.end(provider.metadata([leaked])),
    );
  });
  const endSignIns = (of: { orgId: string; connectionId: string }) => signOutOfConnection(container, of);
  await refreshAllMetadata({ ...container, endSignIns });
  const { body } = await call(`GET ${acme.path}`, { as: acme.owner });
  t.strictSame(body.provider.certificates, [pemOf(safe.certificate)]);
});

t.test('a change keeps what it does not name, and the protocol stays', async (t) => {
  const { body } = await add({ metadata: provider.metadata() });
  const change = (patch: object) => call(`PATCH ${path}/${body.id}`, { as: owner, body: patch });
  const changed = await change({ protocol: 'saml', provider: { allowsSha1: true } });
  t.equal(changed.status, 200, JSON.stringify(changed.body));
  t.match(changed.body.provider, { ...body.provider, allowsSha1: true });
  t.equal(changed.body.service.certificate, body.service.certificate, 'the key of the connection stays');
  t.equal((await change({ name: 'Renamed' })).body.name, 'Renamed');
  t.match((await change({ provider: { clientId: 'x' } })).body.errors, [{ pointer: '#/protocol' }]);
  const moved = await change({ protocol: 'saml', provider: { issuer: 'https://other.example' } });
  t.match(moved.body, { status: 409, id: 'connections.issuerFixed' });
  const other = createHostileSamlProvider(() => clock.now());
  const swapped = await change({ protocol: 'saml', provider: { metadata: other.metadata() } });
  t.equal(swapped.status, 409, 'the metadata of another provider');
  const events = await call(`GET /admin/v1/orgs/${orgId}/events?aggregateId=${body.id}`, { as: owner });
  t.notMatch(JSON.stringify(events.body), /PRIVATE|sealedPrivate/);
  const outside = await startHostileProvider(t, certificate, () => clock.now());
  const oidc = await addConnectionTo(service, { orgId, owner }, outside);
  const crossed = await call(`PATCH ${path}/${oidc}`, {
    as: owner,
    body: { protocol: 'saml', provider: { allowsSha1: true } },
  });
  t.match(crossed.body.errors, [{ pointer: '#/protocol', id: 'value.notOffered' }]);
});
