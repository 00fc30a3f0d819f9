import t from 'tap';
import { newEvent } from '#src/audit/new-event.js';
import { openConsole } from '../../support/app/console.js';
import { type Caller, makeCaller, testEditor, uniqueName } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  addConnectionTo,
  type Connected,
  isSignedIn,
  makeConnected,
  newVisitor,
  signInBy,
} from '../../support/oidc/connected.js';
import { patchOp, urn } from '../../support/scim/scim-client.js';

/** The rule `provisioned` reads the externalId of the connection's own SCIM client. Another client neither makes nor breaks a link. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());
const other = await startHostileProvider(t, certificate, () => clock.now());

/** An organization with a connection whose SCIM client is `scim`, and another client that has a token and no connection. */
async function connectedClient() {
  const acme = await makeConnected(service, provider, { creation: 'refuse' });
  const scim = await makeCaller(container, acme.orgId, ['ORG_USER_MANAGER']);
  const hostile = await makeCaller(container, acme.orgId, ['ORG_USER_MANAGER']);
  return { acme, scim, hostile };
}

async function nameClient({ path, owner }: Connected, { id: provisionedBy }: Caller): Promise<void> {
  const linking = { provisionedBy, identifierClaim: 'oid' };
  t.equal((await call(`PATCH ${path}`, { as: owner, body: { linking } })).status, 200);
}

async function create(as: Caller, externalId?: string): Promise<string> {
  const body = { schemas: [urn.user], userName: uniqueName('person'), ...(externalId && { externalId }) };
  const answer = await call(`POST /scim/v2/${as.orgId}/Users`, { as, body });
  t.equal(answer.status, 201);
  return String(answer.body.id);
}

async function identify(as: Caller, id: string, value: string): Promise<void> {
  const body = patchOp({ op: 'replace', path: 'externalId', value });
  t.equal((await call(`PATCH /scim/v2/${as.orgId}/Users/${id}`, { as, body })).status, 204);
}

/** The person who is signed in by an identifier. Undefined if nobody is. */
async function signedIn(acme: Connected, oid: string, at = provider): Promise<string | undefined> {
  clock.advance(11);
  const subject = uniqueName('subject');
  const seen = await signInBy(newVisitor(service), acme, at, { sub: subject, oid });
  if (!isSignedIn(seen)) return undefined;
  for (const { userId, items } of await container.identityLinks.pageOfAll(acme.orgId, { limit: 50 }))
    if (Object.values(items).some((link) => link.subject === subject)) return userId;
  throw new Error('Signed in without a link');
}

t.test('another client breaks no link', async (t) => {
  const { acme, scim, hostile } = await connectedClient();
  await nameClient(acme, scim);
  const anna = await create(scim, 'oid-anna');
  await identify(hostile, anna, 'overwritten');
  await create(hostile, 'oid-anna');
  await create(hostile, 'oid-anna');
  t.equal(await signedIn(acme, 'oid-anna'), anna, 'neither overwritten nor ambiguous');
});

t.test('administrators see the value at its connection', async (t) => {
  const { acme, scim, hostile } = await connectedClient();
  await nameClient(acme, scim);
  const anna = await create(scim, 'oid-<anna>');
  await identify(hostile, anna, 'shared');
  const states = `GET /admin/v1/orgs/${acme.orgId}/users/${anna}/connection-states`;
  t.match((await call(states, { as: acme.owner })).body.items, [{ externalId: 'oid-<anna>' }]);
  const organization = await container.organizations.find(acme.orgId);
  if (organization === undefined) throw new Error('No organization');
  const boss = await openConsole(service, organization, { roles: ['ORG_OWNER'] });
  const page = await boss.get(`/console/orgs/${acme.orgId}/users/${anna}/sign-in`);
  t.match(page.text, 'External identifier: <code>oid-&lt;anna&gt;</code>');
  await nameClient(acme, hostile);
  t.notOk(
    'externalId' in (await call(states, { as: acme.owner })).body.items[0],
    'of the client that it names',
  );
});

t.test('another client makes no link', async (t) => {
  const { acme, scim, hostile } = await connectedClient();
  await nameClient(acme, scim);
  const boss = await create(scim, 'oid-boss');
  await identify(hostile, boss, 'oid-thief');
  t.equal(await signedIn(acme, 'oid-thief'), undefined);
  const bare = await create(scim);
  await identify(hostile, bare, 'oid-thief');
  t.equal(await signedIn(acme, 'oid-thief'), undefined);
  // The client of the connection sends back what it read, as clients do that replace whole users.
  const { body } = await call(`GET /scim/v2/${acme.orgId}/Users/${bare}`, { as: scim });
  t.equal(body.externalId, 'oid-thief');
  const put = await call(`PUT /scim/v2/${acme.orgId}/Users/${bare}`, {
    as: scim,
    body: { ...body, title: 'Boss' },
  });
  t.equal(put.status, 200);
  const title = patchOp({ op: 'replace', path: 'title', value: 'Chief' });
  await call(`PATCH /scim/v2/${acme.orgId}/Users/${bare}`, { as: scim, body: title });
  t.equal(await signedIn(acme, 'oid-thief'), undefined, 'the value stayed that of the other client');
});

