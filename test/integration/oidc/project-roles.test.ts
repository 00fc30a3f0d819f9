import { decodeJwt } from 'jose';
import t from 'tap';
import { addAssignment } from '#src/access/projects/add-assignment.js';
import { addProject } from '#src/access/projects/add-project.js';
import { addProjectRole } from '#src/access/projects/add-project-role.js';
import { changeAssignment } from '#src/access/projects/change-assignment.js';
import { changeProject } from '#src/access/projects/change-project.js';
import type { AssignmentKind } from '#src/access/projects/project.js';
import { removeAssignment } from '#src/access/projects/remove-assignment.js';
import type { User } from '#src/directory/user.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { changeGroup } from '#src/people/groups/change-group.js';
import { removeGroup } from '#src/removal/remove-group.js';
import { testEditor as editor, makeOrganization } from '../../support/app/make.js';
import {
  makeApplication,
  makePerson,
  makeServiceClient,
  postForm,
  redeemCode,
} from '../../support/app/oauth-client.js';
import { buildTestApp, type Call, serve } from '../../support/app/test-app.js';

/** The scope for roles in projects: what applications learn of the grants of a person and of its groups, and when. */

const scope = 'openid urn:service:iam:org:projects:roles';
const own = 'urn:service:iam:org:project:roles';
const claimOf = (projectId: string) => `urn:service:iam:org:project:${projectId}:roles`;
const audienceOf = (projectId: string) => `urn:service:iam:org:project:id:${projectId}:aud`;

const opened = await buildTestApp(t);
const { container, call } = opened;
/** Another process. A change at one process is checked at the other. */
const elsewhere = await opened.openAnother();
const { call: there } = await serve(t, elsewhere);
const organization = await makeOrganization(container);
const orgId = organization.id;

/** A project with the roles a, b and c, and an application of it. */
async function makeProject(name: string, owner = orgId) {
  const { id: projectId } = await addProject(container, { orgId: owner, name, editor });
  for (const key of ['a', 'b', 'c']) {
    await addProjectRole(container, { orgId: owner, id: projectId, editor }, { key });
  }
  return { projectId, client: await makeApplication(container, owner, { projectId }) };
}

const makeGroup = (displayName: string, ...people: readonly User[]) =>
  addGroup(container, {
    orgId,
    profile: { displayName },
    members: new Set(people.map(({ id }) => id)),
    editor,
  });

const give = (kind: AssignmentKind, projectId: string, holder: { id: string }, ...roles: string[]) =>
  addAssignment(container, { orgId, kind, projectId, holderId: holder.id, roles, editor });

async function signIn(person: User, client: Awaited<ReturnType<typeof makeApplication>>, wanted = scope) {
  const { body } = await redeemCode({ container, call }, { client, person, grant: { scope: wanted } });
  const { access_token: token, id_token: idToken } = body;
  const userinfo = async (where: Call = call) =>
    (await where('GET /oidc/v1/userinfo', { as: { token } })).body;
  const introspect = async (where: Call = call, as = client.credentials) =>
    (await postForm(where, '/oauth/v2/introspect', { form: { token }, as })).body;
  return { idToken: decodeJwt(idToken), userinfo, introspect };
}

const valued = (...roles: string[]) =>
  Object.fromEntries(roles.map((role) => [role, { [orgId]: organization.domains[0] ?? '' }]));

