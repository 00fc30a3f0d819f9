import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { linkIdentity } from '#src/connections/identities/link-identity.js';
import type { Organization } from '#src/directory/organization.js';
import { testEditor } from '../../support/app/make.js';
import { makeApplication, type OAuthClient, postForm, redirectUri } from '../../support/app/oauth-client.js';
import { giveTotp, makePerson } from '../../support/app/people.js';
import { buildAnotherApp, buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  addConnectionTo,
  type Connected,
  isSignedIn,
  leaveFor,
  makeConnected,
  newVisitor,
  refusedPage,
  signInBy,
} from '../../support/oidc/connected.js';
import type { Visitor } from '../../support/oidc/visitor.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, {
  privateProviderHosts: '127.0.0.1',
  outgoingCa: certificate.cert,
});
const { container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());

const requestOf = ({ id }: OAuthClient, more: Record<string, string> = {}) =>
  `/oauth/v2/authorize?${new URLSearchParams({
    client_id: id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid offline_access',
    state: 's',
    ...more,
  })}`;

const makeClient = (orgId: string) =>
  makeApplication(container, orgId, { grantTypes: ['authorization_code', 'refresh_token'] });

const redeem = (client: OAuthClient, location: string | undefined) =>
  postForm(call, '/oauth/v2/token', {
    as: client.credentials,
    form: {
      grant_type: 'authorization_code',
      code: new URL(location ?? '').searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
    },
  });

const refresh = (client: OAuthClient, token: string) =>
  postForm(call, '/oauth/v2/token', {
    as: client.credentials,
    form: { grant_type: 'refresh_token', refresh_token: token },
  });

