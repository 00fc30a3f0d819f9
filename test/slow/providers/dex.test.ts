import t from 'tap';
import { freePort } from '../../../dev/free-port.js';
import { notRun } from '../../../dev/not-run.js';
import { makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { isSignedIn, leaveFor, newVisitor, refusedPage } from '../../support/oidc/connected.js';
import { findDex, startDex } from '../../support/processes/dex.js';

/** dex (dexidp.io) as the provider of a connection. It needs Go and its module proxy, from which it builds dex once. */

t.test('people of dex sign in by a connection', { timeout: 900_000 }, async (t) => {
  const certificate = await makeCertificate(t);
  const path = await findDex();
  if (certificate === undefined) return;
  if (path === undefined) return notRun(t, 'go is not installed');
  const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
  const { container, call } = service;
  const { orgId, owner } = await makeTenant(container);
  const port = await freePort();
  const connectionId = '8f2c1d3e-5a6b-4c7d-9e0f-1a2b3c4d5e6f';
  const redirectUri = `${container.config.baseUrl}/login/connections/${orgId}/${connectionId}/callback`;
  const people = ['anna', 'bob'];
  const client = { id: 'muster', secret: 'a-secret-of-ours', redirectUri };
  const dex = await startDex(t, certificate, { path, port, client, people });
  const body = {
    ...{ id: connectionId, name: 'Dex', clientSecret: client.secret, creation: 'create' },
    provider: { issuer: dex.issuer, clientId: client.id },
  };
  const added = await call(`POST /admin/v1/orgs/${orgId}/connections`, { as: owner, body });
  t.equal(added.status, 201, JSON.stringify(added.body));
  t.equal(added.body.redirectUri, redirectUri);
  const test = `POST /admin/v1/orgs/${orgId}/connections/${connectionId}/test`;
  t.match((await call(test, { as: owner })).body, { outcome: 'usable' });

  for (const name of ['anna', 'bob', 'anna']) {
    const visitor = newVisitor(service);
    const back = await dex.signIn(await leaveFor(visitor, { orgId, connectionId }), name);
    const seen = await visitor.get(back);
    t.ok(isSignedIn(seen), `${seen.status} ${seen.location}`);
    t.match((await visitor.follow(seen)).text, new RegExp(name));
    t.notOk(isSignedIn(await visitor.get(back)), 'the answer counts once');
    const thief = newVisitor(service);
    await thief.get('/login');
    t.notOk(isSignedIn(await thief.get(back)), 'and at one browser');
  }
  t.equal(await container.users.count(orgId), 2);

  const wrong = { clientSecret: 'another-secret' };
  const changed = `PATCH /admin/v1/orgs/${orgId}/connections/${connectionId}`;
  t.equal((await call(changed, { as: owner, body: wrong })).status, 200);
  const visitor = newVisitor(service);
  const back = await dex.signIn(await leaveFor(visitor, { orgId, connectionId }), 'anna');
  await refusedPage(visitor, await visitor.get(back));
  const health = await call(`GET /admin/v1/orgs/${orgId}/connections/${connectionId}/health`, { as: owner });
  t.equal(health.body.refusals[0].reason, 'codeRefused');
});
