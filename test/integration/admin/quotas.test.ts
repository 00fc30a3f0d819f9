import t from 'tap';
import type { QuotaLimits } from '#src/directory/quota.js';
import { makeNewcomer, storeNewcomer } from '#src/login/registration/register-user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { until } from '../../../dev/until.js';
import { makeCaller, makeOrganization, makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildAnotherApp, buildTestApp } from '../../support/app/test-app.js';
import { humanUsers, importOf } from '../../support/migration/imports.js';
import { newUser, urn } from '../../support/scim/scim-client.js';
import { errorIdOf } from '../../support/thrown.js';

const testApp = await buildTestApp(t, { workers: true, quotaProjects: 2 });
const { container, call } = testApp;
const callElsewhere = await buildAnotherApp(t, testApp);
const { id: homeId } = await makeOrganization(container);
const instanceOwner = await makeCaller(container, homeId, ['IAM_OWNER']);

const full = 'directory.quotaExceeded';

/** An organization with quotas of its own. */
async function tenantWith(quotas: Partial<QuotaLimits>) {
  const tenant = await makeTenant(container);
  const { body } = await call(`PATCH /admin/v1/orgs/${tenant.orgId}`, {
    as: instanceOwner,
    body: { quotas },
  });
  return { ...tenant, name: body.name as string };
}

/** Sends requests at once, half of them to another process. Returns how many were answered with each status. */
async function atOnce(
  count: number,
  request: (through: typeof call, index: number) => ReturnType<typeof call>,
) {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => request(index % 2 === 0 ? call : callElsewhere, index)),
  );
  const statuses: Record<number, number> = {};
  for (const { status, body } of answers) {
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 403) t.match(JSON.stringify(body), new RegExp(full));
  }
  return statuses;
}

t.test('only an instance owner changes quotas, and an owner of the organization reads them', async (t) => {
  const { orgId, owner, viewer } = await makeTenant(container);
  const url = `/admin/v1/orgs/${orgId}`;
  const none = {
    users: 0,
    groups: 0,
    serviceUsers: 0,
    projects: 2,
    applications: 0,
    connections: 0,
    metadata: 0,
    openJobs: 0,
  };
  t.same((await call(`GET ${url}`, { as: owner })).body.quotas, none, 'those of the instance');
  for (const quotas of [{ users: 5 }, { projects: null }, { projects: 0 }, {}]) {
    t.equal((await call(`PATCH ${url}`, { as: owner, body: { quotas } })).status, 403);
  }
  t.equal((await call(`PATCH ${url}`, { as: viewer, body: { quotas: {} } })).status, 403);
  const changed = await call(`PATCH ${url}`, {
    as: instanceOwner,
    body: { quotas: { users: 5, projects: 0, service_users: 3 } },
  });
  t.equal(changed.status, 200);
  t.same(changed.body.quotas, { ...none, users: 5, projects: 0, serviceUsers: 3 });
  t.same((await call(`GET ${url}`, { as: owner })).body.quotas, changed.body.quotas);
  const renamed = await call(`PATCH ${url}`, { as: owner, body: { name: 'Renamed' } });
  t.same(renamed.body.quotas, changed.body.quotas, 'other changes keep them');
  const back = await call(`PATCH ${url}`, {
    as: instanceOwner,
    body: { quotas: { users: null, projects: null } },
  });
  t.same(back.body.quotas, { ...none, serviceUsers: 3 });
  for (const wrong of [-1, 1.5, 'many', 2e9, []]) {
    const { status } = await call(`PATCH ${url}`, { as: instanceOwner, body: { quotas: { users: wrong } } });
    t.equal(status, 400, String(wrong));
  }
  t.equal((await call(`PATCH ${url}`, { as: instanceOwner, body: { quotas: { cows: 1 } } })).status, 400);
  const search = { aggregateId: orgId, aggregateTypes: ['org'] };
  const { body } = await call('POST /admin/v1/events/_search', { as: owner, body: search });
  t.ok(body.events.some(({ payload }: { payload: unknown }) => JSON.stringify(payload).includes('quotas')));
});

