import t from 'tap';
import { consoleClientId } from '#src/clients/applications/console-application.js';
import { adminScope } from '#src/directory/administration.js';
import { changeUser } from '#src/people/users/change-user.js';
import { asInput } from '#src/people/users/display-name.js';
import { makeAdminApplication, makeAdministrator } from '../../support/app/administrators.js';
import { makeCaller, makeOrganization, makeTenant, testEditor } from '../../support/app/make.js';
import { makeApplication, makePerson, postForm, redeemCode } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { newUser, patchOp } from '../../support/scim/scim-client.js';

/** People administer with a token of an application that is marked for it, and with nothing else. */

const opened = await buildTestApp(t, { workers: true });
const { container, call, clock } = opened;
const organization = await makeOrganization(container);
const { id: orgId } = organization;
await makeCaller(container, (await makeOrganization(container)).id, ['IAM_OWNER']);
const scimUsers = `/scim/v2/${orgId}/Users`;
const scim = { 'content-type': 'application/scim+json' };

t.test('a person with a role administers, and the events name the person', async (t) => {
  const owner = await makeAdministrator(opened, organization, { roles: ['ORG_OWNER'] });
  const added = await call(`POST /admin/v1/orgs/${orgId}/projects`, { as: owner, body: { name: 'Shop' } });
  t.equal(added.status, 201);
  const created = await call(`POST ${scimUsers}`, {
    as: owner,
    body: newUser({ userName: 'by-a-person' }),
    headers: scim,
  });
  t.equal(created.status, 201);
  const events = await call('POST /admin/v1/events/_search', {
    as: owner,
    body: { editorUserId: owner.id, limit: 100, asc: true },
  });
  t.strictSame(
    events.body.events.map(({ type, editor }: { type: string; editor: unknown }) => [type, editor]),
    [
      ['project.added', { userId: owner.id, service: 'admin' }],
      ['user.human.added', { userId: owner.id, service: 'scim' }],
    ],
  );
});

t.test('a Bulk of a person has the rights of the person', async (t) => {
  const manager = await makeAdministrator(opened, organization, { roles: ['ORG_USER_MANAGER'] });
  const viewer = await makeAdministrator(opened, organization, { roles: ['ORG_USER_VIEWER'] });
  const bulk = (name: string) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: [{ method: 'POST', path: '/Users', bulkId: 'b', data: newUser({ userName: name }) }],
  });
  for (const [as, name, status] of [
    [manager, 'bulk-of-manager', '201'],
    [viewer, 'bulk-of-viewer', '403'],
  ] as const) {
    const { body } = await call(`POST /scim/v2/${orgId}/Bulk`, { as, body: bulk(name), headers: scim });
    t.equal(body.Operations[0].status, status);
  }
});

t.test('a token without the scope is refused, and the error says why', async (t) => {
  const client = await makeAdminApplication(container, orgId);
  const person = await makePerson(container, organization);
  const { body } = await redeemCode(opened, { client, person });
  for (const path of ['/admin/v1/orgs', scimUsers]) {
    const refused = await call(`GET ${path}`, { as: { token: body.access_token } });
    t.equal(refused.status, 403);
    t.equal(refused.headers['x-error-id'], 'tokens.adminScopeMissing');
    t.equal(refused.headers['www-authenticate'], `Bearer error="insufficient_scope", scope="${adminScope}"`);
    t.match(refused.body.detail, /lacks the scope urn:service:iam:admin/);
  }
});

t.test('only a marked application may request the scope, with a code, for its own people', async (t) => {
  const authorize = (clientId: string, more: Record<string, string> = {}) =>
    call(
      `GET /oauth/v2/authorize?${new URLSearchParams({
        client_id: clientId,
        redirect_uri: 'https://client.example/callback',
        response_type: 'code',
        scope: `openid ${adminScope}`,
        ...more,
      })}`,
    );
  const errorOf = ({ headers }: { headers: Record<string, string> }) =>
    new URL(headers['location'] ?? '').searchParams.get('error_description');
  const plain = await makeApplication(container, orgId);
  t.match(errorOf(await authorize(plain.id)), /an owner of the instance must mark it/);
  const marked = await makeAdminApplication(container, orgId);
  t.match((await authorize(marked.id)).headers['location'], /\/login\?/, 'the person signs in');
});

t.test('no application holds a token that administers another organization', async (t) => {
  const owner = await makeCaller(container, orgId, ['ORG_OWNER']);
  const elsewhere = await makeOrganization(container);
  const foreign = await makeAdminApplication(container, elsewhere.id);
  await container.applications.findById(foreign.id);
  const person = await makePerson(container, organization);
  // As if the authorization endpoint had let it through.
  const stolen = await redeemCode(opened, {
    client: { ...foreign },
    person,
    grant: { scope: `openid ${adminScope}` },
  });
  t.equal(stolen.status, 400, 'the application serves its own people');
  const marked = await makeAdminApplication(container, orgId);
  const path = `/admin/v1/orgs/${orgId}/applications/${marked.id}`;
  const changes = [
    ['PATCH', path, { redirectUris: ['https://attacker.example/'] }],
    ['POST', `${path}/secrets`, {}],
    ['DELETE', path, undefined],
    ['PUT', `${path}/administration`, undefined],
    ['DELETE', `${path}/administration`, undefined],
  ] as const;
  for (const [method, url, body] of changes) {
    const { status, headers } = await call(`${method} ${url}`, { as: owner, ...(body && { body }) });
    t.equal(status, 403, `${method} ${url}`);
    t.equal(headers['x-error-id'], 'tokens.permissionMissing');
  }
});

