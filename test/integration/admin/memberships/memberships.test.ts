import t from 'tap';
import type { Organization } from '#src/directory/organization.js';
import { addUser } from '#src/people/users/add-user.js';
import {
  makeCaller,
  makeOrganization,
  makeTenant,
  testEditor,
  uniqueName,
} from '../../../support/app/make.js';
import { buildTestApp } from '../../../support/app/test-app.js';

const { container, call } = await buildTestApp(t);
const home = await makeOrganization(container);
const instanceOwner = await makeCaller(container, home.id, ['IAM_OWNER']);
const acme = await makeTenant(container);
const other = await makeTenant(container);
const members = `/admin/v1/orgs/${acme.orgId}/memberships`;

/** A person of an organization. */
async function person(orgId: string): Promise<string> {
  const organization = (await container.organizations.find(orgId)) as Organization;
  const profile = {
    userName: uniqueName('person'),
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: 'ada@example.com' }],
  };
  return (await addUser(container, { organization, draft: { profile }, editor: testEditor })).id;
}

t.test('a role is given, read, listed and taken away, and works at once', async (t) => {
  const tool = await makeCaller(container, acme.orgId);
  const read = () => call(`GET ${members}`, { as: tool });
  t.equal((await read()).status, 404);

  const body = { user_id: tool.id, role: 'ORG_OWNER' };
  const given = await call(`POST ${members}`, { as: acme.owner, body });
  t.equal(given.status, 201);
  t.match(given.body, { id: String, userId: tool.id, role: 'ORG_OWNER', orgId: acme.orgId, created: String });
  t.equal(given.headers['location'], `https://muster.example${members}/${given.body.id}`);
  t.equal((await read()).status, 200);
  t.same((await call(`GET ${members}/${given.body.id}`, { as: acme.owner })).body, given.body);
  const again = await call(`POST ${members}`, { as: acme.owner, body });
  t.match({ status: again.status, id: again.body.id }, { status: 409, id: 'directory.membershipExists' });
  t.match((await read()).body.items.at(-1), given.body);

  t.equal((await call(`DELETE ${members}/${given.body.id}`, { as: acme.owner })).status, 204);
  t.equal((await read()).status, 404);
  t.equal((await call(`DELETE ${members}/${given.body.id}`, { as: acme.owner })).status, 404);
  const { body: found } = await call('POST /admin/v1/events/_search', {
    as: acme.owner,
    body: { aggregateId: given.body.id, asc: true },
  });
  t.match(found.events, [
    { type: 'member.added', sequence: 1, payload: { userId: tool.id, role: 'ORG_OWNER' } },
    { type: 'member.removed', sequence: 2, aggregate: { type: 'member', resourceOwner: acme.orgId } },
  ]);
});

t.test('removing a person over SCIM removes the roles', async (t) => {
  const userId = await person(acme.orgId);
  const body = { userId, role: 'ORG_USER_MANAGER' };
  const given = await call(`POST ${members}`, { as: acme.owner, body });
  t.equal(given.status, 201);
  t.equal((await call(`DELETE /scim/v2/${acme.orgId}/Users/${userId}`, { as: acme.owner })).status, 204);
  t.equal((await call(`GET ${members}/${given.body.id}`, { as: acme.owner })).status, 404);
  const { body: found } = await call('POST /admin/v1/events/_search', {
    as: acme.owner,
    body: { aggregateId: given.body.id, eventTypes: ['member.removed'] },
  });
  t.equal(found.events.length, 1);
});

t.test('people get roles as well', async (t) => {
  const userId = await person(acme.orgId);
  const body = { userId, role: 'ORG_USER_MANAGER' };
  t.equal((await call(`POST ${members}`, { as: acme.owner, body })).status, 201);
  const instance = { userId, role: 'IAM_OWNER' };
  t.equal((await call('POST /admin/v1/memberships', { as: instanceOwner, body: instance })).status, 201);
});

