import t from 'tap';
import { removeProjectRole } from '#src/access/projects/remove-project-role.js';
import { changeGroup } from '#src/people/groups/change-group.js';
import { changeGroupRoles } from '#src/people/groups/change-group-roles.js';
import { removeGroup } from '#src/removal/remove-group.js';
import { removeUser } from '#src/removal/remove-user.js';
import { testEditor as editor, makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser, humanUsers } from '../../support/migration/imports.js';

const { container, call } = await buildTestApp(t, { workers: true });
const { id: orgId } = await makeOrganization(container);
const as = await makeCaller(container, orgId, ['IAM_OWNER']);
const { groups, groupMembers } = container;

/** Imports lists of the organization in the form of another provider. */
async function importLists(lists: Record<string, readonly unknown[]>, more: object = {}) {
  const body = { timeout: '2m', dataOrgs: { orgs: [{ orgId, ...lists }] }, ...more };
  return (await call('POST /admin/v1/import', { as, body })).body;
}

const group = (groupId: string) => ({ groupId, group: { displayName: groupId } });

/** Makes a group of this name and a person who is in no group. */
async function groupAndPerson(name: string) {
  const userId = `id-${name}`;
  const made = await importLists({ groups: [group(name)], humanUsers: [humanUser(name, { userId })] });
  t.equal(made.summary.created, 2);
  return { groupId: name, userId };
}

/** Lets something happen once, after a part has looked up the memberships of the group. */
function onceLookedUp(groupId: string, work: () => Promise<void>) {
  const { existing } = groupMembers;
  let isOver = false;
  t.teardown(() => Object.assign(groupMembers, { existing }));
  Object.assign(groupMembers, {
    async existing(...args: Parameters<typeof existing>) {
      const found = await existing(...args);
      if (!isOver && args[1].some((one) => one.groupId === groupId)) {
        isOver = true;
        await work();
      }
      return found;
    },
  });
}

t.test('several parts of one group are written together', async (t) => {
  const users = humanUsers('many', 1_200);
  const members = users.map(({ userId }) => ({ groupId: 'crowd', userId }));
  const lists = { groupMembers: members, humanUsers: users, groups: [group('crowd')] };
  const { errors, summary, success } = await importLists(lists);
  t.equal(errors, undefined, JSON.stringify(errors));
  t.match(summary, { created: 2_401, failed: 0 });
  t.equal(success.orgs[0].groupMembers.length, 1_200);
  t.equal(await groupMembers.count(orgId, 'crowd'), 1_200);
  const events = await container.events.search({ aggregateId: 'crowd', limit: 100, ascending: true });
  t.same(
    events.map(({ type, sequence }) => `${type} ${sequence}`),
    ['group.added 1', ...[2, 3, 4].map((sequence) => `group.members.added ${sequence}`)],
  );
  t.equal((await groups.find(orgId, 'crowd'))?.version, 4);
  t.same((await importLists(lists)).summary, { created: 0, skipped: 2_401, failed: 0, total: 2_401 });
});

t.test('roles of an imported group count at once, also for a person who is known already', async (t) => {
  const { userId } = await groupAndPerson('known');
  t.same(await container.caches.memberships.get(userId), []);
  const record = { groupId: 'viewers', group: { displayName: 'Viewers', roles: ['ORG_USER_VIEWER'] } };
  const { errors } = await importLists({ groups: [record], groupMembers: [{ groupId: 'viewers', userId }] });
  t.equal(errors, undefined);
  t.match(await container.caches.memberships.get(userId), [{ role: 'ORG_USER_VIEWER', orgId }]);
});

t.test('a group that is removed during the look-up is unknown', async (t) => {
  const { groupId, userId } = await groupAndPerson('fading');
  onceLookedUp(groupId, () => removeGroup(container, { orgId, id: groupId, editor }));
  const { errors } = await importLists({ groupMembers: [{ groupId, userId }] });
  t.match(errors, [{ type: 'group_member', id: `${groupId}/${userId}`, message: /^REFERENCE-UNKNOWN: / }]);
  t.same(await groupMembers.groupsOf(orgId, userId, 9), []);
});

t.test('a membership that another caller adds during the look-up is skipped', async (t) => {
  const { groupId, userId } = await groupAndPerson('raced');
  const delta = { from: 'current', added: new Set([userId]), removed: new Set<string>() } as const;
  onceLookedUp(groupId, () => changeGroup(container, { orgId, id: groupId, editor, delta }));
  const { errors, summary } = await importLists({ groupMembers: [{ groupId, userId }] });
  t.equal(errors, undefined);
  t.match(summary, { created: 0, skipped: 1 });
  t.equal((await groups.find(orgId, groupId))?.version, 2, 'with one event');
});

