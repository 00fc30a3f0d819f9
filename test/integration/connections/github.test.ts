import t from 'tap';
import { requireGithub } from '#src/connections/provider/index.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import {
  type FakeGithub,
  type GithubAccount,
  github,
  githubLimits,
  sendGithub,
  startFakeGithub,
} from '../../support/hostile/fake-github.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  type Connected,
  isSignedIn,
  leaveFor,
  makeConnected,
  newVisitor,
  refusedPage,
} from '../../support/oidc/connected.js';
import type { Visitor } from '../../support/oidc/visitor.js';

/** Sign-ins by GitHub, which has OAuth 2.0 without OpenID Connect, and by a GitHub that lies. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, call, clock } = service;
const provider = await startFakeGithub(t, certificate);
t.beforeEach(() => provider.instead.clear());

const ofGithub = { provider: { api: 'github' } };
const octocat = { id: 583231, login: 'octocat', name: 'The Octocat', email: 'profile@elsewhere.example' };
const mails = (...list: object[]) => list;
const primary = (email: string, more: object = {}) => ({ email, primary: true, verified: true, ...more });

async function enter(
  connected: Connected,
  account: Partial<GithubAccount> = {},
  from: FakeGithub = provider,
) {
  const visitor = newVisitor(service);
  const address = await leaveFor(visitor, connected);
  const seen = await visitor.get(from.authorize(address, { user: octocat, emails: [], ...account }));
  return { visitor, seen, address: new URL(address) };
}

/** Why a sign-in was refused, as the owner sees it. Undefined if the person is signed in. */
async function reasonOf(connected: Connected, account: Partial<GithubAccount> = {}) {
  clock.advance(11);
  const { visitor, seen } = await enter(connected, account);
  if (isSignedIn(seen)) return undefined;
  await refusedPage(visitor, seen);
  const { body } = await call(`GET ${connected.path}/health`, { as: connected.owner });
  return body.refusals[0].reason;
}

async function peopleOf({ orgId, owner }: Connected) {
  const { body } = await call(`GET /scim/v2/${orgId}/Users`, { as: owner });
  return body.Resources as { userName: string; emails?: { value: string }[] }[];
}

t.test('the number of the account is the person, whatever its name', async (t) => {
  const acme = await makeConnected(service, provider, ofGithub);
  const { seen, address } = await enter(acme);
  t.ok(isSignedIn(seen), `${seen.status} ${seen.location}`);
  t.match(Object.fromEntries(address.searchParams), {
    ...{ scope: 'read:user user:email', response_type: 'code', code_challenge_method: 'S256' },
    redirect_uri: /\/callback$/,
  });
  t.ok(isSignedIn((await enter(acme, { user: { ...octocat, login: 'renamed' } })).seen));
  t.equal(await container.users.count(acme.orgId), 1, 'a new name is the same person');
  t.ok(isSignedIn((await enter(acme, { user: { ...octocat, id: 7 } })).seen));
  t.equal(await container.users.count(acme.orgId), 2, 'the name of another one is nobody');
  const [list] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
  t.match(Object.values(list?.items ?? {})[0], { subject: /^(583231|7)$/ });
  const logout = `/login/connections/${acme.orgId}/${acme.connectionId}/logout`;
  t.equal((await newVisitor(service).post(logout, { logout_token: 'a.b.c' })).status, 400);
});

