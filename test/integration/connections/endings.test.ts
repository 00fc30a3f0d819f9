import t from 'tap';
import { connectionEndingsWorker } from '#workers/connection-endings.worker.js';
import { openConsole } from '../../support/app/console.js';
import { makeCaller } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { storeConnection } from '../../support/oidc/connected.js';
import { createHostileSamlProvider } from '../../support/saml/hostile-saml-provider.js';
import { makeSamlKey } from '../../support/saml/saml-documents.js';

/** A client secret that ends soon is told by mail, once, and in the console. */

const service = await buildTestApp(t);
const { container, clock, call } = service;
const home = await makeHome(container, { name: 'Acme' });
const owner = await makeCaller(container, home.id, ['ORG_OWNER']);
const { id } = await storeConnection(container, home.id, {});
const path = `/admin/v1/orgs/${home.id}/connections/${id}`;
const dayMs = 24 * 3_600_000;
const inDays = (days: number) => new Date(clock.now().getTime() + days * dayMs).toISOString();
const told: { orgId: string; userId: string; kind: string }[] = [];
const work = connectionEndingsWorker({
  ...container,
  notices: { ...container.notices, put: async (notices) => void told.push(...notices) },
});
const expiring = async () =>
  (await call(`GET /admin/v1/expiring?orgId=${home.id}`, { as: owner })).body.items.filter(
    ({ of }: { of: string }) => of === 'connection',
  );

t.test('owners are told of an end within 30 days, once, and again of another end', async (t) => {
  const person = await openConsole(service, home, { roles: ['ORG_OWNER'] });
  await call(`PATCH ${path}`, { as: owner, body: { clientSecretEnds: inDays(31) } });
  await work();
  t.same(told, [], 'it is too early');
  t.same(await expiring(), []);
  const ends = inDays(29);
  const changed = await call(`PATCH ${path}`, { as: owner, body: { clientSecretEnds: ends } });
  t.match(changed, { status: 200, body: { credentialEnds: ends } });
  await work();
  t.match(told, [{ userId: person.person.id, kind: 'connectionEnds' }], 'the person, and no service user');
  await work();
  t.equal(told.length, 1, 'once');
  await call(`PATCH ${path}`, { as: owner, body: { name: 'Renamed' } });
  await work();
  t.equal(told.length, 1, 'another change of the connection tells nothing');
  t.match(await expiring(), [{ id, name: 'Renamed', expires: ends }]);
  t.match((await person.get('/console')).text, 'Renamed');
  t.match((await person.get(`/console/orgs/${home.id}/connections/${id}`)).text, 'expires soon');
  await call(`PATCH ${path}`, { as: owner, body: { clientSecretEnds: inDays(20) } });
  await work();
  t.equal(told.length, 2, 'another end');
});

t.test('another secret has no end until somebody says it', async (t) => {
  const { body } = await call(`PATCH ${path}`, { as: owner, body: { clientSecret: 'another' } });
  t.notOk(body.credentialEnds);
  const before = told.length;
  await work();
  t.equal(told.length, before);
  t.same(await expiring(), []);
  const foe = await makeCaller(container, (await makeHome(container)).id, ['ORG_OWNER']);
  t.ok([403, 404].includes((await call(`GET /admin/v1/expiring?orgId=${home.id}`, { as: foe })).status));
});

t.test('the last certificate of a provider of SAML is told like a secret', async (t) => {
  const provider = createHostileSamlProvider(() => clock.now());
  const until = (days: number) => new Date(Math.floor(clock.now().getTime() / 1000) * 1000 + days * dayMs);
  const ends = until(10);
  const [short, long] = [makeSamlKey({ until: ends }), makeSamlKey({ until: until(400) })];
  const before = told.length;
  const added = await call(`POST /admin/v1/orgs/${home.id}/connections`, {
    as: owner,
    body: { name: 'By SAML', protocol: 'saml', provider: { metadata: provider.metadata([short, long]) } },
  });
  t.equal(added.status, 201, JSON.stringify(added.body));
  await work();
  t.equal(told.length, before, 'another certificate lasts longer');
  const change = { protocol: 'saml', provider: { metadata: provider.metadata([short]) } };
  const one = `/admin/v1/orgs/${home.id}/connections/${added.body.id}`;
  t.equal((await call(`PATCH ${one}`, { as: owner, body: change })).status, 200);
  await work();
  await work();
  t.equal(told.length, before + 1, 'once');
  t.match(await expiring(), [{ name: 'By SAML', expires: ends.toISOString() }]);
});
