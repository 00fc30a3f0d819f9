import t from 'tap';
import { changeConnection } from '#src/connections/registry/change-connection.js';
import { removeConnection } from '#src/connections/registry/remove-connection.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { testEditor } from '../../support/app/make.js';
import { openScim } from '../../support/app/scim-app.js';
import { storeConnection } from '../../support/oidc/connected.js';
import { type Json, newUser, patchOp, type ScimClient } from '../../support/scim/scim-client.js';
import { namesOfCommands } from '../../support/stores/mongo-commands.js';

/** Each SCIM client of a connection has externalIds of its own (RFC 7643 section 3.1). All others share one. */

const { tenant, client, container } = await openScim(t, { workers: true });
const ends = { ...container, requireUsable: async () => {}, endSignIns: async () => {} };

/** The linking rules that name a SCIM client, or nobody. */
const linkingOf = (provisionedBy?: string) => ({
  ...{ identifierClaim: 'oid', byDomain: false, byPerson: false },
  ...(provisionedBy !== undefined && { provisionedBy }),
});

/** A new organization: the SCIM clients of two connections, and one of none. */
async function organization() {
  const other = await tenant();
  const { orgId } = other;
  const [entra, staff] = [await client({ orgId }), await client({ orgId })];
  const connections = [];
  for (const { userId } of [entra, staff])
    connections.push(await storeConnection(container, orgId, { linking: linkingOf(userId) }));
  return { orgId, entra, staff, other, connections };
}

/** Lets a connection name another SCIM client, or none. */
async function name(orgId: string, connection: { id: string } | undefined, serviceUserId?: string) {
  const target = { orgId, id: connection?.id ?? '', editor: testEditor };
  await changeConnection(ends, target, { protocol: 'oidc', linking: linkingOf(serviceUserId) });
}

const externalId = (value: string) => patchOp({ op: 'replace', path: 'externalId', value });
const wantUnique = (orgId: string, uniqueExternalId: boolean) =>
  changeOrganization(container, { orgId, change: { uniqueExternalId }, editor: testEditor });

/** What each client reads of a user: alone, in a list, and in a search. Fails if they differ. */
async function seenBy(id: string, ...clients: ScimClient[]): Promise<(string | undefined)[]> {
  const seen: (string | undefined)[] = [];
  for (const one of clients) {
    const { body } = await one.get(`/Users/${id}`);
    const listed = await one.get(`/Users?filter=${encodeURIComponent(`id eq "${id}"`)}`);
    const searched = await one.post('/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: `id eq "${id}"`,
    });
    t.strictSame(
      [listed, searched].map((answer) => answer.body.Resources[0].externalId),
      [body.externalId, body.externalId],
    );
    seen.push(body.externalId);
  }
  return seen;
}

t.test('every client reads and changes its own value', async (t) => {
  const { entra, staff, other } = await organization();
  const created = await entra.create({ externalId: 'oid-1' });
  t.equal(created.externalId, 'oid-1');
  const { id } = created;
  t.strictSame(await seenBy(id, entra, staff, other), ['oid-1', undefined, undefined]);
  t.equal((await staff.patch(`/Users/${id}`, externalId('hr-1'))).status, 204);
  t.equal((await other.patch(`/Users/${id}`, externalId('shared'))).status, 204);
  t.strictSame(await seenBy(id, entra, staff, other), ['oid-1', 'hr-1', 'shared']);

  const whole = newUser({ userName: created.userName, externalId: 'hr-2' });
  t.equal((await staff.put(`/Users/${id}`, whole)).body.externalId, 'hr-2');
  await entra.patch(`/Users/${id}`, patchOp({ op: 'add', value: { externalId: 'oid-2', title: 'Boss' } }));
  t.strictSame(await seenBy(id, entra, staff, other), ['oid-2', 'hr-2', 'shared']);

  await entra.patch(`/Users/${id}`, patchOp({ op: 'remove', path: 'externalId' }));
  t.strictSame(await seenBy(id, entra, staff, other), [undefined, 'hr-2', 'shared'], 'removed, not shared');
  await staff.put(`/Users/${id}`, newUser({ userName: created.userName }));
  t.strictSame(await seenBy(id, entra, staff, other), [undefined, undefined, 'shared']);
  await other.put(`/Users/${id}`, newUser({ userName: created.userName, title: 'Chief' }));
  await entra.patch(`/Users/${id}`, externalId('oid-3'));
  t.strictSame(await seenBy(id, entra, staff, other), ['oid-3', undefined, undefined]);
});

