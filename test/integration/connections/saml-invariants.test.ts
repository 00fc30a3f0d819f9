import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { changeUser } from '#src/people/users/change-user.js';
import { makeCaller, testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Connected, isSignedIn, leaveFor, newVisitor } from '../../support/oidc/connected.js';
import {
  bringBack,
  createHostileSamlProvider,
  makeSamlConnected,
  refusedLogin,
  signInBySaml,
} from '../../support/saml/hostile-saml-provider.js';
import type { Said } from '../../support/saml/saml-documents.js';

/** What a connection can never do, driven by a SAML provider that lies. `linking.test.ts` and `end.test.ts` drive it by OpenID Connect. */

const service = await buildTestApp(t, {});
const { container, call, clock } = service;
const provider = createHostileSamlProvider(() => clock.now());
t.beforeEach(() => {
  provider.lies = {};
});

async function reasonOf(connected: Connected, person: Partial<Said>) {
  clock.advance(11);
  const seen = await signInBySaml(service, newVisitor(service), connected, { provider, person });
  if (isSignedIn(seen)) return undefined;
  t.match(refusedLogin(seen).text, /you cannot sign in here with it/, 'one sentence for all reasons');
  const { body } = await call(`GET ${connected.path}/health`, { as: connected.owner });
  return body.refusals[0].reason;
}

async function organizationOf({ orgId }: Connected) {
  const found = await container.organizations.find(orgId);
  if (found === undefined) throw new Error('No organization');
  return found;
}

async function identitiesOf({ orgId, owner }: Connected, userId: string) {
  const { body } = await call(`GET /admin/v1/orgs/${orgId}/users/${userId}/identities`, { as: owner });
  return body.items.map(({ connectionId, subject }: Record<string, string>) => `${connectionId} ${subject}`);
}

const refuses = { creation: 'refuse', claims: { email: 'mail', userName: 'login' } };

t.test('d. nobody is linked by an address, a name, or the lack of a password', async (t) => {
  const acme = await makeSamlConnected(service, provider, refuses);
  const person = await makePerson(container, await organizationOf(acme), {
    password: null,
    userName: 'anna@acme.example',
    externalId: 'oid-1',
    emails: [{ value: 'anna@acme.example', primary: true, verified: true }],
  });
  const attributes = {
    mail: 'anna@acme.example',
    login: 'anna@acme.example',
    oid: 'oid-1',
    email_verified: 'true',
  };
  t.equal(await reasonOf(acme, { nameId: 'anna', attributes }), 'unknownPerson');
  t.equal(await reasonOf(acme, { nameId: 'oid-1', attributes }), 'unknownPerson');
  t.strictSame(await identitiesOf(acme, person.id), []);
});

t.test(
  'the SCIM client of the connection links whom it provisioned, by the identifier that it gave',
  async (t) => {
    const acme = await makeSamlConnected(service, provider, refuses);
    const scim = await makeCaller(container, acme.orgId, ['ORG_USER_MANAGER']);
    const other = await makeCaller(container, acme.orgId, ['ORG_USER_MANAGER']);
    const linking = { provisionedBy: scim.id, identifierClaim: 'oid' };
    t.equal((await call(`PATCH ${acme.path}`, { as: acme.owner, body: { linking } })).status, 200);
    const create = async (as: { token: string }, externalId: string) => {
      const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
      const body = { schemas, userName: uniqueName('scim'), externalId };
      return String((await call(`POST /scim/v2/${acme.orgId}/Users`, { as, body })).body.id);
    };
    const anna = await create(scim, 'oid-anna');
    t.equal(await reasonOf(acme, { nameId: 'a', attributes: { oid: 'oid-anna' } }), undefined);
    t.strictSame(await identitiesOf(acme, anna), [`${acme.connectionId} a`]);
    await create(other, 'oid-bob');
    t.equal(await reasonOf(acme, { nameId: 'b', attributes: { oid: 'oid-bob' } }), 'unknownPerson');
    t.equal(await reasonOf(acme, { nameId: 'c', attributes: { oid: ['oid-anna', 'x'] } }), 'unknownPerson');
    await call(`PATCH ${acme.path}`, {
      as: acme.owner,
      body: { linking: { provisionedBy: scim.id, identifierClaim: 'sub' } },
    });
    const carl = await create(scim, 'subject-of-carl');
    t.equal(await reasonOf(acme, { nameId: 'subject-of-carl' }), undefined, 'sub is the subject');
    t.strictSame(await identitiesOf(acme, carl), [`${acme.connectionId} subject-of-carl`]);
  },
);

