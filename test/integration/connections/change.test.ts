import t from 'tap';
import type { OidcProvider } from '#src/connections/registry/connection.js';
import { readCredential } from '#src/connections/registry/connection-secrets.js';
import {
  type Connection,
  changeConnection,
  writeImportedConnections,
} from '#src/connections/registry/index.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { makeCaller, testEditor, uniqueName } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { type Connected, makeConnected } from '../../support/oidc/connected.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());

const change = ({ path, owner }: Connected, body: object) => call(`PATCH ${path}`, { as: owner, body });

async function stored({ orgId, connectionId }: Connected) {
  const found = await container.connections.find(orgId, connectionId);
  if (found?.protocol !== 'oidc') throw new Error('No connection');
  return found;
}

t.test('a connection can be switched off after a name that it uses is gone', async (t) => {
  const acme = await makeConnected(service, provider);
  const { orgId } = acme;
  const scim = await makeCaller(container, orgId, ['ORG_USER_MANAGER']);
  const domain = `${uniqueName('acme')}.example`;
  await changeOrganization(container, { orgId, change: { domains: [domain] }, editor: testEditor });
  const names = { domains: [domain], linking: { provisionedBy: scim.id } };
  t.equal((await change(acme, names)).status, 200);
  await changeOrganization(container, { orgId, change: { domains: [] }, editor: testEditor });
  const removed = await call(`DELETE /admin/v1/orgs/${orgId}/service-users/${scim.id}`, { as: acme.owner });
  t.equal(removed.status, 204);
  t.match(await change(acme, { name: 'Renamed' }), { status: 200, body: { name: 'Renamed' } });
  t.match(await change(acme, { enabled: false }), { status: 200, body: { enabled: false } });
  const on = await change(acme, { enabled: true });
  t.equal(on.status, 400, 'it is not switched on with names of nobody');
  t.match(on.body.errors, [{ pointer: '#/domains/0' }]);
  t.match((await change(acme, { enabled: true, domains: [] })).body.errors, [
    { pointer: '#/linking/provisionedBy' },
  ]);
  t.equal((await change(acme, { domains: ['new.example'] })).status, 400, 'a new name is checked');
  t.equal((await change(acme, { domains: [], linking: { provisionedBy: '' }, enabled: true })).status, 200);
});

t.test('a connection without the secret that it needs can be switched off, and not on', async (t) => {
  const acme = await makeConnected(service, provider, { provider: { authMethod: 'none' } });
  const current = await stored(acme);
  const own: OidcProvider = { ...current.provider, authMethod: 'client_secret_basic' };
  await container.mongo.transactionOf(acme.orgId, (transaction) =>
    writeImportedConnections(
      container,
      {
        ...{ orgId: acme.orgId, editor: testEditor, now: clock.now(), added: [] },
        changed: [{ current, settings: { ...current, provider: own } }],
      },
      transaction,
    ),
  );
  t.match(await change(acme, { enabled: false }), { status: 200, body: { enabled: false } });
  t.match((await change(acme, { enabled: true })).body.errors, [{ pointer: '#/clientSecret' }]);
  t.match(await change(acme, { enabled: true, clientSecret: 'a-new-secret' }), { status: 200 });
});

t.test('a change does not bring back the secret that another one replaced meanwhile', async (t) => {
  const acme = await makeConnected(service, provider);
  let isFirst = true;
  const connections = {
    ...container.connections,
    async find(orgId: string, id: string): Promise<Connection | undefined> {
      const found = await container.connections.find(orgId, id);
      if (isFirst) {
        isFirst = false;
        await change(acme, { clientSecret: 'after-the-leak' });
      }
      return found;
    },
  };
  await changeConnection(
    { ...container, connections, requireUsable: async () => {}, endSignIns: async () => {} },
    { orgId: acme.orgId, id: acme.connectionId, editor: testEditor },
    { protocol: 'oidc', name: 'Renamed' },
  );
  const connection = await stored(acme);
  t.equal(connection.name, 'Renamed');
  t.match(readCredential(container.connectionSealer, connection), { secret: 'after-the-leak' });
});