t.test('a change by another client, or of another attribute, keeps the values', async (t) => {
  const { entra, staff, other } = await organization();
  const { id, userName } = await entra.create({ externalId: 'oid' });
  await staff.patch(`/Users/${id}`, externalId('hr'));
  await other.put(`/Users/${id}`, newUser({ userName, title: 'Chief', externalId: 'shared' }));
  await entra.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'active', value: false }));
  await staff.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'title', value: 'Boss' }));
  t.strictSame(await seenBy(id, entra, staff, other), ['oid', 'hr', 'shared']);
});

t.test('filters mean what the client reads', async (t) => {
  const { entra, staff, other } = await organization();
  const anna = await entra.create({ userName: 'anna', externalId: 'same' });
  const bob = await staff.create({ userName: 'bob', externalId: 'same' });
  await other.create({ userName: 'carl', externalId: 'same' });
  await other.create({ userName: 'dora', externalId: 'other' });
  await other.create({ userName: 'emil' });
  const fred = await other.create({ userName: 'fred', externalId: 'same' });
  await entra.patch(`/Users/${fred.id}`, externalId('oid-fred'));
  await staff.patch(`/Users/${fred.id}`, externalId('hr-fred'));
  await entra.patch(`/Users/${bob.id}`, externalId('oid-bob'));
  await staff.patch(`/Users/${anna.id}`, patchOp({ op: 'remove', path: 'externalId' }));
  for (const [filter, ofEntra, ofStaff, ofOther] of [
    ['externalId eq "same"', 'anna carl', 'bob carl', 'carl fred'],
    ['externalId eq "oid-bob"', 'bob', '', ''],
    ['externalId eq "SAME"', '', '', ''],
    ['externalId eq "same" and userName eq "anna"', 'anna', '', ''],
    ['externalId eq "oid-bob" or externalId eq "other"', 'bob dora', 'dora', 'dora'],
    ['not (externalId eq "same")', 'bob dora emil fred', 'anna dora emil fred', 'anna bob dora emil'],
    ['externalId ne "same"', 'bob dora emil fred', 'anna dora emil fred', 'anna bob dora emil'],
    ['externalId pr', 'anna bob carl dora fred', 'bob carl dora fred', 'carl dora fred'],
    ['externalId eq null', 'emil', 'anna emil', 'anna bob emil'],
    ['externalId sw "oid"', 'bob fred', '', ''],
    ['externalId co "am"', 'anna carl', 'bob carl', 'carl fred'],
    ['externalId ew "her"', 'dora', 'dora', 'dora'],
    ['externalId gt "p" and active eq true', 'anna carl', 'bob carl', 'carl fred'],
  ] as const) {
    const found = [await entra.found(filter), await staff.found(filter), await other.found(filter)];
    t.strictSame(found, [ofEntra, ofStaff, ofOther], filter);
  }
  const group = await entra.get(`/Groups?filter=${encodeURIComponent('externalId eq "same"')}`);
  t.equal(group.body.totalResults, 0, 'groups share their externalIds');
});

t.test('a client pages by its own values', async (t) => {
  const { entra, other } = await organization();
  for (let n = 0; n < 5; n++) await entra.create({ externalId: 'x' });
  await other.create({ externalId: 'x' });
  const seen = new Set<string>();
  let cursor = '';
  for (let pages = 0; pages < 4; pages++) {
    const filter = encodeURIComponent('externalId eq "x"');
    const { body } = await entra.get(`/Users?filter=${filter}&count=2&cursor=${cursor}`);
    t.equal(body.totalResults, 6);
    for (const { id } of body.Resources) seen.add(id);
    cursor = body.nextCursor;
    if (cursor === undefined) break;
    const foreign = await other.get(`/Users?filter=${filter}&count=2&cursor=${cursor}`);
    t.equal(foreign.status, 400, 'the filter of another client is another list');
  }
  t.equal(seen.size, 6);
});