t.test('an address links only in a domain of the connection, by a rule that is off at first', async (t) => {
  const acme = await makeSamlConnected(service, provider, refuses);
  const domain = `${uniqueName('acme')}.example`;
  await changeOrganization(container, {
    orgId: acme.orgId,
    change: { domains: [domain] },
    editor: testEditor,
  });
  const email = `anna@${domain}`;
  const person = await makePerson(container, await organizationOf(acme), {
    emails: [{ value: email, primary: true, verified: true }],
  });
  const arrives = { nameId: 'anna', attributes: { mail: email } };
  t.equal(await reasonOf(acme, arrives), 'unknownPerson');
  const change = { domains: [domain], linking: { byDomain: true } };
  t.equal((await call(`PATCH ${acme.path}`, { as: acme.owner, body: change })).status, 200);
  t.equal(await reasonOf(acme, { nameId: 'x', attributes: { mail: 'anna@other.example' } }), 'unknownPerson');
  t.equal(await reasonOf(acme, arrives), undefined);
  t.strictSame(await identitiesOf(acme, person.id), [`${acme.connectionId} anna`]);
});

t.test(
  'e, i. nobody of another organization signs in, nobody with a role outside, and nobody who is deactivated',
  async (t) => {
    const [acme, other] = [
      await makeSamlConnected(service, provider),
      await makeSamlConnected(service, provider),
    ];
    t.equal(await reasonOf(acme, { nameId: 'anna' }), undefined);
    t.equal(await reasonOf(other, { nameId: 'anna' }), undefined);
    const ofAcme = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
    const ofOther = await container.identityLinks.pageOfAll(other.orgId, { limit: 5 });
    const userId = ofAcme[0]?.userId ?? '';
    t.not(userId, ofOther[0]?.userId, 'two people');
    await addMembership(container, {
      userId,
      role: 'ORG_USER_VIEWER',
      orgId: other.orgId,
      editor: testEditor,
    });
    t.equal(await reasonOf(acme, { nameId: 'anna' }), 'roleOutside');
    t.equal(await reasonOf(other, { nameId: 'bob' }), undefined);
    const bob = (await container.identityLinks.pageOfAll(other.orgId, { limit: 5 })).find((list) =>
      Object.values(list.items).some(({ subject }) => subject === 'bob'),
    );
    const path = `/scim/v2/${other.orgId}/Users/${bob?.userId}`;
    const body = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: false }],
    };
    t.equal((await call(`PATCH ${path}`, { as: other.owner, body })).status, 204);
    t.equal(await reasonOf(other, { nameId: 'bob' }), 'inactive');
    t.equal((await call(`DELETE ${path}`, { as: other.owner })).status, 204);
    t.equal(
      await reasonOf(other, { nameId: 'bob' }),
      undefined,
      'somebody new: the removal freed the identity',
    );
  },
);

t.test('f. a connection that is switched off ends its sessions and waiting sign-ins at once', async (t) => {
  const acme = await makeSamlConnected(service, provider);
  const { id: clientId } = await makeApplication(container, acme.orgId, {});
  const request = (more: Record<string, string> = {}) =>
    `/oauth/v2/authorize?${new URLSearchParams({
      ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
      ...{ state: 's', ...more },
    })}`;
  const visitor = newVisitor(service);
  t.match((await visitor.get(request({ prompt: 'none' }))).location, /error=login_required/, 'never leaves');
  const page = await visitor.follow(await visitor.get(request()));
  const answer = await provider.answer(await leaveFor(visitor, acme, page), { nameId: 'anna' });
  t.match((await visitor.follow(await bringBack(service, visitor, answer))).location, /code=/);
  t.match((await visitor.get(request({ prompt: 'none' }))).location, /code=/);
  const waiting = newVisitor(service);
  const late = await provider.answer(await leaveFor(waiting, acme), { nameId: 'bob' });
  for (const enabled of [false, true]) {
    const { status } = await call(`PATCH ${acme.path}`, { as: acme.owner, body: { enabled } });
    t.equal(status, 200);
  }
  t.match((await visitor.get(request({ prompt: 'none' }))).location, /error=login_required/);
  t.match(refusedLogin(await bringBack(service, waiting, late)).text, /switched off/);
});

t.test('j. two first sign-ins at once make one person', async (t) => {
  const acme = await makeSamlConnected(service, provider);
  const both = await Promise.all(
    [1, 2].map(() =>
      signInBySaml(service, newVisitor(service), acme, { provider, person: { nameId: 'twin' } }),
    ),
  );
  t.ok(both.every(isSignedIn), JSON.stringify(both.map(({ location }) => location)));
  t.equal(await container.users.count(acme.orgId), 1);
});

