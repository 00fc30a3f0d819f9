import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { linkIdentity } from '#src/connections/identities/link-identity.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { changeUser } from '#src/people/users/change-user.js';
import { makeCaller, testEditor, uniqueName } from '../../support/app/make.js';
import { giveTotp, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startHostileProvider } from '../../support/hostile/hostile-provider.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { startMailServer } from '../../support/network/mail-server.js';
import {
  addConnectionTo,
  type Connected,
  isSignedIn,
  makeConnected,
  newVisitor,
  refusedPage,
  signInBy,
} from '../../support/oidc/connected.js';

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, {
  privateProviderHosts: '127.0.0.1',
  outgoingCa: certificate.cert,
  loginMaxFailures: 3,
  smtpUrl: (await startMailServer(t)).url,
});
const { container, call, clock } = service;
const provider = await startHostileProvider(t, certificate, () => clock.now());
/** The provider of another connection of the same organization. */
const contractor = await startHostileProvider(t, certificate, () => clock.now());

/** The reason why somebody may not sign in, or undefined for somebody who is signed in. */
async function reasonOf(connected: Connected, claims: Record<string, unknown>) {
  clock.advance(11);
  const visitor = newVisitor(service);
  const seen = await signInBy(visitor, connected, provider, claims);
  if (isSignedIn(seen)) return undefined;
  const page = await refusedPage(visitor, seen);
  t.match(page.text, /you cannot sign in here with it/, 'one sentence for all reasons');
  const { body } = await call(`GET ${connected.path}/health`, { as: connected.owner });
  return body.refusals[0].reason;
}

/** What the owner reads of the last refusal, beside its reason. */
async function lastDetail({ path, owner }: Connected): Promise<string | undefined> {
  return (await call(`GET ${path}/health`, { as: owner })).body.refusals[0].detail;
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

/** By which rule the person got the last identity, as the event tells. */
async function ruleOf({ orgId: resourceOwner }: Connected, userId: string) {
  const found = await container.events.search({
    ...{ resourceOwner, limit: 100, ascending: false },
    eventTypes: ['user.identity.linked'],
  });
  return found.find(({ payload }) => payload['userId'] === userId)?.payload['rule'];
}

/** What a person would be told. */
async function noticesOf({ orgId }: Connected, userId: string) {
  const stored = await container.mongo
    .collection<{ userId: string; kind: string }>('notices')
    .find({ orgId });
  return (await stored.toArray()).filter((notice) => notice.userId === userId).map(({ kind }) => kind);
}

const onlyLinks = { creation: 'refuse' };

t.test('d. nobody is linked by an address, a name, metadata or the lack of a password', async (t) => {
  const acme = await makeConnected(service, provider, onlyLinks);
  const organization = await organizationOf(acme);
  const person = await makePerson(container, organization, {
    password: null,
    userName: 'anna@acme.example',
    externalId: 'oid-1',
    emails: [{ value: 'anna@acme.example', primary: true, verified: true }],
  });
  await call(
    `PUT /admin/v1/orgs/${acme.orgId}/users/${person.id}/metadata/${encodeURIComponent(`identity:${provider.issuer}`)}`,
    {
      as: acme.owner,
      body: { value: JSON.stringify({ provider: provider.issuer, subject: 'anna' }) },
    },
  );
  const claims = {
    sub: 'anna',
    oid: 'oid-1',
    email: 'anna@acme.example',
    email_verified: true,
    preferred_username: 'anna@acme.example',
  };
  t.equal(await reasonOf(acme, claims), 'unknownPerson');
  t.strictSame(await identitiesOf(acme, person.id), []);
});

t.test(
  'the SCIM client of the connection links whom it provisioned, by the identifier that it gave',
  async (t) => {
    const acme = await makeConnected(service, provider, onlyLinks);
    const scim = await makeCaller(container, acme.orgId, ['ORG_USER_MANAGER']);
    const other = await makeCaller(container, acme.orgId, ['ORG_USER_MANAGER']);
    const linking = { provisionedBy: scim.id, identifierClaim: 'oid' };
    t.equal((await call(`PATCH ${acme.path}`, { as: acme.owner, body: { linking } })).status, 200);
    const create = async (as: { token: string }, externalId: string) => {
      const body = {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: uniqueName('scim'),
        externalId,
      };
      return String((await call(`POST /scim/v2/${acme.orgId}/Users`, { as, body })).body.id);
    };
    const patch = (as: { token: string }, id: string, externalId: string) =>
      call(`PATCH /scim/v2/${acme.orgId}/Users/${id}`, {
        as,
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'replace', path: 'externalId', value: externalId }],
        },
      });
    const anna = await create(scim, 'oid-anna');
    t.equal(await reasonOf(acme, { sub: 'a', oid: 'oid-anna' }), undefined);
    t.strictSame(await identitiesOf(acme, anna), [`${acme.connectionId} a`]);
    await patch(scim, anna, 'oid-new');
    t.equal(
      await reasonOf(acme, { sub: 'a', oid: 'other' }),
      undefined,
      'a link stays, whatever comes later',
    );
    await create(other, 'oid-bob');
    t.equal(await reasonOf(acme, { sub: 'b', oid: 'oid-bob' }), 'unknownPerson', 'another client gave it');
    const carl = await create(scim, 'oid-carl');
    await patch(other, carl, 'oid-boss');
    t.equal(
      await reasonOf(acme, { sub: 'c', oid: 'oid-boss' }),
      'unknownPerson',
      'another client changed it',
    );
    await patch(scim, carl, 'oid-carl');
    t.equal(await reasonOf(acme, { sub: 'c', oid: 'oid-carl' }), undefined, 'the client set it again');
    await create(scim, 'oid-twin');
    await create(scim, 'oid-twin');
    t.equal(await reasonOf(acme, { sub: 'd', oid: 'oid-twin' }), 'ambiguous');
  },
);

