import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { linkIdentity } from '#src/connections/identities/link-identity.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startFakeGithub } from '../../support/hostile/fake-github.js';
import { makeCertificate } from '../../support/network/certificate.js';
import {
  addConnectionTo,
  type Connected,
  isSignedIn,
  leaveFor,
  makeConnected,
  newVisitor,
  refusedPage,
} from '../../support/oidc/connected.js';
import type { Visitor } from '../../support/oidc/visitor.js';

/** What a connection can never do, driven by a GitHub that lies. `github.test.ts` has what its API may say, and who redeems a code. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, call, clock } = service;
const provider = await startFakeGithub(t, certificate);

const ofGithub = { provider: { api: 'github' } };
const primary = (email: string) => [{ email, primary: true, verified: true }];

interface Said {
  readonly id: number;
  readonly login?: string;
  readonly name?: string;
  readonly emails?: readonly object[];
}

/** Signs somebody in at GitHub, and comes back. */
async function enter(connected: Connected, { emails = [], ...user }: Said, visitor = newVisitor(service)) {
  const address = await leaveFor(visitor, connected);
  const account = { user: { login: `login-${user.id}`, ...user }, emails };
  return { visitor, seen: await visitor.get(provider.authorize(address, account)) };
}

/** Why a sign-in was refused, as the owner sees it. Undefined if the person is signed in. */
async function reasonOf(connected: Connected, said: Said) {
  clock.advance(11);
  const { visitor, seen } = await enter(connected, said);
  if (isSignedIn(seen)) return undefined;
  const page = await refusedPage(visitor, seen);
  t.match(page.text, /you cannot sign in here with it/, 'one sentence for all reasons');
  const { body } = await call(`GET ${connected.path}/health`, { as: connected.owner });
  return body.refusals[0].reason;
}

async function organizationOf({ orgId }: Connected) {
  const found = await container.organizations.find(orgId);
  if (found === undefined) throw new Error('No organization');
  return found;
}

async function holder({ orgId, connectionId }: Connected, subject: string): Promise<string> {
  const page = await container.identityLinks.pageOfAll(orgId, { limit: 100 });
  const list = page.find(({ items }) =>
    Object.values(items).some((link) => link.connectionId === connectionId && link.subject === subject),
  );
  return list?.userId ?? '';
}

t.test('a. an identity belongs to one connection of one organization', async (t) => {
  const [acme, other] = [
    await makeConnected(service, provider, ofGithub),
    await makeConnected(service, provider, ofGithub),
  ];
  const second = { ...acme, connectionId: await addConnectionTo(service, acme, provider, ofGithub) };
  const people = [];
  for (const connected of [acme, other, second]) {
    t.ok(isSignedIn((await enter(connected, { id: 7 })).seen));
    people.push(await holder(connected, '7'));
  }
  t.equal(new Set(people).size, 3, 'three people');
});

t.test('c. what comes through the browser says nothing about the person', async (t) => {
  const acme = await makeConnected(service, provider, ofGithub);
  const visitor = newVisitor(service);
  const address = await leaveFor(visitor, acme);
  const back = new URL(provider.authorize(address, { user: { id: 8, login: 'honest' }, emails: [] }));
  const more = { id: '9', login: 'boss', email: 'boss@acme.example', access_token: 'gho_stolen', sub: '9' };
  for (const [name, value] of Object.entries(more)) back.searchParams.set(name, value);
  t.ok(isSignedIn(await visitor.get(back.href)));
  t.ok(await holder(acme, '8'));
  t.equal(await holder(acme, '9'), '');
  const user = await container.users.find(acme.orgId, await holder(acme, '8'));
  t.match(user, { emails: [] });
  t.notMatch(JSON.stringify(user), 'boss');
});

