import t from 'tap';
import { addGroup } from '#src/people/groups/add-group.js';
import { removeGroup } from '#src/removal/remove-group.js';
import {
  makeCaller,
  makeOrganization,
  makeTenant,
  testEditor,
  uniqueName,
} from '../../../support/app/make.js';
import { buildTestApp } from '../../../support/app/test-app.js';

/** The project roles that groups hold. `oidc/project-roles` shows what applications learn of them. */

const { container, call } = await buildTestApp(t);
const home = await makeOrganization(container);
const instanceOwner = await makeCaller(container, home.id, ['IAM_OWNER']);
const acme = await makeTenant(container);
const other = await makeTenant(container);
const projects = `/admin/v1/orgs/${acme.orgId}/projects`;

const makeGroup = (orgId = acme.orgId) =>
  addGroup(container, {
    orgId,
    profile: { displayName: uniqueName('Group') },
    members: new Set(),
    editor: testEditor,
  });

/** A project of acme with the roles `reader` and `writer`; its address. */
async function makeProject(): Promise<string> {
  const { body } = await call(`POST ${projects}`, { as: acme.owner, body: { name: uniqueName('Project') } });
  for (const key of ['reader', 'writer']) {
    await call(`POST ${projects}/${body.id}/roles`, { as: acme.owner, body: { key } });
  }
  return `${projects}/${body.id}`;
}

t.test('a grant names a group and roles of the project, and keeps them there', async (t) => {
  const project = await makeProject();
  const { id: groupId } = await makeGroup();
  const grants = `${project}/group-grants`;
  const body = { groupId, roles: ['writer', 'reader', 'writer'] };
  const added = await call(`POST ${grants}`, { as: acme.owner, body });
  t.match(added, { status: 201, body: { groupId, roles: ['reader', 'writer'], created: String } });
  t.notOk('userId' in added.body);
  t.equal(added.headers['location'], `https://muster.example${grants}/${groupId}`);
  t.same((await call(`GET ${grants}/${groupId}`, { as: acme.owner })).body, added.body);
  t.same((await call(`GET ${grants}`, { as: acme.owner })).body.items, [added.body]);
  t.same((await call(`GET ${project}/grants`, { as: acme.owner })).body.items, [], 'users have their own');
  t.match(await call(`POST ${grants}`, { as: acme.owner, body }), {
    status: 409,
    body: { id: 'directory.groupGrantExists' },
  });
  t.match(await call(`DELETE ${project}/roles/reader`, { as: acme.owner }), {
    status: 409,
    body: { id: 'directory.projectRoleInUse' },
  });
  t.match(await call(`DELETE ${project}`, { as: acme.owner }), {
    status: 409,
    body: { id: 'directory.projectInUse' },
  });
  const url = `${grants}/${groupId}`;
  const change = (roles: string[]) => call(`PATCH ${url}`, { as: acme.owner, body: { roles } });
  t.match(await change(['writer']), { status: 200, body: { groupId, roles: ['writer'] } });
  t.equal((await change(['writer'])).status, 200, 'without an event');
  t.equal((await call(`DELETE ${project}/roles/reader`, { as: acme.owner })).status, 204);
  t.match(await change(['reader']), { status: 404, body: { id: 'directory.projectRoleNotFound' } });
  t.equal((await call(`DELETE ${url}`, { as: acme.owner })).status, 204);
  for (const method of ['GET', 'DELETE'] as const) {
    t.match(await call(`${method} ${url}`, { as: acme.owner }), {
      status: 404,
      body: { id: 'directory.groupGrantNotFound' },
    });
  }
  t.equal((await call(`DELETE ${project}`, { as: acme.owner })).status, 204);

  const { body: found } = await call('POST /admin/v1/events/_search', {
    as: acme.owner,
    body: { aggregateTypes: ['group_grant'], asc: true },
  });
  t.match(
    found.events.map(({ type, sequence, payload }: Record<string, unknown>) => [type, sequence, payload]),
    [
      ['group.grant.added', 1, { groupId, roles: ['reader', 'writer'] }],
      ['group.grant.changed', 2, { groupId, roles: ['writer'] }],
      ['group.grant.removed', 3, { groupId, roles: ['writer'] }],
    ],
  );
  t.match(
    await container.groups.find(acme.orgId, groupId),
    { version: 1 },
    'the group itself did not change',
  );
  t.notOk('locked' in ((await container.groups.find(acme.orgId, groupId)) ?? {}));
});