t.test('an account that the API does not name signs in nobody', async (t) => {
  const acme = await makeConnected(service, provider, ofGithub);
  const users = [
    ...['583231', 0, -1, 1.5, 2 ** 53, true, null, undefined, [583231]].map((id) => ({ ...octocat, id })),
    ...[null, [], [octocat], 'octocat', 7],
  ];
  for (const user of users) t.equal(await reasonOf(acme, { user }), 'tokenInvalid', JSON.stringify(user));
  const lies: [path: string, status: number, body: unknown, reason: string][] = [
    [github.user, 401, octocat, 'tokenInvalid'],
    [github.user, 302, octocat, 'unreachable'],
    [github.user, 404, octocat, 'tokenInvalid'],
    [github.emails, 302, [], 'unreachable'],
    [github.emails, 401, [], 'tokenInvalid'],
    [github.user, 500, octocat, 'unreachable'],
    [github.emails, 403, [], 'unreachable'],
    [github.emails, 429, [], 'unreachable'],
    [github.emails, 503, [], 'unreachable'],
    [github.user, 200, 'x'.repeat(300_000), 'unreachable'],
    [github.token, 200, { error: 'bad_verification_code' }, 'codeRefused'],
    [github.token, 200, { error: { a: 1 }, access_token: 'x', token_type: 'bearer' }, 'tokenInvalid'],
    [github.token, 200, {}, 'tokenInvalid'],
    [github.token, 200, { access_token: 7, token_type: 'bearer' }, 'tokenInvalid'],
    [github.token, 200, { access_token: 'a\r\nb: c', token_type: 'bearer' }, 'unreachable'],
    [github.token, 200, { access_token: 'stolen', token_type: 'bearer' }, 'tokenInvalid'],
    [github.token, 500, {}, 'tokenInvalid'],
  ];
  for (const [path, status, body, reason] of lies) {
    provider.instead.clear();
    provider.instead.set(path, (_request, response) => sendGithub(response, status, body));
    t.equal(await reasonOf(acme), reason, `${path} ${JSON.stringify(body).slice(0, 60)}`);
  }
  provider.instead.clear();
  provider.instead.set(github.emails, (_request, response) => response.end('<html>'));
  t.equal(await reasonOf(acme), 'unreachable', 'no JSON');
  provider.instead.clear();
  t.equal(await container.users.count(acme.orgId), 0);
});

t.test('only the primary address counts, and only if GitHub has verified it', async (t) => {
  const domain = `${uniqueName('acme')}.example`;
  const anna = `anna@${domain}`;
  const acme = await makeConnected(service, provider, {
    ...ofGithub,
    linking: { byDomain: true },
    creation: 'create',
  });
  const { orgId } = acme;
  await changeOrganization(container, { orgId, change: { domains: [domain] }, editor: testEditor });
  const given = { as: acme.owner, body: { domains: [domain] } };
  t.equal((await call(`PATCH ${acme.path}`, given)).status, 200);
  const other = { email: 'other@elsewhere.example', primary: false, verified: true };
  const lists: unknown[] = [
    mails(other, primary(anna, { verified: false })),
    mails(other, { email: anna, primary: false, verified: true }),
    mails(primary(anna), primary('second@elsewhere.example')),
    mails(primary(anna, { verified: 'true' })),
    mails(primary(anna, { primary: 1 })),
    [...Array.from({ length: 100 }, () => other), primary(anna)],
    { 0: primary(anna), length: 1 },
    [[primary(anna)], null, anna],
    mails(primary('x', { email: { value: anna } })),
    null,
  ];
  let id = 100;
  for (const emails of lists) {
    const user = { ...octocat, id: id++, email: anna };
    t.ok(isSignedIn((await enter(acme, { user, emails })).seen));
    const people = await peopleOf(acme);
    t.notMatch(JSON.stringify(people), anna, JSON.stringify(emails)?.slice(0, 120));
  }
  provider.instead.set(github.emails, (_request, response) =>
    sendGithub(response, 404, mails(primary(anna))),
  );
  t.ok(isSignedIn((await enter(acme, { user: { ...octocat, id: id++ } })).seen), 'a token without the scope');
  t.notMatch(JSON.stringify(await peopleOf(acme)), anna);
  provider.instead.clear();
  const user = { ...octocat, id };
  t.ok(isSignedIn((await enter(acme, { user, emails: mails(other, primary(anna)) })).seen));
  t.equal(
    (await peopleOf(acme)).filter(({ emails = [] }) => emails.some(({ value }) => value === anna)).length,
    1,
  );
});

t.test('the code counts for this browser, this connection and once', async (t) => {
  const acme = await makeConnected(service, provider, ofGithub);
  const other = await makeConnected(service, provider, ofGithub);
  const visitor = newVisitor(service);
  const back = provider.authorize(await leaveFor(visitor, acme), { user: octocat, emails: [] });
  const thief = newVisitor(service);
  await thief.get('/login');
  t.notOk(isSignedIn(await thief.get(back)), 'another browser');
  t.notOk(isSignedIn(await visitor.get(back.replace(acme.connectionId, other.connectionId))), 'another one');
  const stolen = new URL(provider.authorize(await leaveFor(thief, acme), { user: octocat, emails: [] }));
  const mine = new URL(back);
  mine.searchParams.set('code', stolen.searchParams.get('code') ?? '');
  t.notOk(isSignedIn(await visitor.get(mine.href)), 'the code of another sign-in has another verifier');
  const again = provider.authorize(await leaveFor(visitor, acme), { user: octocat, emails: [] });
  t.notOk(isSignedIn(await visitor.get(again.replace('login%2Foauth', 'login%2Fother'))), 'another issuer');
  const whole = provider.authorize(await leaveFor(visitor, acme), { user: octocat, emails: [] });
  const without = new URL(whole);
  without.searchParams.delete('iss');
  t.ok(isSignedIn(await visitor.get(without.href)), 'an older server has none');
  t.notOk(isSignedIn(await visitor.get(without.href)));
  t.equal(
    await reasonOf(await makeConnected(service, provider, { ...ofGithub, clientSecret: 'wrong' })),
    'codeRefused',
  );
});

