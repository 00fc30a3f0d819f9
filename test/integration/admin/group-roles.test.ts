import t from 'tap';
import { addGroup } from '#src/directory/groups/add-group.js';
import { changeGroup } from '#src/directory/groups/change-group.js';
import { removeGroup } from '#src/directory/groups/remove-group.js';
import type { User } from '#src/directory/users/user.js';
import { testEditor as editor, makeCaller, makeOrganization } from '../../support/app/make.js';
import { makePerson } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { patchOp, urn } from '../../support/scim/scim-client.js';

/** The roles that a group holds: who may set them, who has them, and who may change the members of such a group. */

const opened = await buildTestApp(t);
const { container, call } = opened;
/** Another process, whose caches must learn of every change. */
const elsewhere = await opened.openAnother();
const organization = await makeOrganization(container);
const orgId = organization.id;
const owner = await makeCaller(container, orgId, ['ORG_OWNER']);
const manager = await makeCaller(container, orgId, ['ORG_USER_MANAGER']);

const makeGroup = (displayName: string, ...people: readonly User[]) =>
  addGroup(container, {
    orgId,
    profile: { displayName },
    members: new Set(people.map(({ id }) => id)),
    editor,
  });

const setRoles = (groupId: string, roles: readonly unknown[], as = owner) =>
  call(`PUT /admin/v1/orgs/${orgId}/groups/${groupId}/roles`, { as, body: { roles } });

async function rolesOf({ id }: User): Promise<string[]> {
  const [here, there] = await Promise.all(
    [container, elsewhere].map(async ({ caches }) =>
      (await caches.memberships.get(id)).map(({ role }) => role).sort(),
    ),
  );
  t.strictSame(here, there, 'the same at every process');
  return here ?? [];
}

t.test('members have the roles of their groups, at once', async (t) => {
  const [ann, bob] = [await makePerson(container, organization), await makePerson(container, organization)];
  const group = await makeGroup('Owners', ann);
  const second = await makeGroup('Viewers', ann, bob);
  t.strictSame([await rolesOf(ann), await rolesOf(bob)], [[], []]);
  t.match(await setRoles(group.id, ['ORG_USER_MANAGER', 'ORG_OWNER']), {
    status: 200,
    body: { roles: ['ORG_OWNER', 'ORG_USER_MANAGER'] },
  });
  await setRoles(second.id, ['ORG_USER_VIEWER']);
  const url = `GET /admin/v1/orgs/${orgId}/groups/${group.id}/roles`;
  t.strictSame((await call(url, { as: owner })).body, { roles: ['ORG_OWNER', 'ORG_USER_MANAGER'] });
  t.strictSame(await rolesOf(ann), ['ORG_OWNER', 'ORG_USER_MANAGER', 'ORG_USER_VIEWER']);
  t.strictSame(await rolesOf(bob), ['ORG_USER_VIEWER']);
  const delta = (added: string[], removed: string[]) => ({
    from: 'current' as const,
    added: new Set(added),
    removed: new Set(removed),
  });
  for (let round = 0; round < 3; round++) {
    await changeGroup(container, { orgId, id: group.id, editor, delta: delta([bob.id], [ann.id]) });
    t.strictSame(
      [await rolesOf(ann), await rolesOf(bob)],
      [['ORG_USER_VIEWER'], ['ORG_OWNER', 'ORG_USER_MANAGER', 'ORG_USER_VIEWER']],
    );
    await changeGroup(container, { orgId, id: group.id, editor, delta: delta([ann.id], [bob.id]) });
    t.strictSame(await rolesOf(bob), ['ORG_USER_VIEWER']);
  }
  await setRoles(group.id, ['IMPERSONATOR']);
  t.strictSame(await rolesOf(ann), ['IMPERSONATOR', 'ORG_USER_VIEWER']);
  await removeGroup(container, { orgId, id: group.id, editor });
  t.strictSame(await rolesOf(ann), ['ORG_USER_VIEWER']);
  await setRoles(second.id, []);
  t.strictSame(await rolesOf(bob), []);
  const found = await container.mongo.db
    .collection('events')
    .find({ 'aggregate.id': second.id })
    .sort({ sequence: 1 })
    .toArray();
  t.strictSame(
    found.map(({ type, sequence, payload }) => [type, sequence, payload['roles']]),
    [
      ['group.added', 1, undefined],
      ['group.members.added', 2, undefined],
      ['group.roles.changed', 3, ['ORG_USER_VIEWER']],
      ['group.roles.changed', 4, []],
    ],
  );
});

t.test('refused roles', async (t) => {
  const { id } = await makeGroup('Refusing');
  for (const roles of [['IAM_OWNER'], ['NOBODY'], [7], Array(9).fill('ORG_OWNER')])
    t.equal((await setRoles(id, roles)).status, 400, JSON.stringify(roles));
  t.equal((await setRoles(id, ['ORG_USER_VIEWER'], manager)).status, 403);
  t.equal((await setRoles('unknown', [])).status, 404);
  t.match(await setRoles(id, ['ORG_OWNER', 'ORG_OWNER']), { body: { roles: ['ORG_OWNER'] } });
});

t.test('a caller with fewer rights cannot change such a group or its members', async (t) => {
  const person = await makePerson(container, organization);
  const own = await makePerson(container, organization);
  const group = await makeGroup('Guarded', person);
  await setRoles(group.id, ['ORG_OWNER']);
  const url = `/scim/v2/${orgId}/Groups/${group.id}`;
  const add = patchOp({ op: 'add', path: 'members', value: [{ value: own.id }] });
  const attempts = [
    [`PATCH ${url}`, add],
    [`PATCH ${url}`, patchOp({ op: 'remove', path: 'members' })],
    [`PATCH ${url}`, patchOp({ op: 'replace', path: 'displayName', value: 'Mine' })],
    [`PUT ${url}`, { schemas: [urn.group], displayName: 'Mine', members: [{ value: own.id }] }],
    [`DELETE ${url}`, undefined],
  ] as const;
  for (const [request, body] of attempts) {
    const answer = await call(request, { as: manager, ...(body && { body }) });
    t.equal(answer.status, 403, `${request} ${JSON.stringify(body)}`);
    t.match(JSON.stringify(answer.body), 'directory.groupOutranksCaller');
  }
  t.strictSame(await rolesOf(own), []);
  const patchPerson = (as: typeof owner) =>
    call(`PATCH /scim/v2/${orgId}/Users/${person.id}`, {
      as,
      body: patchOp({ op: 'replace', path: 'active', value: false }),
    });
  t.equal((await patchPerson(manager)).status, 403, 'a member outranks the caller');
  t.equal((await call(`PATCH ${url}`, { as: owner, body: add })).status, 204);
  t.strictSame(await rolesOf(own), ['ORG_OWNER']);

  const viewers = await makeGroup('Viewing');
  await setRoles(viewers.id, ['ORG_USER_VIEWER']);
  const viewing = `PATCH /scim/v2/${orgId}/Groups/${viewers.id}`;
  t.equal(
    (await call(viewing, { as: manager, body: add })).status,
    204,
    'roles that the caller has are no obstacle',
  );
  t.equal((await patchPerson(owner)).status, 204);
});