t.test('Bulk writes the value of its client', async (t) => {
  const { entra, staff, other } = await organization();
  const known = await other.create({ externalId: 'shared' });
  const { body } = await entra.bulk([
    { method: 'POST', path: '/Users', bulkId: 'a', data: newUser({ externalId: 'oid-a' }) },
    { method: 'PATCH', path: `/Users/${known.id}`, data: externalId('oid-known') },
    {
      method: 'PUT',
      path: '/Users/bulkId:a',
      data: newUser({ userName: 'put-in-bulk', externalId: 'oid-b' }),
    },
  ]);
  t.strictSame(
    body.Operations.map(({ status }: Json) => status),
    ['201', '204', '200'],
  );
  const id = String(body.Operations[0].location).split('/').at(-1) ?? '';
  t.strictSame(await seenBy(id, entra, staff, other), ['oid-b', undefined, undefined]);
  t.strictSame(await seenBy(known.id, entra, staff, other), ['oid-known', 'shared', 'shared']);
});

t.test('a value is unique among those of its client', async (t) => {
  const { orgId, entra, staff, other } = await organization();
  await entra.create({ externalId: 'early' });
  await wantUnique(orgId, true);
  const anna = await entra.create({ externalId: 'same' });
  const bob = await staff.create({ externalId: 'same' });
  await other.create({ externalId: 'same' });
  const taken = { status: 409, body: { scimType: 'uniqueness', detail: /externalId/ } };
  t.match(await entra.post('/Users', newUser({ externalId: 'same' })), taken);
  t.match(await entra.post('/Users', newUser({ externalId: 'early' })), taken, 'written before');
  t.match(await entra.patch(`/Users/${bob.id}`, externalId('same')), taken);
  t.match(await entra.put(`/Users/${bob.id}`, newUser({ externalId: 'early' })), taken);
  const bulk = await entra.bulk([
    { method: 'POST', path: '/Users', bulkId: 'a', data: newUser({ externalId: 'same' }) },
    { method: 'POST', path: '/Users', bulkId: 'b', data: newUser({ externalId: 'free' }) },
    { method: 'POST', path: '/Users', bulkId: 'c', data: newUser({ externalId: 'free' }) },
  ]);
  t.strictSame(
    bulk.body.Operations.map(({ status }: Json) => status),
    ['409', '201', '409'],
  );
  const races = await Promise.all(
    Array.from({ length: 5 }, () => entra.post('/Users', newUser({ externalId: 'race' }))),
  );
  t.strictSame(races.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  t.equal((await entra.patch(`/Users/${anna.id}`, externalId('new'))).status, 204);
  t.equal((await entra.patch(`/Users/${bob.id}`, externalId('same'))).status, 204, 'free again');
  await wantUnique(orgId, false);
  t.equal((await entra.post('/Users', newUser({ externalId: 'same' }))).status, 201);
});

t.test('values that two users have must be told apart before they become unique', async (t) => {
  const { orgId, entra, staff } = await organization();
  const owner = await client({ orgId });
  const turnOn = () =>
    owner.app.inject({
      method: 'PATCH',
      url: `/admin/v1/orgs/${orgId}`,
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      payload: '{"uniqueExternalId":true}',
    });
  await staff.create({ externalId: 'twin' });
  await entra.create({ externalId: 'twin' });
  const { id } = await entra.create({ externalId: 'twin' });
  const refused = await turnOn();
  t.equal(refused.statusCode, 409);
  t.match(refused.json().detail, /"twin"/);
  await entra.patch(`/Users/${id}`, externalId('single'));
  t.equal((await turnOn()).statusCode, 200, 'clients have the same value for two users');
});

t.test('a service user becomes the client of a connection, and ceases to be', async (t) => {
  const { orgId, other, connections } = await organization();
  const [connection] = connections;
  const scim = await client({ orgId });
  const { id } = await scim.create({ userName: 'anna', externalId: 'before' });
  await scim.create({ userName: 'bob', externalId: 'bob' });
  await name(orgId, connection, scim.userId);
  t.strictSame(await seenBy(id, scim, other), ['before', 'before'], 'what it wrote before is not lost');
  t.equal(await scim.found('externalId eq "before"'), 'anna');
  await scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'title', value: 'Boss' }));
  await other.patch(`/Users/${id}`, externalId('changed'));
  t.strictSame(await seenBy(id, scim, other), ['changed', 'changed'], 'it has given none of its own');
  await scim.patch(`/Users/${id}`, externalId('own'));
  t.strictSame(await seenBy(id, scim, other), ['own', 'changed']);
  t.equal(await scim.found('externalId eq "own" or externalId eq "bob"'), 'anna bob');
  await name(orgId, connection);
  t.strictSame(await seenBy(id, scim, other), ['changed', 'changed']);
  t.equal(await scim.found('externalId eq "own"'), '');
  const second = await storeConnection(container, orgId, { linking: linkingOf(scim.userId) });
  t.strictSame(await seenBy(id, scim, other), ['own', 'changed'], 'named again, by another connection');
  await removeConnection(ends, { orgId, id: second.id, editor: testEditor });
  t.strictSame(await seenBy(id, scim, other), ['changed', 'changed']);
});

