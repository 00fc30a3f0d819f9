import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { makeOneTimeLink } from '#src/authentication/make-one-time-link.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { makeCaller, makeOrganization, makeTenant, testEditor } from '../../../support/app/make.js';
import { giveTotp, goodPassword, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { visit } from '../../../support/oidc/visitor.js';
import { enrolPasskey } from '../../../support/passkeys/enrol.js';
import { patchOp, urn } from '../../../support/scim/scim-client.js';

/** What an owner signs in with, after the policy was written: whatever takes it from the last one is refused. */

const { container, call, app, clock } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  workers: true,
  smtpUrl: 'smtp://127.0.0.1:1',
  mailFrom: 'muster@muster.example',
});
const instanceOwner = await makeCaller(container, (await makeOrganization(container)).id, ['IAM_OWNER']);
const lastOwner = { status: 409, body: { id: 'directory.lastAbleOwner' } };
const demand = (acr: '2' | 'phr', from = '2020-01-01'): SignInPolicy => ({
  demands: [{ of: 'everybody', acr, from }],
});

/** An organization with one owner who is a person, and a program that owns it besides. */
async function owned() {
  const { orgId, owner } = await makeTenant(container);
  const organization = await changeOrganization(container, { orgId, change: {}, editor: testEditor });
  const addOwner = async () => {
    const person = await makePerson(container, organization);
    await addMembership(container, { userId: person.id, role: 'ORG_OWNER', orgId, editor: testEditor });
    return person;
  };
  const boss = await addOwner();
  const put = (body: SignInPolicy) => call(`PUT /admin/v1/orgs/${orgId}/sign-in-policy`, { as: owner, body });
  const at = ({ id }: User) => `/admin/v1/orgs/${orgId}/users/${id}`;
  return { orgId, owner, organization, boss, addOwner, put, at };
}

t.test('the factor that the last owner needs stays, whoever would remove it', async (t) => {
  const { orgId, owner, boss, addOwner, put, at } = await owned();
  await giveTotp(container, boss);
  clock.advance(1);
  const key = await enrolPasskey(container, boss);
  t.match(await put(demand('phr')), { status: 200 });
  const removeKey = (as = owner) => call(`DELETE ${at(boss)}/passkeys/${key.id}`, { as });
  const removeTotp = (as = owner) => call(`DELETE ${at(boss)}/totp`, { as });
  const account = () => container.accounts.find(orgId, boss.id);
  t.match(await removeKey(), lastOwner);
  t.match(await account(), { passkeys: { count: 1 } }, 'nothing was written');
  const [list] = await container.webauthnCredentials.findMany(orgId, [boss.id]);
  t.ok(list?.items[key.id]);
  t.match(await put(demand('2')), { status: 200 });
  t.match(await removeKey(), { status: 204 }, 'the codes of the app are left');
  t.match(await removeTotp(), lastOwner);
  t.ok((await account())?.totp);

  const other = await addOwner();
  t.match(await removeTotp(), lastOwner, 'another owner with a password alone');
  await giveTotp(container, other);
  t.match(await removeTotp(), { status: 204 }, 'another owner who meets the policy');
  const rest = `DELETE ${at(other)}/totp`;
  t.match(await call(rest, { as: owner }), lastOwner);
  t.match(await call(rest, { as: instanceOwner }), { status: 204 }, 'owners of the instance reach everybody');
});

t.test('a link of an administrator lets a lost factor go, and its owner comes in', async (t) => {
  const { orgId, owner, boss, put, at } = await owned();
  await giveTotp(container, boss);
  await put(demand('2'));
  t.match(await call(`DELETE ${at(boss)}/totp`, { as: owner }), lastOwner);
  const { body } = await call(`POST ${at(boss)}/one-time-links`, { as: owner, body: {} });
  t.match(await call(`DELETE ${at(boss)}/totp`, { as: owner }), { status: 204 });
  const visitor = visit(app, container, { address: '198.51.100.1' });
  const page = await visitor.get(new URL(body.url).pathname + new URL(body.url).search);
  const sent = await visitor.fill(page, { password: 'Another-Horse-8', repeated: 'Another-Horse-8' });
  t.match(sent.location, /^\/login\/enrol/);
  t.equal((await container.accounts.find(orgId, boss.id))?.totp, undefined);
});

t.test('a link that its owner asked for is no way to a second factor or a passkey', async (t) => {
  const { orgId, boss, put } = await owned();
  const own = { userId: boss.id, service: 'login' };
  const link = (editor = testEditor) => makeOneTimeLink(container, { orgId, userId: boss.id, editor });
  await link(own);
  for (const body of [demand('2'), demand('phr'), { firstFactors: ['passkey'] } satisfies SignInPolicy])
    t.match(await put(body), { status: 409 }, JSON.stringify(body));
  await link();
  t.match(await put(demand('2', '2090-01-01')), lastOwner, 'it has ended by that day');
  t.match(await put(demand('2')), { status: 200 }, 'that of an administrator leads to the factor');
});

