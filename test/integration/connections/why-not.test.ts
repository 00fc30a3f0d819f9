import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { lookUpsOf } from '#src/observe/look-ups.js';
import { openObserver } from '#src/observe/observer.js';
import { createLogger } from '#src/platform/logger.js';
import { freePort } from '../../../dev/free-port.js';
import { openConsole } from '../../support/app/console.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  addConnectionTo,
  isSignedIn,
  makeConnected,
  newVisitor,
  signInBy,
} from '../../support/oidc/connected.js';

/** Why somebody cannot sign in by a connection, and the numbers of it that operators see. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const metricsPort = await freePort();
const off = { metricsHost: '127.0.0.1', metricsPort, otlpEndpoint: '', traceRatio: 1 };
const logger = createLogger({ level: 'silent', processName: 'test' });
const observer = await openObserver(off, { processName: 'test', logger });
t.teardown(() => observer.close());
const service = await buildTestApp(t, {
  ...{ observer, privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert },
});
const { container, call, clock } = service;
await observer.start(lookUpsOf(container));
const provider = await startHostileProvider(t, certificate, () => clock.now());
t.beforeEach(() => {
  provider.lies = {};
});

t.test('each connection says what is in the way of a person, and the last ten refusals', async (t) => {
  const acme = await makeConnected(service, provider, { name: 'Entra', creation: 'create' });
  const { orgId, owner } = acme;
  const organization = await container.organizations.find(orgId);
  if (organization === undefined) throw new Error('No organization');
  const statesOf = async (userId: string) =>
    (await call(`GET /admin/v1/orgs/${orgId}/users/${userId}/connection-states`, { as: owner })).body.items;
  const stranger = await makePerson(container, organization);
  t.match(await statesOf(stranger.id), [
    { name: 'Entra', obstacles: ['notLinked'], creates: true, refusals: [] },
  ]);

  t.ok(isSignedIn(await signInBy(newVisitor(service), acme, provider, { sub: 'anna' })));
  const [list] = await container.identityLinks.pageOfAll(orgId, { limit: 1 });
  const anna = list?.userId ?? '';
  t.match(await statesOf(anna), [{ obstacles: [], lastSignIn: String, refusals: [] }]);
  await addConnectionTo(service, acme, provider, { name: 'Off', enabled: false });
  const both = await statesOf(anna);
  t.match(
    both.find(({ name }: { name: string }) => name === 'Off'),
    { obstacles: ['off', 'notLinked'] },
  );
  const ofEntra = async (userId: string) =>
    (await statesOf(userId)).find(({ name }: { name: string }) => name === 'Entra');

  const path = `/scim/v2/${orgId}/Users/${anna}`;
  const setActive = (value: boolean) =>
    call(`PATCH ${path}`, {
      as: owner,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'active', value }],
      },
    });
  await setActive(false);
  for (let times = 0; times < 12; times++) {
    clock.advance(11);
    t.notOk(isSignedIn(await signInBy(newVisitor(service), acme, provider, { sub: 'anna' })));
  }
  const inactive = await ofEntra(anna);
  t.match(inactive, { obstacles: ['inactive'], refusals: [{ reason: 'inactive', isOwn: true }] });
  t.equal(inactive.refusals.length, 10);
  t.strictSame((await ofEntra(stranger.id)).refusals, [], 'the refusals of others are not told');
  await setActive(true);
  clock.advance(11);
  provider.lies = { claims: { aud: 'another' } };
  await signInBy(newVisitor(service), acme, provider, { sub: 'whoever' });
  t.match((await ofEntra(stranger.id)).refusals, [{ reason: 'tokenInvalid', isOwn: false }]);

  const elsewhere = await makeOrganization(container);
  await addMembership(container, {
    ...{ userId: anna, role: 'ORG_USER_VIEWER', orgId: elsewhere.id, editor: testEditor },
  });
  t.match(await ofEntra(anna), { obstacles: ['roleOutside'] });
  const foe = await makeCaller(container, elsewhere.id, ['ORG_OWNER']);
  const asked = await call(`GET /admin/v1/orgs/${orgId}/users/${anna}/connection-states`, { as: foe });
  t.equal(asked.status, 404);

  const boss = await openConsole(service, organization, { roles: ['ORG_OWNER'] });
  const page = await boss.get(`/console/orgs/${orgId}/users/${anna}/sign-in`);
  t.match(page.text, 'The user has a role in the instance or in another organization');
  t.match(page.text, 'The user is inactive here.', 'the refusals, in words');
});

t.test('the numbers have outcomes, and no name of anybody', async (t) => {
  const acme = await makeConnected(service, provider, { name: 'Secret name', creation: 'refuse' });
  t.notOk(isSignedIn(await signInBy(newVisitor(service), acme, provider, { sub: 'nobody' })));
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('muster_connection_sign_ins_total{'));
  t.ok(
    lines.some((line) => line.includes('outcome="unknownPerson"')),
    lines.join(' '),
  );
  t.ok(lines.some((line) => line.includes('outcome="signedIn"')));
  for (const name of [acme.orgId, acme.connectionId, 'Secret name', provider.issuer, 'nobody'])
    t.notOk(text.includes(name), name);
});
