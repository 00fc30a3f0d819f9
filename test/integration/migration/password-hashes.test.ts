import t from 'tap';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { goodPassword } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { hashExamples } from '../../support/keys/hash-examples.js';
import { bcryptHash, humanUser, importOf } from '../../support/migration/imports.js';
import { visit } from '../../support/oidc/visitor.js';

/** People come with the hashes of their old system, and sign in with their old password. */

const { container, app, call } = await buildTestApp(t, { workers: true, loginFailureMilliseconds: 0 });
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);
/** The unit test verifies the costly ones too. */
const cheap = hashExamples.filter(({ hash }) => {
  const reading = readPasswordHash(hash);
  return typeof reading === 'object' && reading.milliseconds < 50;
});
const people = cheap.map(({ password, hash }, place) => ({
  password,
  record: humanUser(`hash-${place}`, { hashedPassword: { value: hash } }),
}));
const records = people.map(({ record }) => record);
const send = async (body: unknown) => (await call('POST /admin/v1/import', { as, body })).body;

async function signIn(loginName: string, password: string) {
  const visitor = visit(app, container);
  return (await visitor.fill(await visitor.get('/login'), { loginName, password })).status;
}

async function storedHash(id = '') {
  return (await container.accounts.find(home.id, id))?.password?.hash;
}

t.test('each form is imported, and opens the account to its password alone', async (t) => {
  const { summary, errors } = await send(importOf(home.id, records));
  t.same(errors, undefined);
  t.same(summary, { created: people.length, skipped: 0, failed: 0, total: people.length });
  for (const { password, record } of people) {
    const name = record.user.userName;
    t.equal(await signIn(name, `${password}x`), 400, name);
    t.equal(await signIn(name, password), 303, name);
    t.match(await storedHash(String(record.userId)), /^\$argon2id\$v=19\$m=8,t=1,p=1\$/, 'replaced');
  }
});

t.test('the same file is skipped, also after everybody has signed in', async (t) => {
  const { summary } = await send(importOf(home.id, records));
  t.same(summary, { created: 0, skipped: people.length, failed: 0, total: people.length });
});

t.test('a hash that changed at the source is other content until the person signs in', async (t) => {
  const [first, second] = ['$pbkdf2-sha256$i=1000,l=32$', '$pbkdf2-sha256$i=1000,l=32$'].map(
    (start, place) => `${start}c2FsdHNhbHQ${place}$MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI`,
  );
  const importHash = (value = '') =>
    send(importOf(home.id, [humanUser('changing', { hashedPassword: { value } })]));
  t.match(await importHash(first), { summary: { created: 1 } });
  t.match(await importHash(first), { summary: { skipped: 1 } });
  t.match((await importHash(second)).errors, [{ message: /^OTHER-CONTENT: .* differs in hashedPassword$/ }]);
});

t.test('the form of another instance takes them too', async (t) => {
  const { id } = await makeOrganization(container);
  const users = people.map(({ record: { user } }, place) => ({ userId: `v1-${place}`, user }));
  const { summary } = await send({ timeout: '5m', dataOrgsv1: { orgs: [{ orgId: id, humanUsers: users }] } });
  t.match(summary, { failed: 0 });
  t.equal(summary.created >= users.length, true);
});

t.test("SCIM's password is never a hash", async (t) => {
  const { id } = await makeOrganization(container);
  const manager = await makeCaller(container, id, ['ORG_OWNER']);
  const { hash, password } = { hash: bcryptHash, password: goodPassword };
  const body = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'scim', password: hash };
  t.equal((await call(`POST /scim/v2/${id}/Users`, { as: manager, body })).status, 201);
  t.equal(await signIn('scim', password), 400);
  t.equal(await signIn('scim', hash), 303, 'it is a password like any other');
});

t.test('sample passwords are compared with the hashes, and nothing else happens', async (t) => {
  const people = cheap.slice(0, 2).map(({ password, hash }, place) => ({
    password,
    hash,
    record: humanUser(`sample-${place}`, { hashedPassword: { value: hash } }),
  }));
  const withoutPassword = humanUser('sample-none', { hashedPassword: undefined });
  t.match(await send(importOf(home.id, [...people.map(({ record }) => record), withoutPassword])), {
    summary: { failed: 0 },
  });
  const [first, second] = people;
  if (first === undefined || second === undefined) throw new Error('There are two');
  const name = first.record.user.userName;
  const samples = [
    { loginName: name, password: first.password },
    { loginName: 'sample-1@example.com', password: `${second.password}x` },
    { loginName: 'sample-none', password: 'any' },
    { loginName: 'sample-nobody', password: 'any' },
  ];
  const ask = (given: readonly object[], more: object = {}) =>
    call('POST /admin/v1/password-samples', { as, body: { samples: given, ...more } });
  const told = await ask(samples);
  t.same(told.body, { outcomes: ['confirmed', 'refused', 'noPassword', 'unknown'] });
  t.equal(told.headers['cache-control'], 'no-store');
  t.equal(await storedHash(String(first.record.userId)), first.hash, 'the hash is as it came');
  const elsewhere = await makeOrganization(container);
  t.same((await ask(samples.slice(0, 1), { orgId: elsewhere.id })).body, { outcomes: ['unknown'] });

  const wrong = { loginName: name, password: 'wrong-secret-word' };
  const many = await ask(Array.from({ length: 6 }, () => wrong));
  t.same(many.body.outcomes.filter((one: string) => one === 'refused').length, 4, 'five of one person');
  t.same(many.body.outcomes.filter((one: string) => one === 'limited').length, 2);
  t.same((await ask(samples.slice(0, 1))).body.outcomes, ['limited'], 'the right one says nothing more');
  t.equal(await signIn(name, first.password), 303, 'and the person is not locked');

  const { body } = await call('POST /admin/v1/events/_search', {
    as,
    body: { eventTypes: ['passwords.sampled'], asc: true },
  });
  t.match(body.events[0].payload, { confirmed: 1, refused: 1, noPassword: 1, unknown: 1 });
  t.notMatch(JSON.stringify(body.events), /wrong-secret-word|sample-0/);
  const failed = await call('POST /admin/v1/events/_search', {
    as,
    body: { eventTypes: ['user.human.password.check.failed'], aggregateId: String(first.record.userId) },
  });
  t.same(failed.body.events, [], 'no sign-in failed');

  t.equal((await ask(Array.from({ length: 101 }, () => wrong))).status, 400);
  t.equal((await ask([])).status, 400);
  const owner = await makeCaller(container, home.id, ['ORG_OWNER']);
  const refused = await call('POST /admin/v1/password-samples', { as: owner, body: { samples } });
  t.equal(refused.status, 403, 'an owner of the organization may not import, and so may not ask');
  t.equal((await call('POST /admin/v1/verify', { as: owner, body: importOf(home.id, []) })).status, 403);
});

t.test('the samples of one caller are bounded', async (t) => {
  const caller = await makeCaller(container, home.id, ['IAM_OWNER']);
  const samples = Array.from({ length: 100 }, () => ({ loginName: 'nobody-at-all', password: 'x' }));
  const ask = () => call('POST /admin/v1/password-samples', { as: caller, body: { samples } });
  for (let request = 0; request < 10; request++) t.equal((await ask()).status, 200);
  const more = await ask();
  t.equal(more.status, 429);
  t.equal(
    more.headers['x-error-id'] ?? more.body.id,
    'directory.samplesExhausted',
    JSON.stringify(more.body),
  );
  t.match(more.headers['retry-after'], /^\d+$/);
});