t.test('a caller cannot give more authority than they have', async (t) => {
  const userId = acme.manager.id;
  const refused: [string, unknown, { token: string }, number][] = [
    [`POST ${members}`, { userId, role: 'IAM_OWNER' }, acme.owner, 400],
    [`POST ${members}`, { userId, role: 'IAM_OWNER' }, instanceOwner, 400],
    ['POST /admin/v1/memberships', { userId, role: 'IAM_OWNER' }, acme.owner, 403],
    ['POST /admin/v1/memberships', { userId, role: 'ORG_OWNER' }, instanceOwner, 400],
    [`POST ${members}`, { userId, role: 'ORG_OWNER' }, acme.manager, 403],
    [`POST ${members}`, { userId, role: 'ORG_OWNER' }, other.owner, 404],
    [`POST ${members}`, { userId, role: 'GOD' }, acme.owner, 400],
    [`POST ${members}`, { userId }, acme.owner, 400],
    [`POST ${members}`, { role: 'ORG_OWNER' }, acme.owner, 400],
    [`POST ${members}`, { userId, role: 'ORG_OWNER', orgId: other.orgId }, acme.owner, 400],
    [`POST ${members}`, { userId: 'nobody', role: 'ORG_OWNER' }, acme.owner, 404],
    ['POST /admin/v1/memberships', { userId: 'nobody', role: 'IAM_OWNER' }, instanceOwner, 404],
    ['GET /admin/v1/memberships', undefined, acme.owner, 403],
    [`GET ${members}`, undefined, acme.viewer, 403],
    [`GET ${members}`, undefined, other.owner, 404],
  ];
  for (const [request, body, as, status] of refused) {
    const answer = await call(request, { as, ...(body !== undefined && { body }) });
    t.equal(answer.status, status, `${request} ${JSON.stringify(body)}`);
  }
  t.equal((await call(`POST ${members}`, { body: {} })).status, 401);
  t.equal((await call('GET /admin/v1/memberships')).status, 401);
});

t.test('only the owner of the instance brings in users of other organizations', async (t) => {
  const body = { userId: other.manager.id, role: 'ORG_USER_VIEWER' };
  const own = await call(`POST ${members}`, { as: acme.owner, body });
  t.match({ status: own.status, id: own.body.id }, { status: 404, id: 'directory.userNotFound' });
  const human = { userId: await person(other.orgId), role: 'ORG_USER_VIEWER' };
  t.equal((await call(`POST ${members}`, { as: acme.owner, body: human })).status, 404);

  const users = `GET /scim/v2/${acme.orgId}/Users`;
  t.equal((await call(users, { as: other.manager })).status, 404);
  const given = await call(`POST ${members}`, { as: instanceOwner, body });
  t.equal(given.status, 201);
  t.equal((await call(users, { as: other.manager })).status, 200);
  t.equal((await call(`DELETE ${members}/${given.body.id}`, { as: acme.owner })).status, 204);
  t.equal((await call(users, { as: other.manager })).status, 404);
});

t.test('a role is found only where it holds', async (t) => {
  const { body: ours } = await call(`GET ${members}`, { as: acme.owner });
  const { body: instance } = await call('GET /admin/v1/memberships', { as: instanceOwner });
  const [role] = ours.items;
  const [instanceRole] = instance.items;
  const misplaced = [
    [`/admin/v1/orgs/${other.orgId}/memberships/${role.id}`, other.owner],
    [`/admin/v1/memberships/${role.id}`, instanceOwner],
    [`${members}/${instanceRole.id}`, acme.owner],
  ] as const;
  for (const [url, as] of misplaced) {
    for (const request of [`GET ${url}`, `DELETE ${url}`]) {
      const { status, body } = await call(request, { as });
      t.match({ status, id: body.id }, { status: 404, id: 'directory.membershipNotFound' }, request);
    }
  }
  t.equal((await call(`GET ${members}/${role.id}`, { as: acme.owner })).status, 200);
  t.equal((await call(`GET /admin/v1/memberships/${instanceRole.id}`, { as: instanceOwner })).status, 200);
  t.ok(ours.items.every(({ orgId }: { orgId: string }) => orgId === acme.orgId));
  t.notOk(instance.items.some((item: object) => 'orgId' in item));
});

t.test('both lists are paged', async (t) => {
  const second = await makeCaller(container, home.id, ['IAM_OWNER']);
  for (const [url, as] of [
    [members, acme.owner],
    ['/admin/v1/memberships', second],
  ] as const) {
    const all = await call(`GET ${url}?limit=100`, { as });
    const first = await call(`GET ${url}?limit=1`, { as });
    const rest = await call(`GET ${url}?limit=100&after=${first.body.next}`, { as });
    t.ok(all.body.items.length > 1);
    t.same([...first.body.items, ...rest.body.items], all.body.items);
    t.notOk('next' in rest.body);
  }
});
