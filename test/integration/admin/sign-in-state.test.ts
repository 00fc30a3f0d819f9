import t from 'tap';
import { requirePasswordChange } from '#src/authentication/require-password-change.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { makeCaller, makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { giveTotp, goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { visit } from '../../support/oidc/visitor.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';

const { container, app, call, clock } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  loginMaxFailures: 3,
});
const home = await makeHome(container, { domains: ['acme.example'] });
const viewer = await makeCaller(container, home.id, ['ORG_USER_VIEWER']);
const other = await makeTenant(container);

const pathOf = (id: string, orgId = home.id) => `/admin/v1/orgs/${orgId}/users/${id}/sign-in-state`;
const stateOf = async (id: string) => (await call(`GET ${pathOf(id)}`, { as: viewer })).body;

let lastAddress = 0;
async function signIn(loginName: string, password = goodPassword) {
  const visitor = visit(app, container, { address: `198.51.100.${++lastAddress}` });
  return { visitor, seen: await visitor.fill(await visitor.get('/login'), { loginName, password }) };
}

t.test('a user who can sign in', async (t) => {
  const user = await makePerson(container, home);
  const { status, body } = await call(`GET ${pathOf(user.id)}`, { as: viewer });
  t.equal(status, 200);
  t.same(body, {
    userId: user.id,
    orgId: home.id,
    userName: user.userName,
    displayName: 'Anna Lind',
    active: true,
    password: { changed: user.created.toISOString(), changeRequired: false },
    connections: [],
    locks: [],
    obstacles: [],
    steps: [],
    unmetRules: [],
    loginNames: [`${user.userName}@acme.example`, `${user.userName}@${home.id}`],
    refused: [],
  });
  for (const name of body.loginNames) t.equal((await signIn(name)).seen.status, 303, name);
  t.equal(typeof (await stateOf(user.id)).lastAccepted, 'string');
});

t.test('a user without a password, and one who is not active', async (t) => {
  const without = await makePerson(container, home, { password: null });
  t.match(await stateOf(without.id), { obstacles: ['noPassword'] });
  t.notOk('password' in (await stateOf(without.id)));

  const user = await makePerson(container, home, { active: false });
  t.match(await stateOf(user.id), { active: false, obstacles: ['inactive'] });
});

t.test('what the sign-in asks for', async (t) => {
  const user = await makePerson(container, home);
  await giveTotp(container, user);
  await requirePasswordChange(container, { orgId: home.id, id: user.id, editor: testEditor });
  const state = await stateOf(user.id);
  t.match(state, { obstacles: [], steps: ['code', 'newPassword'], password: { changeRequired: true } });
  t.match(state.secondFactor, { enrolled: String });
});

t.test('which rule of the sign-in policy stands in the way', async (t) => {
  const strict = await makeHome(container);
  const owner = await makeCaller(container, strict.id, ['ORG_OWNER']);
  const [plain, able] = [await makePerson(container, strict), await makePerson(container, strict)];
  await giveTotp(container, able);
  const unproved = await makePerson(container, strict, {
    emails: [{ value: 'new@people.example', primary: true, verified: false }],
  });
  await requirePasswordChange(container, { orgId: strict.id, id: unproved.id, editor: testEditor });
  const now = async (id: string) => {
    const { body } = await call(`GET ${pathOf(id, strict.id)}`, { as: owner });
    return { obstacles: body.obstacles, steps: body.steps };
  };
  const policy = (signInPolicy: object) =>
    container.mongo
      .collection<{ _id: string }>('organizations')
      .updateOne({ _id: strict.id }, { $set: { signInPolicy, 'login.verifyEmail': true } })
      .then(() =>
        changeOrganization(container, {
          orgId: strict.id,
          change: { name: uniqueName('Strict') },
          editor: testEditor,
        }),
      );

  await policy({ demands: [{ of: 'everybody', acr: '2', from: '2020-01-01' }] });
  t.same(await now(plain.id), { obstacles: ['factorMissing'], steps: [] });
  const unmet = async (id: string) =>
    (await call(`GET ${pathOf(id, strict.id)}`, { as: owner })).body.unmetRules;
  const demand = { rule: 'demand', of: 'everybody', acr: '2' };
  t.same(await unmet(plain.id), [{ ...demand, from: '2020-01-01', holds: true }]);
  t.same(await unmet(able.id), []);
  t.same(await now(able.id), { obstacles: [], steps: ['code'] });
  t.match((await now(unproved.id)).obstacles, ['factorMissing'], 'the factor comes before the address');
  const { seen } = await signIn(`${plain.userName}@${strict.id}`);
  t.match(seen, { status: 403, text: /another factor/ }, 'the sign-in says the same');

  await policy({ demands: [{ of: 'everybody', acr: '2', from: '2999-01-01' }] });
  t.same(await now(plain.id), { obstacles: [], steps: ['enrol'] }, 'the day has not come');
  t.same(await unmet(plain.id), [{ ...demand, from: '2999-01-01', holds: false }], 'it will come');
  t.same(await now(unproved.id), { obstacles: [], steps: ['enrol', 'verifyEmail', 'newPassword'] });

  await policy({ firstFactors: ['passkey'] });
  t.same(await now(plain.id), { obstacles: ['passwordsOff'], steps: [] });
  t.same(await unmet(plain.id), [{ rule: 'firstFactors', factors: ['passkey'] }]);
});