t.test('a person who is removed during the look-up leaves no membership', async (t) => {
  const { groupId, userId } = await groupAndPerson('leaving');
  const { existing } = container.users;
  t.teardown(() => Object.assign(container.users, { existing }));
  let isOver = false;
  Object.assign(container.users, {
    async existing(...args: Parameters<typeof existing>) {
      const found = await existing(...args);
      if (!isOver && args[1].includes(userId)) {
        isOver = true;
        await removeUser(container, { orgId, id: userId, editor });
      }
      return found;
    },
  });
  await importLists({ groupMembers: [{ groupId, userId }] });
  t.same(await groupMembers.page(orgId, groupId, { limit: 9 }), []);
});

t.test('a user who is imported again is in no group that the former user left behind', async (t) => {
  const { groupId, userId } = await groupAndPerson('again');
  await changeGroupRoles(container, { orgId, id: groupId, roles: ['ORG_OWNER'], editor });
  await removeUser(container, { orgId, id: userId, editor });
  // As a process leaves it that ends after it has added a member, and before it has looked whether the user was removed.
  await container.mongo.db
    .collection<{ _id: string } & Record<string, unknown>>('groupMembers')
    .insertOne({ _id: `${groupId} ${userId}`, orgId, groupId, userId, schemaVersion: 1 });
  const { summary } = await importLists({ humanUsers: [humanUser('again', { userId })] });
  t.match(summary, { created: 1, failed: 0 });
  t.same(await container.caches.memberships.get(userId), []);
  t.same(await groupMembers.groupsOf(orgId, userId, 9), []);
});

t.test('the quota of groups holds', async (t) => {
  const { id } = await makeOrganization(container);
  const quotas = await call(`PATCH /admin/v1/orgs/${id}`, { as, body: { quotas: { groups: 1 } } });
  t.equal(quotas.status, 200, JSON.stringify(quotas.body));
  const lists = { groups: [group('quota-1'), group('quota-2')] };
  const body = { timeout: '2m', dataOrgs: { orgs: [{ orgId: id, ...lists }] } };
  for (const dryRun of [true, false]) {
    const { errors } = (await call('POST /admin/v1/import', { as, body: { ...body, dryRun } })).body;
    t.match(errors, [{ type: 'group', id: 'quota-2', message: /^QUOTA-EXCEEDED: / }]);
  }
});

/** Imports lists of the organization in the form of an export. */
async function importExport(lists: Record<string, readonly unknown[]>) {
  const body = { timeout: '2m', dataOrgsv1: { orgs: [{ orgId, ...lists }] } };
  return (await call('POST /admin/v1/import', { as, body })).body;
}

/** A project with this identifier and the role `reader`. */
const projectLists = (projectId: string) => ({
  projects: [{ projectId, project: { name: projectId } }],
  projectRoles: [{ projectId, roleKey: 'reader' }],
});

t.test('grants count at once, also for people who are known already', async (t) => {
  const { groupId, userId } = await groupAndPerson('granted');
  const projectId = 'granting';
  await importExport(projectLists(projectId));
  await importLists({ groupMembers: [{ groupId, userId }] });
  const rolesNow = async () => {
    const stamp = await container.revocations.stampOf(userId);
    const user = await container.people.find(orgId, userId, stamp);
    if (user === undefined) throw new Error('The person is gone');
    const { byProject } = await container.projectRolesOfUsers.of(user, [projectId]);
    return byProject.get(projectId);
  };
  for (let warm = 0; warm < 3; warm++) t.equal(await rolesNow(), undefined);
  const groupGrants = [{ groupId, projectId, roleKeys: ['reader'] }];
  t.match(await importExport({ groupGrants }), { summary: { created: 1, failed: 0 } });
  t.same(await rolesNow(), ['reader']);
  await importExport({ projectRoles: [{ projectId, roleKey: 'writer' }] });
  const userGrants = [{ userId, projectId, roleKeys: ['writer'] }];
  t.match(await importExport({ userGrants, groupGrants }), { summary: { created: 1, skipped: 2 } });
  t.same(await rolesNow(), ['reader', 'writer']);
});

