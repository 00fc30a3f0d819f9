import t from 'tap';
import { makeOneTimeLink } from '#src/authentication/make-one-time-link.js';
import { findHookedOrganization } from '#src/authentication/migration-hook/index.js';
import { putMigrationHook } from '#src/authentication/migration-hook/put-migration-hook.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import type { User } from '#src/directory/user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { makeTenant, testEditor, uniqueName } from '../../../support/app/make.js';
import { giveTotp, goodPassword, makePerson } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';
import { visit } from '../../../support/oidc/visitor.js';
import { newUser, patchOp, urn } from '../../../support/scim/scim-client.js';

const { container, app, call, clock } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  workers: true,
  smtpUrl: 'smtp://127.0.0.1:1',
  mailFrom: 'muster@muster.example',
});
const tenant = await makeTenant(container);
const { orgId, owner } = tenant;
const home = await changeOrganization(container, {
  ...{ orgId, change: { login: { selfRegistration: true } }, editor: testEditor },
});
const off: SignInPolicy = { firstFactors: ['passkey'] };

async function setPolicy(signInPolicy: SignInPolicy) {
  await changeOrganization(container, { orgId, change: { signInPolicy }, editor: testEditor });
}

let lastAddress = 0;
const newVisitor = () => visit(app, container, { address: `198.51.100.${++lastAddress}` });

async function signIn({ userName }: User, password = goodPassword) {
  const visitor = newVisitor();
  const answer = await visitor.fill(await visitor.get('/login'), { loginName: userName, password });
  return { visitor, answer };
}

const refused = {
  status: 400,
  body: { scimType: 'invalidValue' },
  headers: { 'x-error-id': 'directory.passwordsOff' },
};

t.test('no password signs in, and the answer is that of a wrong one', async (t) => {
  const person = await makePerson(container, home);
  const second = await makePerson(container, home);
  await giveTotp(container, second);
  t.match((await signIn(person)).answer.location, /^\/account\?session=/, 'it does without the policy');
  await setPolicy(off);
  for (const one of [person, second]) {
    const [right, wrong] = [await signIn(one), await signIn(one, 'Wrong-Horse-7')];
    t.equal(right.answer.status, wrong.answer.status);
    const shown = [right, wrong].map(({ answer }) => answer.text.replace(/value="[^"]*"/g, ''));
    t.equal(shown[0], shown[1]);
    t.match(shown[0], /not right|wrong/i);
  }
  const [event] = await container.events.search({ aggregateId: person.id, limit: 1, ascending: false });
  t.match(event, { type: 'user.human.password.check.failed', payload: { reason: 'passwordsOff' } });
  await setPolicy({});
  t.match((await signIn(person)).answer.location, /^\/account\?session=/, 'nothing was lost');
});

t.test('passwords end on the day, in the middle of a sign-in too', async (t) => {
  const person = await makePerson(container, home);
  await giveTotp(container, person);
  const tomorrow = new Date(clock.now().getTime() + 24 * 3_600_000).toISOString().slice(0, 10);
  await setPolicy({ ...off, firstFactorsFrom: tomorrow });
  const { visitor, answer } = await signIn(person);
  t.match(answer.location, /^\/login\/code/);
  await setPolicy(off);
  const { location } = await visitor.get('/login/code');
  t.equal(location, '/login', 'the password that was proved does not count any more');
  await setPolicy({});
});

t.test('nobody gets a password by SCIM, Bulk or import', async (t) => {
  const person = await makePerson(container, home);
  const stored = async () => (await container.accounts.find(orgId, person.id))?.password?.hash;
  const before = await stored();
  await setPolicy(off);
  const scim = `/scim/v2/${orgId}`;
  const as = owner;
  const body = newUser({ userName: uniqueName('new'), password: 'Another-Horse-7' });
  t.match(await call(`POST ${scim}/Users`, { as, body }), refused);
  const { password: _password, ...without } = body;
  t.match(await call(`POST ${scim}/Users`, { as, body: without }), { status: 201 });
  const patch = patchOp({ op: 'replace', path: 'password', value: 'Another-Horse-7' });
  t.match(await call(`PATCH ${scim}/Users/${person.id}`, { as, body: patch }), refused);
  const { body: read } = await call(`GET ${scim}/Users/${person.id}`, { as });
  t.match(
    await call(`PUT ${scim}/Users/${person.id}`, { as, body: { ...read, password: 'Another-Horse-7' } }),
    refused,
  );
  const bulk = await call(`POST ${scim}/Bulk`, {
    as,
    body: {
      schemas: [urn.bulkRequest],
      Operations: [{ method: 'PATCH', path: `/Users/${person.id}`, data: patch }],
    },
  });
  t.match(bulk.body.Operations, [{ status: '400' }]);
  const people = [
    { userId: uniqueName('i'), user: { userName: uniqueName('i'), password: 'Another-Horse-7' } },
    {
      userId: uniqueName('i'),
      user: {
        userName: uniqueName('i'),
        hashedPassword: { value: '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy' },
      },
    },
  ];
  const send = (more = {}) =>
    call(`POST /admin/v1/orgs/${orgId}/import`, {
      as,
      body: { timeout: '1m', ...more, dataOrgs: { orgs: [{ orgId, humanUsers: people }] } },
    });
  const failed = await send();
  t.same(
    failed.body.errors.map(({ message }: { message: string }) => message.split(':')[0]),
    ['PASSWORDS-OFF', 'PASSWORDS-OFF'],
  );
  const dropped = await send({ unreadableHashes: 'drop' });
  t.same(dropped.body.errors ?? [], [], JSON.stringify(dropped.body));
  for (const id of dropped.body.success.orgs[0].humanUserIds) {
    const account = await container.accounts.find(orgId, id);
    t.ok(account?.user.active);
    t.equal(account?.password, undefined);
  }
  t.equal(await stored(), before);
  await setPolicy({});
});

t.test('no page gives a password', async (t) => {
  const person = await makePerson(container, home, { password: null });
  const link = await makeOneTimeLink(container, { orgId, userId: person.id, editor: testEditor });
  const visitor = newVisitor();
  const page = await visitor.get(`/login/password?token=${link.secret}`);
  t.equal(page.status, 200);
  await setPolicy(off);
  const sent = await visitor.fill(page, { password: 'Another-Horse-7', repeated: 'Another-Horse-7' });
  t.match(await visitor.follow(sent), { status: 200, text: /Your organization has no passwords/ });
  t.equal((await container.accounts.find(orgId, person.id))?.password, undefined);
  t.notMatch((await visitor.get(`/login/password?token=${link.secret}`)).text, /name="password"/);
  await setPolicy({});
  t.equal(
    (await visitor.get(`/login/password?token=${link.secret}`)).status,
    200,
    'the link was not used up',
  );
});

t.test('a migration hook gets no password', async (t) => {
  await putMigrationHook(container, { orgId, url: 'https://former.example/hook', editor: testEditor });
  const name = { text: 'ada', orgId };
  const deps = { ...container, organizations: container.organizations, clock };
  t.ok(await findHookedOrganization(deps, name));
  await setPolicy(off);
  t.equal(await findHookedOrganization(deps, name), undefined);
  await setPolicy({});
});