t.test('users by SCIM, at two processes at once, and again after a removal', async (t) => {
  const { orgId, manager: as } = await tenantWith({ users: 3 });
  const create = (through: typeof call) =>
    through(`POST /scim/v2/${orgId}/Users`, { as, body: newUser({ userName: uniqueName('user') }) });
  t.same(await atOnce(12, create), { 201: 3, 403: 9 });
  const refused = await create(call);
  t.match(refused.body, {
    schemas: [urn.error, urn.errorDetail],
    status: '403',
    detail: /quota of 3 users/,
    [urn.errorDetail]: { id: full },
  });
  t.equal(await container.users.count(orgId), 3);
  const { body } = await call(`GET /scim/v2/${orgId}/Users`, { as });
  await call(`DELETE /scim/v2/${orgId}/Users/${body.Resources[0].id}`, { as });
  await until(async () => (await create(callElsewhere)).status === 201);
  t.same(await atOnce(4, create), { 403: 4 });
});

t.test('groups by SCIM', async (t) => {
  const { orgId, manager: as } = await tenantWith({ groups: 2 });
  const create = (through: typeof call) =>
    through(`POST /scim/v2/${orgId}/Groups`, {
      as,
      body: { schemas: [urn.group], displayName: uniqueName('group') },
    });
  t.same(await atOnce(8, create), { 201: 2, 403: 6 });
  t.match((await create(call)).body, { detail: /quota of 2 groups/, [urn.errorDetail]: { id: full } });
});

t.test('a quota below the number of users keeps them, and they can be changed', async (t) => {
  const tenant = await makeTenant(container);
  const organization = (await container.organizations.find(tenant.orgId)) as never;
  const person = await makePerson(container, organization);
  await makePerson(container, organization);
  const url = `/admin/v1/orgs/${tenant.orgId}`;
  await call(`PATCH ${url}`, { as: instanceOwner, body: { quotas: { users: 1 } } });
  const change = { schemas: [urn.patchOp], Operations: [{ op: 'replace', path: 'title', value: 'x' }] };
  const path = `/scim/v2/${tenant.orgId}/Users/${person.id}`;
  t.equal((await call(`PATCH ${path}`, { as: tenant.manager, body: change })).status, 204);
  const created = await call(`POST /scim/v2/${tenant.orgId}/Users`, { as: tenant.manager, body: newUser() });
  t.equal(created.status, 403);
  await call(`PATCH ${url}`, { as: instanceOwner, body: { quotas: { users: 3 } } });
  const later = await callElsewhere(`POST /scim/v2/${tenant.orgId}/Users`, {
    as: tenant.manager,
    body: newUser(),
  });
  t.equal(later.status, 201, 'a higher quota applies at once');
});

t.test('users by Bulk: the operations beyond the quota fail alone', async (t) => {
  const { orgId, manager: as } = await tenantWith({ users: 3 });
  const first = newUser();
  await call(`POST /scim/v2/${orgId}/Users`, { as, body: first });
  const creations = [first, ...Array.from({ length: 5 }, () => newUser())];
  const Operations = creations.map((data, index) => ({
    method: 'POST',
    path: '/Users',
    bulkId: `b${index}`,
    data,
  }));
  const { body } = await call(`POST /scim/v2/${orgId}/Bulk`, {
    as,
    body: { schemas: [urn.bulkRequest], Operations },
  });
  t.same(
    body.Operations.map(({ status }: { status: string }) => status),
    ['409', '201', '201', '403', '403', '403'],
  );
  t.match(JSON.stringify(body.Operations[5].response), full);
  t.equal(await container.users.count(orgId), 3);
});

