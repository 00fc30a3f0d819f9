import t from 'tap';
import { addProject } from '#src/access/projects/add-project.js';
import { tokenExchangeType } from '#src/clients/applications/application-settings.js';
import { changeFeatures } from '#src/organizations/features/change-features.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import {
  makeApplication,
  makeServiceClient,
  type OAuthClient,
  postForm,
  redeemCode,
} from '../../support/app/oauth-client.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { Browser } from '../../support/oidc/browser.js';

const accessType = 'urn:ietf:params:oauth:token-type:access_token';

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

t.test('a narrower scope does not keep the audience of a grant that was taken back', async (t) => {
  const grantTypes = ['authorization_code', 'refresh_token', tokenExchangeType] as const;
  const client = await makeApplication(container, theirs.id, { grantTypes });
  const api = await makeApplication(container, ours.id, { type: 'api', projectId: project.id });
  const activity = async (token: string) =>
    (await postForm(call, '/oauth/v2/introspect', { form: { token }, as: api.credentials })).body.active;
  const narrow = 'openid offline_access';
  const send = (form: Record<string, string>, { credentials }: OAuthClient = client) =>
    postForm(call, '/oauth/v2/token', { form, as: credentials });
  const refresh = (refresh_token: string, more = {}) =>
    send({ grant_type: 'refresh_token', refresh_token, ...more });
  const exchange = (subject_token: string, more = {}) =>
    send({ grant_type: tokenExchangeType, subject_token, subject_token_type: accessType, ...more });
  await changeFeatures(container, { tokenExchange: true }, testEditor);
  await change([theirs.id]);
  const grant = { scope: `${scope} offline_access` };
  const first = (await redeemCode({ container, call }, { client, person, grant })).body;
  t.equal(await activity(first.access_token), true);
  const exchanged = (await exchange(first.access_token, { scope: 'openid', audience: project.id })).body;
  t.equal(await activity(exchanged.access_token), true);
  const waiting = await browser.get('/oauth/v2/authorize', {
    client_id: client.id,
    redirect_uri: 'https://client.example/callback',
    response_type: 'code',
    prompt: 'consent',
    scope,
  });

  await change([]);
  t.equal(await activity(first.access_token), false, 'a token from before');
  t.equal(await activity(exchanged.access_token), false, 'and what was made from it');
  t.match(await refresh(first.refresh_token), { status: 400, body: { error: 'invalid_scope' } });
  for (const more of [{ scope: 'openid' }, { scope: 'openid', audience: project.id }]) {
    const name = JSON.stringify(more);
    t.match(
      await exchange(first.access_token, more),
      { status: 400, body: { error: 'invalid_scope' } },
      name,
    );
  }
  const again = await refresh(first.refresh_token, { scope: narrow });
  t.match(again, { status: 200, body: { scope: narrow } }, 'what is left goes on');
  t.notOk((await container.accessTokens.read(again.body.access_token))?.audience.includes(project.id));
  t.equal(await activity(again.body.access_token), false);

  const page = await browser.get(`${waiting.location.pathname}${waiting.location.search}`);
  const hidden = Object.fromEntries(
    ['csrf', 'request', 'session'].map((name) => [
      name,
      new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? '',
    ]),
  );
  const { location } = await browser.post('/login/consent', { ...hidden, decision: 'allow' });
  const ended = await browser.get(`${location.pathname}${location.search}`);
  t.equal(ended.location.searchParams.get('error'), 'invalid_scope', 'a request that waited meanwhile');
  await call(`DELETE /admin/v1/orgs/${ours.id}/applications/${api.id}`, { as: owner });
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
