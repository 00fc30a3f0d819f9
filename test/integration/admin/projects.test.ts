import t from 'tap';
import { addUser } from '#src/people/users/add-user.js';
import { makeCaller, makeOrganization, makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';

const { container, call } = await buildTestApp(t);
const home = await makeOrganization(container);
const instanceOwner = await makeCaller(container, home.id, ['IAM_OWNER']);
const acme = await makeTenant(container);
const other = await makeTenant(container);
const projects = `/admin/v1/orgs/${acme.orgId}/projects`;

/** A person of the organization. */
async function person(orgId: string): Promise<string> {
  const organization = await container.organizations.find(orgId);
  if (organization === undefined) throw new Error(`There is no organization ${orgId}`);
  const profile = {
    userName: uniqueName('person'),
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: 'ada@example.com' }],
  };
  return (await addUser(container, { organization, draft: { profile }, editor: testEditor })).id;
}

/** A project of acme with the roles `reader` and `writer`; its address. */
async function makeProject(): Promise<string> {
  const { body } = await call(`POST ${projects}`, { as: acme.owner, body: { name: uniqueName('Project') } });
  for (const key of ['reader', 'writer']) {
    await call(`POST ${projects}/${body.id}/roles`, { as: acme.owner, body: { key } });
  }
  return `${projects}/${body.id}`;
}

/** Types of the events of one aggregate with their sequences. */
async function eventsOf(aggregateId: string, aggregateType: string): Promise<[string, number][]> {
  const { body } = await call('POST /admin/v1/events/_search', {
    as: instanceOwner,
    body: { aggregateId, aggregateTypes: [aggregateType], asc: true },
  });
  return body.events.map(({ type, sequence }: { type: string; sequence: number }) => [type, sequence]);
}

t.test('a project is made, read, changed, listed and removed', async (t) => {
  const added = await call(`POST ${projects}`, { as: instanceOwner, body: { id: 'shop', name: ' Shop ' } });
  t.equal(added.status, 201);
  t.match(added.body, { id: 'shop', orgId: acme.orgId, name: 'Shop', created: String });
  const url = `${projects}/shop`;
  t.equal(added.headers['location'], `https://muster.example${url}`);
  t.same((await call(`GET ${url}`, { as: acme.owner })).body, added.body);

  const changed = await call(`PATCH ${url}`, { as: acme.owner, body: { name: 'Market' } });
  t.match(changed, { status: 200, body: { id: 'shop', name: 'Market' } });
  t.equal((await call(`PATCH ${url}`, { as: acme.owner, body: { name: 'Market' } })).status, 200);
  const listed = await call(`GET ${projects}?limit=100`, { as: acme.owner });
  t.match(
    listed.body.items.find(({ id }: { id: string }) => id === 'shop'),
    { name: 'Market' },
  );

  t.equal((await call(`DELETE ${url}`, { as: acme.owner })).status, 204);
  for (const method of ['GET', 'DELETE'] as const) {
    const gone = await call(`${method} ${url}`, { as: acme.owner });
    t.match(gone, { status: 404, body: { id: 'directory.projectNotFound' } });
  }
  t.same(await eventsOf('shop', 'project'), [
    ['project.added', 1],
    ['project.changed', 2],
    ['project.removed', 3],
  ]);
});

t.test('the identifier of a removed project stays its organization’s', async (t) => {
  const body = { id: 'kept', name: 'Kept' };
  t.equal((await call(`POST ${projects}`, { as: instanceOwner, body })).status, 201);
  t.equal((await call(`DELETE ${projects}/kept`, { as: acme.owner })).status, 204);
  const foreign = await call(`POST /admin/v1/orgs/${other.orgId}/projects`, { as: instanceOwner, body });
  t.match(foreign, { status: 409, body: { id: 'directory.projectTaken' } });
  t.equal((await call(`POST ${projects}`, { as: instanceOwner, body })).status, 201);
  t.match(await call(`POST ${projects}`, { as: instanceOwner, body }), {
    status: 409,
    body: { id: 'directory.projectTaken' },
  });
  t.same(await eventsOf('kept', 'project'), [
    ['project.added', 1],
    ['project.removed', 2],
    ['project.added', 3],
  ]);
});

