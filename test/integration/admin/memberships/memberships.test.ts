import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { makeOneTimeLink } from '#src/authentication/make-one-time-link.js';
import type { Organization } from '#src/directory/organization.js';
import type { User } from '#src/directory/user.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { addUser } from '#src/people/users/add-user.js';
import {
  makeCaller,
  makeOrganization,
  makeTenant,
  testEditor,
  uniqueName,
} from '../../../support/app/make.js';
import { goodPassword, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { patchOp } from '../../../support/scim/scim-client.js';

const { container, call } = await buildTestApp(t, { workers: true });
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

/** An organization with a program that owns it, and people with passwords who do. */
async function owned(count: number) {
  const { orgId, owner } = await makeTenant(container);
  const organization = (await container.organizations.find(orgId)) as Organization;
  const give = async (userId: string) =>
    (await addMembership(container, { userId, role: 'ORG_OWNER', orgId, editor: testEditor })).id;
  const make = (password: string | null = goodPassword) => makePerson(container, organization, { password });
  const owners = [];
  for (let index = 0; index < count; index++) {
    const person = await make();
    owners.push({ person, membership: await give(person.id) });
  }
  const users = `/scim/v2/${orgId}/Users`;
  return { orgId, organization, owner, owners, give, make, users, base: `/admin/v1/orgs/${orgId}` };
}

const lastOwner = { status: 409, id: 'directory.lastAbleOwner' };
const ended = (answer: { status: number; body: { id?: string } }) => ({
  status: answer.status,
  id: answer.body?.id,
});

t.test('the last owner who can sign in stays, whatever takes the role away', async (t) => {
  const { orgId, organization, owner, owners, give, make, users, base } = await owned(1);
  const [{ person, membership }] = owners as [{ person: User; membership: string }];
  // None of these can sign in: no password, an expired link, not active.
  const expired = await make(null);
  await makeOneTimeLink(container, { orgId, userId: expired.id, editor: testEditor, lifeSeconds: -1 });
  const asleep = await makePerson(container, organization, { active: false });
  for (const { id } of [await make(null), expired, asleep]) await give(id);
  const one = `${users}/${person.id}`;
  const off = patchOp({ op: 'replace', path: 'active', value: false });
  const attempts = {
    role: () => call(`DELETE ${base}/memberships/${membership}`, { as: owner }),
    patch: () => call(`PATCH ${one}`, { as: owner, body: off }),
    put: async () => {
      const { body } = await call(`GET ${one}`, { as: owner });
      return call(`PUT ${one}`, { as: owner, body: { ...body, active: false } });
    },
    delete: () => call(`DELETE ${one}`, { as: owner }),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    const { status, body } = await attempt();
    t.equal(status, 409, name);
    t.match(JSON.stringify(body), /owner who can sign in must stay/, name);
  }
  const bulk = await call(`POST /scim/v2/${orgId}/Bulk`, {
    as: owner,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [
        { method: 'PATCH', path: `/Users/${person.id}`, data: off },
        { method: 'DELETE', path: `/Users/${person.id}` },
      ],
    },
  });
  t.same(
    bulk.body.Operations.map(({ status }: { status: string }) => status),
    ['409', '409'],
  );
  const stored = await container.accounts.find(orgId, person.id);
  t.match(stored, { user: { active: true }, password: { hash: String } });
  const invited = await make(null);
  await makeOneTimeLink(container, { orgId, userId: invited.id, editor: testEditor });
  await give(invited.id);
  t.equal((await attempts.role()).status, 204, 'an owner with a valid link is another one');
  t.equal(
    (await call(`DELETE ${users}/${asleep.id}`, { as: owner })).status,
    204,
    'who could not is no loss',
  );
});

t.test('an owner of the instance may take away the last owner of an organization', async (t) => {
  const { base, owners } = await owned(1);
  const answer = await call(`DELETE ${base}/memberships/${owners[0]?.membership}`, { as: instanceOwner });
  t.equal(answer.status, 204);
});

t.test('owners by a group count, and the last ones of it stay', async (t) => {
  const { orgId, owner, owners, make, base } = await owned(1);
  const [{ membership } = { membership: '' }] = owners;
  const [member, other] = [await make(), await make(null)];
  const group = await addGroup(container, {
    orgId,
    profile: { displayName: uniqueName('Owners') },
    members: new Set([member.id, other.id]),
    editor: testEditor,
  });
  const roles = `PUT ${base}/groups/${group.id}/roles`;
  await call(roles, { as: owner, body: { roles: ['ORG_OWNER', 'ORG_USER_VIEWER'] } });
  t.equal((await call(`DELETE ${base}/memberships/${membership}`, { as: owner })).status, 204);
  const url = `/scim/v2/${orgId}/Groups/${group.id}`;
  const without = (path: string) => patchOp({ op: 'remove', path });
  const { body } = await call(`GET ${url}`, { as: owner });
  const refused = [
    await call(roles, { as: owner, body: { roles: ['ORG_USER_VIEWER'] } }),
    await call(`PATCH ${url}`, { as: owner, body: without(`members[value eq "${member.id}"]`) }),
    await call(`PATCH ${url}`, { as: owner, body: without('members') }),
    await call(`PUT ${url}`, { as: owner, body: { ...body, members: [{ value: other.id }] } }),
    await call(`DELETE ${url}`, { as: owner }),
    await call(`DELETE /scim/v2/${orgId}/Users/${member.id}`, { as: owner }),
  ];
  for (const [index, { status }] of refused.entries()) t.equal(status, 409, String(index));
  t.match(ended(refused[0] as (typeof refused)[0]), lastOwner);
  const leave = await call(`PATCH ${url}`, {
    as: owner,
    body: without(`members[value eq "${other.id}"]`),
  });
  t.equal(leave.status, 204, 'who cannot sign in may leave');
});

t.test('two owners who go at the same time do not both go', async (t) => {
  const { base, orgId, owner, owners, users } = await owned(2);
  const [ann, bob] = owners as [(typeof owners)[0], (typeof owners)[0]];
  const answers = await Promise.all([
    call(`DELETE ${base}/memberships/${ann.membership}`, { as: owner }),
    call(`PATCH ${users}/${bob.person.id}`, {
      as: owner,
      body: patchOp({ op: 'replace', path: 'active', value: false }),
    }),
  ]);
  const statuses = answers.map(({ status }) => status);
  t.equal(statuses.filter((status) => status === 409).length, 1, statuses.join(' '));
  const left = await container.memberships.ownersOf(orgId);
  t.equal((await container.accounts.activeAmong(left)).filter(({ password }) => password).length, 1);
});

t.test('the last person who owns the instance stays, also beside a program', async (t) => {
  const keeper = await makePerson(container, home);
  const { id } = await addMembership(container, {
    userId: keeper.id,
    role: 'IAM_OWNER',
    editor: testEditor,
  });
  t.match(ended(await call(`DELETE /admin/v1/memberships/${id}`, { as: instanceOwner })), lastOwner);
  const one = `/scim/v2/${home.id}/Users/${keeper.id}`;
  t.equal((await call(`DELETE ${one}`, { as: instanceOwner })).status, 409);
  const second = await makePerson(container, home);
  await addMembership(container, { userId: second.id, role: 'IAM_OWNER', editor: testEditor });
  t.equal((await call(`DELETE ${one}`, { as: instanceOwner })).status, 204);
});
