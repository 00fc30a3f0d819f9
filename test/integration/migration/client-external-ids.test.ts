import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { makeCaller, makeTenant, testEditor } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser } from '../../support/migration/imports.js';
import { storeConnection } from '../../support/oidc/connected.js';
import { newUser, patchOp } from '../../support/scim/scim-client.js';

/** The externalIds of SCIM clients of connections travel with the people, the service users and the connections. */

const source = await buildTestApp(t, { workers: true });
const target = await buildTestApp(t, { workers: true });

/** Imports into an organization of the target. */
async function importBy(caller: { orgId: string; token: string }, organization: object, more: object = {}) {
  const { orgId } = caller;
  const body = { timeout: '5m', dataOrgsv1: { orgs: [{ orgId, ...organization }] }, ...more };
  const answer = await target.call(`POST /admin/v1/orgs/${orgId}/import`, { as: caller, body });
  t.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** A person of a record, with externalIds of clients. */
const identified = (name: string, clientExternalIds: unknown) =>
  humanUser(name, { scim: { externalId: `shared-${name}`, clientExternalIds } });

t.test('an organization moves with its connection, and the client finds its own values', async (t) => {
  const { orgId, owner } = await makeTenant(source.container);
  const scim = await makeCaller(source.container, orgId, ['ORG_USER_MANAGER']);
  const linking = { provisionedBy: scim.id, identifierClaim: 'oid', byDomain: false, byPerson: false };
  await storeConnection(source.container, orgId, { linking });
  const create = async (userName: string, externalId: string) => {
    const body = newUser({ userName, externalId });
    const { body: created } = await source.call(`POST /scim/v2/${orgId}/Users`, { as: scim, body });
    return String(created.id);
  };
  await create('anna', 'oid-anna');
  const bob = await create('bob', 'oid-bob');
  const remove = patchOp({ op: 'remove', path: 'externalId' });
  await source.call(`PATCH /scim/v2/${orgId}/Users/${bob}`, { as: scim, body: remove });
  const shared = patchOp({ op: 'replace', path: 'externalId', value: 'shared' });
  await source.call(`PATCH /scim/v2/${orgId}/Users/${bob}`, { as: owner, body: shared });
  const exported = await source.call(`POST /admin/v1/orgs/${orgId}/export`, {
    as: owner,
    body: { timeout: '5m', responseOutput: true },
  });
  const [{ humanUsers, machineUsers, connections }] = exported.body.orgs;
  t.match(humanUsers, [
    {
      user: {
        userName: 'anna',
        scim: { clientExternalIds: [{ serviceUserId: scim.id, value: 'oid-anna' }] },
      },
    },
    {
      user: {
        userName: 'bob',
        scim: { externalId: 'shared', clientExternalIds: [{ serviceUserId: scim.id }] },
      },
    },
  ]);

  const there = await makeTenant(target.container);
  const moved = { humanUsers, machineUsers, connections };
  t.match(await importBy(there.owner, moved), { errors: undefined });
  t.match(await importBy(there.owner, moved), { summary: { created: 0, failed: 0 } }, 'all is there');
  const [connection] = await target.container.connections.ofOrganization(there.orgId);
  const client = connection?.linking.provisionedBy ?? '';
  t.not(client, scim.id, 'an owner imports with identifiers of the organization');
  t.ok(await target.container.serviceUsers.find(there.orgId, client));
  const of = (value: string) =>
    target.container.accounts.findByClientExternalId(there.orgId, { serviceUserId: client, value });
  t.match(await of('oid-anna'), [{ user: { userName: 'anna' } }]);
  const { users } = await target.container.users.page(there.orgId, {
    ...{ sort: { field: '_id', direction: 1 }, skip: 0, limit: 10 },
  });
  t.strictSame(users.find(({ userName }) => userName === 'bob')?.clientExternalIds, [
    { serviceUserId: client },
  ]);
});

t.test('an update replaces the values that a record mentions, and no others', async (t) => {
  const { owner } = await makeTenant(target.container);
  const scim = await makeCaller(target.container, owner.orgId);
  const one = { serviceUserId: scim.id, value: 'one' };
  const two = { serviceUserId: scim.id, value: 'two' };
  const of = async ({ value }: typeof one) =>
    (await target.container.accounts.findByClientExternalId(owner.orgId, { ...one, value })).length;
  const update = async (record: object) => {
    const { summary, errors } = await importBy(owner, { humanUsers: [record] }, { update: true });
    t.equal(errors, undefined, JSON.stringify(errors));
    return summary.updated;
  };
  await importBy(owner, { humanUsers: [identified('u', [one])] });
  t.equal(await of(one), 1);
  t.equal(await update(identified('u', [one])), 0);
  t.equal(await update(humanUser('u', { scim: { title: 'Boss' } })), 1);
  t.equal(await of(one), 1, 'not mentioned');
  t.equal(await update(identified('u', [two])), 1);
  t.strictSame([await of(one), await of(two)], [0, 1]);
  t.equal(await update(identified('u', null)), 1);
  t.equal(await of(two), 0);
});

t.test('a record has one value of each client, and twenty at most', async (t) => {
  const { owner } = await makeTenant(target.container);
  const list = (length: number) =>
    Array.from({ length }, (_, n) => ({ serviceUserId: `client-${n}`, value: 'x' }));
  const { errors, summary } = await importBy(owner, {
    humanUsers: [
      identified('twice', [...list(1), ...list(1)]),
      identified('many', list(21)),
      identified('long', [{ serviceUserId: 'client', value: 'x'.repeat(501) }]),
      identified('text', ['client']),
      identified('nobody', [{ value: 'x' }]),
      identified('fits', list(20)),
    ],
  });
  t.match(summary, { created: 1, failed: 5 });
  t.strictSame(
    errors.map(({ id }: { id: string }) => id),
    ['id-twice', 'id-many', 'id-long', 'id-text', 'id-nobody'],
  );
});

t.test('values are unique where the organization wants it', async (t) => {
  const { owner } = await makeTenant(target.container);
  const values = (...clients: string[]) => clients.map((serviceUserId) => ({ serviceUserId, value: 'same' }));
  const org = { name: 'Unique', uniqueExternalId: true };
  await target.call(`PATCH /admin/v1/orgs/${owner.orgId}`, { as: owner, body: { uniqueExternalId: true } });
  const report = await importBy(owner, {
    org,
    humanUsers: [
      identified('a', values('c1', 'c2')),
      identified('b', values('c3')),
      identified('c', values('c2')),
    ],
  });
  t.match(report, { errors: [{ id: 'id-c', message: /^VALUE-TAKEN: .*externalId/ }] });
});

t.test(
  'whoever lacks the rights of a person does not change whom a connection links with the person',
  async (t) => {
    const home = await makeTenant(target.container);
    const root = await makeCaller(target.container, home.orgId, ['IAM_OWNER']);
    const send = async (record: object, more: object = {}) => {
      const body = {
        timeout: '5m',
        dataOrgs: { orgs: [{ orgId: home.orgId, humanUsers: [record] }] },
        ...more,
      };
      return (await target.call('POST /admin/v1/import', { as: root, body })).body;
    };
    const record = humanUser('actor');
    t.match(await send(record), { errors: undefined });
    const { container } = target;
    await addMembership(container, {
      ...{ userId: String(record.userId), orgId: home.orgId, role: 'IMPERSONATOR', editor: testEditor },
    });
    const titled = humanUser('actor', { scim: { title: 'Agent' } });
    t.match(await send(titled, { update: true }), { summary: { updated: 1 } });
    const linked = humanUser('actor', {
      scim: { clientExternalIds: [{ serviceUserId: 'c', value: 'mine' }] },
    });
    t.match(await send(linked, { update: true }), { errors: [{ message: /^USER-OUTRANKS: / }] });
  },
);
