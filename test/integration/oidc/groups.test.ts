import { decodeJwt } from 'jose';
import t from 'tap';
import { addAssignment } from '#src/access/projects/add-assignment.js';
import { addProjectRole } from '#src/access/projects/add-project-role.js';
import { removeAssignment } from '#src/access/projects/remove-assignment.js';
import type { User } from '#src/directory/user.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { changeGroup } from '#src/people/groups/change-group.js';
import { removeGroup } from '#src/removal/remove-group.js';
import { testEditor as editor, makeOrganization, uniqueName } from '../../support/app/make.js';
import { makeApplication, makePerson, postForm, redeemCode } from '../../support/app/oauth-client.js';
import { buildTestApp, type Call, serve } from '../../support/app/test-app.js';

/** The scope `groups`: what applications learn about the groups of a person, and when. */

const opened = await buildTestApp(t);
const { container, call } = opened;
/** Another process. A change at one process is checked at the other. */
const elsewhere = await opened.openAnother();
const { call: there } = await serve(t, elsewhere);
const organization = await makeOrganization(container);
const orgId = organization.id;
const client = await makeApplication(container, orgId);

const makeGroup = (displayName: string, ...people: readonly User[]) =>
  addGroup(container, {
    orgId,
    profile: { displayName },
    members: new Set(people.map(({ id }) => id)),
    editor,
  });

const members = (added: readonly User[], removed: readonly User[] = []) => ({
  from: 'current' as const,
  added: new Set(added.map(({ id }) => id)),
  removed: new Set(removed.map(({ id }) => id)),
});

async function signIn(person: User, { application = client, scope = 'openid groups' } = {}) {
  const { body } = await redeemCode({ container, call }, { client: application, person, grant: { scope } });
  const { access_token: token, id_token: idToken } = body;
  const userinfo = async (where: Call = call) =>
    (await where('GET /oidc/v1/userinfo', { as: { token } })).body;
  const introspect = async (where: Call = call) =>
    (await postForm(where, '/oauth/v2/introspect', { form: { token }, as: application.credentials })).body;
  return { idToken: decodeJwt(idToken), userinfo, introspect };
}

t.test('names, or identifiers where the application says so', async (t) => {
  const person = await makePerson(container, organization);
  const second = await makeGroup('Second', person);
  const first = await makeGroup('First', person);
  await makeGroup('Others');
  const names = ['First', 'Second'];
  const signedIn = await signIn(person);
  t.strictSame(signedIn.idToken['groups'], names, 'in the ID token, which is all that some clients read');
  t.strictSame((await signedIn.userinfo()).groups, names);
  t.strictSame((await signedIn.introspect()).groups, names);
  t.notOk('groups_truncated' in signedIn.idToken);

  const application = await makeApplication(container, orgId, { groupsClaim: 'identifiers' });
  const other = await signIn(person, { application });
  t.strictSame(other.idToken['groups'], [first.id, second.id]);
  t.strictSame((await other.userinfo()).groups, [first.id, second.id]);
  t.strictSame((await signedIn.userinfo()).groups, names, 'each application gets its form');

  const without = await signIn(person, { scope: 'openid profile' });
  t.notOk('groups' in without.idToken || 'groups' in (await without.userinfo()), 'not without the scope');
  const alone = await signIn(await makePerson(container, organization));
  t.strictSame((await alone.userinfo()).groups, []);
});

t.test('every change is seen by the next request at every process', async (t) => {
  const person = await makePerson(container, organization);
  const bystander = await makePerson(container, organization);
  const group = await makeGroup('Changing', bystander);
  const { userinfo, introspect } = await signIn(person);
  const seen = async () => {
    const answers = await Promise.all([userinfo(call), userinfo(there), introspect(call), introspect(there)]);
    const [groups, ...others] = answers.map((answer) => answer.groups);
    t.strictSame(others, [groups, groups, groups]);
    return groups;
  };
  // After these calls, each process holds the person and the groups in memory if it is going to.
  for (let warm = 0; warm < 3; warm++) t.strictSame(await seen(), []);
  const change = (request: object) =>
    changeGroup(container, { orgId, id: group.id, editor, delta: members([]), ...request });
  for (let round = 0; round < 5; round++) {
    await change({ delta: members([person]) });
    t.strictSame(await seen(), ['Changing']);
    await change({ profile: () => ({ displayName: 'Changed' }) });
    t.strictSame(await seen(), ['Changed']);
    await change({ profile: () => ({ displayName: 'Changing' }), delta: members([], [person]) });
    t.strictSame(await seen(), []);
    await change({ delta: { ...members([person]), from: 'nobody' } });
    t.strictSame(await seen(), ['Changing']);
    await change({ delta: { ...members([]), from: 'nobody' } });
    t.strictSame(await seen(), []);
  }
  await change({ delta: members([person]) });
  t.strictSame(await seen(), ['Changing']);
  await removeGroup(container, { orgId, id: group.id, editor });
  t.strictSame(await seen(), []);
});

