import t from 'tap';
import { addServiceUser } from '#src/clients/service-users/add-service-user.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { openConsole } from '../../support/app/console.js';
import { testEditor as editor, uniqueName } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import type { Seen } from '../../support/oidc/visitor.js';

/** The pages of projects: their names, their roles, and who has them. */

const opened = await buildTestApp(t);
const { container } = opened;
const home = await makeHome(container, { name: 'Acme' });
const orgId = home.id;
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const list = `/console/orgs/${orgId}/projects`;

async function add(name: string): Promise<{ id: string; path: string }> {
  const added = await owner.fill(await owner.get(`${list}/new`), { name }, `${list}/new`);
  const id = /projects\/([^?]+)\?done=saved$/.exec(added.location ?? '')?.[1] ?? '';
  return { id, path: `${list}/${id}` };
}

/** Types the name that a removal asks for. */
async function confirm(path: string, name: string): Promise<Seen> {
  const asked = await owner.get(path);
  const wrong = await owner.fill(asked, { confirmed: 'another' }, path);
  if (!wrong.text.includes('This is not the name')) throw new Error(wrong.text);
  return owner.fill(asked, { confirmed: name }, path);
}

t.test('a project is added, found in the list, renamed and removed', async (t) => {
  t.match((await owner.get(list)).text, 'No project yet');
  const { id, path } = await add('Web <shop>');
  t.match((await owner.get(list)).text, 'Web &lt;shop&gt;');
  const fields = { name: 'Shop', organizations: 'org-a\r\norg-b' };
  t.equal((await owner.fill(await owner.get(path), fields, path)).status, 303);
  t.match(await container.projects.find(orgId, id), { name: 'Shop', audienceOrgIds: ['org-a', 'org-b'] });
  const refused = await owner.fill(
    await owner.get(path),
    { name: 'x'.repeat(201), organizations: 'a b' },
    path,
  );
  t.match(refused, { status: 400, text: /a b<\/textarea>/ });
  t.equal((await confirm(`${path}/remove`, 'Shop')).location, `${list}?done=removed`);
  t.equal(await container.projects.find(orgId, id), undefined);
});

t.test('a project with an application says why it stays', async (t) => {
  const { id, path } = await add('Used');
  await makeApplication(container, orgId, { name: 'Counter', projectId: id });
  t.match((await owner.get(path)).text, 'Counter');
  const kept = await confirm(`${path}/remove`, 'Used');
  t.match(kept, { status: 409, text: /This is still in use/ });
  t.ok(await container.projects.find(orgId, id));
});

t.test('roles have pages, whatever their keys are', async (t) => {
  const { id, path } = await add('Roles');
  for (const role of ['editor', 'a/b?c', 'Ω%2f']) {
    const form = await owner.get(`${path}/roles`);
    t.equal(
      (await owner.fill(form, { role, displayName: `The ${role}`, group: '' }, `${path}/roles`)).status,
      303,
    );
    const one = `${path}/roles/${encodeURIComponent(role)}`;
    t.match((await owner.get(`${path}/roles`)).text, one);
    const fields = { displayName: 'Changed', group: 'Some' };
    t.equal((await owner.fill(await owner.get(one), fields, one)).status, 303);
    t.match(await container.projectRoles.find(orgId, { projectId: id, key: role }), {
      displayName: 'Changed',
      group: 'Some',
    });
    t.equal((await confirm(`${one}/remove`, role)).status, 303);
    t.equal(await container.projectRoles.find(orgId, { projectId: id, key: role }), undefined);
  }
  const form = await owner.get(`${path}/roles`);
  const refused = await owner.fill(form, { role: 'has space', displayName: 'Kept' }, `${path}/roles`);
  t.match(refused, { status: 400, text: /value="has space"/ });
});

t.test('roles are given to people, programs and groups, changed and taken away', async (t) => {
  const { id, path } = await add('Given');
  t.match((await owner.get(`${path}/grants/new`)).text, 'The project has no role yet');
  for (const role of ['editor', 'reader'])
    await owner.fill(await owner.get(`${path}/roles`), { role }, `${path}/roles`);
  const person = await makePerson(container, home);
  const program = await addServiceUser(container, { orgId, userName: uniqueName('program'), editor });
  const group = await addGroup(container, {
    orgId,
    profile: { displayName: 'Desk "A"' },
    members: new Set(),
    editor,
  });
  const holders = [
    ['grants', person.userName, person.id, person.displayName ?? person.userName, 'editor'],
    ['grants', program.userName, program.id, program.name, 'editor'],
    ['group-grants', 'Desk "A"', group.id, 'Desk "A"', 'editor'],
    ['members', person.userName, person.id, person.displayName ?? person.userName, 'PROJECT_OWNER_VIEWER'],
  ] as const;
  const stores = {
    grants: container.userGrants,
    'group-grants': container.groupGrants,
    members: container.projectMembers,
  };
  for (const [kind, typed, holderId, name, role] of holders) {
    const form = await owner.get(`${path}/${kind}/new`);
    const nobody = await owner.fill(form, { holder: 'no such one', roles: role }, `${path}/${kind}/new`);
    t.match(nobody, { text: /value="no such one"/ }, kind);
    t.ok([400, 404].includes(nobody.status));
    const given = await owner.fill(form, { holder: typed, roles: role }, `${path}/${kind}/new`);
    t.equal(given.status, 303, kind);
    const find = () => stores[kind].find(orgId, { projectId: id, holderId });
    t.strictSame((await find())?.roles, [role]);
    const shown = await owner.get(`${path}/${kind}`);
    t.match(shown.text, name.replaceAll('"', '&quot;'));
    const one = `${path}/${kind}/${holderId}`;
    const other = kind === 'members' ? 'PROJECT_OWNER' : 'reader';
    t.equal((await owner.fill(await owner.get(one), { roles: other }, one)).status, 303);
    t.strictSame((await find())?.roles, [other]);
    t.equal((await confirm(`${one}/remove`, name)).status, 303);
    t.equal(await find(), undefined);
  }
});

t.test('projects of other organizations stay out of reach', async (t) => {
  const foe = await makeHome(container, { name: 'Foe' });
  const boss = await openConsole(opened, foe, { roles: ['ORG_OWNER'] });
  const { id } = await add('Ours');
  t.equal((await boss.get(`${list}/${id}`)).status, 403);
  for (const below of ['', '/roles', '/grants', '/members/new', '/remove'])
    t.equal((await boss.get(`/console/orgs/${foe.id}/projects/${id}${below}`)).status, 404, below);
});

t.test('the log leads to the project', async (t) => {
  const { id } = await add('Logged');
  const log = await owner.get(`/console/orgs/${orgId}/log?person=${id}`);
  t.match(log.text, `${list}/${id}"`);
});