t.test('what a client wrote before a connection named it links, until it writes its own', async (t) => {
  const { acme, scim, hostile } = await connectedClient();
  const [anna, bob, carl] = [
    await create(scim, 'oid-anna'),
    await create(scim, 'oid-bob'),
    await create(scim, 'oid-carl'),
  ];
  await nameClient(acme, scim);
  t.equal(await signedIn(acme, 'oid-anna'), anna);
  await identify(hostile, bob, 'oid-thief');
  t.equal(await signedIn(acme, 'oid-thief'), undefined);
  await identify(scim, carl, 'oid-new');
  t.equal(await signedIn(acme, 'oid-carl'), undefined, 'the former value is not the own one');
  t.equal(await signedIn(acme, 'oid-new'), carl);
  await call(`PATCH /scim/v2/${acme.orgId}/Users/${bob}`, {
    as: scim,
    body: patchOp({ op: 'remove', path: 'externalId' }),
  });
  await identify(hostile, bob, 'oid-bob');
  t.equal(await signedIn(acme, 'oid-bob'), undefined, 'the client has taken its value away');
});

t.test('a connection links by the values of the client that it names now', async (t) => {
  const { acme, scim } = await connectedClient();
  const next = await makeCaller(container, acme.orgId, ['ORG_USER_MANAGER']);
  await nameClient(acme, scim);
  const anna = await create(scim, 'oid-anna');
  await nameClient(acme, next);
  t.equal(await signedIn(acme, 'oid-anna'), undefined, 'a client that was replaced links nobody');
  await nameClient(acme, scim);
  t.equal(await signedIn(acme, 'oid-anna'), anna);
});

t.test('of two connections, the one whose client identified a person first adopts the person', async (t) => {
  const { acme, scim } = await connectedClient();
  await nameClient(acme, scim);
  const { orgId, owner } = acme;
  const connectionId = await addConnectionTo(service, { orgId, owner }, other, { creation: 'refuse' });
  const second = { orgId, owner, connectionId, path: `/admin/v1/orgs/${orgId}/connections/${connectionId}` };
  const staff = await makeCaller(container, orgId, ['ORG_USER_MANAGER']);
  await nameClient(second, staff);
  const organization = await container.organizations.find(orgId);
  if (organization === undefined) throw new Error('No organization');
  const { id: person } = await makePerson(container, organization);
  await identify(scim, person, 'oid');
  await identify(staff, person, 'hr');
  await identify(staff, person, 'hr-2');
  t.equal(await signedIn(second, 'hr-2', other), undefined);
  t.equal(await signedIn(acme, 'oid'), person);
  const added = await create(scim, 'oid-added');
  await identify(staff, added, 'hr-added');
  t.equal(await signedIn(second, 'hr-added', other), undefined);
  t.equal(await signedIn(acme, 'oid-added'), added);
});

/** Changes of a person that say nothing about the externalId. */
async function changeOften({ orgId }: { orgId: string }, id: string, times = 250): Promise<void> {
  const events = Array.from({ length: times }, (_, at) =>
    newEvent('user.human.changed', {
      ...{ aggregate: 'user', id, orgId, editor: testEditor, sequence: 100 + at, date: clock.now() },
      payload: { attributes: ['title'] },
    }),
  );
  await container.mongo.transactionOf(orgId, (transaction) => container.events.append(events, transaction));
}

t.test('who identified a person is known after any number of other changes', async (t) => {
  const { acme, scim, hostile } = await connectedClient();
  const { orgId, owner } = acme;
  const [anna, taken] = [await create(scim, 'oid-anna'), await create(scim, 'oid-taken')];
  await identify(hostile, taken, 'oid-thief');
  await nameClient(acme, scim);
  for (const id of [anna, taken]) await changeOften(acme, id);
  t.equal(await signedIn(acme, 'oid-anna'), anna, 'the client of the connection gave it, long ago');
  t.equal(await signedIn(acme, 'oid-thief'), undefined, 'another client gave it, long ago');

  const connectionId = await addConnectionTo(service, { orgId, owner }, other, { creation: 'refuse' });
  const second = { orgId, owner, connectionId, path: `/admin/v1/orgs/${orgId}/connections/${connectionId}` };
  const organization = await container.organizations.find(orgId);
  if (organization === undefined) throw new Error('No organization');
  const [{ id: free }, { id: theirs }] = [
    await makePerson(container, organization),
    await makePerson(container, organization),
  ];
  const staff = await makeCaller(container, orgId, ['ORG_USER_MANAGER']);
  // No connection names the client yet, so it writes the shared externalId.
  await identify(staff, theirs, 'hr-theirs');
  await nameClient(second, staff);
  for (const id of [free, theirs]) {
    await changeOften(acme, id);
    await identify(scim, id, `oid-${id}`);
  }
  t.equal(
    await signedIn(acme, `oid-${theirs}`),
    undefined,
    'the client of the other connection knew the person',
  );
  t.equal(await signedIn(acme, `oid-${free}`), free, 'a person of no other connection');
});
