import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { linksByKey } from '#src/accounts/person-lists/index.js';
import { makeOneTimeLink } from '#src/authentication/make-one-time-link.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { newId } from '#src/platform/ids.js';
import {
  type Caller,
  makeCaller,
  makeOrganization,
  makeTenant,
  testEditor,
  uniqueName,
} from '../../../support/app/make.js';
import { giveTotp, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { storeConnection } from '../../../support/oidc/connected.js';
import { enrolPasskey } from '../../../support/passkeys/enrol.js';

const { container, call } = await buildTestApp(t);
const instanceOwner = await makeCaller(container, (await makeOrganization(container)).id, ['IAM_OWNER']);
const acme = await makeTenant(container);
const pathOf = (orgId: string) => `/admin/v1/orgs/${orgId}/sign-in-policy`;

async function groupIn(orgId: string): Promise<string> {
  const profile = { displayName: uniqueName('Group') };
  return (await addGroup(container, { orgId, profile, members: new Set(), editor: testEditor })).id;
}

async function put(as: Caller, body: object, orgId = as.orgId) {
  return call(`PUT ${pathOf(orgId)}`, { as, body });
}

t.test('a policy is read, replaced as a whole, and emptied', async (t) => {
  const as = acme.owner;
  const before = await call(`GET ${pathOf(acme.orgId)}`, { as });
  t.same(before, { ...before, status: 200, body: { version: before.body.version } });
  const groups = [await groupIn(acme.orgId)];
  const demands = [
    { of: 'everybody', acr: '2', from: '2026-12-01' },
    { of: 'groups', groups, acr: 'phr', from: '2020-01-01' },
  ];
  const answer = await put(as, { demands, sessionIdleSeconds: 3600, identifierFirst: true });
  const version = before.body.version + 1;
  t.match(answer, { status: 200 });
  t.same(answer.body, { identifierFirst: true, demands, sessionIdleSeconds: 3600, version });
  t.same((await call(`GET ${pathOf(acme.orgId)}`, { as })).body, answer.body);
  t.same((await put(as, answer.body)).body, answer.body, 'a copy of the answer changes nothing');
  t.match(await put(as, { ...answer.body, version: version - 1 }), { status: 412 });
  t.same((await put(as, { sessionSeconds: 600 })).body, { sessionSeconds: 600, version: version + 1 });
  t.same((await put(as, {})).body, { version: version + 2 });
});

t.test('the log tells what a policy was and became', async (t) => {
  const { orgId, owner } = await makeTenant(container);
  const demands = [{ of: 'roles', acr: '2', from: '2026-12-01' }];
  await put(owner, { demands, firstFactors: ['passkey'], firstFactorsFrom: '2027-01-01' });
  await put(owner, { demands, sessionSeconds: 600 });
  const events = await container.events.search({ aggregateId: orgId, limit: 2, ascending: false });
  t.match(events[0]?.payload, {
    attributes: ['signInPolicy'],
    changes: {
      'signInPolicy.firstFactors': { from: ['passkey'] },
      'signInPolicy.sessionSeconds': { to: 600 },
    },
  });
  t.match(events[1]?.payload, {
    changes: { 'signInPolicy.demands': { to: ['roles: acr 2 from 2026-12-01'] } },
  });
});

t.test('a policy names only groups of its own organization', async (t) => {
  const other = await makeTenant(container);
  const [mine, foreign] = [await groupIn(acme.orgId), await groupIn(other.orgId)];
  for (const unknown of [foreign, 'none']) {
    const demand = { of: 'groups', groups: [mine, unknown], acr: '2', from: '2026-12-01' };
    const answer = await put(acme.owner, { demands: [demand] });
    t.match(answer, {
      status: 400,
      body: {
        id: 'directory.valueInvalid',
        errors: [{ pointer: '/demands/0/groups/1', id: 'value.groupUnknown' }],
      },
    });
  }
  const spaced = { of: 'groups', groups: ['a name'], acr: '2', from: '2026-12-01' };
  t.match(await put(acme.owner, { demands: [spaced] }), {
    status: 400,
    body: { errors: [{ id: 'value.identifier', params: { most: 200 } }] },
  });
});

t.test('what the service cannot do, and what is no policy, is refused', async (t) => {
  t.match(await put(acme.owner, { firstFactors: ['password', 'mailLink'] }), {
    status: 409,
    body: { id: 'directory.mailMissing' },
  });
  for (const body of [
    { demands: {} },
    { passwordPolicy: {} },
    { demands: [{ of: 'everybody', acr: '2', from: '2026-12-01', toString: 1 }] },
    { sessionSeconds: '600' },
    { sessionSeconds: 1e300 },
    { firstFactors: ['password', 'password', 'password', 'password', 'password'] },
  ]) {
    t.match(await put(acme.owner, body), { status: 400 }, JSON.stringify(body));
  }
});

/** An organization whose only owner is a person with a password. */
async function ownedByPerson() {
  const { orgId, owner } = await makeTenant(container);
  const organization = (await container.organizations.find(orgId)) as NonNullable<
    Awaited<ReturnType<typeof container.organizations.find>>
  >;
  const person = await makePerson(container, organization);
  await addMembership(container, { userId: person.id, role: 'ORG_OWNER', orgId, editor: testEditor });
  return { orgId, owner, organization, person };
}

t.test('a policy that would lock out the last owner is refused', async (t) => {
  const { orgId, owner, person } = await ownedByPerson();
  const lockingOut = [
    { firstFactors: ['passkey'] },
    { firstFactors: ['passkey'], firstFactorsFrom: '2090-01-01' },
    { demands: [{ of: 'everybody', acr: '2', from: '2020-01-01' }] },
    { demands: [{ of: 'roles', acr: '2', from: '2090-01-01' }] },
    {
      demands: [{ of: 'groups', groups: [await groupIn(orgId)], acr: '2', from: '2020-01-01' }],
    },
  ];
  for (const body of lockingOut) {
    t.match(
      await put(owner, body),
      { status: 409, body: { id: 'directory.lastAbleOwner' } },
      JSON.stringify(body),
    );
  }
  t.equal((await container.organizations.find(orgId))?.signInPolicy, undefined);
  const twoFactors = { demands: [{ of: 'roles', acr: '2', from: '2020-01-01' }] };
  await giveTotp(container, person);
  t.match(await put(owner, twoFactors), { status: 200 });
  t.match(await put(owner, { ...twoFactors, secondFactors: ['passkey'] }), { status: 409 });
});

t.test(
  'an owner of the instance may lock out the owners of an organization, but not those of the instance',
  async (t) => {
    const { orgId, organization } = await ownedByPerson();
    t.match(await put(instanceOwner, { firstFactors: ['connection'] }, orgId), { status: 200 });
    const home = await ownedByPerson();
    await addMembership(container, { userId: home.person.id, role: 'IAM_OWNER', editor: testEditor });
    const refused = await put(instanceOwner, { firstFactors: ['connection'] }, home.orgId);
    t.match(refused, { status: 409, body: { id: 'directory.lastAbleOwner' } });
    const second = await makePerson(container, organization);
    await addMembership(container, { userId: second.id, role: 'IAM_OWNER', editor: testEditor });
    t.match(
      await put(instanceOwner, { firstFactors: ['connection'] }, home.orgId),
      { status: 409 },
      'the policy of the second one keeps it out too',
    );
  },
);

t.test('the last owner who meets the policy stays', async (t) => {
  const { orgId, owner, organization, person } = await ownedByPerson();
  const other = await makePerson(container, organization);
  const { id } = await addMembership(container, {
    ...{ userId: other.id, role: 'ORG_OWNER', orgId, editor: testEditor },
  });
  await giveTotp(container, other);
  await put(owner, { demands: [{ of: 'everybody', acr: '2', from: '2020-01-01' }] });
  const leave = () => call(`DELETE /admin/v1/orgs/${orgId}/memberships/${id}`, { as: owner });
  t.match(
    await leave(),
    { status: 409, body: { id: 'directory.lastAbleOwner' } },
    'a password is not enough',
  );
  await giveTotp(container, person);
  t.equal((await leave()).status, 204);
});

t.test('before passwords end, the passkey of an owner must have signed in', async (t) => {
  const { orgId, owner, person } = await ownedByPerson();
  const key = await enrolPasskey(container, person);
  const off = { firstFactors: ['passkey', 'connection'] };
  for (const body of [off, { ...off, firstFactorsFrom: '2090-01-01' }])
    t.match(await put(owner, body), { status: 409, body: { id: 'directory.passkeyUntested' } });
  t.match(await put(owner, { demands: [{ of: 'everybody', acr: 'phr', from: '2020-01-01' }] }), {
    status: 200,
  });
  const [list] = await container.webauthnCredentials.findMany(orgId, [person.id]);
  const item = list?.items[key.id];
  if (list === undefined || item === undefined) throw new Error('no passkey');
  const used = { ...item, lastUsed: container.clock.now(), beganSignIn: true as const };
  await container.webauthnCredentials.replaceUsed(orgId, { list, key: key.id, item: used });
  t.match(await put(owner, off), { status: 200 });
});

t.test(
  'where other providers alone sign in, an owner with a link there stays, and a one-time link keeps nobody',
  async (t) => {
    const { orgId, owner, organization, person } = await ownedByPerson();
    const other = await makePerson(container, organization);
    await addMembership(container, { userId: other.id, role: 'ORG_OWNER', orgId, editor: testEditor });
    const [{ id = '' } = {}] = (await container.memberships.ofUser(person.id)) as { id: string }[];
    t.match(await put(instanceOwner, { firstFactors: ['connection'] }, orgId), { status: 200 });
    const now = container.clock.now();
    const connection = await storeConnection(container, orgId, {});
    const items = linksByKey([{ connectionId: connection.id, subject: 's' }]);
    await container.mongo.transactionOf(orgId, (transaction) =>
      container.identityLinks.insert(
        orgId,
        [{ id: newId(), orgId, userId: person.id, items, version: 1, created: now, lastModified: now }],
        transaction,
      ),
    );
    await makeOneTimeLink(container, { orgId, userId: other.id, editor: testEditor });
    t.match(await call(`DELETE /admin/v1/orgs/${orgId}/memberships/${id}`, { as: owner }), {
      status: 409,
      body: { id: 'directory.lastAbleOwner' },
    });
  },
);
