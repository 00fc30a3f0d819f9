import t, { type Test } from 'tap';
import { addAssignment } from '#src/access/projects/add-assignment.js';
import { addProject } from '#src/access/projects/add-project.js';
import { addProjectRole } from '#src/access/projects/add-project-role.js';
import { changeApplication } from '#src/clients/applications/change-application.js';
import { adminScope } from '#src/directory/administration.js';
import { changeFeatures } from '#src/organizations/features/change-features.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { changeGroupRoles } from '#src/people/groups/change-group-roles.js';
import { until } from '../../../dev/until.js';
import { makeAdminApplication, makeAdministrator } from '../../support/app/administrators.js';
import { type Caller, testEditor as editor, makeCaller, uniqueName } from '../../support/app/make.js';
import { postForm, redeemCode, redirectUri } from '../../support/app/oauth-client.js';
import { goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { type Answer, buildTestApp } from '../../support/app/test-app.js';
import { newUser, patchOp, urn } from '../../support/scim/scim-client.js';
import { havingValue } from '../../support/stores/queries.js';

/** An attacker has a token of an owner who signed in an hour ago, and tries every door to more rights. */

const opened = await buildTestApp(t, { workers: true });
const { container, call, clock } = opened;
const organization = await makeHome(container);
const orgId = organization.id;
const hourAgo = () => new Date(clock.now().getTime() - 3_600_000);
const old = await makeAdministrator(opened, organization, { roles: ['ORG_OWNER'], authTime: hourAgo() });
const fresh = await makeAdministrator(opened, organization, { roles: ['ORG_OWNER'] });
const root = await makeCaller(container, orgId, ['IAM_OWNER']);

const scim = `/scim/v2/${orgId}`;
const admin = `/admin/v1/orgs/${orgId}`;

async function makeGroup(...roles: readonly 'ORG_OWNER'[]): Promise<string> {
  const profile = { displayName: uniqueName('Group') };
  const { id } = await addGroup(container, { orgId, profile, members: new Set(), editor });
  if (roles.length > 0) await changeGroupRoles(container, { orgId, id, roles, editor });
  return id;
}

/** A group whose members have a role in a project. */
async function makeGroupWithGrant(): Promise<string> {
  const holderId = await makeGroup();
  const project = await addProject(container, { orgId, name: 'Shop', editor });
  await addProjectRole(container, { orgId, id: project.id, editor }, { key: 'admin' });
  const projectId = project.id;
  await addAssignment(container, {
    orgId,
    projectId,
    kind: 'groupGrant',
    holderId,
    roles: ['admin'],
    editor,
  });
  return holderId;
}

const membersOf = (groupId: string) => container.groupMembers.page(orgId, groupId, { limit: 10 });
const send = (as: Caller, request: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(request, { as, ...(body !== undefined && { body }), headers });
const bulkOf = (...Operations: readonly object[]) => ({ schemas: [urn.bulkRequest], Operations });

function refused(t: Test, answer: Answer, name: string): void {
  t.equal(answer.status, 401, `${name}: ${JSON.stringify(answer.body)}`);
  t.equal(answer.headers['x-error-id'], 'tokens.signInTooOld', name);
  const challenge = 'Bearer error="insufficient_user_authentication", max_age="900"';
  t.equal(answer.headers['www-authenticate'], challenge, name);
}

/** Every request that changes who is in a group. */
function changesOf(id: string, value: string): readonly (readonly [string, unknown])[] {
  const url = `${scim}/Groups/${id}`;
  const put = { schemas: [urn.group], displayName: id, members: [{ value }] };
  return [
    [`PATCH ${url}`, patchOp({ op: 'add', path: 'members', value: [{ value }] })],
    [`PATCH ${url}`, patchOp({ op: 'add', value: { members: [{ value }] } })],
    [`PATCH ${url}`, patchOp({ op: 'replace', path: 'members', value: [{ value }] })],
    [`PATCH ${url}?attributes=displayName`, patchOp({ op: 'Add', path: 'Members', value: { value } })],
    [`PATCH ${url}`, patchOp({ op: 'remove', path: 'members' })],
    [`PATCH ${url}`, patchOp({ op: 'remove', path: `members[value eq "${value}"]` })],
    [`PATCH ${url}`, patchOp({ op: 'replace', path: 'displayName', value: 'Mine' })],
    [`PUT ${url}`, put],
    [`PUT ${url}`, { ...put, members: undefined }],
    [`DELETE ${url}`, undefined],
    [
      `POST ${scim}/Bulk`,
      bulkOf({
        method: 'PATCH',
        path: `/Groups/${id}`,
        data: patchOp({ op: 'add', path: 'members', value: [{ value }] }),
      }),
    ],
    [`POST ${scim}/Bulk`, bulkOf({ method: 'PUT', path: `/Groups/${id}`, data: put })],
    [
      `POST ${scim}/Bulk`,
      bulkOf(
        { method: 'POST', path: '/Users', bulkId: 'new', data: newUser({ password: goodPassword }) },
        {
          method: 'PATCH',
          path: `/Groups/${id}`,
          data: patchOp({ op: 'add', path: 'members', value: [{ value: 'bulkId:new' }] }),
        },
      ),
    ],
  ];
}

for (const [name, make] of [
  ['a role', () => makeGroup('ORG_OWNER')],
  ['a role in a project', makeGroupWithGrant],
] as const) {
  t.test(`the members of a group with ${name}`, async (t) => {
    const id = await make();
    const created = await send(old, `POST ${scim}/Users`, newUser({ password: goodPassword }));
    t.equal(created.status, 201, 'a new user has no role, so anybody who manages users adds one');
    const value = created.body.id;
    for (const [request, body] of changesOf(id, value)) {
      refused(t, await send(old, request, body), `${request} ${JSON.stringify(body)}`);
      if (request.endsWith('/Bulk'))
        refused(t, await send(old, request, body, { prefer: 'respond-async' }), `${request}, later`);
    }
    t.strictSame(await membersOf(id), []);
    const [[add = '', body] = []] = changesOf(id, value);
    t.equal((await send(fresh, add, body)).status, 204, 'a person who has just signed in');
    t.strictSame(await membersOf(id), [value]);
    t.equal((await send(root, add, body)).status, 204, 'a service user');
  });
}

t.test('the members of a group without a role are ordinary work', async (t) => {
  const id = await makeGroup();
  const { id: value } = await makePerson(container, organization);
  const [[add = '', body] = []] = changesOf(id, value);
  t.equal((await send(old, add, body)).status, 204);
  t.strictSame(await membersOf(id), [value]);
});

t.test('a group that gets a role while its members are written', async (t) => {
  const template = await makePerson(container, organization);
  const users = container.mongo.db.collection<{ _id: string; search: object }>('users');
  const document = await users.findOne({ _id: template.id });
  if (document === null) throw new Error('no template');
  const ids = Array.from({ length: 1_500 }, (_, n) => `m-${String(n).padStart(5, '0')}`);
  await users.insertMany(
    ids.map((_id) => ({ ...document, _id, userName: _id, search: { ...document.search, userName: _id } })),
  );
  const members = ids.map((value) => ({ value }));
  const { groupMembers, groups } = container;
  const { among } = groupMembers;
  const idOf = async (displayName: string) => {
    const sort = { field: '_id', direction: 1 } as const;
    const found = await groups.page(orgId, {
      sort,
      skip: 0,
      limit: 100,
      filter: havingValue('displayName', displayName),
    });
    return found.groups[0]?.id ?? '';
  };
  /** Before the second step of the members is written. */
  function givesRoleTo(find: () => Promise<string>): () => void {
    let calls = 0;
    Object.assign(groupMembers, {
      async among(...given: Parameters<typeof among>) {
        if (++calls === 2) {
          const id = await find();
          t.equal(
            (await send(root, `PUT ${admin}/groups/${id}/roles`, { roles: ['ORG_OWNER'] })).status,
            200,
          );
        }
        return among(...given);
      },
    });
    return () => Object.assign(groupMembers, { among });
  }
  const add = patchOp({ op: 'add', path: 'members', value: members });
  const id = await makeGroup();
  const restore = givesRoleTo(async () => id);
  refused(t, await send(old, `PATCH ${scim}/Groups/${id}`, add).finally(restore), 'PATCH');
  t.equal(await groupMembers.count(orgId, id), 1_000, 'what was written before stays');

  const body = (displayName: string) => ({ schemas: [urn.group], displayName, members });
  const restorePost = givesRoleTo(() => idOf('Posted'));
  refused(t, await send(old, `POST ${scim}/Groups`, body('Posted')).finally(restorePost), 'POST');
  t.equal(await groupMembers.count(orgId, await idOf('Posted')), 1_000);

  const creation = { method: 'POST', path: '/Groups', bulkId: 'g', data: body('In a Bulk') };
  for (const [as, status] of [
    [old, '401'],
    [fresh, '201'],
  ] as const) {
    const data = { ...creation.data, displayName: `In a Bulk of ${status}` };
    const restoreBulk = givesRoleTo(() => idOf(data.displayName));
    const bulk = bulkOf({ ...creation, data });
    const begun = await send(as, `POST ${scim}/Bulk`, bulk, { prefer: 'respond-async' });
    const job = `GET ${new URL(begun.headers['location'] ?? '').pathname}`;
    await until(async () => (await send(root, job)).body.state === 'completed').finally(restoreBulk);
    const [operation] = (await send(root, job)).body.result.Operations;
    t.equal(operation.status, status, 'the sign-in counts as it was when the Bulk was sent');
  }
});

t.test('a user who is deactivated comes back only by a fresh sign-in', async (t) => {
  const { id } = await makePerson(container, organization, { active: false });
  const url = `${scim}/Users/${id}`;
  const set = (active: boolean) => patchOp({ op: 'replace', path: 'active', value: active });
  const { body: user } = await send(old, `GET ${url}`);
  refused(t, await send(old, `PATCH ${url}`, set(true)), 'PATCH');
  refused(t, await send(old, `PUT ${url}`, { ...user, active: true }), 'PUT');
  t.equal(
    (await send(old, `PATCH ${url}`, patchOp({ op: 'replace', path: 'title', value: 'x' }))).status,
    204,
  );
  t.equal((await send(fresh, `PATCH ${url}`, set(true))).status, 204);
  t.equal((await send(old, `PATCH ${url}`, set(true))).status, 204, 'nothing changes');
  t.equal((await send(old, `PATCH ${url}`, set(false))).status, 204, 'nobody waits to lock somebody out');
});

t.test('an export with hashes is downloaded only after a fresh sign-in', async (t) => {
  const owner = await makeAdministrator(opened, organization, { roles: ['IAM_OWNER'] });
  const stolen = await makeAdministrator(opened, organization, { roles: ['IAM_OWNER'], authTime: hourAgo() });
  for (const withPasswords of [true, false]) {
    const body = { orgIds: [orgId], responseOutput: true, withPasswords };
    const begun = await send(owner, 'POST /admin/v1/export', body, { prefer: 'respond-async' });
    const job = new URL(begun.headers['location'] ?? '').pathname;
    await until(async () => (await send(root, `GET ${job}`)).body.state === 'completed');
    const download = await send(stolen, `GET ${job}/result`);
    if (withPasswords) refused(t, download, 'a download of hashes');
    else t.equal(download.status, 200, 'without hashes');
    t.equal((await send(owner, `GET ${job}/result`)).status, 200);
  }
});

t.test('no exchange, no refresh and no other application makes an old sign-in fresh', async (t) => {
  await changeFeatures(container, { tokenExchange: true }, editor);
  const client = await makeAdminApplication(container, orgId);
  const exchanges = 'urn:ietf:params:oauth:grant-type:token-exchange';
  await changeApplication(
    container,
    { orgId, id: client.id, editor },
    { grantTypes: ['authorization_code', 'refresh_token', exchanges] },
  );
  const person = await makePerson(container, organization);
  await send(root, `POST ${admin}/memberships`, { userId: person.id, role: 'ORG_OWNER' });
  const scope = `openid offline_access ${adminScope}`;
  const grant = { scope, authTime: hourAgo() };
  const { body: tokens } = await redeemCode({ container, call }, { client, person, grant });
  const got = (form: Record<string, string>) =>
    postForm(call, '/oauth/v2/token', { form, as: client.credentials });
  const type = (name: string) => `urn:ietf:params:oauth:token-type:${name}`;
  const exchange = (form: Record<string, string>) => got({ grant_type: exchanges, ...form });
  const ofAccess = { subject_token: tokens.access_token, subject_token_type: type('access_token') };
  const doors = {
    'the token itself': { body: tokens },
    'a refresh': await got({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
    'an exchange': await exchange(ofAccess),
    'an exchange for a JWT': await exchange({ ...ofAccess, requested_token_type: type('jwt') }),
    'an exchange with a refresh token': await exchange({ ...ofAccess, scope }),
  };
  for (const [door, { body }] of Object.entries(doors)) {
    const as = { ...old, token: body.access_token };
    t.equal((await send(as, `GET ${admin}`)).status, 200, `${door} administers`);
    refused(t, await send(as, `POST ${admin}/applications`, {}), door);
    if (body.refresh_token === undefined || body === tokens) continue;
    const again = await got({ grant_type: 'refresh_token', refresh_token: body.refresh_token });
    refused(
      t,
      await send({ ...old, token: again.body.access_token }, `POST ${admin}/applications`, {}),
      door,
    );
  }
  const ofId = { subject_token: tokens.id_token, subject_token_type: type('id_token') };
  const { body } = await exchange({ ...ofId, scope: `openid ${adminScope}` });
  t.equal(body.access_token, undefined, 'an ID token gives no scope of administration');

  const acting = { actor_token: tokens.access_token, actor_token_type: type('access_token') };
  const user = 'urn:service:params:oauth:token-type:user_id';
  const impersonation = await exchange({ subject_token: fresh.id, subject_token_type: user, ...acting });
  t.match(impersonation, {
    status: 400,
    body: { error: 'invalid_request', error_description: /signed in lately/ },
  });
});

t.test('an application that a stolen session adds or redirects would get codes of others', async (t) => {
  const web = { name: 'Mine', type: 'web', redirectUris: ['https://attacker.example/'] };
  refused(t, await send(old, `POST ${admin}/applications`, web), 'a new application');
  const added = await send(fresh, `POST ${admin}/applications`, { ...web, redirectUris: [redirectUri] });
  t.equal(added.status, 201);
  const one = `${admin}/applications/${added.body.id}`;
  for (const change of [
    { redirectUris: ['https://attacker.example/'] },
    { postLogoutRedirectUris: ['https://attacker.example/'] },
    { authMethod: 'none' },
    { grantTypes: ['authorization_code', 'refresh_token'] },
    { orgOnly: false },
    { accessTokenType: 'jwt' },
    { active: true },
    { name: 'Payroll' },
  ])
    refused(t, await send(old, `PATCH ${one}`, change), JSON.stringify(change));
  t.equal((await send(old, `PATCH ${one}`, { active: false })).status, 200, 'nobody waits to stop one');
});