t.test('many groups are cut, with a mark', async (t) => {
  const person = await makePerson(container, organization);
  const names = Array.from({ length: 201 }, (_, n) => `Group ${String(n).padStart(3, '0')}`);
  for (const name of names) await makeGroup(name, person);
  const { idToken, userinfo } = await signIn(person);
  t.strictSame(idToken['groups'], names.slice(0, 200));
  t.equal(idToken['groups_truncated'], true);
  t.match(await userinfo(), { groups: names.slice(0, 200), groups_truncated: true });

  const lengthy = await makePerson(container, organization);
  for (let n = 0; n < 60; n++) await makeGroup(`${n} ${'ü'.repeat(190)}`, lengthy);
  const cut = await signIn(lengthy);
  t.equal(cut.idToken['groups_truncated'], true);
  t.ok(JSON.stringify(cut.idToken['groups']).length <= 8_192);
});

t.test('an application chooses its groups by a prefix', async (t) => {
  const person = await makePerson(container, organization);
  const names = ['app-Admins', 'APP-readers', 'app', 'Zebra', 'other app-x', 'äpp-1'];
  for (const name of names) await makeGroup(name, person);
  for (let n = 0; n < 46; n++) await makeGroup(`a${n} ${'x'.repeat(180)}`, person);
  const application = await makeApplication(container, orgId, { groupsClaimPrefix: ' App- ' });
  const { idToken, userinfo, introspect } = await signIn(person, { application });
  const chosen = ['APP-readers', 'app-Admins'];
  t.strictSame(idToken['groups'], chosen);
  t.notOk('groups_truncated' in idToken, 'nothing that it wants is left out');
  t.match(await userinfo(), { groups: chosen });
  t.strictSame((await introspect(there)).groups, chosen);
  const added = await makeGroup('app-Later', person);
  t.strictSame((await userinfo(there)).groups, ['APP-readers', 'app-Admins', 'app-Later']);
  await changeGroup(container, {
    orgId,
    id: added.id,
    editor,
    delta: members([]),
    profile: () => ({ displayName: 'Later' }),
  });
  t.strictSame((await userinfo(there)).groups, chosen, 'a new name leaves the selection');
  const other = await makeApplication(container, orgId, {
    groupsClaimPrefix: 'ZEB',
    groupsClaim: 'identifiers',
  });
  const elsewhere = await signIn(person, { application: other });
  t.equal((await elsewhere.userinfo()).groups.length, 1);
  t.strictSame((await userinfo()).groups, chosen, 'each application has its own');
  const odd = await makeApplication(container, orgId, { groupsClaimPrefix: '.*' });
  t.strictSame((await signIn(person, { application: odd })).idToken['groups'], [], 'it is no pattern');
});

t.test('an application gets the groups with roles in its project', async (t) => {
  const projectId = uniqueName('project');
  const application = await makeApplication(container, orgId, {
    projectId,
    groupsClaimSelection: 'assigned',
  });
  const person = await makePerson(container, organization);
  const [first, second, later] = [
    await makeGroup('Assigned 1', person),
    await makeGroup('Assigned 2', person),
    await makeGroup('Assigned 3', person),
  ];
  const strangers = await makeGroup('Assigned, of others');
  await addProjectRole(container, { orgId, id: projectId, editor }, { key: 'reader' });
  const assign = (holderId: string) =>
    addAssignment(container, { kind: 'groupGrant', orgId, projectId, holderId, roles: ['reader'], editor });
  for (const { id } of [first, second, strangers]) await assign(id);
  const { idToken, userinfo, introspect } = await signIn(person, { application });
  t.strictSame(idToken['groups'], ['Assigned 1', 'Assigned 2']);
  await assign(later.id);
  t.strictSame((await userinfo(there)).groups, ['Assigned 1', 'Assigned 2', 'Assigned 3']);
  await removeAssignment(container, { kind: 'groupGrant', orgId, projectId, holderId: first.id, editor });
  for (const where of [call, there]) {
    t.strictSame((await userinfo(where)).groups, ['Assigned 2', 'Assigned 3']);
    t.strictSame((await introspect(where)).groups, ['Assigned 2', 'Assigned 3']);
  }
  const both = await makeApplication(container, orgId, {
    projectId,
    groupsClaimSelection: 'assigned',
    groupsClaimPrefix: 'assigned 3',
  });
  t.strictSame((await signIn(person, { application: both })).idToken['groups'], ['Assigned 3']);
  const all = await makeApplication(container, orgId, { projectId });
  t.strictSame(
    (await signIn(person, { application: all })).idToken['groups'],
    ['Assigned 1', 'Assigned 2', 'Assigned 3'],
    'the default is all',
  );
});

t.test('as a single claim, and only with consent', async (t) => {
  const person = await makePerson(container, organization);
  await makeGroup('Asked', person);
  const claims = { userinfo: ['groups'] };
  const { body } = await redeemCode(
    { container, call },
    { client, person, grant: { scope: 'openid', claims } },
  );
  const { body: info } = await call('GET /oidc/v1/userinfo', { as: { token: body.access_token } });
  t.strictSame(info.groups, ['Asked']);
  const { body: discovery } = await call('GET /.well-known/openid-configuration');
  t.ok(discovery.scopes_supported.includes('groups'));
  t.ok(discovery.claims_supported.includes('groups'));
});