t.test(
  'the SCIM client of the connection adopts whom others added, unless the person has a role or a factor of the own',
  async (t) => {
    const acme = await makeConnected(service, provider, onlyLinks);
    const scim = await makeCaller(container, acme.orgId, ['ORG_USER_MANAGER']);
    const other = await makeCaller(container, acme.orgId, ['ORG_USER_MANAGER']);
    const linking = { provisionedBy: scim.id, identifierClaim: 'oid' };
    await call(`PATCH ${acme.path}`, { as: acme.owner, body: { linking } });
    const organization = await organizationOf(acme);
    /** As Entra does: it finds the person by the login name, and writes the identifier. */
    const adopt = async (as: { token: string }, externalId: string) => {
      const { id, userName } = await makePerson(container, organization, { externalId: 'before' });
      const filter = encodeURIComponent(`userName eq "${userName}"`);
      const found = await call(`GET /scim/v2/${acme.orgId}/Users?filter=${filter}`, { as });
      t.equal(found.body.Resources[0].id, id);
      const answer = await call(`PATCH /scim/v2/${acme.orgId}/Users/${id}`, {
        as,
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'replace', path: 'externalId', value: externalId }],
        },
      });
      t.equal(answer.status, 204);
      return id;
    };
    const person = async (id: string) => {
      const account = await container.accounts.find(acme.orgId, id);
      if (account === undefined) throw new Error('Nobody');
      return account.user;
    };
    const anna = await adopt(scim, 'oid-anna');
    t.equal(await reasonOf(acme, { sub: 'anna', oid: 'oid-anna' }), undefined);
    t.strictSame(await identitiesOf(acme, anna), [`${acme.connectionId} anna`]);
    t.equal(await ruleOf(acme, anna), 'adopted');
    t.ok((await noticesOf(acme, anna)).includes('identityLinked'), 'the person had the account before');
    await adopt(other, 'oid-bob');
    t.equal(await reasonOf(acme, { sub: 'bob', oid: 'oid-bob' }), 'unknownPerson', 'another client');
    const owner = await adopt(scim, 'oid-owner');
    await addMembership(container, {
      userId: owner,
      role: 'ORG_OWNER',
      orgId: acme.orgId,
      editor: testEditor,
    });
    const member = await adopt(scim, 'oid-member');
    const body = { displayName: uniqueName('admins'), members: [{ value: member }] };
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
    const group = await call(`POST /scim/v2/${acme.orgId}/Groups`, {
      as: acme.owner,
      body: { schemas, ...body },
    });
    const roles = `/admin/v1/orgs/${acme.orgId}/groups/${group.body.id}/roles`;
    t.equal((await call(`PUT ${roles}`, { as: acme.owner, body: { roles: ['ORG_OWNER'] } })).status, 200);
    const project = await call(`POST /admin/v1/orgs/${acme.orgId}/projects`, {
      as: acme.owner,
      body: { name: 'Payroll' },
    });
    const lead = await adopt(scim, 'oid-lead');
    const members = `/admin/v1/orgs/${acme.orgId}/projects/${project.body.id}/members`;
    const joined = await call(`POST ${members}`, {
      as: acme.owner,
      body: { userId: lead, roles: ['PROJECT_OWNER'] },
    });
    t.equal(joined.status, 201, JSON.stringify(joined.body));
    const careful = await adopt(scim, 'oid-careful');
    await giveTotp(container, await person(careful));
    for (const [name, id] of Object.entries({ owner, member, lead, careful })) {
      t.equal(await reasonOf(acme, { sub: name, oid: `oid-${name}` }), 'unknownPerson', name);
      t.strictSame(await identitiesOf(acme, id), [], name);
      t.match(
        await lastDetail(acme),
        `The user ${id} has the identifier, but others added the user, who has a role`,
      );
    }
    t.equal(await reasonOf(acme, { sub: 'x', oid: 'oid-of-nobody' }), 'unknownPerson');
    t.equal(await lastDetail(acme), undefined);
  },
);