t.test(
  'a person has the values of at most twenty clients, and those without a connection go first',
  async (t) => {
    const { orgId, entra, other, connections } = await organization();
    const { id } = await other.create();
    await entra.patch(`/Users/${id}`, externalId('oid'));
    for (let n = 0; n < 25; n++) {
      const scim = await client({ orgId });
      await name(orgId, connections[1], scim.userId);
      t.equal((await scim.patch(`/Users/${id}`, externalId(`own-${n}`))).status, 204);
    }
    const user = await container.users.find(orgId, id);
    const count = user?.clientExternalIds?.length ?? 0;
    t.ok(count > 0 && count <= 20, `${count}`);
    t.strictSame(await seenBy(id, entra), ['oid']);
  },
);

t.test('a client has no value of its own in another organization', async (t) => {
  const { entra, orgId } = await organization();
  const away = await organization();
  const wide = await client({ orgId, role: 'IAM_OWNER' });
  await storeConnection(container, orgId, { linking: linkingOf(wide.userId) });
  const { id, userName } = await away.entra.create({ externalId: 'oid' });
  const there = wide.at(away.orgId);
  t.equal((await there.get(`/Users/${id}`)).body.externalId, undefined);
  await there.patch(`/Users/${id}`, externalId('wide'));
  t.strictSame(await seenBy(id, away.entra, away.other), ['oid', 'wide']);
  t.equal(await there.found('externalId eq "oid"'), '');
  await entra.create({ externalId: 'oid' });
  t.equal(await away.entra.found('externalId eq "oid"'), userName);
});

t.test('an organization without connections reads nothing more', async (t) => {
  const scim = await tenant();
  const { id } = await scim.create({ externalId: 'x' });
  await scim.get(`/Users/${id}`);
  const commands = await namesOfCommands(() => scim.get(`/Users/${id}`));
  t.strictSame(
    commands.filter((command) => !/users/.test(command)),
    [],
  );
});

t.test('events say that the externalId changed, and not whose', async (t) => {
  const { orgId, entra } = await organization();
  const { id } = await entra.create();
  await entra.patch(`/Users/${id}`, externalId('oid'));
  const [event] = await container.events.search({
    ...{ resourceOwner: orgId, aggregateId: id, limit: 1, ascending: false },
    eventTypes: ['user.human.changed'],
  });
  t.strictSame(event?.payload, { attributes: ['clientExternalIds'] }, 'and no value');
});