t.test('a token ends with the mark, the person, the session and the role', async (t) => {
  const root = await makeCaller(container, orgId, ['IAM_OWNER']);
  const person = await makePerson(container, organization);
  const client = await makeAdminApplication(container, orgId);
  const grant = { scope: `openid ${adminScope}`, authTime: clock.now() };
  const { body } = await redeemCode(opened, { client, person, grant });
  const as = { token: body.access_token };
  const membership = await call(`POST /admin/v1/orgs/${orgId}/memberships`, {
    as: root,
    body: { userId: person.id, role: 'ORG_OWNER' },
  });
  const read = async () => (await call(`GET /admin/v1/orgs/${orgId}`, { as })).status;
  t.equal(await read(), 200);
  await call(`DELETE /admin/v1/orgs/${orgId}/memberships/${membership.body.id}`, { as: root });
  t.equal(await read(), 404, 'no role reaches the organization');
  const mark = `/admin/v1/orgs/${orgId}/applications/${client.id}/administration`;
  t.equal((await call(`DELETE ${mark}`, { as: root })).status, 204);
  t.equal(await read(), 401, 'the mark is gone');
  t.equal((await call(`PUT ${mark}`, { as: root })).status, 204);
  t.equal(await read(), 404, 'the mark is back');
  await changeUser(container, {
    organization,
    id: person.id,
    editor: testEditor,
    change: (current) => ({ profile: { ...asInput(current), active: false } }),
  });
  t.equal(await read(), 401, 'the person is not active');
});

t.test('a sensitive step needs a person who signed in lately', async (t) => {
  const hourAgo = new Date(clock.now().getTime() - 3_600_000);
  const root = await makeAdministrator(opened, organization, { roles: ['IAM_OWNER'], authTime: hourAgo });
  const fresh = await makeAdministrator(opened, organization, { roles: ['IAM_OWNER'] });
  const { orgId: otherId, viewer } = await makeTenant(container);
  const other = `/admin/v1/orgs/${otherId}`;
  const { body: user } = await call(`POST /scim/v2/${otherId}/Users`, {
    as: fresh,
    body: newUser({ userName: 'to-be-deleted' }),
    headers: scim,
  });
  const { body: keys } = await call('GET /admin/v1/signing-keys', { as: fresh });
  const bulkDelete = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: [{ method: 'DELETE', path: `/Users/${user.id}` }],
  };
  const ofCredentials = (path: string, value: unknown) => patchOp({ op: 'replace', path, value });
  const bulkPatch = {
    ...bulkDelete,
    Operations: [
      { method: 'PATCH', path: `/Users/${user.id}`, data: ofCredentials('password', 'Other-Horse-7') },
    ],
  };
  const steps: [string, unknown?][] = [
    ['POST /admin/v1/memberships', { userId: viewer.id, role: 'IAM_OWNER' }],
    [`POST ${other}/memberships`, { userId: viewer.id, role: 'ORG_OWNER' }],
    [`POST ${other}/service-users/${viewer.id}/secrets`, {}],
    [`POST ${other}/service-users/${viewer.id}/tokens`, {}],
    [`POST ${other}/users/${user.id}/one-time-links`, {}],
    ['POST /admin/v1/export', { timeout: '1m', responseOutput: true, withPasswords: true }],
    ['POST /admin/v1/import', { timeout: '1m', dataOrgs: { orgs: [] } }],
    [`DELETE /admin/v1/signing-keys/${keys.keys?.[0]?.kid ?? 'x'}`],
    [`DELETE /scim/v2/${otherId}/Users/${user.id}`],
    [`POST /scim/v2/${otherId}/Bulk`, bulkDelete],
    [`POST /scim/v2/${otherId}/Bulk`, bulkPatch],
    [`PATCH /scim/v2/${otherId}/Users/${user.id}`, ofCredentials('password', 'Other-Horse-7')],
    [`PATCH /scim/v2/${otherId}/Users/${user.id}`, ofCredentials('emails', [{ value: 'mine@x.example' }])],
    [`DELETE ${other}/service-users/${viewer.id}`],
    [`DELETE ${other}?name=x`],
  ];
  for (const [request, body] of steps) {
    const { status, headers } = await call(request, { as: root, ...(body !== undefined && { body }) });
    t.equal(status, 401, request);
    t.equal(headers['x-error-id'], 'tokens.signInTooOld', request);
    t.equal(
      headers['www-authenticate'],
      'Bearer error="insufficient_user_authentication", max_age="900"',
      request,
    );
  }
  const plainExport = { timeout: '1m', responseOutput: true };
  t.equal((await call('POST /admin/v1/export', { as: root, body: plainExport })).status, 200, 'no hashes');
  const change = patchOp({ op: 'replace', path: 'title', value: 'Dr.' });
  const patched = await call(`PATCH /scim/v2/${otherId}/Users/${user.id}`, {
    as: root,
    body: change,
    headers: scim,
  });
  t.equal(patched.status, 204, 'a change is not sensitive');
  for (const [request, body] of steps.slice(0, 5)) {
    const { status } = await call(request, { as: fresh, ...(body !== undefined && { body }) });
    t.equal(status, 201, request);
  }
  t.equal((await call(`DELETE /scim/v2/${otherId}/Users/${user.id}`, { as: fresh })).status, 204);
});

t.test('the console is an application that nobody can store, change or list', async (t) => {
  const root = await makeCaller(container, orgId, ['IAM_OWNER']);
  const answer = await call(`GET /admin/v1/orgs/${orgId}/applications/${consoleClientId}`, { as: root });
  t.equal(answer.status, 404);
  const token = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'authorization_code', code: 'x', client_id: consoleClientId, redirect_uri: 'x' },
  });
  t.equal(token.body.error, 'invalid_grant', 'it is known to the token endpoint');
});
