import t from 'tap';
import { putPasswordPepper } from '#src/authentication/password-pepper/index.js';
import { makeCaller, makeOrganization, makeTenant, testEditor } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { hashExamples } from '../../support/keys/hash-examples.js';
import { humanUser, importOf } from '../../support/migration/imports.js';
import { visit } from '../../support/oidc/visitor.js';

/** The pepper of an organization: a secret that its former system hashed together with each password. */

const { container, app, call } = await buildTestApp(t, { workers: true, loginFailureMilliseconds: 0 });
const root = await makeOrganization(container);
const as = await makeCaller(container, root.id, ['IAM_OWNER']);
const examples = hashExamples.filter(({ pepper }) => pepper !== undefined);

async function signIn(loginName: string, password: string) {
  const visitor = visit(app, container);
  return (await visitor.fill(await visitor.get('/login'), { loginName, password })).status;
}
const storedHash = async (orgId: string, id: string) =>
  (await container.accounts.find(orgId, id))?.password?.hash;
const pathOf = (orgId: string) => `/admin/v1/orgs/${orgId}/password-pepper`;

t.test('people sign in once their organization has the pepper, and with no other', async (t) => {
  t.ok(examples.length > 4);
  for (const [place, { hash, password, pepper, source }] of examples.entries()) {
    const { orgId, owner } = await makeTenant(container);
    const name = `peppered-${place}`;
    const file = importOf(orgId, [humanUser(name, { hashedPassword: { value: hash } })]);
    t.match((await call('POST /admin/v1/import', { as, body: file })).body.summary, { created: 1 }, source);
    const before = await storedHash(orgId, `id-${name}`);
    // Without a secret, a hash with a keyid would be of none.
    t.equal(await signIn(name, password), 400, `${source}: without a pepper`);
    const put = (text: string) => call(`PUT ${pathOf(orgId)}`, { as: owner, body: { pepper: text } });
    t.equal((await put(`${pepper}x`)).status, 200);
    t.equal(await signIn(name, password), 400, `${source}: with a wrong pepper`);
    t.equal(await storedHash(orgId, `id-${name}`), before, 'a wrong one changes nothing');
    t.equal((await put(pepper ?? '')).status, 200);
    t.equal(await signIn(name, `${password}x`), 400, source);
    const samples = [{ loginName: name, password }];
    const sampled = await call('POST /admin/v1/password-samples', { as, body: { orgId, samples } });
    t.same(sampled.body, { outcomes: ['confirmed'] }, 'muster verify --passwords confirms it');
    t.equal(await signIn(name, password), 303, source);
    t.match(await storedHash(orgId, `id-${name}`), /^\$argon2id\$v=19\$m=8,t=1,p=1\$/, 'replaced');
    t.equal((await call(`DELETE ${pathOf(orgId)}`, { as: owner })).status, 204);
    t.equal(await signIn(name, password), 303, 'the new hash needs none');
  }
});

t.test('one organization has no use of the pepper of another', async (t) => {
  const [{ hash = '', password = '', pepper = '' } = {}] = examples;
  const [one, other] = [await makeTenant(container), await makeTenant(container)];
  await putPasswordPepper(container, { orgId: other.orgId, pepper, editor: testEditor });
  const file = importOf(one.orgId, [humanUser('of-one', { hashedPassword: { value: hash } })]);
  await call('POST /admin/v1/import', { as, body: file });
  t.equal(await signIn('of-one', password), 400);
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { body: { pepper: 'mine' } } : {};
    t.equal((await call(`${method} ${pathOf(other.orgId)}`, { as: one.owner, ...body })).status, 404, method);
  }
});

t.test('nothing contains the pepper but its seal', async (t) => {
  const { orgId, owner, viewer } = await makeTenant(container);
  const pepper = 'Peppercorn-of-the-test-0815';
  t.equal((await call(`GET ${pathOf(orgId)}`, { as: owner })).body.id, 'directory.passwordPepperNotFound');
  t.equal((await call(`DELETE ${pathOf(orgId)}`, { as: owner })).status, 404);
  t.equal((await call(`PUT ${pathOf(orgId)}`, { as: viewer, body: { pepper } })).status, 403);
  const put = await call(`PUT ${pathOf(orgId)}`, { as: owner, body: { pepper } });
  t.same(Object.keys(put.body), ['created']);
  const body = { response_output: true, org_ids: [orgId], with_passwords: true, with_otp: true };
  const exported = await call('POST /admin/v1/export', { as, body });
  t.match(exported.headers['muster-not-exported'], /password-peppers=1/);
  const events = await call('POST /admin/v1/events/_search', { as, body: { aggregateId: orgId } });
  t.match(events.body.events[0], { type: 'org.changed', payload: { attributes: ['passwordPepper'] } });
  const stored = await container.mongo.db
    .collection<{ _id: string }>('organizations')
    .findOne({ _id: orgId });
  const seen = [
    put.body,
    (await call(`GET ${pathOf(orgId)}`, { as: owner })).body,
    (await call(`GET /admin/v1/orgs/${orgId}`, { as: owner })).body,
    exported.body,
    events.body,
    stored,
  ];
  for (const one of seen) {
    const text = JSON.stringify(one);
    t.notMatch(text, pepper);
    t.notMatch(text, Buffer.from(pepper).toString('base64').slice(0, 30));
  }
});

t.test('a pepper is bounded, and every character of it counts', async (t) => {
  const { orgId, owner } = await makeTenant(container);
  const put = (pepper: unknown) => call(`PUT ${pathOf(orgId)}`, { as: owner, body: { pepper } });
  for (const wrong of ['', 'x'.repeat(1_001), 7, null, ['x'], '\ud800']) {
    t.equal((await put(wrong)).status, 400, JSON.stringify(wrong).slice(0, 20));
  }
  for (const right of [' ', 'x'.repeat(1_000), 'é\n{PEPPER}$']) t.equal((await put(right)).status, 200);
  t.equal(await container.findPepper(orgId), 'é\n{PEPPER}$');
});