t.test('projects and applications share no identifier, and an application keeps its project', async (t) => {
  const applications = `/admin/v1/orgs/${acme.orgId}/applications`;
  const app = { name: 'API', type: 'api', projectId: 'implied' };
  const added = await call(`POST ${applications}`, { as: instanceOwner, body: app });
  t.equal(added.status, 201);
  const taken = await call(`POST ${projects}`, { as: instanceOwner, body: { id: added.body.id, name: 'X' } });
  t.match(taken, { status: 409, body: { id: 'directory.projectTaken' } });

  t.match((await call(`GET ${projects}/implied`, { as: acme.owner })).body, { name: 'implied' });
  const inUse = await call(`DELETE ${projects}/implied`, { as: acme.owner });
  t.match(inUse, { status: 409, body: { id: 'directory.projectInUse' } });
  t.equal((await call(`GET ${projects}/implied`, { as: acme.owner })).status, 200);
  await call(`DELETE ${applications}/${added.body.id}`, { as: acme.owner });
  t.equal((await call(`DELETE ${projects}/implied`, { as: acme.owner })).status, 204);
});

t.test('only an instance owner chooses the identifier of a project', async (t) => {
  const applications = `/admin/v1/orgs/${acme.orgId}/applications`;
  const body = { id: 'chosen', name: 'Chosen' };
  t.match(await call(`POST ${projects}`, { as: acme.owner, body }), {
    status: 403,
    body: { id: 'tokens.permissionMissing', detail: 'Only an instance owner chooses identifiers' },
  });
  const joining = { name: 'API', type: 'api', projectId: 'chosen' };
  const unknown = { status: 404, body: { id: 'directory.projectNotFound' } };
  t.match(await call(`POST ${applications}`, { as: acme.owner, body: joining }), unknown);
  const { body: api } = await call(`POST ${applications}`, {
    as: acme.owner,
    body: { name: 'API', type: 'api' },
  });
  const move = { as: acme.owner, body: { projectId: 'chosen' } };
  t.match(await call(`PATCH ${applications}/${api.id}`, move), unknown);
  t.equal((await call(`POST ${projects}`, { as: instanceOwner, body })).status, 201);
  t.equal((await call(`POST ${applications}`, { as: acme.owner, body: joining })).status, 201);
  t.equal((await call(`PATCH ${applications}/${api.id}`, move)).status, 200);
});

t.test('roles are added, shown, changed and removed', async (t) => {
  const project = await makeProject();
  const body = { key: 'shop:admin/1', displayName: 'Admin', group: 'Staff' };
  const added = await call(`POST ${project}/roles`, { as: acme.owner, body });
  t.match(added, { status: 201, body });
  const url = `${project}/roles/shop%3Aadmin%2F1`;
  t.equal(added.headers['location'], `https://muster.example${url}`);
  t.same((await call(`GET ${url}`, { as: acme.owner })).body, added.body);
  const again = await call(`POST ${project}/roles`, { as: acme.owner, body });
  t.match(again, { status: 409, body: { id: 'directory.projectRoleExists' } });

  const change = { displayName: 'Chief', group: null };
  const changed = await call(`PATCH ${url}`, { as: acme.owner, body: change });
  t.match(changed, { status: 200, body: { key: body.key, displayName: 'Chief' } });
  t.notOk('group' in changed.body);
  const first = await call(`GET ${project}/roles?limit=2`, { as: acme.owner });
  t.same(
    first.body.items.map(({ key }: { key: string }) => key),
    ['reader', 'shop:admin/1'],
  );
  const next = encodeURIComponent(first.body.next);
  const rest = await call(`GET ${project}/roles?limit=2&after=${next}`, { as: acme.owner });
  t.match(rest.body, { items: [{ key: 'writer', displayName: 'writer' }] });
  t.notOk('next' in rest.body);

  t.equal((await call(`DELETE ${url}`, { as: acme.owner })).status, 204);
  t.match(await call(`GET ${url}`, { as: acme.owner }), {
    status: 404,
    body: { id: 'directory.projectRoleNotFound' },
  });
  t.same(
    (await eventsOf(project.slice(projects.length + 1), 'project')).map(([type]) => type),
    [
      'project.added',
      'project.role.added',
      'project.role.added',
      'project.role.added',
      'project.role.changed',
      'project.role.removed',
    ],
  );
  for (const key of ['', 'a b', 'x'.repeat(201)]) {
    t.equal((await call(`POST ${project}/roles`, { as: acme.owner, body: { key } })).status, 400, key);
  }
});