t.test('where a fresh sign-in is demanded, a sentence stands in place of the button', async (t) => {
  const acme = await makeConnected(service, provider, ofGithub);
  const { visitor } = await enter(acme);
  const says = /Acme does not confirm one/;
  const button = `/login/connections/${acme.orgId}/${acme.connectionId}`;
  const confirm = await visitor.follow(await visitor.get('/account/identities'));
  t.match(confirm.text, says, 'a page of the account');
  t.notMatch(confirm.text, button);
  const { id: clientId } = await makeApplication(container, acme.orgId);
  const request = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
  const begin = async (from: Visitor, more: Record<string, string>) =>
    from.follow(await from.get(`/oauth/v2/authorize?${new URLSearchParams({ ...request, ...more })}`));
  for (const more of [{ prompt: 'login' }, { max_age: '3600' }, { max_age: '0' }]) {
    for (const from of [newVisitor(service), visitor]) {
      const page = await begin(from, { ...more, connection: acme.connectionId });
      t.equal(page.status, 200, 'also a browser that knows the connection stays');
      t.match(page.text, says, JSON.stringify(more));
      t.notMatch(page.text, button);
    }
  }
  t.match((await begin(newVisitor(service), {})).text, button, 'a request without a demand');
  const { body } = await call(`GET ${acme.path}/health`, { as: acme.owner });
  t.same(body.refusals, [], 'nobody was refused by the provider');
});

t.test('a form of before the demand is refused before the browser leaves', async (t) => {
  const acme = await makeConnected(service, provider, ofGithub);
  const visitor = newVisitor(service);
  const page = await visitor.get(`/login?organization=${acme.orgId}`);
  const before = provider.asked.length;
  const path = `/login/connections/${acme.orgId}/${acme.connectionId}`;
  const seen = await visitor.fill(page, { fresh: '1' }, path);
  t.match(seen, { status: 400, text: /Acme does not confirm one/ });
  t.equal(provider.asked.length, before);
});

t.test('a name in the domain of GitHub leads nowhere if the sign-in must be fresh', async (t) => {
  const domain = `${uniqueName('acme')}.example`;
  const acme = await makeConnected(service, provider, ofGithub);
  const { orgId } = acme;
  await changeOrganization(container, { orgId, change: { domains: [domain] }, editor: testEditor });
  await call(`PATCH ${acme.path}`, { as: acme.owner, body: { domains: [domain] } });
  const { id: clientId } = await makeApplication(container, orgId);
  const request = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
  const named = async (more: Record<string, string>) => {
    const visitor = newVisitor(service);
    const query = new URLSearchParams({ ...request, ...more });
    const page = await visitor.follow(await visitor.get(`/oauth/v2/authorize?${query}`));
    return visitor.fill(page, { loginName: `anna@${domain}` }, '/login/name');
  };
  t.match((await named({})).location, `${provider.issuer}/login/oauth/authorize`);
  const stays = await named({ prompt: 'login' });
  t.match(stays.text, /Acme does not confirm one/);
  t.match(stays.text, 'name="password"', 'another way');
});

t.test('each kind of GitHub has its API at an address of its own', async (t) => {
  const kinds = {
    'https://github.com': 'https://api.github.com/rate_limit',
    'https://acme.ghe.com': 'https://api.acme.ghe.com/rate_limit',
    'https://github.acme.example': 'https://github.acme.example/api/v3/rate_limit',
    'https://github.com.acme.example': 'https://github.com.acme.example/api/v3/rate_limit',
    'https://acmeghe.com': 'https://acmeghe.com/api/v3/rate_limit',
    'https://ghe.com': 'https://ghe.com/api/v3/rate_limit',
    'https://a.b.ghe.com': 'https://a.b.ghe.com/api/v3/rate_limit',
  };
  for (const [issuer, address] of Object.entries(kinds)) {
    const asked: string[] = [];
    await requireGithub(async (at) => {
      asked.push(at);
      return Response.json(githubLimits);
    }, issuer);
    t.strictSame(asked, [address]);
  }
});

