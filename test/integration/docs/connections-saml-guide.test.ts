import { readFile } from 'node:fs/promises';
import t from 'tap';
import { makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { isSignedIn, leaveFor, newVisitor } from '../../support/oidc/connected.js';
import { bringBack, refusedLogin } from '../../support/saml/hostile-saml-provider.js';
import { startRealSamlProvider } from '../../support/saml/real-saml-provider.js';

/** The steps of docs/guides/connections-saml.md, with a provider that others wrote: `samlp` for Node.js. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, call } = service;
const guide = await readFile('docs/guides/connections-saml.md', 'utf8');
const bodies = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const provider = await startRealSamlProvider(t, certificate);
const here = (text = '') => text.replace(/https:\/\/keycloak[^"]*/, provider.metadataUrl);

t.test('the bodies of the guide make a connection, and people sign in by it', async (t) => {
  const { orgId, owner } = await makeTenant(container);
  const path = `/admin/v1/orgs/${orgId}/connections`;
  const [toAdd, claims, renewed] = bodies;
  const added = await call(`POST ${path}`, { as: owner, body: here(toAdd) });
  t.equal(added.status, 201, JSON.stringify(added.body));
  const { id: connectionId, service: ours } = added.body;
  t.match((await call(`POST ${path}/${connectionId}/test`, { as: owner })).body, { outcome: 'usable' });
  t.match((await newVisitor(service).get(ours.entityId)).text, ours.acsUrl);

  const visitor = newVisitor(service);
  const signIn = async (login: string) => {
    const fields = await provider.signIn(await leaveFor(visitor, { orgId, connectionId }), login);
    return bringBack(service, visitor, { path: new URL(ours.acsUrl).pathname, fields });
  };
  const page = refusedLogin(await signIn('anna'));
  t.match(page.text, /you cannot sign in here/, 'creation is refuse, unless the guide says create');
  const change = { ...JSON.parse(claims ?? ''), creation: 'create' };
  t.equal((await call(`PATCH ${path}/${connectionId}`, { as: owner, body: change })).status, 200);
  const seen = await signIn('anna');
  t.ok(isSignedIn(seen), `${seen.status} ${seen.location}`);
  t.match((await visitor.follow(seen)).text, 'Real anna');
  t.equal(await container.users.count(orgId), 1);
  t.equal((await call(`PATCH ${path}/${connectionId}`, { as: owner, body: here(renewed) })).status, 200);
  t.ok(isSignedIn(await signIn('anna')));
  t.equal(await container.users.count(orgId), 1);
});

t.test('a provider that signs the response alone, and one that encrypts', async (t) => {
  const { orgId, owner } = await makeTenant(container);
  const path = `/admin/v1/orgs/${orgId}/connections`;
  const body = { ...JSON.parse(here(bodies[0])), creation: 'create' };
  const { body: added } = await call(`POST ${path}`, { as: owner, body });
  const visitor = newVisitor(service);
  const comesIn = async () => {
    const fields = await provider.signIn(await leaveFor(visitor, { orgId, connectionId: added.id }), 'bob');
    return isSignedIn(
      await bringBack(service, visitor, { path: new URL(added.service.acsUrl).pathname, fields }),
    );
  };
  provider.options = { signAssertion: false, signResponse: true };
  t.notOk(await comesIn());
  const change = { protocol: 'saml', provider: { signedPart: 'response' } };
  t.equal((await call(`PATCH ${path}/${added.id}`, { as: owner, body: change })).status, 200);
  t.ok(await comesIn());
  const certificate = added.service.certificate as string;
  provider.options = { signResponse: true, encryptionCert: certificate, encryptionPublicKey: certificate };
  t.ok(await comesIn());
  provider.options = {};
});

t.test('the guide names every setting of a SAML connection', async (t) => {
  for (const name of [
    ...[
      'metadataUrl',
      'metadata',
      'issuer',
      'signIn',
      'certificates',
      'signedPart',
      'allowsSha1',
      'nameIdFormat',
    ],
    ...['subjectAttribute', 'startsAtProvider', 'claims', 'entityId', 'acsUrl', 'certificate'],
  ])
    t.match(guide, new RegExp(`\\b${name}\\b`), name);
});