t.test('a grant names roles of the project, and keeps them there', async (t) => {
  const project = await makeProject();
  const userId = await person(acme.orgId);
  const grants = `${project}/grants`;
  const body = { userId, roles: ['writer', 'reader', 'writer'] };
  const added = await call(`POST ${grants}`, { as: acme.owner, body });
  t.match(added, { status: 201, body: { userId, roles: ['reader', 'writer'] } });
  t.equal(added.headers['location'], `https://muster.example${grants}/${userId}`);
  t.same((await call(`GET ${grants}/${userId}`, { as: acme.owner })).body, added.body);
  t.same((await call(`GET ${grants}`, { as: acme.owner })).body.items, [added.body]);
  t.match(await call(`POST ${grants}`, { as: acme.owner, body }), {
    status: 409,
    body: { id: 'directory.userGrantExists' },
  });

  t.match(await call(`DELETE ${project}/roles/reader`, { as: acme.owner }), {
    status: 409,
    body: { id: 'directory.projectRoleInUse' },
  });
  t.match(await call(`DELETE ${project}`, { as: acme.owner }), {
    status: 409,
    body: { id: 'directory.projectInUse' },
  });
  const changed = await call(`PATCH ${grants}/${userId}`, { as: acme.owner, body: { roles: ['writer'] } });
  t.match(changed, { status: 200, body: { roles: ['writer'] } });
  const told = await container.events.search({
    resourceOwner: acme.orgId,
    eventTypes: ['user.grant.changed'],
    limit: 10,
    ascending: true,
  });
  t.match(told.at(-1), {
    type: 'user.grant.changed',
    payload: { roles: ['writer'], changes: { roles: { from: ['reader', 'writer'], to: ['writer'] } } },
  });
  t.equal((await call(`DELETE ${project}/roles/reader`, { as: acme.owner })).status, 204);
  t.match(await call(`PATCH ${grants}/${userId}`, { as: acme.owner, body: { roles: ['reader'] } }), {
    status: 404,
    body: { id: 'directory.projectRoleNotFound' },
  });
  t.equal((await call(`DELETE ${grants}/${userId}`, { as: acme.owner })).status, 204);
  t.match(await call(`GET ${grants}/${userId}`, { as: acme.owner }), {
    status: 404,
    body: { id: 'directory.userGrantNotFound' },
  });
  t.equal((await call(`DELETE ${project}`, { as: acme.owner })).status, 204);

  const stranger = await person(other.orgId);
  const another = await makeProject();
  const refused = { userId: stranger, roles: ['reader'] };
  t.match(await call(`POST ${another}/grants`, { as: instanceOwner, body: refused }), {
    status: 404,
    body: { id: 'directory.userNotFound' },
  });
});

t.test('a member of a project may do at it what the role says, and nothing elsewhere', async (t) => {
  const project = await makeProject();
  const elsewhere = await makeProject();
  const tool = await makeCaller(container, acme.orgId);
  const read = () => call(`GET ${project}`, { as: tool });
  t.equal((await read()).status, 404);
  const body = { userId: tool.id, roles: ['PROJECT_OWNER_VIEWER'] };
  t.equal((await call(`POST ${project}/members`, { as: acme.owner, body })).status, 201);
  t.equal((await read()).status, 200);
  t.equal((await call(`GET ${project}/roles`, { as: tool })).status, 200);
  t.equal((await call(`PATCH ${project}`, { as: tool, body: { name: 'Mine' } })).status, 404);
  t.equal((await call(`GET ${elsewhere}`, { as: tool })).status, 404);

  const member = `${project}/members/${tool.id}`;
  const change = { roles: ['PROJECT_OWNER'] };
  t.equal((await call(`PATCH ${member}`, { as: acme.owner, body: change })).status, 200);
  t.equal((await call(`PATCH ${project}`, { as: tool, body: { name: 'Mine' } })).status, 200);
  t.equal((await call(`POST ${project}/roles`, { as: tool, body: { key: 'extra' } })).status, 201);
  t.equal((await call(`PATCH ${elsewhere}`, { as: tool, body: { name: 'Mine' } })).status, 404);
  t.equal((await call(`DELETE ${project}`, { as: tool })).status, 404, 'removing is for the organization');
  t.match(await call(`PATCH ${member}`, { as: acme.owner, body: { roles: ['IAM_OWNER'] } }), {
    status: 400,
    body: { id: 'directory.valueInvalid' },
  });
  t.equal((await call(`DELETE ${member}`, { as: acme.owner })).status, 204);
  t.equal((await read()).status, 404);
});