t.test('own grants and those of groups, in each project of the audience', async (t) => {
  const shop = await makeProject('Shop');
  const blog = await makeProject('Blog');
  const person = await makePerson(container, organization);
  const group = await makeGroup('Sellers', person);
  await give('grant', shop.projectId, person, 'a');
  await give('groupGrant', shop.projectId, group, 'b', 'a');
  await give('groupGrant', blog.projectId, group, 'c');
  await give('groupGrant', blog.projectId, await makeGroup('Others'), 'a');

  const signedIn = await signIn(person, shop.client);
  const expected = { [own]: valued('a', 'b'), [claimOf(shop.projectId)]: valued('a', 'b') };
  t.match(signedIn.idToken, expected);
  t.notOk(claimOf(blog.projectId) in signedIn.idToken, 'the token is not for that project');
  t.strictSame(await signedIn.userinfo(), { sub: person.id, ...expected });
  t.match(await signedIn.introspect(), { active: true, ...expected });

  const wider = await signIn(person, shop.client, `${scope} ${audienceOf(blog.projectId)}`);
  t.match(await wider.userinfo(), { ...expected, [claimOf(blog.projectId)]: valued('c') });
  const atBlog = await wider.introspect(call, blog.client.credentials);
  t.match(atBlog, { active: true, [own]: valued('c'), [claimOf(shop.projectId)]: valued('a', 'b') });

  const without = await signIn(person, shop.client, 'openid groups profile');
  for (const claims of [without.idToken, await without.userinfo(), await without.introspect()]) {
    t.notOk(
      Object.keys(claims).some((name) => name.endsWith(':roles')),
      'not without the scope',
    );
  }
  const alone = await signIn(await makePerson(container, organization), shop.client);
  t.notOk(own in (await alone.userinfo()), 'nobody has roles without a grant');
});

t.test('every change is seen by the next request at every process', async (t) => {
  const { projectId, client } = await makeProject('Changing');
  const person = await makePerson(container, organization);
  const group = await makeGroup('Changing roles', await makePerson(container, organization));
  const { userinfo, introspect } = await signIn(person, client);
  const seen = async () => {
    const answers = await Promise.all([userinfo(call), userinfo(there), introspect(call), introspect(there)]);
    const [roles, ...others] = answers.map((answer) => Object.keys(answer[own] ?? {}).join(''));
    t.strictSame(others, [roles, roles, roles]);
    return roles;
  };
  // After these calls, each process holds the person and the roles in memory if it is going to.
  for (let warm = 0; warm < 3; warm++) t.equal(await seen(), '');
  const ofPerson = { orgId, kind: 'grant', projectId, holderId: person.id, editor } as const;
  const ofGroup = { orgId, kind: 'groupGrant', projectId, holderId: group.id, editor } as const;
  const join = (from: 'current' | 'nobody', ...added: string[]) =>
    changeGroup(container, {
      orgId,
      id: group.id,
      editor,
      delta: { from, added: new Set(added), removed: new Set() },
    });
  for (let round = 0; round < 4; round++) {
    await addAssignment(container, { ...ofPerson, roles: ['a'] });
    t.equal(await seen(), 'a');
    await changeAssignment(container, { ...ofPerson, roles: ['b'] });
    t.equal(await seen(), 'b');
    await join('current', person.id);
    t.equal(await seen(), 'b');
    await addAssignment(container, { ...ofGroup, roles: ['c'] });
    t.equal(await seen(), 'bc');
    await removeAssignment(container, ofPerson);
    t.equal(await seen(), 'c');
    await changeAssignment(container, { ...ofGroup, roles: ['a', 'b'] });
    t.equal(await seen(), 'ab');
    await join('nobody');
    t.equal(await seen(), '');
    await join('current', person.id);
    t.equal(await seen(), 'ab');
    await removeAssignment(container, ofGroup);
    t.equal(await seen(), '');
    await join('nobody');
  }
  await join('current', person.id);
  await addAssignment(container, { ...ofGroup, roles: ['a'] });
  t.equal(await seen(), 'a');
  await removeGroup(container, { orgId, id: group.id, editor });
  t.equal(await seen(), '');
  t.strictSame(await container.groupGrants.page(orgId, { projectId, limit: 9 }), []);
});