t.test('an address where no GitHub answers is noticed before anybody signs in', async (t) => {
  const { orgId, owner } = await makeTenant(container);
  const add = () =>
    call(`POST /admin/v1/orgs/${orgId}/connections`, {
      as: owner,
      body: {
        name: 'GitHub',
        provider: { api: 'github', issuer: provider.issuer, clientId: 'muster' },
        clientSecret: 'x',
      },
    });
  const documentation_url = 'https://docs.github.com/enterprise-server@3.8/rest';
  const answers: [status: number, body: unknown, reason?: string][] = [
    [200, githubLimits],
    [404, { message: 'Rate limiting is not enabled.', documentation_url }],
    [401, { message: 'Must authenticate to access this API.', documentation_url }],
    [403, { message: 'API rate limit exceeded', documentation_url }],
    [429, { message: 'Too many requests', documentation_url }],
    [200, {}, 'githubMissing'],
    [200, { resources: {} }, 'githubMissing'],
    [200, { resources: { core: 'cpu' } }, 'githubMissing'],
    [200, { message: 'Hello', documentation_url }, 'githubMissing'],
    [404, { message: 'Route GET:/api/v3/rate_limit not found', statusCode: 404 }, 'githubMissing'],
    [401, { message: 'Unauthorized' }, 'githubMissing'],
    [404, { message: {}, documentation_url }, 'githubMissing'],
    [200, { message: 'Hello' }, 'githubMissing'],
    [200, [], 'githubMissing'],
    [404, {}, 'githubMissing'],
    [302, { message: 'Moved' }, 'githubMissing'],
    [500, { message: 'Oh' }, 'unreachable'],
    [200, 'x'.repeat(300_000), 'tooLarge'],
  ];
  for (const [status, body, reason] of answers) {
    provider.instead.set('/api/v3/rate_limit', (_request, response) => sendGithub(response, status, body));
    const answer = await add();
    t.equal(
      answer.status,
      reason === undefined ? 201 : 400,
      `${status} ${JSON.stringify(body).slice(0, 60)}`,
    );
    if (reason !== undefined) t.match(answer.body.errors, [{ params: { reason } }], reason);
  }
  provider.instead.set('/api/v3/rate_limit', (_request, response) => response.end('<html>404'));
  t.match((await add()).body.errors, [{ params: { reason: 'githubMissing' } }], 'a page');
  provider.instead.clear();
});

t.test('the settings are those of GitHub, and the way to ask never changes', async (t) => {
  const { orgId, owner } = await makeTenant(container);
  const path = `/admin/v1/orgs/${orgId}/connections`;
  const add = (own: object, more: object = {}) =>
    call(`POST ${path}`, {
      as: owner,
      body: { name: 'GitHub', provider: { clientId: 'muster', ...own }, clientSecret: 'x', ...more },
    });
  const usable = await add({
    api: 'github',
    issuer: provider.issuer,
    endsSession: true,
    hostedDomain: 'a.example',
  });
  t.equal(usable.status, 201, JSON.stringify(usable.body));
  t.match(usable.body.provider, {
    ...{ api: 'github', authMethod: 'client_secret_post', scopes: ['read:user', 'user:email'] },
    endsSession: false,
  });
  t.equal(usable.body.provider.hostedDomain, undefined);
  t.match((await call(`POST ${path}/${usable.body.id}/test`, { as: owner })).body, { outcome: 'usable' });
  for (const issuer of [`${provider.issuer}/`, `${provider.issuer}/api`, 'http://github.com'])
    t.match(await add({ api: 'github', issuer }), { status: 400 }, issuer);
  t.match(await add({ api: 'gitlab', issuer: provider.issuer }), { status: 400 });
  t.match(await add({ api: 'github', issuer: 'https://127.0.0.1:1' }), {
    ...{ status: 400, body: { id: 'connections.providerUnusable' } },
  });
  t.match(await add({ api: 'github', issuer: provider.issuer }, { clientSecret: undefined }), {
    status: 400,
  });
  const change = { as: owner, body: { provider: { api: 'github' } } };
  t.equal((await call(`PATCH ${path}/${usable.body.id}`, change)).status, 400, 'no change names it');
  const exported = await container.connections.find(orgId, usable.body.id);
  t.match(exported, { provider: { api: 'github' } });
});
