import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { addAssignment } from '#src/access/projects/add-assignment.js';
import { addProject } from '#src/access/projects/add-project.js';
import type { Role } from '#src/directory/roles.js';
import { type Caller, makeCaller, makeOrganization, makeTenant, testEditor } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { newUser, patchOp, urn } from '../../support/scim/scim-client.js';

/** A caller changes, deactivates and deletes only users who have no more rights than the caller. */

const { container, call } = await buildTestApp(t, { workers: true });
const { orgId, owner, manager } = await makeTenant(container);
const organization = (await container.organizations.find(orgId)) as never;
const elsewhere = await makeOrganization(container);
const instanceOwner = await makeCaller(container, elsewhere.id, ['IAM_OWNER']);
const project = await addProject(container, { orgId, name: 'Shop', editor: testEditor });

const editor = testEditor;
const role = (given: Role, place: { orgId?: string }) => (userId: string) =>
  addMembership(container, { userId, role: given, ...place, editor });
const member = (given: string) => (userId: string) =>
  addAssignment(container, {
    orgId,
    projectId: project.id,
    holderId: userId,
    roles: [given],
    kind: 'member',
    editor,
  });

/** People, and whether the manager and the owner of their organization may change them. */
const people: Record<string, { give: (userId: string) => Promise<unknown>; by: [boolean, boolean] }> = {
  'an owner of the instance': { give: role('IAM_OWNER', {}), by: [false, false] },
  'an owner of another organization': {
    give: role('ORG_OWNER', { orgId: elsewhere.id }),
    by: [false, false],
  },
  'a viewer of another organization': {
    give: role('ORG_USER_VIEWER', { orgId: elsewhere.id }),
    by: [false, false],
  },
  'an owner of the organization': { give: role('ORG_OWNER', { orgId }), by: [false, true] },
  'one who may impersonate': { give: role('IMPERSONATOR', { orgId }), by: [false, true] },
  'the owner of a project': { give: member('PROJECT_OWNER'), by: [false, true] },
  'one who reads a project': { give: member('PROJECT_OWNER_VIEWER'), by: [false, true] },
  'an equal': { give: role('ORG_USER_MANAGER', { orgId }), by: [true, true] },
  'one with fewer rights': { give: role('ORG_USER_VIEWER', { orgId }), by: [true, true] },
  'one without rights': { give: async () => undefined, by: [true, true] },
};

const scim = (id: string) => `/scim/v2/${orgId}/Users/${id}`;
const users = (id: string) => `/admin/v1/orgs/${orgId}/users/${id}`;

/** Changes that are no change of credentials, each with the status of its success. The last one deletes the user. */
const changes: [name: string, request: (id: string) => [string, unknown?], status: number][] = [
  ['PATCH', (id) => [`PATCH ${scim(id)}`, patchOp({ op: 'replace', path: 'title', value: 'Chief' })], 204],
  ['PUT', (id) => [`PUT ${scim(id)}`, newUser({ userName: `put-${id}`, emails: mailOf(id) })], 200],
  [
    'deactivation',
    (id) => [`PATCH ${scim(id)}`, patchOp({ op: 'replace', path: 'active', value: false })],
    204,
  ],
  ['end of sessions', (id) => [`DELETE ${users(id)}/sessions`], 204],
  ['end of a session', (id) => [`DELETE ${users(id)}/sessions/none`], 204],
  ['a consent that is not there', (id) => [`DELETE ${users(id)}/consents/none`], 404],
  ['deletion', (id) => [`DELETE ${scim(id)}`], 204],
];

const mailOf = (id: string) => [{ value: `${id}@people.example`, primary: true }];

async function make(give: (userId: string) => Promise<unknown>): Promise<string> {
  const { id } = await makePerson(container, organization);
  // The address stays, because a new one is a change of credentials.
  const patched = await call(`PATCH ${scim(id)}`, {
    as: owner,
    body: patchOp({ op: 'replace', path: 'emails', value: mailOf(id) }),
  });
  t.equal(patched.status, 204);
  await give(id);
  return id;
}

const refused = 'directory.userOutranksCaller';