t.test('others reach nothing', async (t) => {
  const project = await makeProject();
  const foreign = project.replace(acme.orgId, other.orgId);
  for (const [as, status] of [
    [acme.manager, 403],
    [other.owner, 404],
  ] as const) {
    t.equal((await call(`POST ${projects}`, { as, body: { name: 'X' } })).status, status);
    t.equal((await call(`GET ${project}`, { as })).status, status);
    t.equal((await call(`GET ${project}/roles`, { as })).status, status);
    t.equal((await call(`POST ${project}/roles`, { as, body: { key: 'x' } })).status, status);
    t.equal((await call(`GET ${project}/grants`, { as })).status, status);
    t.equal((await call(`GET ${project}/members`, { as })).status, status);
  }
  t.equal((await call(`GET ${foreign}`, { as: other.owner })).status, 404);
  t.equal((await call(`DELETE ${foreign}`, { as: other.owner })).status, 404);
  t.equal((await call(`POST ${foreign}/roles`, { as: other.owner, body: { key: 'x' } })).status, 404);
  for (const list of ['roles', 'grants', 'members']) {
    t.equal((await call(`GET ${foreign}/${list}`, { as: other.owner })).status, 404);
  }
});

t.test('removing a user removes grants, authority and metadata', async (t) => {
  const project = await makeProject();
  const userId = await person(acme.orgId);
  const tool = await makeCaller(container, acme.orgId);
  for (const id of [userId, tool.id]) {
    const grant = { userId: id, roles: ['reader'] };
    t.equal((await call(`POST ${project}/grants`, { as: acme.owner, body: grant })).status, 201);
    const member = { userId: id, roles: ['PROJECT_OWNER'] };
    t.equal((await call(`POST ${project}/members`, { as: acme.owner, body: member })).status, 201);
    const metadata = `/admin/v1/orgs/${acme.orgId}/users/${id}/metadata/team`;
    t.equal((await call(`PUT ${metadata}`, { as: acme.owner, body: { value: 'YQ==' } })).status, 200);
  }
  t.equal((await call(`DELETE /scim/v2/${acme.orgId}/Users/${userId}`, { as: acme.owner })).status, 204);
  const removed = await call(`DELETE /admin/v1/orgs/${acme.orgId}/service-users/${tool.id}`, {
    as: acme.owner,
  });
  t.equal(removed.status, 204);
  t.same((await call(`GET ${project}/grants`, { as: acme.owner })).body.items, []);
  t.same((await call(`GET ${project}/members`, { as: acme.owner })).body.items, []);
  for (const id of [userId, tool.id]) {
    const metadata = `/admin/v1/orgs/${acme.orgId}/users/${id}/metadata`;
    t.equal((await call(`GET ${metadata}`, { as: acme.owner })).status, 404);
    t.equal(await container.userMetadata.count(acme.orgId), 0);
  }
  const { body } = await call('POST /admin/v1/events/_search', {
    as: acme.owner,
    body: { eventTypes: ['user.grant.removed', 'project.member.removed'], asc: true },
  });
  t.ok(
    body.events.filter(({ payload }: { payload: { userId: string } }) => payload.userId === userId).length ===
      2,
  );
  t.ok(
    body.events.filter(({ payload }: { payload: { userId: string } }) => payload.userId === tool.id)
      .length === 2,
  );
});

t.test('a project and what belongs to it are never parted by a race', async (t) => {
  for (let round = 0; round < 5; round++) {
    const project = await makeProject();
    const grant = { userId: acme.viewer.id, roles: ['reader'] };
    const [granted, removed] = await Promise.all([
      call(`POST ${project}/grants`, { as: acme.owner, body: grant }),
      call(`DELETE ${project}`, { as: acme.owner }),
    ]);
    const outcome = `${granted.status} ${removed.status}`;
    t.ok(['201 409', '404 204'].includes(outcome), outcome);
    const projectId = project.slice(project.lastIndexOf('/') + 1);
    const left = await container.userGrants.page(acme.orgId, { projectId, limit: 2 });
    t.equal(left.length, granted.status === 201 ? 1 : 0);
  }
});

t.test('if two callers add the same at once, one gets a conflict', async (t) => {
  const body = { id: uniqueName('twice'), name: 'Twice' };
  const added = await Promise.all(
    [acme, other].map(({ orgId }) =>
      call(`POST /admin/v1/orgs/${orgId}/projects`, { as: instanceOwner, body }),
    ),
  );
  t.same(added.map(({ status }) => status).sort(), [201, 409]);
  const project = await makeProject();
  const roles = await Promise.all(
    [1, 2, 3].map(() => call(`POST ${project}/roles`, { as: acme.owner, body: { key: 'same' } })),
  );
  t.same(roles.map(({ status }) => status).sort(), [201, 409, 409]);
});