t.test('the SCIM client of one connection becomes nobody of another one', async (t) => {
  const employees = await makeConnected(service, provider, onlyLinks);
  const { orgId, owner } = employees;
  const connectionId = await addConnectionTo(service, { orgId, owner }, contractor, onlyLinks);
  const contractors = {
    orgId,
    owner,
    connectionId,
    path: `/admin/v1/orgs/${orgId}/connections/${connectionId}`,
  };
  const [scim, hostile] = [
    await makeCaller(container, orgId, ['ORG_USER_MANAGER']),
    await makeCaller(container, orgId, ['ORG_USER_MANAGER']),
  ];
  for (const [{ path }, { id: provisionedBy }] of [
    [employees, scim],
    [contractors, hostile],
  ] as const) {
    const linking = { provisionedBy, identifierClaim: 'oid' };
    t.equal((await call(`PATCH ${path}`, { as: owner, body: { linking } })).status, 200);
  }
  const organization = await organizationOf(employees);
  const identify = async (as: { token: string }, id: string, value: string) => {
    const Operations = [{ op: 'replace', path: 'externalId', value }];
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
    const answer = await call(`PATCH /scim/v2/${orgId}/Users/${id}`, { as, body: { schemas, Operations } });
    t.equal(answer.status, 204);
  };
  /** Lets the client of the contractors give its identifier, and signs in there with it. */
  const steal = async (id: string) => {
    await identify(hostile, id, `oid-${id}`);
    clock.advance(11);
    const visitor = newVisitor(service);
    const seen = await signInBy(visitor, contractors, contractor, { sub: `sub-${id}`, oid: `oid-${id}` });
    return isSignedIn(seen);
  };
  const added = await call(`POST /scim/v2/${orgId}/Users`, {
    as: scim,
    body: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: uniqueName('employee') },
  });
  t.notOk(await steal(String(added.body.id)), 'the client of the other connection added the person');

  const { id: adopted } = await makePerson(container, organization);
  await identify(scim, adopted, 'oid-adopted');
  t.notOk(await steal(adopted), 'the client of the other connection gave an identifier before');
  t.match(
    await lastDetail(contractors),
    `The user ${adopted} has the identifier, but the user belongs to another`,
  );

  const { id: linked } = await makePerson(container, organization);
  await linkIdentity(container, {
    ...{ orgId, userId: linked, connectionId: employees.connectionId, subject: 'linked', rule: 'person' },
    editor: testEditor,
  });
  t.notOk(await steal(linked), 'the person signs in by the other connection');

  const { id: free } = await makePerson(container, organization);
  const change = { signInPolicy: { firstFactors: ['connection' as const] } };
  await changeOrganization(container, { orgId, change, editor: testEditor });
  t.notOk(await steal(free), 'no password signs in, so the client could not sign in by one');
  await changeOrganization(container, { orgId, change: { signInPolicy: {} }, editor: testEditor });
  t.ok(await steal(free), 'a person of no connection');
  for (const id of [String(added.body.id), adopted, linked])
    t.notMatch(await identitiesOf(employees, id), [connectionId]);
});

