import t from 'tap';
import { linkIdentity } from '#src/connections/identities/link-identity.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { type Caller, makeTenant, testEditor } from '../../support/app/make.js';
import { buildAnotherApp, buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { isSignedIn, makeConnected, newVisitor, signInBy } from '../../support/oidc/connected.js';

/** How many connections, domains, identities and people an organization may have by its connections. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, call, clock } = service;
const callElsewhere = await buildAnotherApp(t, service);
const provider = await startHostileProvider(t, certificate, () => clock.now());

const body = (more: object = {}) => ({
  ...{ name: 'Acme', clientSecret: 'x', provider: { issuer: provider.issuer, clientId: 'muster' } },
  ...more,
});

/** Adds connections one after the other. Returns the last answer. */
async function add({ orgId, owner: as }: { orgId: string; owner: Caller }, count: number) {
  let last = await call(`POST /admin/v1/orgs/${orgId}/connections`, { as, body: body() });
  for (let i = 1; i < count; i++)
    last = await call(`POST /admin/v1/orgs/${orgId}/connections`, { as, body: body() });
  return last;
}

t.test('an organization has at most 20 connections, and room again after a removal', async (t) => {
  const tenant = await makeTenant(container);
  const path = `/admin/v1/orgs/${tenant.orgId}/connections`;
  const { status, body: twentieth } = await add(tenant, 20);
  t.equal(status, 201);
  t.match(await add(tenant, 1), { status: 409, body: { id: 'connections.connectionLimit' } });
  t.equal((await call(`DELETE ${path}/${twentieth.id}`, { as: tenant.owner })).status, 204);
  t.equal((await add(tenant, 1)).status, 201);
  t.equal(await container.connections.count(tenant.orgId), 20);
});

t.test('an operator allows fewer, at two processes at once', async (t) => {
  const { orgId, owner: as } = await makeTenant(container);
  const change = { quotas: { connections: 2 } };
  await changeOrganization(container, { orgId, change, editor: testEditor });
  const path = `/admin/v1/orgs/${orgId}/connections`;
  const answers = await Promise.all(
    [call, callElsewhere, call, callElsewhere].map((through) =>
      through(`POST ${path}`, { as, body: body() }),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  t.strictSame(statuses, [201, 201, 403, 403]);
  const refused = answers.find(({ status }) => status === 403);
  t.match(refused?.body, { id: 'directory.quotaExceeded', detail: /quota of 2 connections/ });
  t.equal(await container.connections.count(orgId), 2);
});

t.test('a connection has at most 100 domains, and only those that the organization has proved', async (t) => {
  const { orgId, owner: as } = await makeTenant(container);
  const names = Array.from({ length: 101 }, (_, index) => `d${index}.${orgId}.example`);
  const path = `POST /admin/v1/orgs/${orgId}/connections`;
  const many = await call(path, { as, body: body({ domains: names }) });
  t.match(many, { status: 400, body: { errors: [{ pointer: '#/domains' }] } });
  const foreign = await call(path, { as, body: body({ domains: names.slice(0, 1) }) });
  t.match(foreign.body, { status: 400, errors: [{ pointer: '#/domains/0', id: 'value.notOffered' }] });
  t.equal(await container.connections.count(orgId), 0);
});

t.test('sign-ins at once add people within the quota of users', async (t) => {
  const acme = await makeConnected(service, provider);
  const { orgId } = acme;
  await changeOrganization(container, { orgId, change: { quotas: { users: 2 } }, editor: testEditor });
  const seen = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      signInBy(newVisitor(service), acme, provider, { sub: `person ${index}` }),
    ),
  );
  t.equal(seen.filter(isSignedIn).length, 2);
  t.equal(await container.users.count(orgId), 2);
});

t.test('a person has at most 20 identities', async (t) => {
  const acme = await makeConnected(service, provider);
  t.ok(isSignedIn(await signInBy(newVisitor(service), acme, provider, { sub: '0' })));
  const { orgId, connectionId } = acme;
  const [list] = await container.identityLinks.pageOfAll(orgId, { limit: 5 });
  const userId = list?.userId ?? '';
  const link = (subject: string) =>
    linkIdentity(container, { orgId, connectionId, userId, subject, rule: 'person', editor: testEditor });
  for (let index = 1; index < 20; index++) await link(String(index));
  await t.rejects(link('20'), /tooManyIdentities/);
});