/** Signs in to an application by a connection. Returns its tokens. */
async function tokensOf(
  visitor: Visitor,
  connected: Connected,
  client: OAuthClient,
  claims: Record<string, unknown>,
) {
  const page = await visitor.follow(await visitor.get(requestOf(client)));
  const address = await leaveFor(visitor, connected, page);
  const seen = await visitor.follow(await visitor.get(provider.authorize(address, claims)));
  const answer = await redeem(client, seen.location);
  if (answer.status !== 200) throw new Error(`No tokens: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as { access_token: string; refresh_token: string; id_token: string };
}

const isLive = async ({ access_token: token }: { access_token: string }) =>
  (await call('GET /oidc/v1/userinfo', { as: { token } })).status === 200;

const switchTo = ({ path, owner }: Connected, enabled: boolean) =>
  call(`PATCH ${path}`, { as: owner, body: { enabled } });

for (const [what, end] of [
  ['switched off', (connected: Connected) => switchTo(connected, false)],
  ['removed', ({ path, owner }: Connected) => call(`DELETE ${path}`, { as: owner })],
] as const) {
  t.test(
    `f. a connection that is ${what} ends its sessions, tokens and waiting sign-ins at once`,
    async (t) => {
      const acme = await makeConnected(service, provider);
      const client = await makeClient(acme.orgId);
      const visitor = newVisitor(service);
      const tokens = await tokensOf(visitor, acme, client, { sub: 'anna' });
      const refreshed = await refresh(client, tokens.refresh_token);
      t.equal(refreshed.status, 200);
      t.ok(await isLive(tokens));
      t.ok(await isLive(refreshed.body));
      t.match((await visitor.get(requestOf(client, { prompt: 'none' }))).location, /code=/);
      const waiting = newVisitor(service);
      const back = provider.authorize(await leaveFor(waiting, acme), { sub: 'bob' });
      t.match((await end(acme)).status, /20[04]/);
      t.notOk(await isLive(tokens), 'the access token of the session');
      t.notOk(await isLive(refreshed.body), 'the access token of the refresh token');
      t.equal((await refresh(client, refreshed.body.refresh_token)).status, 400);
      t.match((await visitor.get(requestOf(client, { prompt: 'none' }))).location, /error=login_required/);
      t.match((await refusedPage(waiting, await waiting.get(back))).text, /switched off/);
      t.notMatch(
        (await newVisitor(service).get(`/login?organization=${acme.orgId}`)).text,
        '/login/connections/',
      );
    },
  );
}

t.test('what ended stays ended when the connection is switched on again', async (t) => {
  const acme = await makeConnected(service, provider);
  const client = await makeClient(acme.orgId);
  const visitor = newVisitor(service);
  const tokens = await tokensOf(visitor, acme, client, { sub: 'anna' });
  const waiting = newVisitor(service);
  const back = provider.authorize(await leaveFor(waiting, acme), { sub: 'anna' });
  await switchTo(acme, false);
  await switchTo(acme, true);
  t.notOk(await isLive(tokens));
  t.match((await visitor.get(requestOf(client, { prompt: 'none' }))).location, /error=login_required/);
  await refusedPage(waiting, await waiting.get(back));
  t.ok(
    await isLive(await tokensOf(newVisitor(service), acme, client, { sub: 'anna' })),
    'a new sign-in counts',
  );
});

t.test('another process knows at once, also without the list of sessions', async (t) => {
  const acme = await makeConnected(service, provider);
  const client = await makeClient(acme.orgId);
  const visitor = newVisitor(service);
  await tokensOf(visitor, acme, client, { sub: 'anna' });
  const elsewhere = await buildAnotherApp(t, service);
  const keys = await container.redis.keys(`${container.config.redisPrefix}:connection-sessions:*`);
  for (const key of keys) await container.redis.del(key);
  await elsewhere(`PATCH ${acme.path}`, { as: acme.owner, body: { enabled: false } });
  t.match((await visitor.get(requestOf(client, { prompt: 'none' }))).location, /error=login_required/);
});

t.test('a step of a sign-in that waits does not outlive the connection', async (t) => {
  const acme = await makeConnected(service, provider);
  const visitor = newVisitor(service);
  const first = await visitor.get(provider.authorize(await leaveFor(visitor, acme), { sub: 'anna' }));
  t.ok(isSignedIn(first));
  const [list] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
  const account = await container.accounts.find(acme.orgId, list?.userId ?? '');
  if (account === undefined) throw new Error('Nobody was made');
  await giveTotp(container, account.user);
  const browser = newVisitor(service);
  const step = await browser.get(provider.authorize(await leaveFor(browser, acme), { sub: 'anna' }));
  t.match(step.location, /^\/login\/code/, 'one factor: the person has a second one here');
  await switchTo(acme, false);
  t.match((await browser.get(step.location ?? '')).location, /^\/login\?.*again=1/);
});

t.test('a session at the provider is no fresh sign-in here', async (t) => {
  const acme = await makeConnected(service, provider);
  const client = await makeClient(acme.orgId);
  const now = Math.floor(clock.now().getTime() / 1000);
  const claimsIn = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
  const visitor = newVisitor(service);
  const old = await tokensOf(visitor, acme, client, { sub: 'anna', auth_time: now - 7_200 });
  t.equal(claimsIn(old.id_token).auth_time, now - 7_200);
  t.match(
    (await visitor.get(requestOf(client, { prompt: 'none', max_age: '300' }))).location,
    /login_required/,
  );
  const silent = await tokensOf(newVisitor(service), acme, client, { sub: 'anna' });
  t.ok(claimsIn(silent.id_token).auth_time < now - 80_000, 'a provider that says no time');
  const fresh = await tokensOf(newVisitor(service), acme, client, { sub: 'anna', auth_time: now });
  t.ok(claimsIn(fresh.id_token).auth_time >= now);
});

t.test('several factors count only as far as the connection grants it', async (t) => {
  const claimsIn = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
  for (const [strength, claims, amr] of [
    ['single', { amr: ['mfa'] }, false],
    ['claimed', { amr: ['pwd'] }, false],
    ['claimed', { amr: ['pwd', 'mfa'] }, true],
    ['claimed', { acr: 'urn:acme:two' }, true],
    ['claimed', { acr: 'urn:acme:one' }, false],
    ['multiple', {}, true],
  ] as const) {
    const acme = await makeConnected(service, provider, {
      strength,
      provider: { multiFactorAcrs: ['urn:acme:two'] },
    });
    const client = await makeClient(acme.orgId);
    const { id_token: token } = await tokensOf(newVisitor(service), acme, client, { sub: 'anna', ...claims });
    t.equal(claimsIn(token).amr.includes('mfa'), amr, `${strength} ${JSON.stringify(claims)}`);
    t.ok(claimsIn(token).amr.includes('fed'));
  }
});

/** The person whom the first sign-in by the connection added. */
async function onlyPerson({ orgId, owner }: Connected): Promise<string> {
  const { body } = await call(`GET /scim/v2/${orgId}/Users`, { as: owner });
  return String(body.Resources[0].id);
}

t.test('a role outside of the organization ends the sessions of a connection', async (t) => {
  const connected = await makeConnected(service, provider);
  const visitor = newVisitor(service);
  await signInBy(visitor, connected, provider, { sub: 'later-owner' });
  t.equal((await visitor.get('/account')).status, 200);
  await addMembership(container, {
    userId: await onlyPerson(connected),
    role: 'IAM_OWNER',
    editor: testEditor,
  });
  t.equal(
    (await visitor.get('/account')).status,
    303,
    'the provider does not speak for an owner of the instance',
  );
});

t.test('a role outside of the organization ends the tokens of a connection, once', async (t) => {
  for (const outside of ['IAM_OWNER', 'ORG_USER_VIEWER'] as const) {
    const connected = await makeConnected(service, provider);
    const away = await makeConnected(service, provider);
    const client = await makeClient(connected.orgId);
    const tokens = await tokensOf(newVisitor(service), connected, client, { sub: 'later' });
    const refreshed = (await refresh(client, tokens.refresh_token)).body;
    const userId = await onlyPerson(connected);
    const give = (role: typeof outside | 'ORG_OWNER', orgId?: string) =>
      addMembership(container, { userId, role, ...(orgId && { orgId }), editor: testEditor });
    await give('ORG_OWNER', connected.orgId);
    t.ok((await isLive(tokens)) && (await isLive(refreshed)), 'a role inside ends nothing');
    await give(outside, outside === 'IAM_OWNER' ? undefined : away.orgId);
    t.notOk(await isLive(tokens), outside);
    t.notOk(await isLive(refreshed), outside);
    t.equal((await refresh(client, refreshed.refresh_token)).status, 400);
  }
});

t.test('an owner who has only a connection counts while it is switched on', async (t) => {
  const connected = await makeConnected(service, provider);
  const { orgId, path, owner } = connected;
  await signInBy(newVisitor(service), connected, provider, { sub: 'only-by-connection' });
  const organization = (await container.organizations.find(orgId)) as Organization;
  const owners = [await onlyPerson(connected), (await makePerson(container, organization)).id];
  const roles: string[] = [];
  for (const userId of owners)
    roles.push((await addMembership(container, { userId, role: 'ORG_OWNER', orgId, editor: testEditor })).id);
  const leave = () => call(`DELETE /admin/v1/orgs/${orgId}/memberships/${roles[1]}`, { as: owner });
  await switchTo(connected, false);
  t.match(await leave(), { status: 409, body: { id: 'directory.lastAbleOwner' } }, path);
  await switchTo(connected, true);
  t.equal((await leave()).status, 204);
});

t.test('the last owner who can sign in keeps the connection and the identity', async (t) => {
  const connected = await makeConnected(service, provider);
  const { orgId, path, owner, connectionId } = connected;
  const refused = { status: 409, body: { id: 'directory.lastAbleOwner' } };
  await signInBy(newVisitor(service), connected, provider, { sub: 'boss' });
  const userId = await onlyPerson(connected);
  await addMembership(container, { userId, role: 'ORG_OWNER', orgId, editor: testEditor });
  t.match(await switchTo(connected, false), refused);
  t.match(await call(`DELETE ${path}`, { as: owner }), refused);
  t.match((await call(`GET ${path}`, { as: owner })).body, { enabled: true });
  t.equal((await call(`PATCH ${path}`, { as: owner, body: { name: 'Renamed' } })).status, 200);
  const second = await addConnectionTo(service, connected, provider, { name: 'Second' });
  const both = await Promise.all([
    switchTo(connected, false),
    call(`DELETE ${path.replace(connectionId, second)}`, { as: owner }),
  ]);
  t.strictSame([both[0]?.status, both[1]?.status], [409, 204], 'one that signs no owner in may go');
  const organization = (await container.organizations.find(orgId)) as Organization;
  const other = await makePerson(container, organization);
  await addMembership(container, { userId: other.id, role: 'ORG_OWNER', orgId, editor: testEditor });
  t.equal((await switchTo(connected, false)).status, 200, 'another owner has a password');
  t.equal((await call(`DELETE ${path}`, { as: owner })).status, 204);
});

t.test('of two ways in of the last owner that end at once, one stays', async (t) => {
  for (const second of ['switched off', 'unlinked'] as const) {
    const connected = await makeConnected(service, provider);
    const { orgId, owner, path, connectionId } = connected;
    const other = await addConnectionTo(service, connected, provider, { name: 'Second' });
    await signInBy(newVisitor(service), connected, provider, { sub: 'boss' });
    const userId = await onlyPerson(connected);
    await linkIdentity(container, {
      ...{ orgId, userId, connectionId: other, subject: 'boss', rule: 'person', editor: testEditor },
    });
    await addMembership(container, { userId, role: 'ORG_OWNER', orgId, editor: testEditor });
    const ended = await Promise.all([
      call(`DELETE ${path}`, { as: owner }),
      second === 'unlinked'
        ? call(`DELETE /admin/v1/orgs/${orgId}/users/${userId}/identities/${other}`, { as: owner })
        : call(`PATCH ${path.replace(connectionId, other)}`, { as: owner, body: { enabled: false } }),
    ]);
    const statuses = ended.map(({ status }) => status);
    t.equal(statuses.filter((status) => status === 409).length, 1, `${second}: ${statuses}`);
  }
});
