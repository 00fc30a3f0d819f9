import t from 'tap';
import { requireGroupAuthority } from '#src/access/authority/over-group.js';
import { addMembership } from '#src/access/memberships/add-membership.js';
import type { User } from '#src/directory/user.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { changeGroup } from '#src/people/groups/change-group.js';
import { removeGroup } from '#src/removal/remove-group.js';
import { testEditor as editor, makeCaller, makeOrganization } from '../../../support/app/make.js';
import { makePerson } from '../../../support/app/oauth-client.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { patchOp, urn } from '../../../support/scim/scim-client.js';
import { havingValue } from '../../../support/stores/queries.js';

/** The roles that a group holds: who may set them, who has them, and who may change the members of such a group. */

const opened = await buildTestApp(t);
const { container, call } = opened;
/** Another process, whose caches must learn of every change. */
const elsewhere = await opened.openAnother();
const organization = await makeOrganization(container);
const orgId = organization.id;
const owner = await makeCaller(container, orgId, ['ORG_OWNER']);
const manager = await makeCaller(container, orgId, ['ORG_USER_MANAGER']);

// Without another person who owns the organization, a group could not lose this role.
const keeper = await makePerson(container, organization);
await addMembership(container, { userId: keeper.id, role: 'ORG_OWNER', orgId, editor });

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

t.test('a group that gets roles while its members change', async (t) => {
  const template = await makePerson(container, organization);
  const users = container.mongo.db.collection<{ _id: string; search: object }>('users');
  const document = await users.findOne({ _id: template.id });
  if (document === null) throw new Error('no template');
  const ids = Array.from({ length: 2_500 }, (_, n) => `m-${String(n).padStart(5, '0')}`);
  await users.insertMany(
    ids.map((_id) => ({ ...document, _id, userName: _id, search: { ...document.search, userName: _id } })),
  );
  const members = ids.map((value) => ({ value }));
  const { groups, groupMembers } = container;

  /** Gives the group a role before this call of the store method, once. */
  function givesRolesAt(
    method: 'among' | 'page',
    at: number,
    find: () => Promise<string | undefined>,
  ): () => void {
    const { [method]: usual } = groupMembers;
    let calls = 0;
    Object.assign(groupMembers, {
      [method]: async (...given: Parameters<typeof usual>) => {
        const id = ++calls === at ? await find() : undefined;
        if (id !== undefined) t.equal((await setRoles(id, ['ORG_OWNER'])).status, 200);
        return (usual as (...all: typeof given) => unknown)(...given);
      },
    });
    return () => Object.assign(groupMembers, { [method]: usual });
  }
  const idOf = async (displayName: string) => {
    const sort = { field: '_id', direction: 1 } as const;
    const found = await groups.page(orgId, {
      sort,
      skip: 0,
      limit: 100,
      filter: havingValue('displayName', displayName),
    });
    return found.groups[0]?.id;
  };
  const attempts = [
    [
      'PUT',
      (id: string) =>
        call(`PUT /scim/v2/${orgId}/Groups/${id}`, {
          as: manager,
          body: { schemas: [urn.group], displayName: 'Put', members },
        }),
    ],
    [
      'PATCH',
      (id: string) =>
        call(`PATCH /scim/v2/${orgId}/Groups/${id}`, {
          as: manager,
          body: patchOp({ op: 'add', path: 'members', value: members }),
        }),
    ],
  ] as const;
  for (const [name, attempt] of attempts) {
    const { id } = await makeGroup(name);
    const restore = givesRolesAt('among', 2, async () => id);
    const answer = await attempt(id).finally(restore);
    t.equal(answer.status, 403, name);
    t.match(JSON.stringify(answer.body), 'directory.groupOutranksCaller');
    t.equal(await groupMembers.count(orgId, id), 1_000, 'what was written before stays');
  }

  const restorePost = givesRolesAt('among', 2, () => idOf('Post'));
  const body = { schemas: [urn.group], displayName: 'Post', members };
  const posted = await call(`POST /scim/v2/${orgId}/Groups`, { as: manager, body }).finally(restorePost);
  t.equal(posted.status, 403, 'also while it is created');
  t.equal(await groupMembers.count(orgId, (await idOf('Post')) ?? ''), 1_000);

  const removed = await addGroup(container, {
    orgId,
    profile: { displayName: 'Delete' },
    members: new Set(ids),
    editor,
  });
  const url = `DELETE /scim/v2/${orgId}/Groups/${removed.id}`;
  const restoreDelete = givesRolesAt('page', 2, async () => removed.id);
  t.equal((await call(url, { as: manager }).finally(restoreDelete)).status, 403);
  t.equal(await groupMembers.count(orgId, removed.id), 1_500, 'the removal stops');
  t.equal((await call(url, { as: owner })).status, 204);

  const again = await makeGroup('Again');
  const { find } = groups;
  Object.assign(groups, {
    find: async (...given: Parameters<typeof find>) => {
      const found = await find(...given);
      Object.assign(groups, { find });
      await setRoles(again.id, ['ORG_OWNER']);
      return found;
    },
  });
  const renamed = await call(`PATCH /scim/v2/${orgId}/Groups/${again.id}`, {
    as: manager,
    body: patchOp({ op: 'replace', path: 'displayName', value: 'Mine' }),
  });
  t.equal(renamed.status, 403, 'a second attempt checks the roles that it finds');
});

t.test('simultaneous changes: only the caller with fewer rights fails', async (t) => {
  const [ann, bob] = [await makePerson(container, organization), await makePerson(container, organization)];
  const group = await makeGroup('Together');
  await setRoles(group.id, ['ORG_OWNER']);
  const add = (callerId: string, person: User) =>
    container.writeMembers({
      orgId,
      groupId: group.id,
      added: [person.id],
      removed: [],
      editor,
      beforeChange: (roles) => requireGroupAuthority(container, { callerId, orgId, roles }),
    });
  const [refused, written] = await Promise.allSettled([add(manager.id, ann), add(owner.id, bob)]);
  t.match(refused, {
    status: 'rejected',
    reason: { definition: { id: 'directory.groupOutranksCaller' } },
  });
  t.equal(written.status, 'fulfilled');
  t.strictSame(await container.groupMembers.page(orgId, group.id, { limit: 9 }), [bob.id]);
});