t.test('users by import: the records beyond the quota have an error each', async (t) => {
  const { orgId } = await tenantWith({ users: 4 });
  const begun = await call('POST /admin/v1/import', {
    as: instanceOwner,
    body: importOf(orgId, humanUsers(uniqueName('imported'), 10)),
  });
  t.equal(begun.status, 200, JSON.stringify(begun.body));
  t.equal(begun.body.summary.created, 4);
  t.equal(begun.body.errors.length, 6);
  t.match(begun.body.errors[0], { type: 'human_user', message: /^QUOTA-EXCEEDED: .*quota of 4 users/ });
  t.equal(await container.users.count(orgId), 4);
});

t.test('a dry run refuses the records that an import would refuse, and takes no places', async (t) => {
  const { orgId } = await tenantWith({ users: 604 });
  const word = uniqueName('dry');
  const run = (dryRun: boolean) =>
    call('POST /admin/v1/import', {
      as: instanceOwner,
      body: {
        timeout: '5m',
        dryRun,
        // Several parts, and two lists of the same organization.
        dataOrgs: {
          orgs: [
            { orgId, humanUsers: humanUsers(word, 503) },
            { orgId, humanUsers: humanUsers(`${word}x`, 110) },
          ],
        },
      },
    });
  const summary = { created: 604, skipped: 0, failed: 9, total: 613 };
  const dry = await run(true);
  t.same(dry.body.summary, summary, JSON.stringify(dry.body.errors[0]));
  t.match(dry.body.errors[8], { id: `id-${word}x-109`, message: /^QUOTA-EXCEEDED: .*quota of 604 users/ });
  t.equal(await container.users.count(orgId), 0);
  const real = await run(false);
  t.same(real.body.summary, summary);
  t.equal(real.body.errors.length, 9);
  t.same((await run(true)).body.summary, { created: 0, skipped: 604, failed: 9, total: 613 });
});

t.test('a dry run knows the quotas of an organization that it would add', async (t) => {
  const orgId = uniqueName('org');
  const projects = ['a', 'b', 'c'].map((name) => ({
    projectId: `${orgId}-${name}`,
    project: { name },
  }));
  const body = { dryRun: true, dataOrgsv1: { orgs: [{ orgId, org: { name: orgId }, projects }] } };
  const dry = await call('POST /admin/v1/import', { as: instanceOwner, body: { timeout: '5m', ...body } });
  t.match(dry.body.errors, [{ type: 'project', message: /^QUOTA-EXCEEDED: .*quota of 2 projects/ }]);
  t.equal(dry.body.errors.length, 1);
});

t.test('an import that the quota of open jobs refuses leaves nothing', async (t) => {
  const idle = await buildTestApp(t, { quotaOpenJobs: 1 });
  const { id: orgId } = await makeOrganization(idle.container);
  const as = await makeCaller(idle.container, orgId, ['IAM_OWNER']);
  const send = () =>
    idle.call('POST /admin/v1/import', {
      as,
      body: importOf(orgId, humanUsers(uniqueName('imported'), 3)),
      headers: { prefer: 'respond-async' },
    });
  t.equal((await send()).status, 202);
  const staged = async () => {
    const collections = ['importUploads', 'importParts', 'importOrganizations', 'stagedBlocks'];
    return Promise.all(collections.map((name) => idle.container.mongo.collection(name).countDocuments({})));
  };
  const before = await staged();
  t.equal((await send()).status, 403);
  t.same(await staged(), before);
});

t.test('an export has no quotas', async (t) => {
  const { orgId } = await tenantWith({ users: 5 });
  const { status, body } = await call('POST /admin/v1/export', {
    as: instanceOwner,
    body: { orgIds: [orgId], responseOutput: true },
  });
  t.equal(status, 200, JSON.stringify(body));
  t.match(JSON.stringify(body), orgId);
  t.notMatch(JSON.stringify(body), /quota/i);
});