t.test(
  'an address links in a domain that the organization has proved and given to the connection',
  async (t) => {
    const acme = await makeConnected(service, provider, onlyLinks);
    const domain = `${uniqueName('acme')}.example`;
    const give = () =>
      call(`PATCH ${acme.path}`, {
        as: acme.owner,
        body: { domains: [domain], linking: { byDomain: true } },
      });
    t.equal((await give()).status, 400, 'not proved');
    const change = { domains: [domain] };
    await changeOrganization(container, { orgId: acme.orgId, change, editor: testEditor });
    const organization = await organizationOf(acme);
    const email = `anna@${domain}`;
    const anna = await makePerson(container, organization, {
      userName: 'anna',
      emails: [{ value: email, primary: true }],
    });
    const claims = { sub: 'anna', email, email_verified: true };
    t.equal(await reasonOf(acme, claims), 'unknownPerson', 'not given');
    t.equal((await give()).status, 200);
    t.equal(await reasonOf(acme, { ...claims, email_verified: 'true' }), 'unknownPerson', 'not verified');
    t.equal(await reasonOf(acme, { ...claims, email_verified: undefined }), 'unknownPerson');
    t.equal(await reasonOf(acme, { ...claims, email: `anna@sub.${domain}` }), 'unknownPerson');
    await changeOrganization(container, { orgId: acme.orgId, change: { domains: [] }, editor: testEditor });
    t.equal(await reasonOf(acme, claims), 'unknownPerson', 'the organization lost the domain');
    await changeOrganization(container, { orgId: acme.orgId, change, editor: testEditor });
    t.equal(await reasonOf(acme, claims), undefined);
    t.strictSame(await identitiesOf(acme, anna.id), [`${acme.connectionId} anna`]);
    const bob = await makePerson(container, organization, {
      userName: 'bob',
      emails: [{ value: `bob@${domain}`, primary: true, verified: false }],
    });
    t.equal(
      await reasonOf(acme, { sub: 'bob', email: `bob@${domain}`, email_verified: true }),
      'unknownPerson',
    );
    t.strictSame(await identitiesOf(acme, bob.id), [], 'nobody proved that the address is of bob');
  },
);

t.test('e. nobody with a role outside of the organization signs in, now or later', async (t) => {
  const acme = await makeConnected(service, provider);
  const away = await makeConnected(service, provider);
  t.equal(await reasonOf(acme, { sub: 'boss', name: 'Boss' }), undefined);
  const [list] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
  const userId = list?.userId ?? '';
  await addMembership(container, { userId, role: 'ORG_OWNER', orgId: acme.orgId, editor: testEditor });
  t.equal(await reasonOf(acme, { sub: 'boss' }), undefined, 'a role inside');
  await addMembership(container, { userId, role: 'ORG_USER_VIEWER', orgId: away.orgId, editor: testEditor });
  t.equal(await reasonOf(acme, { sub: 'boss' }), 'roleOutside');
  const [role] = (await container.memberships.ofUser(userId)).filter(({ orgId }) => orgId === away.orgId);
  await call(`DELETE /admin/v1/orgs/${away.orgId}/members/${role?.id}`, { as: away.owner });
});

t.test(
  'i. whoever is deactivated, locked or removed here is refused, and a removal frees the identity',
  async (t) => {
    const acme = await makeConnected(service, provider);
    t.equal(await reasonOf(acme, { sub: 'anna' }), undefined);
    const [list] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
    const id = list?.userId ?? '';
    const active = (isActive: boolean) =>
      call(`PATCH /scim/v2/${acme.orgId}/Users/${id}`, {
        as: acme.owner,
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'replace', path: 'active', value: isActive }],
        },
      });
    t.equal((await active(false)).status, 204);
    t.equal(await reasonOf(acme, { sub: 'anna' }), 'inactive');
    await active(true);
    t.equal(await reasonOf(acme, { sub: 'anna' }), undefined);
    for (let i = 0; i < 3; i++) await container.loginAttempts.begin(`password:${id}`, 3);
    t.equal(await reasonOf(acme, { sub: 'anna' }), 'locked');
    await container.loginAttempts.forget(`password:${id}`);
    t.equal((await call(`DELETE /scim/v2/${acme.orgId}/Users/${id}`, { as: acme.owner })).status, 204);
    t.equal(await reasonOf(acme, { sub: 'anna' }), undefined, 'somebody new');
    const [now] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
    t.not(now?.userId, id);
  },
);

