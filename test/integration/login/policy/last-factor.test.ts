import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { linksByKey } from '#src/accounts/person-lists/index.js';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { removePasskey } from '#src/authentication/passkeys/index.js';
import { guardFactors } from '#src/authentication/proofs/index.js';
import { changeTotp } from '#src/authentication/second-factor/index.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { newId } from '#src/platform/ids.js';
import { makeTenant, testEditor, uniqueName } from '../../../support/app/make.js';
import { giveTotp, goodPassword, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { storeConnection } from '../../../support/oidc/connected.js';
import { visit } from '../../../support/oidc/visitor.js';
import { optionsIn } from '../../../support/passkeys/authenticator.js';
import { enrolPasskey } from '../../../support/passkeys/enrol.js';
import { urn } from '../../../support/scim/scim-client.js';

const { container, app, call, clock } = await buildTestApp(t, { loginFailureMilliseconds: 0, workers: true });
const { orgId, owner } = await makeTenant(container);
const home = await changeOrganization(container, { orgId, change: {}, editor: testEditor });
const long = '2020-01-01';
const demand = (acr: '2' | 'phr', from = long): SignInPolicy => ({
  demands: [{ of: 'everybody', acr, from }],
});

async function setPolicy(signInPolicy: SignInPolicy) {
  await changeOrganization(container, { orgId, change: { signInPolicy }, editor: testEditor });
}
t.afterEach(() => setPolicy({}));

let lastAddress = 0;

/** A browser in which the person is signed in with the password and a code. */
async function signedIn({ userName: loginName }: User, secret: Buffer) {
  const visitor = visit(app, container, { address: `198.51.100.${++lastAddress}` });
  await visitor.fill(await visitor.get('/login'), { loginName, password: goodPassword }, '/login');
  await visitor.fill(await visitor.get('/login/code'), { code: nextCode(secret) }, '/login/code');
  return visitor;
}

function nextCode(secret: Buffer): string {
  clock.advance(30);
  return totpCode(secret, totpStep(clock.now()));
}

/** Somebody with one-time codes and a passkey. */
async function withBoth() {
  const person = await makePerson(container, home);
  const secret = await giveTotp(container, person);
  clock.advance(1);
  const key = await enrolPasskey(container, person);
  const account = () => container.accounts.find(orgId, person.id);
  return { person, secret, key, account };
}

const lastFactor = { status: 400, text: /You need this factor to sign in/ };

t.test('the last factor that is demanded stays, whatever the person wants', async (t) => {
  const { person, secret, key, account } = await withBoth();
  const visitor = await signedIn(person, secret);
  // A session that does not meet the policy has no account page, so the person proves the passkey before.
  clock.advance(container.config.freshSignInSeconds + 1);
  const confirm = await visitor.get('/account/confirm');
  const response = key.get(optionsIn(confirm.text, 'get'), new URL(container.config.baseUrl).origin);
  await visitor.fill(confirm, { response }, '/account/confirm/passkey');
  await setPolicy(demand('phr'));
  const edit = `/account/passkeys/edit?passkey=${key.id}`;
  const refused = await visitor.fill(await visitor.get(edit), {}, '/account/passkeys/remove');
  t.match(refused, lastFactor);
  t.equal((await account())?.passkeys?.count, 1);
  await setPolicy(demand('2'));
  t.match(
    (await visitor.fill(await visitor.get(edit), {}, '/account/passkeys/remove')).location,
    /passkeyRemoved/,
  );
  const page = await visitor.get('/account/totp/remove');
  const proofs = { password: goodPassword, code: nextCode(secret) };
  t.match(await visitor.fill(page, proofs, '/account/totp/remove'), lastFactor);
  t.ok((await account())?.totp);
  await setPolicy(demand('2', '2090-01-01'));
  const again = { password: goodPassword, code: nextCode(secret) };
  const removed = await visitor.fill(
    await visitor.get('/account/totp/remove'),
    again,
    '/account/totp/remove',
  );
  t.match(removed.location, /totpRemoved/, 'until the day it may go');
});

t.test('the last way to begin a sign-in stays', async (t) => {
  const { person, secret, key, account } = await withBoth();
  const visitor = await signedIn(person, secret);
  await setPolicy({ firstFactors: ['passkey'] });
  const guard = await guardFactors(container, person);
  const target = { orgId, id: person.id, editor: testEditor };
  const refused = await removePasskey(container, { ...target, passkeyId: key.id, guard }).catch(
    (error: unknown) => error,
  );
  t.match(refused, { definition: { id: 'directory.lastDemandedFactor' } });
  await changeTotp(container, { ...target, totp: undefined, guard });
  t.match(await account(), { passkeys: { count: 1 }, totp: undefined });
  t.ok(visitor);
});

t.test('a connection is no way to begin for a person with a role outside', async (t) => {
  const { id: connectionId } = await storeConnection(container, orgId, {});
  const elsewhere = await makeTenant(container);
  const removal = async (roleOf: string | undefined) => {
    const { person, key } = await withBoth();
    const at = { version: 1, created: clock.now(), lastModified: clock.now() };
    const items = linksByKey([{ connectionId, subject: person.id }]);
    await container.mongo.transaction((transaction) =>
      container.identityLinks.insert(
        orgId,
        [{ id: newId(), orgId, userId: person.id, items, ...at }],
        transaction,
      ),
    );
    if (roleOf !== undefined)
      await addMembership(container, {
        ...{ userId: person.id, role: 'ORG_USER_VIEWER', orgId: roleOf, editor: testEditor },
      });
    const guard = await guardFactors(container, person);
    const target = { orgId, id: person.id, editor: testEditor };
    return removePasskey(container, { ...target, passkeyId: key.id, guard }).catch((error: unknown) => error);
  };
  await setPolicy({ firstFactors: ['passkey', 'connection'] });
  const refused = { definition: { id: 'directory.lastDemandedFactor' } };
  t.equal(await removal(undefined), undefined);
  t.equal(await removal(orgId), undefined, 'a role in the own organization');
  t.match(await removal(elsewhere.orgId), refused);
});

t.test('of two removals at once, one is refused', async (t) => {
  const { person, key, account } = await withBoth();
  await setPolicy(demand('2'));
  const guard = await guardFactors(container, person);
  const target = { orgId, id: person.id, editor: testEditor };
  const outcomes = await Promise.allSettled([
    removePasskey(container, { ...target, passkeyId: key.id, guard }),
    changeTotp(container, { ...target, totp: undefined, guard }),
  ]);
  t.equal(outcomes.filter(({ status }) => status === 'rejected').length, 1);
  const left = await account();
  t.ok(left?.totp ?? left?.passkeys);
});

t.test('an administrator removes the last factor of somebody who lost it', async (t) => {
  const { person, key, account } = await withBoth();
  await setPolicy(demand('phr'));
  const path = `/admin/v1/orgs/${orgId}/users/${person.id}/passkeys/${key.id}`;
  t.match(await call(`DELETE ${path}`, { as: owner }), { status: 204 });
  t.equal((await account())?.passkeys, undefined);
});

t.test('a policy and the removal of its group at the same time do not both happen', async (t) => {
  const policyPath = `/admin/v1/orgs/${orgId}/sign-in-policy`;
  for (const first of ['policy', 'removal'] as const) {
    const profile = { displayName: uniqueName('Group') };
    const { id } = await addGroup(container, { orgId, profile, members: new Set(), editor: testEditor });
    const put = () =>
      call(`PUT ${policyPath}`, {
        as: owner,
        body: { demands: [{ of: 'groups', groups: [id], acr: '2', from: '2090-01-01' }] },
      });
    const remove = () => call(`DELETE /scim/v2/${orgId}/Groups/${id}`, { as: owner });
    const { namesOf, remove: removeStored } = container.groups;
    t.teardown(() => Object.assign(container.groups, { namesOf, remove: removeStored }));
    if (first === 'policy') {
      // The removal has seen that no policy names the group.
      Object.assign(container.groups, {
        remove: async (...of: Parameters<typeof removeStored>) => {
          Object.assign(container.groups, { remove: removeStored });
          t.match(await put(), { status: 200 });
          return removeStored(...of);
        },
      });
      t.match(await remove(), { status: 409, headers: { 'x-error-id': 'directory.groupNamedByPolicy' } });
      t.match(await container.groups.find(orgId, id), { id });
    } else {
      // The policy has seen the group.
      Object.assign(container.groups, {
        namesOf: async (...of: Parameters<typeof namesOf>) => {
          Object.assign(container.groups, { namesOf });
          const names = await namesOf(...of);
          t.match(await remove(), { status: 204 });
          return names;
        },
      });
      t.match(await put(), { status: 400, body: { detail: /is no group of the organization/ } });
      t.same((await container.organizations.find(orgId))?.signInPolicy ?? {}, {});
    }
    await setPolicy({});
  }
});

t.test('a group that the policy names stays', async (t) => {
  const profile = { displayName: uniqueName('Group') };
  const { id } = await addGroup(container, { orgId, profile, members: new Set(), editor: testEditor });
  const path = `/scim/v2/${orgId}/Groups/${id}`;
  await setPolicy({ demands: [{ of: 'groups', groups: [id], acr: '2', from: '2090-01-01' }] });
  const refused = { status: 409, headers: { 'x-error-id': 'directory.groupNamedByPolicy' } };
  t.match(await call(`DELETE ${path}`, { as: owner }), refused);
  const bulk = await call(`POST /scim/v2/${orgId}/Bulk`, {
    as: owner,
    body: { schemas: [urn.bulkRequest], Operations: [{ method: 'DELETE', path: `/Groups/${id}` }] },
  });
  t.match(bulk.body.Operations, [{ status: '409' }]);
  t.match(await call(`GET ${path}`, { as: owner }), { status: 200 });
  await setPolicy({});
  t.match(await call(`DELETE ${path}`, { as: owner }), { status: 204 });
});