t.test('wrong passwords lock the account and the name that was typed, until a time', async (t) => {
  const user = await makePerson(container, home);
  const short = user.userName;
  for (let i = 0; i < 3; i++) t.equal((await signIn(short, 'Wrong-Horse-9')).seen.status, 400);
  const began = clock.now().getTime();
  const state = await stateOf(user.id);
  t.match(state, {
    obstacles: ['passwordLocked', 'loginNameLocked'],
    locks: [
      { of: 'password', failures: 3 },
      { of: 'loginName', loginName: short, failures: 3 },
    ],
    refused: [{ reason: 'lock' }, { reason: 'password' }, { reason: 'password' }, { reason: 'password' }],
  });
  const leftMs = Date.parse(state.locks[0].until) - began;
  t.ok(leftMs > 590_000 && leftMs <= 601_000, `the lock ends in ${leftMs} ms`);
  t.same((await stateOf(user.id)).locks[0].failures, 3, 'asking is no attempt');

  const unlock = `POST /admin/v1/orgs/${home.id}/users/${user.id}/unlock`;
  const manager = await makeCaller(container, home.id, ['ORG_USER_MANAGER']);
  t.equal((await call(unlock, { as: manager, body: {} })).status, 204);
  t.match(await stateOf(user.id), { obstacles: [], locks: [] });
});

t.test('wrong codes lock the second factor', async (t) => {
  const user = await makePerson(container, home);
  await giveTotp(container, user);
  for (let i = 0; i < 3; i++) {
    const { visitor, seen } = await signIn(user.userName);
    t.equal(seen.location, '/login/code');
    await visitor.fill(await visitor.get('/login/code'), { code: '000000' });
  }
  const state = await stateOf(user.id);
  t.match(state, { obstacles: ['codeLocked'], locks: [{ of: 'code', failures: 3 }] });
  t.match(state.refused, [{ reason: 'lock' }, { reason: 'code' }]);
  clock.advance(700);
  t.match(await stateOf(user.id), { obstacles: [], locks: [] }, 'the lock has ended');
});

t.test('wrong second passkeys lock no second factor', async (t) => {
  const demand = { of: 'everybody', acr: '2', from: '2020-01-01' } as const;
  const strict = await makeHome(container, { signInPolicy: { demands: [demand] } });
  const reader = await makeCaller(container, strict.id, ['ORG_USER_VIEWER']);
  const user = await makePerson(container, strict);
  await enrolPasskey(container, user);
  for (let i = 0; i < 3; i++) {
    const { visitor } = await signIn(`${user.userName}@${strict.id}`);
    const page = await visitor.get('/login/second-passkey');
    await visitor.fill(page, { response: 'x' }, '/login/second-passkey');
  }
  const { body } = await call(`GET ${pathOf(user.id, strict.id)}`, { as: reader });
  t.match(body, { obstacles: [], locks: [] });
});

t.test('where a refused sign-in came from is told to those who may read the log', async (t) => {
  const user = await makePerson(container, home);
  await signIn(user.userName, 'Wrong-Horse-9');
  const [told] = (await stateOf(user.id)).refused;
  t.match(told, { reason: 'password', why: 'passwordWrong' });
  t.notOk('address' in told || 'userAgent' in told);
  const owner = await makeCaller(container, home.id, ['ORG_OWNER']);
  const { body } = await call(`GET ${pathOf(user.id)}`, { as: owner });
  t.match(body.refused, [{ why: 'passwordWrong', address: `198.51.100.${lastAddress}` }]);
});

t.test('refusals of long ago are not told', async (t) => {
  const user = await makePerson(container, home);
  await signIn(user.userName, 'Wrong-Horse-9');
  t.match((await stateOf(user.id)).refused, [{ reason: 'password' }]);
  clock.advance(31 * 24 * 3600);
  t.same((await stateOf(user.id)).refused, []);
});

t.test('only the organization of the user tells it', async (t) => {
  const user = await makePerson(container, home);
  t.match(await call(`GET ${pathOf(user.id)}`, { as: other.owner }), {
    status: 404,
    body: { id: 'directory.organizationNotFound' },
  });
  t.match(await call(`GET ${pathOf(user.id, other.orgId)}`, { as: other.owner }), {
    status: 404,
    body: { id: 'directory.userNotFound' },
  });
  t.match(await call(`GET ${pathOf('nobody')}`, { as: viewer }), {
    status: 404,
    body: { id: 'directory.userNotFound' },
  });
});