t.test('a role or a group that is removed during the look-up is unknown', async (t) => {
  const { findMany: find } = container.groupGrants;
  for (const what of ['role', 'group'] as const) {
    const { groupId } = await groupAndPerson(`short-${what}`);
    const projectId = `short-lived-${what}`;
    await importExport(projectLists(projectId));
    let isOver = false;
    Object.assign(container.groupGrants, {
      async findMany(...args: Parameters<typeof find>) {
        const found = await find(...args);
        if (isOver) return found;
        isOver = true;
        if (what === 'group') await removeGroup(container, { orgId, id: groupId, editor });
        else await removeProjectRole(container, { orgId, id: projectId, editor }, 'reader');
        return found;
      },
    });
    const { errors } = await importExport({ groupGrants: [{ groupId, projectId, roleKeys: ['reader'] }] });
    Object.assign(container.groupGrants, { findMany: find });
    t.match(errors, [
      { type: 'group_grant', id: `${projectId}/${groupId}`, message: /^REFERENCE-UNKNOWN: / },
    ]);
    t.same(await container.groupGrants.page(orgId, { projectId, limit: 9 }), []);
  }
});

t.test('an update changes groups, and adds members', async (t) => {
  const { groupId, userId } = await groupAndPerson('team');
  await groupAndPerson('rival');
  const lists = (given: object, members: readonly object[] = []) => ({
    groups: [{ groupId, group: { displayName: groupId, ...given } }],
    groupMembers: members,
  });
  const update = (given: ReturnType<typeof lists>) => importLists(given, { update: true });
  t.same(await container.caches.memberships.get(userId), []);
  const change = { displayName: 'The team', externalId: 'x-9', roles: ['ORG_USER_VIEWER'] };
  const first = await update(lists(change, [{ groupId, userId }]));
  t.same(first.summary, { created: 1, updated: 1, skipped: 0, failed: 0, total: 2 });
  t.match(await groups.find(orgId, groupId), change);
  t.match(await container.caches.memberships.get(userId), [{ role: 'ORG_USER_VIEWER', orgId }]);
  const events = () => container.events.search({ aggregateId: groupId, limit: 100, ascending: true });
  t.match(
    (await events()).map(({ type, sequence, payload }) => ({ type, sequence, payload })),
    [
      { type: 'group.added' },
      { type: 'group.changed', sequence: 2, payload: { attributes: ['displayName', 'externalId'] } },
      { type: 'group.roles.changed', sequence: 3, payload: { roles: ['ORG_USER_VIEWER'] } },
      { type: 'group.members.added', sequence: 4 },
    ],
  );
  const again = await update(lists(change, [{ groupId, userId }]));
  t.same(again.summary, { created: 0, updated: 0, skipped: 2, failed: 0, total: 2 });

  const brief = await update(lists({ displayName: 'The team' }));
  t.match(brief.summary, { skipped: 1 }, 'what it does not mention stays');
  const cleared = await update(lists({ displayName: 'The team', externalId: null, roles: [] }));
  t.match(cleared.summary, { updated: 1 });
  const { externalId, roles, version } = (await groups.find(orgId, groupId)) ?? {};
  t.same({ externalId, roles, version }, { externalId: undefined, roles: undefined, version: 6 });
  t.same(await container.caches.memberships.get(userId), [], 'its members have lost the role');
  t.equal(await groupMembers.count(orgId, groupId), 1, 'members whom the file does not mention stay');

  const refused = [
    await update(lists({ displayName: 'RIVAL' })),
    await update(lists({ displayName: 'The team', roles: ['IAM_OWNER'] })),
  ];
  t.match(refused[0]?.errors, [{ type: 'group', id: groupId, message: /^NAME-TAKEN: / }]);
  t.match(refused[1]?.errors, [{ type: 'group', id: groupId, message: /^VALUE-INVALID: roles/ }]);
  t.equal((await events()).length, 6);
});

t.test('an update of a group keeps the date of the record when it adds members', async (t) => {
  const { userId } = await groupAndPerson('late');
  const dated = (year: number, more: object = {}) => {
    const dates = { created: '2018-01-01T00:00:00.000Z', lastModified: `${year}-01-01T00:00:00.000Z` };
    return { groupId: 'dated', group: { displayName: 'Dated', ...dates, ...more } };
  };
  await importLists({ groups: [dated(2019)] });
  const lists = { groups: [dated(2021, { externalId: 'x' })], groupMembers: [{ groupId: 'dated', userId }] };
  t.match((await importLists(lists, { update: true })).summary, { created: 1, updated: 1 });
  t.same((await groups.find(orgId, 'dated'))?.lastModified, new Date('2021-01-01T00:00:00.000Z'));
  const began = container.clock.now();
  t.match((await importLists({ groups: [dated(2020)] }, { update: true })).summary, { skipped: 1 });
  await importLists({ groups: [dated(2020, { externalId: 'y' })] }, { update: true });
  const found = await groups.find(orgId, 'dated');
  t.ok(found && found.lastModified >= began, 'an older date does not turn the clock back');
  t.same(found?.created, new Date('2018-01-01T00:00:00.000Z'));
});
