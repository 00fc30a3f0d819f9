import t from 'tap';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { testEditor } from '../../support/app/make.js';
import { buildTestApp, serve } from '../../support/app/test-app.js';
import { startFakeGithub } from '../../support/hostile/fake-github.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  type Connected,
  isSignedIn,
  leaveFor,
  makeConnected,
  newVisitor,
} from '../../support/oidc/connected.js';
import type { Seen } from '../../support/oidc/visitor.js';
import {
  bringBack,
  createHostileSamlProvider,
  makeSamlConnected,
} from '../../support/saml/hostile-saml-provider.js';

/** First sign-ins at the same time, at two API processes: one identity is one person, and no quota is passed. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, call, clock } = service;
const second = await service.openAnother();
const elsewhere = { container: second, ...(await serve(t, second)) };
const provider = await startHostileProvider(t, certificate, () => clock.now());
const saml = createHostileSamlProvider(() => clock.now());
const hub = await startFakeGithub(t, certificate);

type Process = typeof elsewhere;

/** What comes back from a provider for a person, ready to be sent. */
type Arrive = (connected: Connected, at: Process, name: string) => Promise<() => Promise<Seen>>;

const ways: Record<string, { connect: () => Promise<Connected>; arrive: Arrive }> = {
  'OpenID Connect': {
    connect: () => makeConnected(service, provider),
    async arrive(connected, at, name) {
      const visitor = newVisitor(at);
      const back = provider.authorize(await leaveFor(visitor, connected), { sub: name, name });
      return () => visitor.get(back);
    },
  },
  SAML: {
    connect: () => makeSamlConnected(service, saml),
    async arrive(connected, at, name) {
      const visitor = newVisitor(at);
      const answer = await saml.answer(await leaveFor(visitor, connected), { nameId: name });
      return () => bringBack(at, visitor, answer);
    },
  },
  GitHub: {
    connect: () => makeConnected(service, hub, { provider: { api: 'github' } }),
    async arrive(connected, at, name) {
      const visitor = newVisitor(at);
      const user = { id: Number.parseInt(Buffer.from(name).toString('hex').slice(-8), 16), login: name };
      const back = hub.authorize(await leaveFor(visitor, connected), { user, emails: [] });
      return () => visitor.get(back);
    },
  },
};

for (const [way, { connect, arrive }] of Object.entries(ways)) {
  const together = async (connected: Connected, names: readonly string[]) => {
    const ready = await Promise.all(
      names.map((name, at) => arrive(connected, at % 2 === 0 ? service : elsewhere, name)),
    );
    return Promise.all(ready.map((send) => send()));
  };

  t.test(`j. two first sign-ins at once make one person, by ${way}`, async (t) => {
    for (let round = 0; round < 3; round++) {
      const acme = await connect();
      const seen = await together(acme, ['same', 'same', 'same', 'same']);
      t.ok(seen.every(isSignedIn), JSON.stringify(seen.map(({ status, location }) => [status, location])));
      t.equal(await container.users.count(acme.orgId), 1);
      const lists = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
      t.equal(lists.length, 1);
    }
  });

  t.test(`j. sign-ins at once add people within the quota, by ${way}`, async (t) => {
    const acme = await connect();
    const change = { quotas: { users: 2 } };
    await changeOrganization(container, { orgId: acme.orgId, change, editor: testEditor });
    const names = ['anna', 'bob', 'carl', 'dora', 'emil', 'fred'];
    const seen = await together(acme, names);
    t.equal(seen.filter(isSignedIn).length, 2);
    t.equal(await container.users.count(acme.orgId), 2);
    const { body } = await call(`GET ${acme.path}/health`, { as: acme.owner });
    t.match(body.refusals[0], { reason: 'quotaFull' });
    const again = await together(acme, names);
    t.equal(again.filter(isSignedIn).length, 2, 'whoever was added signs in again');
    t.equal(await container.users.count(acme.orgId), 2);
  });
}
