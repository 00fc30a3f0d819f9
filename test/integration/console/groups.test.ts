import t from 'tap';
import { addGroup } from '#src/people/groups/add-group.js';
import { changeGroup } from '#src/people/groups/change-group.js';
import { changeGroupRoles } from '#src/people/groups/change-group-roles.js';
import type { Group, MemberDelta } from '#src/people/groups/group.js';
import { type ConsoleUser, openConsole } from '../../support/app/console.js';
import { testEditor, uniqueName } from '../../support/app/make.js';
import { makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import type { Seen } from '../../support/oidc/visitor.js';

/** The pages of groups, as owners, managers and viewers see them. */

const opened = await buildTestApp(t);
const { container } = opened;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const manager = await openConsole(opened, home, { roles: ['ORG_USER_MANAGER'] });
const viewer = await openConsole(opened, home, { roles: ['ORG_USER_VIEWER'] });
const groups = `/console/orgs/${home.id}/groups`;
const pathOf = ({ id }: Pick<Group, 'id'>) => `${groups}/${id}`;
const nobody: MemberDelta = { from: 'current', added: new Set(), removed: new Set() };
const submit = (user: ConsoleUser, page: Seen, fields: Record<string, string>) =>
  user.fill(page, fields, page.url.split('?')[0]);

const makeGroup = (displayName: string, members: readonly { readonly id: string }[] = []) =>
  addGroup(container, {
    orgId: home.id,
    profile: { displayName },
    members: new Set(members.map(({ id }) => id)),
    editor: testEditor,
  });

t.test('an empty list says what to do next', async (t) => {
  t.match((await manager.get(groups)).text, /No group yet/);
  t.match((await manager.get(groups)).text, /Add a group/);
  t.notMatch((await viewer.get(groups)).text, /Add a group/);
});

t.test('a group is added, and a name that is taken is refused', async (t) => {
  const form = await manager.get(`${groups}/new`);
  const added = await manager.follow(await submit(manager, form, { name: 'Tennis & <b>Golf</b>' }));
  t.match(added.text, /The group was added/);
  t.match(added.text, 'Tennis &amp; &lt;b&gt;Golf&lt;/b&gt;');
  t.notMatch(added.text, '<b>Golf');
  const again = await submit(manager, form, { name: 'tennis & <b>golf</b>' });
  t.match(again, { status: 409, text: 'value="tennis &amp; &lt;b&gt;golf&lt;/b&gt;"' });
  t.equal((await submit(manager, form, { name: ' ' })).status, 400);
});

t.test('the list is searched by beginnings and goes on by a cursor', async (t) => {
  for (let n = 0; n < 52; n++) await makeGroup(`Many ${String(n).padStart(2, '0')}`);
  const first = await viewer.get(`${groups}?search=MANY`);
  t.match(first.text, 'Many 49');
  t.notMatch(first.text, 'Many 50');
  const [, next = ''] = /rel="next" href="([^"]*)"/.exec(first.text) ?? [];
  const second = await viewer.get(next.replaceAll('&amp;', '&'));
  t.match(second.text, 'Many 50');
  t.notMatch(second.text, 'Many 49');
  t.match((await viewer.get(`${groups}?search=%22%20or%20%22`)).text, /No group begins with this/);
});

