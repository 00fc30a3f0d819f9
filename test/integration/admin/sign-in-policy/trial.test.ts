import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { linksByKey, type WebauthnCredential } from '#src/accounts/person-lists/index.js';
import { newScan, scanPeople } from '#src/authentication/sign-in-policy/index.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { newId } from '#src/platform/ids.js';
import { makeCaller, makeTenant, testEditor, uniqueName } from '../../../support/app/make.js';
import { makeApplication } from '../../../support/app/oauth-client.js';
import { giveTotp, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { storeConnection } from '../../../support/oidc/connected.js';

const { container, call, clock } = await buildTestApp(t);
const { orgId, owner, manager } = await makeTenant(container);
const home = (await container.organizations.find(orgId)) as NonNullable<
  Awaited<ReturnType<typeof container.organizations.find>>
>;
const other = await makeTenant(container);
const otherHome = (await container.organizations.find(other.orgId)) as typeof home;

async function givePasskey({ id: userId }: User): Promise<void> {
  const now = clock.now();
  const item = { id: newId(), publicKey: 'oA', counter: 0 } as unknown as WebauthnCredential;
  const list = {
    id: newId(),
    orgId,
    userId,
    items: { [item.id]: item },
    version: 1,
    created: now,
    lastModified: now,
  };
  await container.mongo.transaction((transaction) =>
    container.webauthnCredentials
      .insert(orgId, [list], transaction)
      .then(() =>
        container.accounts.markPasskeys(
          orgId,
          [{ id: userId, passkeys: { count: 1, changed: now } }],
          transaction,
        ),
      ),
  );
}

const trial = (body: object, as = owner) =>
  call(`POST /admin/v1/orgs/${orgId}/sign-in-policy/trial`, { as, body });
const peopleOf = async (body: object) => (await trial(body)).body.people;

const plain = await makePerson(container, home);
const member = await makePerson(container, home);
const withTotp = await makePerson(container, home);
const withPasskey = await makePerson(container, home);
const withBoth = await makePerson(container, home, { password: null });
const keeper = await makePerson(container, home);
await makePerson(container, home, { active: false });
const without = await makePerson(container, home, { password: null });
await makePerson(container, otherHome);
for (const person of [withTotp, withBoth, keeper]) await giveTotp(container, person);
for (const person of [withPasskey, withBoth]) await givePasskey(person);
await addMembership(container, { userId: plain.id, role: 'ORG_USER_VIEWER', orgId, editor: testEditor });
await addMembership(container, { userId: keeper.id, role: 'ORG_OWNER', orgId, editor: testEditor });
const group = await addGroup(container, {
  ...{ orgId, profile: { displayName: uniqueName('Group') }, members: new Set([member.id, withTotp.id]) },
  editor: testEditor,
});
const web = await makeApplication(container, orgId);

t.test('nothing changes for anybody without a policy', async (t) => {
  const answer = await trial({});
  t.match(answer, { status: 200 });
  t.same(
    answer.body.people,
    { meets: 6, mustEnrol: 0, lockedOut: 1 },
    'one person has nothing to sign in with',
  );
  t.same(answer.body.applications, []);
  t.equal(without.active, true);
});

t.test('people are counted by what they have', async (t) => {
  const demand = (acr: string, from: string) => ({ demands: [{ of: 'everybody', acr, from }] });
  t.same(await peopleOf(demand('2', '2090-01-01')), { meets: 4, mustEnrol: 2, lockedOut: 1 });
  t.same(await peopleOf(demand('2', '2020-01-01')), { meets: 4, mustEnrol: 0, lockedOut: 3 });
  t.same(await peopleOf(demand('phr', '2090-01-01')), { meets: 2, mustEnrol: 4, lockedOut: 1 });
  t.same(await peopleOf({ firstFactors: ['passkey'] }), { meets: 2, mustEnrol: 0, lockedOut: 5 });
  t.same(await peopleOf({ firstFactors: ['passkey'], firstFactorsFrom: '2090-01-01' }), {
    ...{ meets: 2, mustEnrol: 4, lockedOut: 1 },
  });
});

t.test('administrators are named, and members of groups are looked at', async (t) => {
  const { body } = await trial({ demands: [{ of: 'roles', acr: '2', from: '2020-01-01' }] });
  t.same(body.people, { meets: 5, mustEnrol: 0, lockedOut: 2 });
  t.same(body.administrators, [{ userId: plain.id, userName: plain.userName, outcome: 'lockedOut' }]);
  t.same(body.applications, [{ id: web.id, name: (await container.applications.find(orgId, web.id))?.name }]);
  const ofGroup = { of: 'groups', groups: [group.id], acr: '2', from: '2090-01-01' };
  t.same(await peopleOf({ demands: [ofGroup] }), { meets: 5, mustEnrol: 1, lockedOut: 1 });
});

t.test('service users that set passwords are named where passwords end', async (t) => {
  const { body } = await trial({ firstFactors: ['passkey'] });
  const ids = body.serviceUsers.map(({ id }: { id: string }) => id);
  t.ok(ids.includes(manager.id));
  t.ok(ids.includes(owner.id));
  t.equal(ids.length, 2, 'those who only read are not');
});

t.test('a link counts if its connection signs people in', async (t) => {
  const tenant = await makeTenant(container);
  const there = await container.organizations.find(tenant.orgId);
  if (there === undefined) throw new Error('There is no organization');
  const [on, off] = [
    await storeConnection(container, there.id, {}),
    await storeConnection(container, there.id, { enabled: false }),
  ];
  const linked: string[] = [];
  const links = [
    { connectionId: on.id },
    { connectionId: on.id },
    { connectionId: on.id },
    { connectionId: off.id },
    { connectionId: 'gone' },
    { provider: 'old' },
  ];
  for (const link of links) {
    const { id: userId } = await makePerson(container, there, { password: null });
    const items = linksByKey([{ ...link, subject: userId }]);
    const at = { version: 1, created: clock.now(), lastModified: clock.now() };
    await container.mongo.transaction((transaction) =>
      container.identityLinks.insert(
        there.id,
        [{ id: newId(), orgId: there.id, userId, items, ...at }],
        transaction,
      ),
    );
    linked.push(userId);
  }
  // A connection signs in nobody with a role outside: in another organization, or in the instance.
  const [, ofOther = '', ofInstance = ''] = linked;
  for (const role of [
    { userId: ofOther, role: 'ORG_USER_VIEWER', orgId },
    { userId: ofInstance, role: 'IAM_OWNER' },
  ] as const)
    await addMembership(container, { ...role, editor: testEditor });
  const policy: SignInPolicy = { firstFactors: ['connection'] };
  const { body } = await call(`POST /admin/v1/orgs/${there.id}/sign-in-policy/trial`, {
    ...{ as: tenant.owner, body: policy },
  });
  t.same(body.people, { meets: 1, mustEnrol: 0, lockedOut: 5 });
  const trial = { orgId: there.id, policy, now: clock.now(), from: newScan };
  let last = newScan;
  for await (last of scanPeople(container, trial));
  t.same(last.people, body.people, 'a job counts the same');
  await changeOrganization(container, {
    orgId: there.id,
    change: { signInPolicy: policy },
    editor: testEditor,
  });
  const states = linked.map((id) =>
    call(`GET /admin/v1/orgs/${there.id}/users/${id}/sign-in-state`, { as: tenant.owner }),
  );
  t.same(
    (await Promise.all(states)).map(({ body: state }) => state.unmetRules.length),
    [0, 1, 1, 1, 1, 1],
    'the state of a person tells who cannot sign in',
  );
});

t.test('what a policy concerns is named although many others come before it', async (t) => {
  const tenant = await makeTenant(container);
  for (let n = 0; n < 101; n++) await makeApplication(container, tenant.orgId, { type: 'api' });
  const last = await makeApplication(container, tenant.orgId);
  const { body } = await call(`POST /admin/v1/orgs/${tenant.orgId}/sign-in-policy/trial`, {
    ...{ as: tenant.owner, body: { identifierFirst: true } },
  });
  t.match(body.applications, [{ id: last.id }]);
  t.equal(body.applications.length, 1);
});

t.test('people with a role by a group are administrators, whichever role it is', async (t) => {
  const helper = await makePerson(container, home);
  const helpers = await addGroup(container, {
    ...{ orgId, profile: { displayName: uniqueName('Group') }, members: new Set([helper.id]) },
    editor: testEditor,
  });
  const roles = ['IMPERSONATOR'];
  await call(`PUT /admin/v1/orgs/${orgId}/groups/${helpers.id}/roles`, { as: owner, body: { roles } });
  const { body } = await trial({ demands: [{ of: 'roles', acr: '2', from: '2020-01-01' }] });
  t.match(
    body.administrators.map(({ userId }: { userId: string }) => userId),
    [plain.id, helper.id],
  );
});

t.test('who has a role in another organization alone is an administrator too', async (t) => {
  const tenant = await makeTenant(container);
  const there = (await container.organizations.find(tenant.orgId)) as typeof home;
  const [abroad, ordinary] = [await makePerson(container, there), await makePerson(container, there)];
  const role = { userId: abroad.id, role: 'ORG_USER_VIEWER', orgId } as const;
  await addMembership(container, { ...role, editor: testEditor });
  const policy: SignInPolicy = { demands: [{ of: 'roles', acr: '2', from: '2020-01-01' }] };
  const { body } = await call(`POST /admin/v1/orgs/${there.id}/sign-in-policy/trial`, {
    ...{ as: tenant.owner, body: policy },
  });
  t.same(body.people, { meets: 1, mustEnrol: 0, lockedOut: 1 });
  t.match(body.administrators, [{ userId: abroad.id, outcome: 'lockedOut' }]);
  t.not(abroad.id, ordinary.id);
  let last = newScan;
  for await (last of scanPeople(container, { orgId: there.id, policy, now: clock.now(), from: newScan }));
  t.same(last.people, body.people, 'a job counts the same');
  t.same(
    (await container.memberships.pageOutside(orgId, { limit: 10 })).length,
    0,
    'roles in the own organization and in the instance are none of these',
  );
});

t.test('a trial writes nothing, and only who may set the policy makes one', async (t) => {
  const version = async () => (await container.organizations.find(orgId))?.version;
  const before = await version();
  await trial({ firstFactors: ['passkey'] });
  t.equal(await version(), before);
  const viewer = await makeCaller(container, orgId, ['ORG_USER_VIEWER']);
  t.equal((await trial({}, viewer)).status, 403);
  t.equal((await trial({}, other.owner)).status, 404);
  const foreign = { of: 'groups', groups: [group.id, 'none'], acr: '2', from: '2090-01-01' };
  t.match(await trial({ demands: [foreign] }), { status: 400 });
  t.match(await trial({ version: 1 }), { status: 400 });
});