t.test('people who register', async (t) => {
  const tenant = await tenantWith({ users: 1 });
  await changeOrganization(container, {
    orgId: tenant.orgId,
    change: { login: { selfRegistration: true } },
    editor: testEditor,
  });
  const organization = (await container.organizations.find(tenant.orgId)) as never;
  const entered = () => ({
    givenName: 'A',
    familyName: 'B',
    email: 'a@b.example',
    userName: uniqueName('registered'),
    password: 'Correct-Horse-7',
  });
  const register = async () => {
    const newcomer = await makeNewcomer(container, { organization, entered: entered(), language: 'en' });
    await storeNewcomer(container, organization, newcomer);
  };
  await register();
  t.equal(await errorIdOf(register), full);
});

t.test('open jobs: a job that ended makes room for another one', async (t) => {
  const idle = await buildTestApp(t, { quotaOpenJobs: 2 });
  const { orgId, manager: as } = await makeTenant(idle.container);
  const Operations = [{ method: 'POST', path: '/Users', bulkId: 'one', data: newUser() }];
  const submit = () =>
    idle.call(`POST /scim/v2/${orgId}/Bulk`, {
      as,
      body: { schemas: [urn.bulkRequest], Operations },
      headers: { prefer: 'respond-async' },
    });
  const answers = await Promise.all(Array.from({ length: 6 }, submit));
  const [accepted, ...others] = answers.filter(({ status }) => status === 202);
  t.equal(others.length, 1);
  const refused = answers.filter(({ status }) => status === 403);
  t.equal(refused.length, 4);
  t.match(refused[0]?.body, { detail: /quota of 2 open jobs/, [urn.errorDetail]: { id: full } });
  const { pathname } = new URL(accepted?.headers['location'] ?? '');
  t.equal((await idle.call(`DELETE ${pathname}`, { as })).status < 300, true);
  await until(async () => (await submit()).status === 202);
  t.equal((await submit()).status, 403);
});

t.test('projects, applications, service users and metadata', async (t) => {
  const { orgId, owner: as } = await tenantWith({ applications: 2, serviceUsers: 5, metadata: 2 });
  const url = `/admin/v1/orgs/${orgId}`;
  const post = (path: string, body: () => unknown) => (through: typeof call) =>
    through(`POST ${url}/${path}`, { as, body: body() });
  t.same(
    await atOnce(
      6,
      post('projects', () => ({ name: 'P' })),
    ),
    { 201: 2, 403: 4 },
    'the quota of the instance',
  );
  const application = (more = {}) => ({
    name: 'App',
    type: 'web',
    redirectUris: ['https://app.example/'],
    ...more,
  });
  const joining = await call(`POST ${url}/applications`, {
    as: instanceOwner,
    body: application({ projectId: 'new-one' }),
  });
  t.equal(joining.status, 403, 'an application adds its project');
  t.match(joining.body.detail, /projects/);
  t.same(await atOnce(6, post('applications', application)), { 201: 2, 403: 4 });
  const { body } = await call(`GET ${url}/applications`, { as });
  const moved = await call(`PATCH ${url}/applications/${body.items[0].id}`, {
    as: instanceOwner,
    body: { projectId: 'another-one' },
  });
  t.equal(moved.status, 403, 'a change of an application adds its project');
  // Three service users exist: the callers of the test.
  const machine = () => ({ userName: uniqueName('machine') });
  t.same(await atOnce(6, post('service-users', machine)), { 201: 2, 403: 4 });
  const user = await makePerson(container, (await container.organizations.find(orgId)) as never);
  const set = (through: typeof call, index: number) =>
    through(`PUT ${url}/users/${user.id}/metadata/k${index}`, { as, body: { value: 'AAAA' } });
  t.same(await atOnce(6, set), { 200: 2, 403: 4 });
  const { body: listed } = await call(`GET ${url}/users/${user.id}/metadata`, { as });
  const again = await call(`PUT ${url}/users/${user.id}/metadata/${listed.items[0].key}`, {
    as,
    body: { value: 'BBBB' },
  });
  t.equal(again.status, 200, 'an existing entry can be changed');
});