t.test('a link that its owner asked for gives the password that is enough', async (t) => {
  const { orgId, owner, organization, boss } = await owned();
  const [membership] = (await container.memberships.ofUser(boss.id)) as { id: string }[];
  const leave = () => call(`DELETE /admin/v1/orgs/${orgId}/memberships/${membership?.id}`, { as: owner });
  const other = await makePerson(container, organization, { password: null });
  await addMembership(container, { userId: other.id, role: 'ORG_OWNER', orgId, editor: testEditor });
  t.match(await leave(), lastOwner);
  await makeOneTimeLink(container, {
    ...{ orgId, userId: other.id, editor: { userId: other.id, service: 'login' } },
  });
  t.match(await leave(), { status: 204 });
});

t.test('what a later day demands stays before that day', async (t) => {
  const { orgId, owner, boss, addOwner, put, at } = await owned();
  const secret = await giveTotp(container, boss);
  const other = await addOwner();
  t.match(await put(demand('2', '2090-01-01')), { status: 200 });
  t.match(await call(`DELETE ${at(boss)}/totp`, { as: owner }), lastOwner);
  const [membership] = (await container.memberships.ofUser(boss.id)) as { id: string }[];
  t.match(
    await call(`DELETE /admin/v1/orgs/${orgId}/memberships/${membership?.id}`, { as: owner }),
    lastOwner,
    'the other owner could not sign in from that day on',
  );
  const nextCode = () => {
    clock.advance(30);
    return totpCode(secret, totpStep(clock.now()));
  };
  const visitor = visit(app, container, { address: '198.51.100.2' });
  const typed = { loginName: boss.userName, password: goodPassword };
  await visitor.fill(await visitor.get('/login'), typed, '/login');
  await visitor.fill(await visitor.get('/login/code'), { code: nextCode() }, '/login/code');
  const removal = await visitor.get('/account/totp/remove');
  const proofs = { password: goodPassword, code: nextCode() };
  const refused = await visitor.fill(removal, proofs, '/account/totp/remove');
  t.match(refused, { status: 400, text: /You need this factor to sign in/ });
  await giveTotp(container, other);
  t.match(await call(`DELETE ${at(boss)}/totp`, { as: owner }), { status: 204 });
});

t.test('a passkey of another RP ID is no way in', async (t) => {
  const { orgId, owner, boss, put } = await owned();
  const key = await enrolPasskey(container, boss);
  const [list] = await container.webauthnCredentials.findMany(orgId, [boss.id]);
  const item = list?.items[key.id];
  if (list === undefined || item === undefined) throw new Error('no passkey');
  const setKey = async (more: { rpId?: string }) => {
    const [current = list] = await container.webauthnCredentials.findMany(orgId, [boss.id]);
    const used = { ...item, beganSignIn: true as const, ...more };
    await container.webauthnCredentials.replaceUsed(orgId, { list: current, key: key.id, item: used });
  };
  await setKey({ rpId: 'former.example' });
  const breaksGlass: SignInPolicy = { breakGlassOwners: [boss.id] };
  t.match(await put(demand('phr')), lastOwner);
  t.match(await put({ firstFactors: ['passkey'] }), lastOwner);
  t.match(await put(breaksGlass), { status: 400 });
  const trial = `POST /admin/v1/orgs/${orgId}/sign-in-policy/trial`;
  t.match(await call(trial, { as: owner, body: breaksGlass }), { status: 400 });
  await setKey({});
  for (const body of [breaksGlass, demand('phr'), { firstFactors: ['passkey'] } satisfies SignInPolicy])
    t.match(await put(body), { status: 200 }, JSON.stringify(body));
});

t.test('the address by which the last owner signs in stays', async (t) => {
  const { orgId, owner, boss, put } = await owned();
  t.match(await put({ firstFactors: ['mailLink'] }), { status: 200 });
  const path = `/scim/v2/${orgId}/Users/${boss.id}`;
  const without = patchOp({ op: 'remove', path: 'emails' });
  const refused = { status: 409, headers: { 'x-error-id': 'directory.lastAbleOwner' } };
  t.match(await call(`PATCH ${path}`, { as: owner, body: without }), refused);
  const { body: read } = await call(`GET ${path}`, { as: owner });
  t.match(await call(`PUT ${path}`, { as: owner, body: { ...read, emails: [] } }), refused);
  const bulk = await call(`POST /scim/v2/${orgId}/Bulk`, {
    as: owner,
    body: {
      schemas: [urn.bulkRequest],
      Operations: [{ method: 'PATCH', path: `/Users/${boss.id}`, data: without }],
    },
  });
  t.match(bulk.body.Operations, [{ status: '409' }]);
  const another = patchOp({
    ...{ op: 'replace', path: 'emails' },
    value: [{ value: 'boss@people.example', primary: true }],
  });
  t.match(await call(`PATCH ${path}`, { as: owner, body: another }), { status: 204 }, 'another one will do');
  t.match(await put({}), { status: 200 });
  t.match(await call(`PATCH ${path}`, { as: owner, body: without }), { status: 204 }, 'no mail signs in');
});
