import t from 'tap';
import { addProject } from '#src/directory/projects/add-project.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import { makeApplication, makeServiceClient, postForm } from '../../support/app/oauth-client.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { Browser } from '../../support/oidc/browser.js';

const { app, container, call } = await buildTestApp(t);
const [ours, theirs] = [await makeOrganization(container), await makeOrganization(container)];
const owner = await makeCaller(container, ours.id, ['ORG_OWNER']);
const project = await addProject(container, { orgId: ours.id, name: 'Shop', editor: testEditor });
const scope = `openid urn:service:iam:org:project:id:${project.id}:aud`;
const address = `/admin/v1/orgs/${ours.id}/projects/${project.id}`;

const [ourMachine, theirMachine] = [
  await makeServiceClient(container, ours.id),
  await makeServiceClient(container, theirs.id),
];
const tokenOf = (machine: typeof ourMachine) =>
  postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'client_credentials', scope },
    as: machine.credentials,
  });

const { application } = await makeApplication(container, theirs.id);
const person = await makePerson(container, theirs);
const browser = new Browser(app);
await browser.signIn(container, person);
const authorize = async () => {
  const { location } = await browser.get('/oauth/v2/authorize', {
    client_id: application.id,
    redirect_uri: 'https://client.example/callback',
    response_type: 'code',
    scope,
  });
  return (
    location.searchParams.get('error') ?? (location.searchParams.has('code') ? 'code' : location.pathname)
  );
};

const change = (audienceOrgIds: unknown) => call(`PATCH ${address}`, { as: owner, body: { audienceOrgIds } });

t.test('a project accepts tokens of its own organization', async (t) => {
  const { status, body } = await tokenOf(ourMachine);
  t.equal(status, 200);
  t.ok((await container.accessTokens.read(body.access_token))?.audience.includes(project.id));
});

t.test('clients of another organization get none without its grant', async (t) => {
  const refused = await tokenOf(theirMachine);
  t.match(refused, { status: 400, body: { error: 'invalid_scope' } });
  t.equal(await authorize(), 'invalid_scope');
});

t.test('with the grant they do, until it is taken back', async (t) => {
  const changed = await change([theirs.id, theirs.id]);
  t.match(changed, { status: 200, body: { audienceOrgIds: [theirs.id] } });
  const { status, body } = await tokenOf(theirMachine);
  t.equal(status, 200);
  const api = await makeApplication(container, ours.id, { type: 'api', projectId: project.id });
  const seen = await postForm(call, '/oauth/v2/introspect', {
    form: { token: body.access_token },
    as: api.credentials,
  });
  t.match(seen.body, {
    active: true,
    'urn:service:iam:user:resourceowner:id': theirs.id,
    'urn:service:iam:client:resourceowner:id': theirs.id,
  });
  await call(`DELETE /admin/v1/orgs/${ours.id}/applications/${api.application.id}`, { as: owner });
  t.equal(await authorize(), 'code');
  const events = await container.events.search({ aggregateId: project.id, limit: 10, ascending: false });
  t.match(events[0], { type: 'project.changed', payload: { attributes: ['audienceOrgIds'] } });

  t.match(await change([]), { status: 200, body: { audienceOrgIds: [] } });
  t.match(await tokenOf(theirMachine), { status: 400, body: { error: 'invalid_scope' } });
  t.equal(await authorize(), 'invalid_scope');
});

t.test('wrong grants are refused', async (t) => {
  for (const given of ['x', [''], ['a b'], [1], Array.from({ length: 101 }, (_, n) => `o${n}`), null]) {
    t.equal((await change(given)).status, 400, JSON.stringify(given).slice(0, 30));
  }
  const stranger = await makeCaller(container, theirs.id, ['ORG_OWNER']);
  const grab = await call(`PATCH ${address}`, { as: stranger, body: { audienceOrgIds: [theirs.id] } });
  t.equal(grab.status, 404, 'only its own organization grants it');
});

t.test('an identifier that a removed project had stays with its organization', async (t) => {
  t.equal((await call(`DELETE ${address}`, { as: owner })).status, 204);
  t.match(await tokenOf(theirMachine), { status: 400, body: { error: 'invalid_scope' } });
});