for (const [who, { give, by }] of Object.entries(people)) {
  for (const [index, as] of [manager, owner].entries()) {
    const mayChange = by[index];
    t.test(
      `${index === 0 ? 'A user manager' : 'An owner'} ${mayChange ? 'changes' : 'leaves alone'} ${who}`,
      async (t) => {
        const id = await make(give);
        const before = await container.users.find(orgId, id);
        for (const [name, request, status] of changes) {
          const [line, body] = request(id);
          const answer = await call(line, { as, ...(body !== undefined && { body }) });
          if (mayChange) {
            t.equal(answer.status, status, `${name} ${JSON.stringify(answer.body)}`);
          } else {
            t.equal(answer.status, 403, name);
            t.match(JSON.stringify(answer.body), refused, name);
          }
        }
        if (mayChange) t.equal(await container.users.find(orgId, id), undefined);
        else t.same(await container.users.find(orgId, id), before);
      },
    );
  }

  t.test(`a Bulk request of a user manager: ${who}`, async (t) => {
    const id = await make(give);
    const before = await container.users.find(orgId, id);
    const operations = [
      {
        method: 'PATCH',
        path: `/Users/${id}`,
        data: patchOp({ op: 'replace', path: 'title', value: 'Chief' }),
      },
      { method: 'DELETE', path: `/Users/${id}` },
    ];
    const { body } = await call(`POST /scim/v2/${orgId}/Bulk`, {
      as: manager,
      body: { schemas: [urn.bulkRequest], Operations: operations },
    });
    const statuses = body.Operations.map((one: { status: string }) => one.status);
    t.same(statuses, by[0] ? ['204', '204'] : ['403', '403']);
    if (!by[0]) {
      t.match(JSON.stringify(body), refused);
      t.same(await container.users.find(orgId, id), before);
    }
  });
}

t.test('an owner of the instance changes everybody', async (t) => {
  for (const [who, { give }] of Object.entries(people)) {
    const id = await make(give);
    for (const [name, request, status] of changes) {
      const [line, body] = request(id);
      const answer = await call(line, { as: instanceOwner, ...(body !== undefined && { body }) });
      t.equal(answer.status, status, `${who}: ${name}`);
    }
  }
});

t.test('a request that changes nothing is no change, and unknown users stay unknown', async (t) => {
  const id = await make(role('IAM_OWNER', {}));
  const same = patchOp({ op: 'replace', path: 'active', value: true });
  t.equal((await call(`PATCH ${scim(id)}`, { as: manager, body: same })).status, 204);
  const away = await makePerson(container, elsewhere);
  await role('IAM_OWNER', {})(away.id);
  for (const line of [`PATCH ${scim(away.id)}`, `DELETE ${scim(away.id)}`]) {
    const body = line.startsWith('PATCH') ? patchOp({ op: 'replace', path: 'title', value: 'X' }) : undefined;
    const answer = await call(line, { as: manager, ...(body !== undefined && { body }) });
    t.equal(answer.status, 404, 'not 403, which would tell that the person exists');
  }
});

t.test('metadata of a more powerful user stays as it is', async (t) => {
  const person = await make(role('IAM_OWNER', {}));
  const machine = await makeCaller(container, orgId, ['IAM_OWNER']);
  const set = (as: Caller, id: string) =>
    call(`PUT ${users(id)}/metadata/key`, { as, body: { value: 'AAAA' } });
  for (const id of [person, machine.id]) {
    t.match(await set(owner, id), { status: 403, body: { id: refused } });
    t.equal((await set(instanceOwner, id)).status, 200);
    t.match(await call(`DELETE ${users(id)}/metadata/key`, { as: owner }), {
      status: 403,
      body: { id: refused },
    });
  }
  t.equal((await set(owner, await make(role('ORG_OWNER', { orgId })))).status, 200);
});

t.test('a role counts from the moment it is given until it is taken away', async (t) => {
  const id = await make(async () => undefined);
  const rename = (value: string) =>
    call(`PATCH ${scim(id)}`, { as: manager, body: patchOp({ op: 'replace', path: 'title', value }) });
  t.equal((await rename('One')).status, 204);
  const given = await call(`POST /admin/v1/orgs/${orgId}/memberships`, {
    as: owner,
    body: { userId: id, role: 'ORG_OWNER' },
  });
  t.equal((await rename('Two')).status, 403);
  await call(`DELETE /admin/v1/orgs/${orgId}/memberships/${given.body.id}`, { as: owner });
  t.equal((await rename('Three')).status, 204);
});