t.test('h. what a provider sends is text of a stranger', async (t) => {
  const claims = { displayName: 'name', givenName: 'given', title: '__proto__' };
  const acme = await makeSamlConnected(service, provider, { claims });
  const attributes = {
    name: '&lt;script&gt;alert(1)&lt;/script&gt;<img src=x>',
    given: 'x'.repeat(5_000),
    ['__proto__']: 'polluted',
  };
  const visitor = newVisitor(service);
  const seen = await signInBySaml(service, visitor, acme, {
    provider,
    person: { nameId: '&lt;b&gt;', attributes },
  });
  t.ok(isSignedIn(seen));
  const page = await visitor.follow(seen);
  t.notMatch(page.text, /<img src=x>|<script>alert/);
  t.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

t.test('g. addresses come from the configuration', async (t) => {
  const acme = await makeSamlConnected(service, provider);
  const forged = await service.app.inject({
    url: `/login/connections/${acme.orgId}/${acme.connectionId}/saml/metadata`,
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  });
  t.equal(forged.statusCode, 200);
  t.notMatch(forged.payload, 'evil.example');
});

t.test('c. what comes through the browser beside the signed response says nothing', async (t) => {
  const acme = await makeSamlConnected(service, provider, { claims: { displayName: 'name', email: 'mail' } });
  const visitor = newVisitor(service);
  const answer = await provider.answer(await leaveFor(visitor, acme), {
    ...{ nameId: 'honest', attributes: { name: 'Honest' } },
  });
  const more = {
    sub: 'boss',
    NameID: 'boss',
    name: 'Boss',
    mail: 'boss@acme.example',
    email_verified: 'true',
  };
  const { origin } = new URL(container.config.baseUrl);
  const { statusCode, headers } = await service.app.inject({
    method: 'POST',
    url: `${answer.path}?${new URLSearchParams(more)}`,
    headers: {
      ...{ 'content-type': 'application/x-www-form-urlencoded', origin },
      cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    payload: new URLSearchParams({ ...answer.fields, ...more, again: '1' }).toString(),
  });
  t.match({ statusCode, location: headers.location }, { statusCode: 303, location: /account/ });
  const [list] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
  t.match(Object.values(list?.items ?? {}), [{ subject: 'honest' }]);
  const user = await container.users.find(acme.orgId, list?.userId ?? '');
  t.match(user, { displayName: 'Honest', emails: [] });
  const second = newVisitor(service);
  const twice = await provider.answer(await leaveFor(second, acme), { nameId: 'twice' });
  const both = new URLSearchParams({ ...twice.fields, again: '1' });
  both.append('SAMLResponse', answer.fields['SAMLResponse'] ?? '');
  const doubled = await service.app.inject({
    method: 'POST',
    url: twice.path,
    headers: {
      ...{ 'content-type': 'application/x-www-form-urlencoded', origin },
      cookie: [...second.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    payload: both.toString(),
  });
  t.match(doubled.headers.location ?? '', /^[^?]*\/login\?/, 'two responses are none');
  t.equal(await container.users.count(acme.orgId), 1);
});

t.test('i, j. nobody who is locked here signs in, and nobody is added beyond the quota', async (t) => {
  const acme = await makeSamlConnected(service, provider);
  t.equal(await reasonOf(acme, { nameId: 'anna' }), undefined);
  const [list] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
  const userId = list?.userId ?? '';
  const { loginMaxFailures } = container.config;
  for (let times = 0; times < loginMaxFailures; times++)
    await container.loginAttempts.begin(`password:${userId}`, loginMaxFailures);
  t.equal(await reasonOf(acme, { nameId: 'anna' }), 'locked');
  await container.loginAttempts.forget(`password:${userId}`);
  const change = { quotas: { users: 1 } };
  await changeOrganization(container, { orgId: acme.orgId, change, editor: testEditor });
  t.equal(await reasonOf(acme, { nameId: 'one-too-many' }), 'quotaFull');
  t.equal(await reasonOf(acme, { nameId: 'anna' }), undefined);
  t.equal(await container.users.count(acme.orgId), 1);
});

t.test('l. who cancels comes back to all ways of signing in, and nothing leads away by itself', async (t) => {
  const acme = await makeSamlConnected(service, provider, { provider: { startsAtProvider: true } });
  for (const [status, text] of [
    [['Responder', 'AuthnFailed'], /You ended the sign-in with Acme/],
    [['Requester', 'RequestDenied'], /You ended the sign-in with Acme/],
    [['Responder', '&lt;b&gt;call 555&lt;/b&gt;'], /did not work/],
  ] as const) {
    provider.lies = { status };
    clock.advance(11);
    const seen = await signInBySaml(service, newVisitor(service), acme, { provider, person: {} });
    const page = refusedLogin(seen);
    t.match(page.text, text);
    t.notMatch(page.text, /555/);
    t.equal(page.location, undefined, 'the browser stays');
  }
});

t.test('m. an identity can be taken away, but never the last way in', async (t) => {
  const acme = await makeSamlConnected(service, provider);
  const visitor = newVisitor(service);
  const seen = await signInBySaml(service, visitor, acme, { provider, person: { nameId: 'anna' } });
  t.equal((await visitor.get(seen.location ?? '')).status, 200);
  const [list] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
  const id = list?.userId ?? '';
  const path = `DELETE /admin/v1/orgs/${acme.orgId}/users/${id}/identities/${acme.connectionId}`;
  const last = await call(path, { as: acme.owner });
  t.match(last, { status: 409, body: { id: 'connections.lastWayIn' } });
  await changeUser(container, {
    ...{ organization: await organizationOf(acme), id, editor: testEditor },
    change: (current) => ({ profile: current, password: 'Correct-Horse-7' }),
  });
  const again = await signInBySaml(service, visitor, acme, { provider, person: { nameId: 'anna' } });
  t.equal((await visitor.get(again.location ?? '')).status, 200);
  t.equal((await call(path, { as: acme.owner })).status, 204);
  t.equal((await visitor.get(again.location ?? '')).status, 303, 'the session ended with it');
});