t.test('j. first sign-ins at once make one person, within the quota', async (t) => {
  const acme = await makeConnected(service, provider);
  const visitors = Array.from({ length: 4 }, () => newVisitor(service));
  const seen = await Promise.all(
    visitors.map((visitor) => signInBy(visitor, acme, provider, { sub: 'same', preferred_username: 'same' })),
  );
  t.ok(seen.every(isSignedIn), JSON.stringify(seen.map(({ location }) => location)));
  t.equal(await container.users.count(acme.orgId), 1);
  await changeOrganization(container, {
    orgId: acme.orgId,
    change: { quotas: { users: 1 } },
    editor: testEditor,
  });
  t.equal(await reasonOf(acme, { sub: 'one-too-many' }), 'quotaFull');
  t.equal(await reasonOf(acme, { sub: 'same' }), undefined);
});

t.test('h. the words of a provider are bounded, escaped, and take no name that others type', async (t) => {
  const acme = await makeConnected(service, provider, {
    claims: {
      userName: 'preferred_username',
      displayName: 'name',
      givenName: 'given_name',
      email: 'email',
      timezone: 'zoneinfo',
    },
  });
  const visitor = newVisitor(service);
  const seen = await signInBy(visitor, acme, provider, {
    sub: 'evil',
    name: '<script>alert(1)</script>',
    given_name: 'bad\u202Ename',
    preferred_username: 'boss@muster.example',
    email: 'not an address',
    zoneinfo: '../../etc/passwd',
  });
  t.ok(isSignedIn(seen));
  const page = await visitor.follow(seen);
  t.match(page.text, '&lt;script&gt;');
  t.notMatch(page.text, '<script>alert');
  const [list] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
  const user = await container.users.find(acme.orgId, list?.userId ?? '');
  t.match(user, { displayName: '<script>alert(1)</script>', userName: /^user-/, name: {}, emails: [] });
  t.equal(user?.timezone, undefined);
  t.equal(
    await reasonOf(acme, { sub: 'long', name: 'x'.repeat(100_000), preferred_username: 'long' }),
    undefined,
  );
  const long = await container.accounts.findByUserName(acme.orgId, 'long');
  t.equal(long?.user.displayName, 'long');
  t.equal(await reasonOf(acme, { sub: 'thief', preferred_username: 'long' }), 'valueTaken');
});

t.test('m. an administrator takes an identity away, but never the last way in', async (t) => {
  const acme = await makeConnected(service, provider);
  t.equal(await reasonOf(acme, { sub: 'anna', preferred_username: 'anna' }), undefined);
  const [list] = await container.identityLinks.pageOfAll(acme.orgId, { limit: 5 });
  const userId = list?.userId ?? '';
  const path = `/admin/v1/orgs/${acme.orgId}/users/${userId}/identities/${acme.connectionId}`;
  const last = await call(`DELETE ${path}`, { as: acme.owner });
  t.equal(last.status, 409);
  t.match(JSON.stringify(last.body), 'connections.lastWayIn');
  const organization = await organizationOf(acme);
  await changeUser(container, {
    organization,
    id: userId,
    editor: testEditor,
    change: (current) => ({ profile: current, password: 'Correct-Horse-7' }),
  });
  const visitor = newVisitor(service);
  const seen = await signInBy(visitor, acme, provider, { sub: 'anna' });
  t.equal((await visitor.get(seen.location ?? '')).status, 200);
  t.equal((await call(`DELETE ${path}`, { as: acme.owner })).status, 204);
  t.equal((await visitor.get(seen.location ?? '')).status, 303, 'the session ended with it');
  t.equal((await call(`DELETE ${path}`, { as: acme.owner })).status, 404);
  t.equal(await reasonOf(acme, { sub: 'anna' }), undefined, 'a first sign-in again, of somebody new');
  t.equal(await container.users.count(acme.orgId), 2);
});