t.test('d. nobody is linked by an address, a name, an externalId or the lack of a password', async (t) => {
  const acme = await makeConnected(service, provider, { ...ofGithub, creation: 'refuse' });
  const domain = `${uniqueName('acme')}.example`;
  await changeOrganization(container, {
    orgId: acme.orgId,
    change: { domains: [domain] },
    editor: testEditor,
  });
  const email = `anna@${domain}`;
  const person = await makePerson(container, await organizationOf(acme), {
    ...{ password: null, userName: 'octocat', externalId: '583231' },
    emails: [{ value: email, primary: true, verified: true }],
  });
  const said = { id: 583_231, login: 'octocat', emails: primary(email) };
  t.equal(await reasonOf(acme, said), 'unknownPerson');
  const byDomain = { as: acme.owner, body: { linking: { byDomain: true } } };
  t.equal((await call(`PATCH ${acme.path}`, byDomain)).status, 200);
  t.equal(await reasonOf(acme, said), 'unknownPerson', 'the domain is not given to the connection');
  const given = { as: acme.owner, body: { domains: [domain] } };
  t.equal((await call(`PATCH ${acme.path}`, given)).status, 200);
  const unverified = [{ ...primary(email)[0], verified: false }];
  t.equal(await reasonOf(acme, { ...said, emails: unverified }), 'unknownPerson');
  t.equal(await holder(acme, '583231'), '');
  t.equal(await reasonOf(acme, said), undefined);
  t.equal(await holder(acme, '583231'), person.id);
});

t.test('e, i. nobody with a role outside signs in, and nobody who is deactivated or locked', async (t) => {
  const [acme, away] = [
    await makeConnected(service, provider, ofGithub),
    await makeConnected(service, provider, ofGithub),
  ];
  t.equal(await reasonOf(acme, { id: 10 }), undefined);
  const boss = await holder(acme, '10');
  await addMembership(container, {
    ...{ userId: boss, role: 'ORG_USER_VIEWER', orgId: away.orgId, editor: testEditor },
  });
  t.equal(await reasonOf(acme, { id: 10 }), 'roleOutside');
  t.equal(await reasonOf(acme, { id: 11 }), undefined);
  const anna = await holder(acme, '11');
  for (let times = 0; times < container.config.loginMaxFailures; times++)
    await container.loginAttempts.begin(`password:${anna}`, container.config.loginMaxFailures);
  t.equal(await reasonOf(acme, { id: 11 }), 'locked');
  await container.loginAttempts.forget(`password:${anna}`);
  const path = `/scim/v2/${acme.orgId}/Users/${anna}`;
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'active', value: false }],
  };
  t.equal((await call(`PATCH ${path}`, { as: acme.owner, body })).status, 204);
  t.equal(await reasonOf(acme, { id: 11 }), 'inactive');
  t.equal((await call(`DELETE ${path}`, { as: acme.owner })).status, 204);
  t.equal(await reasonOf(acme, { id: 11 }), undefined, 'somebody new');
  t.not(await holder(acme, '11'), anna);
});

/** A request of an application. */
async function requestOf({ orgId }: Connected) {
  const { id: clientId } = await makeApplication(container, orgId);
  return (more: Record<string, string> = {}) =>
    `/oauth/v2/authorize?${new URLSearchParams({
      ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
      ...{ state: 's', ...more },
    })}`;
}

t.test('f, k. what began by it ends with it at once, and prompt=none never leaves', async (t) => {
  const acme = await makeConnected(service, provider, ofGithub);
  const request = await requestOf(acme);
  const visitor = newVisitor(service);
  const silent = () => visitor.get(request({ prompt: 'none', connection: acme.connectionId }));
  t.match((await silent()).location, /error=login_required/, 'never leaves');
  t.ok(isSignedIn((await enter(acme, { id: 12 }, visitor)).seen));
  t.match((await silent()).location, /code=/);
  const waiting = newVisitor(service);
  const late = provider.authorize(await leaveFor(waiting, acme), {
    user: { id: 13, login: 'x' },
    emails: [],
  });
  for (const enabled of [false, true])
    t.equal((await call(`PATCH ${acme.path}`, { as: acme.owner, body: { enabled } })).status, 200);
  t.match((await silent()).location, /error=login_required/, 'a browser that knows it stays, too');
  t.match((await refusedPage(waiting, await waiting.get(late))).text, /switched off/);
  t.equal(await holder(acme, '13'), '');
});

