import { readFile } from 'node:fs/promises';
import t from 'tap';
import { makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { isSignedIn, leaveFor, newVisitor, refusedPage } from '../../support/oidc/connected.js';
import { startRealProvider } from '../../support/oidc/real-provider.js';

/** The steps of docs/guides/connections.md, with a provider that others wrote: `oidc-provider` for Node.js, and its own pages. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, {
  privateProviderHosts: '127.0.0.1',
  outgoingCa: certificate.cert,
});
const { container, call } = service;
const guide = await readFile('docs/guides/connections.md', 'utf8');
const provider = await startRealProvider(t, certificate);

t.test('the body of the guide makes a connection, and people sign in by it', async (t) => {
  const { orgId, owner } = await makeTenant(container);
  provider.register({ id: 'early', secret: 'x', redirectUri: 'https://early.example/' });
  const text = (/```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? '')
    .replace('https://login.microsoftonline.com/{tenant}/v2.0', provider.issuer)
    .replace('{client}', 'muster')
    .replace('{secret}', 'the secret');
  const path = `/admin/v1/orgs/${orgId}/connections`;
  const added = await call(`POST ${path}`, { as: owner, body: text });
  t.equal(added.status, 201, JSON.stringify(added.body));
  const { id: connectionId, redirectUri } = added.body;
  provider.register({ id: 'muster', secret: 'the secret', redirectUri });
  t.match((await call(`POST ${path}/${connectionId}/test`, { as: owner })).body, { outcome: 'usable' });

  const visitor = newVisitor(service);
  const stranger = await provider.signIn(await leaveFor(visitor, { orgId, connectionId }), 'anna');
  const page = await refusedPage(visitor, await visitor.get(stranger));
  t.match(page.text, /you cannot sign in here/, 'creation is refuse, unless the guide says create');
  const change = { creation: 'create' };
  t.equal((await call(`PATCH ${path}/${connectionId}`, { as: owner, body: change })).status, 200);
  const back = await provider.signIn(await leaveFor(visitor, { orgId, connectionId }), 'anna');
  const seen = await visitor.get(back);
  t.ok(isSignedIn(seen), `${seen.status} ${seen.location}`);
  t.match((await visitor.follow(seen)).text, 'Real anna');
  t.equal(await container.users.count(orgId), 1);

  const other = newVisitor(service);
  const cancelled = await provider.cancel(await leaveFor(other, { orgId, connectionId }));
  t.match((await refusedPage(other, await other.get(cancelled))).text, /You ended the sign-in with Entra/);
});

t.test('the guide names every property that a connection takes', async (t) => {
  for (const name of [
    'issuer',
    'clientSecret',
    'linking',
    'creation',
    'strength',
    'claims',
    'domains',
    'hostedDomain',
  ])
    t.match(guide, new RegExp(`\\b${name}\\b`), name);
});