t.test('members are found, added and removed', async (t) => {
  const user = await makePerson(container, home, { userName: uniqueName('member') });
  const group = await makeGroup('Members');
  const offered = await manager.get(`${pathOf(group)}?user=${user.userName}`);
  const added = await manager.follow(
    await manager.fill(offered, {}, `${pathOf(group)}/members/${user.id}/add`),
  );
  t.match(added.text, /The member was added/);
  t.match(added.text, user.userName);
  t.notMatch((await viewer.get(pathOf(group))).text, /members\/[^"]*\/remove/);
  const removed = await manager.fill(added, {}, `${pathOf(group)}/members/${user.id}/remove`);
  t.match((await manager.follow(removed)).text, /The group has no members yet/);
});

t.test('the search stays while members are added and removed, and tells who is one', async (t) => {
  const group = await makeGroup('Kept search');
  const people = await Promise.all(
    ['a', 'b'].map((end) => makePerson(container, home, { userName: `kept&search-${end}` })),
  );
  const search = `${pathOf(group)}?user=${encodeURIComponent('kept&search')}`;
  let page = await manager.get(search);
  for (const { id } of people)
    page = await manager.follow(await manager.fill(page, {}, `${pathOf(group)}/members/${id}/add`));
  t.match(page.text, 'value="kept&amp;search"', 'the field has the text');
  t.equal(page.text.match(/is a member/g)?.length, 2, 'nobody is offered twice');
  t.notMatch(page.text, /members\/[^"]*\/add/);
  page = await manager.follow(
    await manager.fill(page, {}, `${pathOf(group)}/members/${people[0]?.id}/remove`),
  );
  t.match(page.text, `members/${people[0]?.id}/add`, 'who was removed can be added again');
  t.match(page.text, 'value="kept&amp;search"');
});

t.test('removing a member leads back to the same page of members', async (t) => {
  const people = await Promise.all(Array.from({ length: 52 }, () => makePerson(container, home)));
  const group = await makeGroup('Two pages', people);
  const first = await manager.get(pathOf(group));
  const [, next = ''] = /rel="next" href="([^"]*)"/.exec(first.text) ?? [];
  const second = await manager.get(next.replaceAll('&amp;', '&'));
  const [, gone = ''] = /members\/([^"/]*)\/remove/.exec(second.text) ?? [];
  const after = await manager.follow(
    await manager.fill(second, {}, `${pathOf(group)}/members/${gone}/remove`),
  );
  t.match(after.url, /after=/);
  t.notMatch(after.text, `members/${gone}/remove`);
  t.equal(after.text.match(/members\/[^"/]*\/remove/g)?.length, 1, 'the other member of the second page');
});

t.test('a group has another name, unless somebody else renamed it', async (t) => {
  const group = await makeGroup('Old');
  const form = await manager.get(`${pathOf(group)}/rename`);
  await changeGroup(container, {
    orgId: home.id,
    id: group.id,
    editor: testEditor,
    profile: () => ({ displayName: 'Theirs' }),
    delta: nobody,
  });
  const refused = await submit(manager, form, { name: 'Mine' });
  t.match(refused, { status: 409, text: 'value="Mine"' });
  t.match(refused.text, /Its name is now: Theirs/);
  t.match((await manager.follow(await submit(manager, refused, { name: 'Mine' }))).text, /<h1>Mine/);
});

t.test('owners set the roles of a group', async (t) => {
  const group = await makeGroup('Helpers');
  const page = await owner.get(pathOf(group));
  t.notMatch((await manager.get(pathOf(group))).text, /Roles of the members/);
  const set = await owner.fill(page, { role: 'ORG_USER_VIEWER' }, `${pathOf(group)}/roles`);
  t.match(set.location, /done=rolesSet/);
  t.same(await container.groups.held(home.id, group.id), ['ORG_USER_VIEWER']);
  const late = await owner.fill(page, { role: 'ORG_OWNER' }, `${pathOf(group)}/roles`);
  t.equal(late.status, 409, 'the roles are others than the form showed');
  t.same(await container.groups.held(home.id, group.id), ['ORG_USER_VIEWER']);
});

t.test('a manager adds nobody to a group that gives more rights', async (t) => {
  const user = await makePerson(container, home);
  const group = await makeGroup('Chiefs');
  await changeGroupRoles(container, {
    orgId: home.id,
    id: group.id,
    roles: ['ORG_OWNER'],
    editor: testEditor,
  });
  const page = await manager.get(`${pathOf(group)}?user=${user.userName}`);
  const refused = await manager.fill(page, {}, `${pathOf(group)}/members/${user.id}/add`);
  t.equal(refused.status, 403);
});

t.test('a group is deleted by its name alone, and its size is named', async (t) => {
  const group = await makeGroup('Gone', [await makePerson(container, home)]);
  const page = await manager.get(`${pathOf(group)}/delete`);
  t.match(page.text, /Members: 1/);
  t.equal((await submit(manager, page, { confirmed: 'Gon' })).status, 400);
  const deleted = await submit(manager, page, { confirmed: 'Gone' });
  t.match((await manager.follow(deleted)).text, /The group was deleted/);
  t.notOk(await container.groups.find(home.id, group.id));
});

t.test('viewers get no form, and nobody reaches the groups of another organization', async (t) => {
  const group = await makeGroup('Quiet');
  for (const path of [`${groups}/new`, `${pathOf(group)}/rename`, `${pathOf(group)}/delete`])
    t.equal((await viewer.get(path)).status, 403, path);
  const other = await makeHome(container);
  for (const path of ['', '/new', `/${group.id}`])
    t.equal((await owner.get(`/console/orgs/${other.id}/groups${path}`)).status, 403, path);
});

t.test('several groups are deleted after a question that counts and names them', async (t) => {
  const [one, two] = [await makeGroup('Several ünd one'), await makeGroup('Several <b>two</b>')];
  const chosen = `id=${one.id}&id=${two.id}`;
  const list = await manager.get(`${groups}?search=several%20und`);
  t.match(list.text, `value="${one.id}" aria-label="Choose: Several ünd one"`);
  t.match(list.text, /Found: 1</);
  t.notMatch((await viewer.get(`${groups}?search=several`)).text, 'name="id"');
  t.equal((await viewer.get(`${groups}/actions?action=deleteGroups&${chosen}`)).status, 403);
  t.match(await manager.get(`${groups}/actions?action=deleteGroups`), { location: /done=nothing/ });
  t.match(await manager.get(`${groups}/actions?action=constructor&${chosen}`), { location: /done=nothing/ });
  t.match((await manager.get(`${groups}?done=nothing`)).text, 'Choose something in the list first.');

  const question = await manager.get(`${groups}/actions?action=deleteGroups&${chosen}&id=gone`);
  t.match(question.text, 'Groups: 2. Delete them?');
  t.match(question.text, 'Several &lt;b&gt;two&lt;/b&gt;');
  const wrong = await submit(manager, question, { confirmed: '3' });
  t.match(wrong, { status: 400, text: 'This is another number.' });
  t.ok(await container.groups.find(home.id, one.id), 'nothing was deleted');
  const done = await manager.follow(await submit(manager, question, { confirmed: '2' }));
  t.match(done.text, 'The groups were deleted.');
  t.equal(await container.groups.find(home.id, one.id), undefined);
  t.equal(await container.groups.find(home.id, two.id), undefined);
});

t.test('what cannot be done with one of several groups is said, and the others are done', async (t) => {
  const plain = await makeGroup('Without a role');
  const powerful = await makeGroup('With a role');
  const roles = ['ORG_OWNER'] as const;
  await changeGroupRoles(container, { orgId: home.id, id: powerful.id, roles, editor: testEditor });
  const path = `${groups}/actions?action=deleteGroups&id=${plain.id}&id=${powerful.id}`;
  const asked = await manager.get(path);
  const refused = await submit(manager, asked, { confirmed: '2' });
  t.match(refused, { status: 403 });
  t.equal(await container.groups.find(home.id, plain.id), undefined);
  t.ok(await container.groups.find(home.id, powerful.id));
});

t.test('groups are sorted by time too', async (t) => {
  const page = await viewer.get(`${groups}?sort=created%20desc`);
  t.match(page.text, /<option value="created desc" selected>/);
  t.ok(page.text.indexOf('With a role') < page.text.indexOf('Kept search'));
  t.equal((await viewer.get(`${groups}?sort=nothing`)).status, 200);
});