t.test('h. what GitHub says is text of a stranger', async (t) => {
  const domain = `${uniqueName('acme')}.example`;
  const acme = await makeConnected(service, provider, ofGithub);
  await changeOrganization(container, {
    orgId: acme.orgId,
    change: { domains: [domain] },
    editor: testEditor,
  });
  const evil = { id: 14, login: `boss@${domain}`, name: '<script>alert(1)</script>' };
  const { visitor, seen } = await enter(acme, { ...evil, emails: primary(`"<b>"@${domain}`) });
  t.ok(isSignedIn(seen));
  const page = await visitor.follow(seen);
  t.match(page.text, '&lt;script&gt;');
  t.notMatch(page.text, '<script>alert');
  t.match(await container.users.find(acme.orgId, await holder(acme, '14')), { userName: /^user-/ });
  const long = { id: 15, login: 'x'.repeat(5_000), name: 'bad\u202Ename' };
  t.equal(await reasonOf(acme, long), undefined);
  const user = await container.users.find(acme.orgId, await holder(acme, '15'));
  t.match(user, { userName: /^user-/ });
  t.notMatch(JSON.stringify(user), /\u202E|x{300}/);
});

t.test('l. an error of GitHub leads to every other way, and nothing leads away by itself', async (t) => {
  const acme = await makeConnected(service, provider, ofGithub);
  for (const [error, text] of [
    ['access_denied', /You ended the sign-in with Acme/],
    ['redirect_uri_mismatch', /did not work/],
    ['<script>alert(1)</script>', /did not work/],
  ] as const) {
    const visitor: Visitor = newVisitor(service);
    const address = new URL(await leaveFor(visitor, acme));
    const answer = new URLSearchParams({
      ...{ error, error_description: '<b>call 555</b>', error_uri: 'https://evil.example' },
      ...{ state: address.searchParams.get('state') ?? '', iss: `${provider.issuer}/login/oauth` },
    });
    const back = `${address.searchParams.get('redirect_uri')}?${answer}`;
    const page = await refusedPage(visitor, await visitor.get(back));
    t.match(page.text, text);
    t.notMatch(page.text, /555|evil\.example|<script>alert/);
    t.match(page.text, 'name="password"', 'another way');
    clock.advance(11);
  }
});

t.test('m. an identity can be taken away, but never the last way in', async (t) => {
  const acme = await makeConnected(service, provider, ofGithub);
  const { visitor, seen } = await enter(acme, { id: 16 });
  t.equal((await visitor.get(seen.location ?? '')).status, 200);
  const userId = await holder(acme, '16');
  const of = (connectionId: string) =>
    `DELETE /admin/v1/orgs/${acme.orgId}/users/${userId}/identities/${connectionId}`;
  const last = await call(of(acme.connectionId), { as: acme.owner });
  t.match(last, { status: 409, body: { id: 'connections.lastWayIn' } });
  const second = await addConnectionTo(service, acme, provider, { ...ofGithub, enabled: false });
  await linkIdentity(container, {
    ...{ orgId: acme.orgId, userId, connectionId: second, subject: '16' },
    ...{ rule: 'person', editor: testEditor },
  });
  t.equal((await call(of(acme.connectionId), { as: acme.owner })).status, 409, 'the other one is off');
  const on = { as: acme.owner, body: { enabled: true } };
  await call(`PATCH /admin/v1/orgs/${acme.orgId}/connections/${second}`, on);
  t.equal((await call(of(acme.connectionId), { as: acme.owner })).status, 204);
  t.equal((await visitor.get(seen.location ?? '')).status, 303, 'the session ended with it');
});