t.test('lists page in the order of the groups', async (t) => {
  const project = await makeProject();
  const ids = [(await makeGroup()).id, (await makeGroup()).id, (await makeGroup()).id].sort();
  for (const groupId of ids) {
    const body = { groupId, roles: ['reader'] };
    t.equal((await call(`POST ${project}/group-grants`, { as: acme.owner, body })).status, 201);
  }
  const first = (await call(`GET ${project}/group-grants?limit=2`, { as: acme.owner })).body;
  const next = encodeURIComponent(first.next);
  const rest = (await call(`GET ${project}/group-grants?limit=2&after=${next}`, { as: acme.owner })).body;
  const listed = [...first.items, ...rest.items].map(({ groupId }: { groupId: string }) => groupId);
  t.same([listed, 'next' in rest], [ids, false]);
});

t.test('what is refused', async (t) => {
  const project = await makeProject();
  const { id: groupId } = await makeGroup();
  const foreign = await makeGroup(other.orgId);
  const add = (body: object, as = acme.owner) => call(`POST ${project}/group-grants`, { as, body });
  const long = Array.from({ length: 101 }, (_, n) => `r${n}`);
  for (const roles of [[], long, [7], 'reader', ['x'.repeat(1_001)]]) {
    t.equal((await add({ groupId, roles })).status, 400, JSON.stringify(roles).slice(0, 40));
  }
  t.equal((await add({ userId: groupId, roles: ['reader'] })).status, 400);
  t.match(await add({ groupId, roles: ['nobody'] }), {
    status: 404,
    body: { id: 'directory.projectRoleNotFound' },
  });
  for (const id of ['unknown', foreign.id, acme.viewer.id]) {
    const answer = await add({ groupId: id, roles: ['reader'] }, instanceOwner);
    t.match(answer, { status: 404, body: { id: 'directory.groupNotFound' } }, id);
  }
  t.equal((await add({ groupId, roles: ['reader'] }, acme.manager)).status, 403);
  t.equal((await add({ groupId, roles: ['reader'] }, other.owner)).status, 404);
  t.same((await call(`GET ${project}/group-grants`, { as: acme.owner })).body.items, []);
});

t.test('an owner of the project grants its roles, as for users', async (t) => {
  const project = await makeProject();
  const { id: groupId } = await makeGroup();
  const tool = await makeCaller(container, acme.orgId);
  const add = () => call(`POST ${project}/group-grants`, { as: tool, body: { groupId, roles: ['reader'] } });
  t.equal((await add()).status, 404);
  const member = { userId: tool.id, roles: ['PROJECT_OWNER'] };
  t.equal((await call(`POST ${project}/members`, { as: acme.owner, body: member })).status, 201);
  t.equal((await add()).status, 201);
});

t.test('a removed group takes its grants with it, and no grant outlives a race', async (t) => {
  const project = await makeProject();
  const projectId = project.slice(project.lastIndexOf('/') + 1);
  const { id: groupId } = await makeGroup();
  const body = { groupId, roles: ['reader'] };
  t.equal((await call(`POST ${project}/group-grants`, { as: acme.owner, body })).status, 201);
  const groups = `/scim/v2/${acme.orgId}/Groups`;
  t.equal((await call(`DELETE ${groups}/${groupId}`, { as: acme.manager })).status, 204);
  t.same((await call(`GET ${project}/group-grants`, { as: acme.owner })).body.items, []);
  const { body: found } = await call('POST /admin/v1/events/_search', {
    as: acme.owner,
    body: { eventTypes: ['group.grant.removed'] },
  });
  t.match(
    found.events.filter(({ payload }: { payload: { groupId: string } }) => payload.groupId === groupId),
    [{ sequence: 2, editor: { userId: acme.manager.id } }],
  );
  for (let round = 0; round < 5; round++) {
    const { id } = await makeGroup();
    const [granted] = await Promise.all([
      call(`POST ${project}/group-grants`, { as: acme.owner, body: { groupId: id, roles: ['writer'] } }),
      removeGroup(container, { orgId: acme.orgId, id, editor: testEditor }),
    ]);
    t.ok([201, 404].includes(granted.status), String(granted.status));
    t.same(await container.groupGrants.page(acme.orgId, { projectId, limit: 2 }), []);
  }
});
