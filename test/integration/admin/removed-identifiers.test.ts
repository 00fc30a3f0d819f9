import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { addProject } from '#src/access/projects/add-project.js';
import { addOrganization } from '#src/organizations/add-organization.js';
import { startWorkers } from '#workers/start-workers.js';
import { until } from '../../../dev/until.js';
import { testEditor as editor, makeCaller, makeOrganization } from '../../support/app/make.js';
import {
  makeApplication,
  makePerson,
  makeServiceClient,
  postForm,
  redeemCode,
} from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser } from '../../support/migration/imports.js';

const opened = await buildTestApp(t, { requestTimeoutSeconds: 1 });
const { container, call, clock } = opened;
const home = await makeOrganization(container);
const owner = await makeCaller(container, home.id, ['IAM_OWNER']);
await call('PATCH /admin/v1/features', { as: owner, body: { tokenExchange: true } });
const workers = startWorkers(container);
t.teardown(() => workers.close());
const exchangeType = 'urn:ietf:params:oauth:grant-type:token-exchange';

async function remove(orgId: string, name: string) {
  const { headers, status } = await call(`DELETE /admin/v1/orgs/${orgId}?name=${encodeURIComponent(name)}`, {
    as: owner,
  });
  if (status !== 202) throw new Error(String(status));
  const path = new URL(headers['location'] ?? '').pathname;
  await until(async () => (await call(`GET ${path}`, { as: owner })).body.state === 'completed', {
    within: 120_000,
  });
}
const importV1 = (orgs: unknown[]) =>
  call('POST /admin/v1/import', { as: owner, body: { timeout: '1m', dataOrgsv1: { orgs } } });

t.test('a service user whose identifier another organization has', async (t) => {
  const old = await makeOrganization(container);
  const machine = await makeServiceClient(container, old.id);
  await addMembership(container, { userId: machine.id, role: 'ORG_OWNER', orgId: old.id, editor });
  const { body } = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'client_credentials', scope: 'openid' },
    as: machine.credentials,
  });
  await remove(old.id, old.name);
  clock.advance(600);
  const done = await importV1([
    {
      orgId: home.id,
      machineUsers: [{ userId: machine.id, user: { userName: 'm2' } }],
      orgMembers: [{ userId: machine.id, roles: ['ORG_OWNER'] }],
    },
  ]);
  t.match(done.body.summary, { created: 2 }, JSON.stringify(done.body));
  t.equal((await call(`GET /scim/v2/${home.id}/Users`, { as: { token: body.access_token } })).status, 401);
});

t.test('an ID token of an earlier organization is not exchanged', async (t) => {
  const old = await addOrganization(container, { id: 'again-b', name: 'B', editor });
  const person = await makePerson(container, old);
  const client = await makeApplication(container, home.id, {
    orgOnly: false,
    grantTypes: ['authorization_code', exchangeType],
  });
  const app = await makeApplication(container, old.id);
  await call(`PUT /admin/v1/orgs/${home.id}/applications/${client.id}/approval`, { as: owner, body: {} });
  const { body } = await redeemCode(
    { container, call },
    { client: app, person, grant: { scope: 'openid', authTime: clock.now() } },
  );
  await remove(old.id, 'B');
  clock.advance(600);
  await addOrganization(container, { id: 'again-b', name: 'B', editor });
  const { userId: _u, ...record } = humanUser('bb');
  const done = await importV1([
    {
      orgId: 'again-b',
      humanUsers: [{ ...record, userId: person.id }],
      oidcApps: [
        {
          appId: app.id,
          app: {
            name: 'N',
            type: 'spa',
            grantTypes: ['authorization_code', exchangeType],
            redirectUris: ['https://client.example/callback'],
          },
        },
      ],
    },
  ]);
  t.match(done.body.summary, { created: 2 }, JSON.stringify(done.body));
  const answer = await postForm(call, '/oauth/v2/token', {
    form: {
      client_id: app.id,
      grant_type: exchangeType,
      subject_token: body.id_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    },
  });
  t.not(answer.status, 200, JSON.stringify(answer.body).slice(0, 200));
});

t.test('audiences of other organizations do not keep it', async (t) => {
  const old = await makeOrganization(container);
  const project = await addProject(container, {
    orgId: home.id,
    name: 'Open',
    audienceOrgIds: [old.id],
    editor,
  });
  await remove(old.id, old.name);
  t.same((await container.projects.find(home.id, project.id))?.audienceOrgIds, []);
});

t.test('an import passes over an organization that is being removed', async (t) => {
  const old = await makeOrganization(container);
  const other = await makeOrganization(container);
  const before = opened.container.config.requestTimeoutSeconds;
  t.ok(before);
  await call(`DELETE /admin/v1/orgs/${old.id}?name=${encodeURIComponent(old.name)}`, { as: owner });
  const { body } = await call('POST /admin/v1/import', {
    as: owner,
    body: {
      timeout: '1m',
      dataOrgs: {
        orgs: [
          { orgId: old.id, humanUsers: [humanUser('d1')] },
          { orgId: other.id, humanUsers: [humanUser('d2')] },
        ],
      },
    },
  });
  t.match(body.summary, { created: 1, failed: 1 }, JSON.stringify(body));
});

t.test('what a sweep looks up has an index', async (t) => {
  for (const [name, field] of [
    ['refreshFamilies', 'orgId'],
    ['one_time_links', 'orgId'],
    ['rememberedBrowsers', 'orgId'],
    ['identifiers', 'orgId'],
  ] as const) {
    const indexes = await container.mongo.db.collection(name).indexes();
    t.ok(
      indexes.some(({ key }) => Object.keys(key)[0] === field),
      `${name}: ${indexes.map(({ key }) => JSON.stringify(key)).join(' ')}`,
    );
  }
});
