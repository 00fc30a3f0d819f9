import t from 'tap';
import { makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  isSignedIn,
  makeConnected,
  newVisitor,
  refusedPage,
  signInBy,
} from '../../support/oidc/connected.js';
import {
  createHostileSamlProvider,
  makeSamlConnected,
  signInBySaml,
} from '../../support/saml/hostile-saml-provider.js';

/** Connections travel without their secrets, and links of people with them. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const options = { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert, workers: true };
const source = await buildTestApp(t, options);
const target = await buildTestApp(t, options);
const provider = await startHostileProvider(t, certificate, () => target.clock.now());

/** Runs an import of the organization by its owner, and returns its report. */
async function importInto(
  { call }: typeof target,
  owner: { token: string },
  orgId: string,
  organization: object,
  more: object = {},
) {
  const body = { timeout: '5m', dataOrgsv1: { orgs: [{ orgId, ...organization }] }, ...more };
  return call(`POST /admin/v1/orgs/${orgId}/import`, { as: owner, body });
}

t.test('a connection comes in switched off, and signs its people in once its secret is set', async (t) => {
  const acme = await makeConnected(source, provider, { name: 'Travels', strength: 'claimed' });
  t.ok(isSignedIn(await signInBy(newVisitor(source), acme, provider, { sub: 'ann', name: 'Ann' })));
  const exported = await source.call(`POST /admin/v1/orgs/${acme.orgId}/export`, {
    as: acme.owner,
    body: { timeout: '5m', responseOutput: true },
  });
  t.equal(exported.status, 200, JSON.stringify(exported.body).slice(0, 300));
  const text = JSON.stringify(exported.body);
  t.notMatch(text, /a-secret-of-ours|sealed/i, 'no secret leaves');
  t.match(exported.headers['muster-not-exported'], /connection-secrets=1/);
  const [organization] = exported.body.orgs;
  t.match(organization.connections, [{ connectionId: acme.connectionId, connection: { name: 'Travels' } }]);
  const there = await makeTenant(target.container);
  const { connections, humanUsers, identityLinks } = organization;
  const report = await importInto(target, there.owner, there.orgId, {
    connections,
    humanUsers,
    identityLinks,
  });
  t.notOk(report.body.errors, JSON.stringify(report.body.errors));
  t.match(JSON.stringify(report.body.warnings), /connection\.clientSecret/);
  const moved = { orgId: there.orgId, connectionId: acme.connectionId };
  t.match(await target.container.connections.find(moved.orgId, moved.connectionId), {
    ...{ name: 'Travels', enabled: false, strength: 'claimed' },
    sealedSecret: undefined,
  });
  const path = `/admin/v1/orgs/${there.orgId}/connections/${acme.connectionId}`;
  const early = await target.call(`PATCH ${path}`, { as: there.owner, body: { enabled: true } });
  t.equal(early.status, 400, 'it cannot be switched on without its secret');
  const on = { enabled: true, clientSecret: 'a-secret-of-ours', creation: 'refuse' };
  t.equal((await target.call(`PATCH ${path}`, { as: there.owner, body: on })).status, 200);
  t.ok(
    isSignedIn(await signInBy(newVisitor(target), moved, provider, { sub: 'ann' })),
    'the link of the person came along',
  );
  const visitor = newVisitor(target);
  await refusedPage(visitor, await signInBy(visitor, moved, provider, { sub: 'nobody' }));
  const again = await importInto(target, there.owner, there.orgId, { connections });
  t.match(again.body.errors, [{ id: acme.connectionId, message: /OTHER-CONTENT.*creation/ }]);
});

t.test('a connection by SAML comes in with its settings, and signs the same people in', async (t) => {
  const saml = createHostileSamlProvider(() => target.clock.now());
  const mapping = {
    when: 'always',
    values: [{ to: 'displayName', from: ['Full Name', 'cn'], constant: 'Nobody', lowerCase: true }],
  };
  const more = { mapping, provider: { multiFactorAcrs: ['urn:strong'], startsAtProvider: true } };
  const acme = await makeSamlConnected(source, saml, { name: 'Saml', ...more });
  const person = { nameId: 'ann' };
  t.ok(isSignedIn(await signInBySaml(source, newVisitor(source), acme, { provider: saml, person })));
  const exported = await source.call(`POST /admin/v1/orgs/${acme.orgId}/export`, {
    as: acme.owner,
    body: { timeout: '5m', responseOutput: true },
  });
  const { connections, humanUsers, identityLinks } = exported.body.orgs[0];
  t.notMatch(JSON.stringify(exported.body), /PRIVATE KEY|sealed/i, 'no key leaves');
  const there = await makeTenant(target.container);
  const given = { connections, humanUsers, identityLinks };
  const report = await importInto(target, there.owner, there.orgId, given);
  t.notOk(report.body.errors, JSON.stringify(report.body.errors));
  const moved = { orgId: there.orgId, connectionId: acme.connectionId };
  const before = await source.container.connections.find(acme.orgId, acme.connectionId);
  const after = await target.container.connections.find(moved.orgId, moved.connectionId);
  t.match(after, { enabled: false, protocol: 'saml', name: 'Saml', creation: 'create' });
  t.strictSame([after?.provider, after?.mapping], [before?.provider, before?.mapping]);
  const path = `/admin/v1/orgs/${there.orgId}/connections/${acme.connectionId}`;
  const on = { enabled: true, creation: 'refuse' };
  const { status, body } = await target.call(`PATCH ${path}`, { as: there.owner, body: on });
  t.equal(status, 200);
  t.match(body.service.certificate, 'BEGIN CERTIFICATE', 'with a key of its own');
  const seen = await signInBySaml(target, newVisitor(target), moved, { provider: saml, person });
  t.ok(isSignedIn(seen), 'the link of the person came along');
  const stranger = { provider: saml, person: { nameId: 'nobody' } };
  t.notOk(isSignedIn(await signInBySaml(target, newVisitor(target), moved, stranger)));
});

t.test('bad records are refused one by one', async (t) => {
  const acme = await makeConnected(target, provider);
  const other = await makeTenant(target.container);
  const connection = {
    ...{ name: 'A', protocol: 'oidc', enabled: true, domains: [], creation: 'refuse', strength: 'single' },
    provider: {
      ...{ issuer: 'https://issuer.example', clientId: 'c', authMethod: 'none', scopes: [] },
      ...{ multiFactorAcrs: [], answersByForm: false, readsUserInfo: false },
    },
    linking: { identifierClaim: 'sub', byDomain: false },
    claims: {},
  };
  const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
  const connections = [
    { connectionId: acme.connectionId, connection },
    { connectionId: 'short', connection },
    { connectionId: id(1), connection: { ...connection, domains: ['foreign.example'] } },
    {
      connectionId: id(2),
      connection: { ...connection, linking: { ...connection.linking, provisionedBy: 'x' } },
    },
    {
      connectionId: id(3),
      connection: { ...connection, provider: { ...connection.provider, issuer: 'http://a' } },
    },
    { connectionId: id(4), connection },
  ];
  const { body } = await importInto(target, other.owner, other.orgId, { connections });
  const codes = body.errors.map(({ message }: { message: string }) => message.split(':', 1)[0]);
  t.same(codes, ['ID-TAKEN', 'VALUE-INVALID', 'REFERENCE-UNKNOWN', 'REFERENCE-UNKNOWN', 'VALUE-INVALID']);
  const kept = await target.container.connections.ofOrganization(other.orgId);
  t.match(kept, [{ id: id(4), enabled: false }]);
  t.match(await target.container.connections.find(acme.orgId, acme.connectionId), { name: 'Acme' });
});