t.test('a service user has its own grants', async (t) => {
  const { projectId, client } = await makeProject('For programs');
  const robot = await makeServiceClient(container, orgId);
  const target = { orgId, kind: 'grant', projectId, holderId: robot.id, editor } as const;
  const form = { grant_type: 'client_credentials', scope: `${scope} ${audienceOf(projectId)}` };
  const { body } = await postForm(call, '/oauth/v2/token', { form, as: robot.credentials });
  const seen = async () => {
    const answers = await Promise.all(
      [call, there].map((where) =>
        postForm(where, '/oauth/v2/introspect', {
          form: { token: body.access_token },
          as: client.credentials,
        }),
      ),
    );
    const [here, away] = answers.map((answer) => Object.keys(answer.body[own] ?? {}).join(''));
    t.equal(here, away, 'the same at every process');
    return here;
  };
  for (let round = 0; round < 3; round++) {
    t.equal(await seen(), '');
    await addAssignment(container, { ...target, roles: ['a', 'c'] });
    t.equal(await seen(), 'ac');
    await changeAssignment(container, { ...target, roles: ['b'] });
    t.equal(await seen(), 'b');
    await removeAssignment(container, target);
  }
});

t.test('a person has no roles in projects of another organization', async (t) => {
  const foreign = await makeOrganization(container);
  const theirs = await makeProject('Theirs', foreign.id);
  await changeProject(
    container,
    { orgId: foreign.id, id: theirs.projectId, editor },
    { audienceOrgIds: [orgId] },
  );
  const { client, projectId } = await makeProject('Ours');
  const person = await makePerson(container, organization);
  const stranger = await makePerson(container, foreign);
  const holder = { kind: 'grant', projectId: theirs.projectId, roles: ['a'], editor } as const;
  await t.rejects(
    addAssignment(container, { ...holder, orgId: foreign.id, holderId: person.id }),
    /User not found/,
  );
  await t.rejects(addAssignment(container, { ...holder, orgId, holderId: person.id }), /Project not found/);
  const group = await makeGroup('Ours alone', person);
  await t.rejects(
    addAssignment(container, { ...holder, kind: 'groupGrant', orgId: foreign.id, holderId: group.id }),
    /Group not found/,
  );
  await addAssignment(container, { ...holder, orgId: foreign.id, holderId: stranger.id });
  await give('grant', projectId, person, 'b');
  const wide = await signIn(person, client, `${scope} ${audienceOf(theirs.projectId)}`);
  const claims = await wide.userinfo();
  t.match(claims, { [own]: valued('b') });
  t.notOk(claimOf(theirs.projectId) in claims);
});

t.test('many roles are cut, with a mark', async (t) => {
  const { projectId, client } = await makeProject('Large');
  const person = await makePerson(container, organization);
  const names = Array.from({ length: 250 }, (_, n) => `r${String(n).padStart(3, '0')}`);
  for (const key of names) await addProjectRole(container, { orgId, id: projectId, editor }, { key });
  const group = await makeGroup('Large', person);
  await give('grant', projectId, person, ...names.slice(0, 100));
  await give('groupGrant', projectId, group, ...names.slice(100, 200));
  await give('groupGrant', projectId, await makeGroup('Larger', person), ...names.slice(150));
  const { idToken, userinfo } = await signIn(person, client);
  const listed = Object.keys(idToken[own] as object);
  t.ok(listed.length > 20);
  t.strictSame(listed, names.slice(0, listed.length), 'in the order of the roles');
  t.equal(idToken[`${own}:truncated`], true);
  t.equal((await userinfo())[`${own}:truncated`], true);
  t.ok(JSON.stringify(idToken).length < 9_000);
});

t.test('as a single claim, and in discovery', async (t) => {
  const { projectId, client } = await makeProject('Asked');
  const person = await makePerson(container, organization);
  await give('grant', projectId, person, 'a');
  const claims = { userinfo: [own] };
  const { body } = await redeemCode(
    { container, call },
    { client, person, grant: { scope: 'openid', claims } },
  );
  const { body: info } = await call('GET /oidc/v1/userinfo', { as: { token: body.access_token } });
  t.strictSame(info, { sub: person.id, [own]: valued('a') });
  const { body: discovery } = await call('GET /.well-known/openid-configuration');
  t.ok(discovery.scopes_supported.includes('urn:service:iam:org:projects:roles'));
  t.ok(discovery.claims_supported.includes(own));
});
