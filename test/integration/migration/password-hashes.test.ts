import bcrypt from 'bcryptjs';
import t from 'tap';
import { toBase32, totpCode, totpStep } from '#src/accounts/totp.js';
import { requirePasswordChange } from '#src/authentication/require-password-change.js';
import { samplePasswords } from '#src/authentication/sample-passwords.js';
import { changeTotp } from '#src/authentication/second-factor/change-totp.js';
import { setPassword } from '#src/authentication/set-password.js';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { changeUser } from '#src/people/users/change-user.js';
import { asInput } from '#src/people/users/display-name.js';
import { testEditor as editor, makeCaller, makeOrganization } from '../../support/app/make.js';
import { giveTotp, goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { hashExamples } from '../../support/keys/hash-examples.js';
import { examplesOfSystems } from '../../support/keys/hash-examples-of-systems.js';
import { bcryptHash, humanUser, importOf } from '../../support/migration/imports.js';
import { visit } from '../../support/oidc/visitor.js';

/** People come with the hashes of their old system, and sign in with their old password. */

const { container, app, call } = await buildTestApp(t, { workers: true, loginFailureMilliseconds: 0 });
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);
/**
 * The unit test verifies the costly ones too, and test/integration/migration/password-pepper.test.ts those with a pepper. Some systems write
 * no cheap hashes.
 */
const cheap = hashExamples.filter(({ hash, pepper }) => {
  const reading = readPasswordHash(hash);
  const most = examplesOfSystems.some((one) => one.hash === hash) ? 320 : 50;
  return pepper === undefined && typeof reading === 'object' && reading.milliseconds < most;
});
const people = cheap.map(({ password, hash }, place) => ({
  password,
  record: humanUser(`hash-${place}`, { hashedPassword: { value: hash } }),
}));
const records = people.map(({ record }) => record);
const send = async (body: unknown) => (await call('POST /admin/v1/import', { as, body })).body;

let visitors = 0;

/** Each sign-in comes from another address, because an address may fail few times. */
async function signIn(loginName: string, password: string) {
  visitors++;
  const visitor = visit(app, container, { address: `198.51.${100 + (visitors >> 8)}.${visitors & 255}` });
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

t.test('nobody signs in with an empty password, whatever the file says', async (t) => {
  // Old tables have the digest of an empty text for accounts that have no password.
  const empty = ['d41d8cd98f00b204e9800998ecf8427e', 'aaQSqAReePlq6', '{SHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk='];
  const users = empty.map((value, place) => humanUser(`empty-${place}`, { hashedPassword: { value } }));
  t.match((await send(importOf(home.id, users))).summary, { created: empty.length });
  for (const { user } of users) t.equal(await signIn(user.userName, ''), 400, user.userName);
  const samples = users.map(({ user }) => ({ loginName: user.userName, password: '' }));
  const sampled = await call('POST /admin/v1/password-samples', { as, body: { samples } });
  t.notMatch(JSON.stringify(sampled.body), 'confirmed');
});

t.test('a password in plain text where a hash belongs is one like any other', async (t) => {
  const named = (name: string, value: string, more: object = {}) =>
    humanUser(name, { hashedPassword: { value }, ...more });
  const { summary, errors } = await send(
    importOf(home.id, [
      named('noop', '{noop}Noop-Horse-7!'),
      named('cleartext', '{CLEARTEXT}Noop-Horse-7!'),
      named('weak', '{noop}weak'),
      named('both', '{noop}Noop-Horse-7!', { password: 'Noop-Horse-7!' }),
      named('none', '{noop}'),
    ]),
  );
  t.match(summary, { created: 2, failed: 3 });
  t.match(
    errors.map(({ message }: { message: string }) => message),
    [/^PASSWORD-WEAK/, /^PASSWORD-TWICE/, /^HASH-UNREADABLE/],
  );
  t.notMatch(JSON.stringify(errors), 'Noop-Horse');
  for (const name of ['noop', 'cleartext']) {
    t.match(await storedHash(`id-${name}`), /^\$argon2id\$/, 'hashed before anybody signs in');
    t.equal(await signIn(name, '{noop}Noop-Horse-7!'), 400);
    t.equal(await signIn(name, 'Noop-Horse-7!'), 303);
  }
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

const [oldPassword, newPassword, ownPassword] = ['Old-Horse-7!', 'New-Horse-8!', 'Own-Horse-9!'];
const [oldHash, newHash] = [oldPassword, newPassword].map((password) => bcrypt.hashSync(password, 4));

/** A record with this hash. */
const withHash = (name: string, value = '', more: object = {}) =>
  humanUser(name, { hashedPassword: { value }, ...more });
const sendUpdate = (record: object) => send(importOf(home.id, [record], { update: true }));
const typesOf = async (aggregateId: string) =>
  (await container.events.search({ aggregateId, limit: 100, ascending: true })).map(({ type }) => type);
const accountOf = async (name: string) => {
  const account = await container.accounts.find(home.id, `id-${name}`);
  if (account === undefined) throw new Error(`There is no ${name}`);
  return account;
};

t.test('an update takes a hash that changed at the source, also after a sign-in', async (t) => {
  await send(importOf(home.id, [withHash('moved', oldHash)]));
  const visitor = visit(app, container);
  await visitor.fill(await visitor.get('/login'), { loginName: 'moved', password: oldPassword });
  t.equal((await visitor.get('/account')).status, 200);
  const rehashed = await storedHash('id-moved');
  t.match(rehashed, /^\$argon2id\$/);
  t.match(await sendUpdate(withHash('moved', oldHash)), { summary: { updated: 0, skipped: 1 } });
  t.equal(await storedHash('id-moved'), rehashed, 'the source still has the hash that was imported');
  const plain = await send(importOf(home.id, [withHash('moved', newHash)]));
  t.match(plain.errors, [{ message: /^OTHER-CONTENT: .* differs in hashedPassword$/ }]);

  t.match(await sendUpdate(withHash('moved', newHash)), { summary: { updated: 1 } });
  t.equal((await visitor.get('/account')).status, 303, 'the sign-ins with the old password have ended');
  t.equal(await signIn('moved', oldPassword), 400);
  t.equal(await signIn('moved', newPassword), 303);
  t.ok((await typesOf('id-moved')).includes('user.human.password.changed'));
  t.match(await sendUpdate(withHash('moved', newHash)), { summary: { updated: 0, skipped: 1 } });
  t.match(await sendUpdate(withHash('moved', oldHash)), { summary: { updated: 1 } }, 'it may change again');
  t.equal(await signIn('moved', oldPassword), 303);
});

t.test('an update leaves a password that was changed here', async (t) => {
  const users = ['chooser', 'first-choice', 'removed'];
  const given = (hash = '') => users.map((name) => withHash(name, hash));
  const first = given(oldHash).with(1, humanUser('first-choice', { hashedPassword: undefined }));
  await send(importOf(home.id, first));
  for (const name of users.slice(0, 2)) {
    await setPassword(container, { organization: home, id: `id-${name}`, password: ownPassword, editor });
  }
  await changeUser(container, {
    organization: home,
    id: 'id-removed',
    editor,
    change: (current) => ({ profile: asInput(current), password: null }),
  });
  const before = await Promise.all(users.map(accountOf));
  for (const hash of [oldHash, newHash]) {
    const { summary } = await send(importOf(home.id, given(hash), { update: true }));
    t.match(summary, { skipped: 3, updated: 0 });
  }
  t.same(await Promise.all(users.map(accountOf)), before);
  const titled = withHash('chooser', newHash, { scim: { title: 'Chief' } });
  t.match(await sendUpdate(titled), { summary: { updated: 1 } }, 'the rest of the record is taken');
  t.equal(await signIn('chooser', ownPassword), 303);
});

t.test('people of an earlier version have no note about their import', async (t) => {
  await send(importOf(home.id, [withHash('legacy', oldHash), withHash('legacy-in', oldHash)]));
  t.equal(await signIn('legacy-in', oldPassword), 303);
  const ids = ['id-legacy', 'id-legacy-in'] as unknown as [];
  await container.mongo.db
    .collection('users')
    .updateMany({ _id: { $in: ids } }, { $unset: { importedCredentials: '' } });
  t.match(await sendUpdate(withHash('legacy', newHash)), { summary: { updated: 1 } });
  t.equal(await signIn('legacy', newPassword), 303);
  // Nobody can tell which hash the sign-in has replaced.
  t.match(await sendUpdate(withHash('legacy-in', newHash)), { summary: { skipped: 1 } });
  t.equal(await signIn('legacy-in', oldPassword), 303);
  const registered = await makePerson(container, home, { userName: 'registered', password: ownPassword });
  const before = await container.accounts.find(home.id, registered.id);
  const nameless = withHash('registered', newHash, { userId: '', scim: { roles: [{ value: 'admin' }] } });
  const refused = await sendUpdate(nameless);
  t.match(refused.errors, [{ message: /^NAME-TAKEN: / }], 'somebody else may have registered under the name');
  t.same(await container.accounts.find(home.id, registered.id), before);
  t.equal(await signIn('registered', ownPassword), 303);
});

t.test('what was removed here stays removed, also without a note', async (t) => {
  const otpCode = toBase32(Buffer.alloc(20, 5));
  const names = ['old-factor', 'own-factor-gone', 'old-hash'];
  const [withOld, withoutOwn, withOldHash] = [
    withHash('old-factor', oldHash, { otpCode }),
    withHash('own-factor-gone', oldHash),
    withHash('old-hash', oldHash),
  ];
  await send(importOf(home.id, [withOld, withoutOwn, withOldHash]));
  const ids = names.map((name) => `id-${name}`) as unknown as [];
  await container.mongo.db
    .collection('users')
    .updateMany({ _id: { $in: ids } }, { $unset: { importedCredentials: '' } });
  await giveTotp(container, (await accountOf('own-factor-gone')).user);
  for (const name of names.slice(0, 2)) {
    await changeTotp(container, { orgId: home.id, id: `id-${name}`, editor, totp: undefined });
  }
  await changeUser(container, {
    organization: home,
    id: 'id-old-hash',
    editor,
    change: (current) => ({ profile: asInput(current), password: null }),
  });
  const before = await Promise.all(names.map(accountOf));
  const records = [withOld, withHash('own-factor-gone', oldHash, { otpCode }), withOldHash];
  const { summary, warnings } = await send(importOf(home.id, records, { update: true }));
  t.match(summary, { updated: 0, skipped: 3, failed: 0 });
  t.same(await Promise.all(names.map(accountOf)), before);
  t.match(warnings, [
    { path: 'orgs[].humanUsers[].user.otpCode', count: 2 },
    { path: 'orgs[].humanUsers[].user.hashedPassword', count: 1 },
  ]);
});

t.test('the report of an update and of its dry run counts who keeps another credential', async (t) => {
  const names = ['keeper', 'keeper-text', 'follower'];
  const given = (hash = '', password = '') => [
    withHash('keeper', hash),
    humanUser('keeper-text', { hashedPassword: undefined, password }),
    withHash('follower', hash),
  ];
  await send(importOf(home.id, given(oldHash, oldPassword)));
  t.equal((await send(importOf(home.id, given(oldHash, oldPassword), { update: true }))).warnings, undefined);
  for (const name of names.slice(0, 2)) {
    await setPassword(container, { organization: home, id: `id-${name}`, password: ownPassword, editor });
  }
  const warnings = ['hashedPassword', 'password'].map((name) => ({
    path: `orgs[].humanUsers[].user.${name}`,
    count: 1,
  }));
  for (const more of [{ dryRun: true }, {}]) {
    const answer = await send(importOf(home.id, given(newHash, newPassword), { update: true, ...more }));
    t.match(answer.summary, { updated: 1, skipped: 2, failed: 0 });
    t.match(answer.warnings, warnings);
  }
});

/** Plans an update of these people, as a worker does with a part. */
async function planUpdate(...records: readonly object[]) {
  const section = container.importSections.find('humanUsers', 'external');
  if (section === undefined) throw new Error('There is no section of people');
  return section.plan(records, {
    orgId: home.id,
    form: 'external',
    editor: { userId: as.id, service: 'import' },
    update: true,
    failed: [],
    now: container.clock.now(),
    findReserved: async () => new Set(),
    findReservingRecords: async () => [],
  });
}

t.test('a sign-in with the old password ends, also one that began before the commit', async (t) => {
  await send(importOf(home.id, [withHash('window', oldHash)]));
  t.equal(await signIn('window', oldPassword), 303, 'the next sign-in replaces no hash');
  const visitor = visit(app, container, { address: '198.51.100.77' });
  const plan = await planUpdate(withHash('window', newHash));
  await container.mongo.transaction(async (transaction) => {
    await plan.write?.(transaction);
    await visitor.fill(await visitor.get('/login'), { loginName: 'window', password: oldPassword });
    t.equal((await visitor.get('/account')).status, 200, 'nothing is committed yet');
  });
  await plan.tried?.();
  t.equal((await visitor.get('/account')).status, 303);
  t.equal(await signIn('window', newPassword), 303);
});

t.test('an update that was not written ends no sign-in', async (t) => {
  await send(importOf(home.id, [withHash('unwritten', oldHash)]));
  const visitor = visit(app, container, { address: '198.51.100.78' });
  await visitor.fill(await visitor.get('/login'), { loginName: 'unwritten', password: oldPassword });
  const plan = await planUpdate(withHash('unwritten', newHash));
  await requirePasswordChange(container, { orgId: home.id, id: 'id-unwritten', editor });
  await t.rejects(container.mongo.transaction(async (transaction) => plan.write?.(transaction)));
  await plan.tried?.();
  t.equal((await visitor.get('/account')).status, 200);
});

t.test('an update hashes a password in plain text, and keeps a change that is required', async (t) => {
  const clear = (password: string, more: object = {}) =>
    humanUser('clear', { hashedPassword: undefined, password, ...more });
  await send(importOf(home.id, [clear(oldPassword)]));
  await requirePasswordChange(container, { orgId: home.id, id: 'id-clear', editor });
  t.match(await sendUpdate(clear(oldPassword)), { summary: { updated: 1 } }, 'it is not compared');
  t.match(await sendUpdate(clear(newPassword)), { summary: { updated: 1 } });
  const { password } = await accountOf('clear');
  t.match(password, { hash: /^\$argon2id\$/, changeRequired: true });
  t.equal(
    await container.passwords.verify(password?.hash, newPassword, { purpose: 'other', orgId: home.id }),
    true,
  );
  t.match(await sendUpdate(clear(oldPassword, { passwordChangeRequired: false })), {
    summary: { updated: 1 },
  });
  t.equal((await accountOf('clear')).password?.changeRequired, undefined);
  t.match(await sendUpdate(withHash('clear', newHash)), { summary: { updated: 1 } }, 'a hash may follow');
});

t.test('no answer of an import depends on whether a password in plain text is right', async (t) => {
  const weak = 'wkqz';
  const passwords: Readonly<Record<string, string>> = {
    guessed: oldPassword,
    'guessed-weak': weak,
    'guessed-own': ownPassword,
  };
  const hashes = [oldHash, bcrypt.hashSync(weak, 4), oldHash];
  const names = Object.keys(passwords);
  await send(
    importOf(
      home.id,
      names.map((name, place) => withHash(name, hashes[place])),
    ),
  );
  await setPassword(container, { organization: home, id: 'id-guessed-own', password: ownPassword, editor });
  const { verify } = container.passwords;
  t.teardown(() => Object.assign(container.passwords, { verify }));
  const verified: unknown[] = [];
  const watched = (...given: Parameters<typeof verify>) => {
    verified.push(given);
    return verify(...given);
  };
  Object.assign(container.passwords, { verify: watched });
  const answer = async (guess: (name: string) => string, more: Record<string, unknown>) => {
    const given = (name: string, userId?: string) =>
      humanUser(name, {
        hashedPassword: undefined,
        password: guess(name),
        ...(userId !== undefined && { userId }),
      });
    const records = names.flatMap((name) => [given(name), given(name, '')]);
    const { jobId: _, ...told } = await send(importOf(home.id, records, more));
    return told;
  };
  const before = await Promise.all(names.map(accountOf));
  for (const more of [{}, { dryRun: true }, { dryRun: true, update: true }]) {
    const right = await answer((name) => passwords[name] ?? '', more);
    t.same(
      await answer((name) => (name === 'guessed-weak' ? 'wkqx' : newPassword), more),
      right,
      JSON.stringify(more),
    );
  }
  t.same(await Promise.all(names.map(accountOf)), before);

  // The one that was chosen here is kept, also by an update that is not dry, and told as kept, whatever the file has.
  const own = (password: string) =>
    sendUpdate(humanUser('guessed-own', { hashedPassword: undefined, password }));
  for (const password of [ownPassword, newPassword]) {
    t.match(await own(password), {
      summary: { updated: 0, skipped: 1 },
      warnings: [{ path: 'orgs[].humanUsers[].user.password', count: 1 }],
    });
  }
  t.same(verified, [], 'no password was compared with a hash');
});

t.test('an update takes a second factor, unless it was changed or removed here', async (t) => {
  const [first, second] = [Buffer.alloc(20, 1), Buffer.alloc(20, 2)];
  const withFactor = (name: string, secret: Buffer) => humanUser(name, { otpCode: toBase32(secret) });
  const names = ['factor', 'own-factor', 'no-factor'];
  await send(
    importOf(
      home.id,
      names.map((name) => withFactor(name, first)),
    ),
  );
  for (const name of names.slice(1)) {
    await changeTotp(container, { orgId: home.id, id: `id-${name}`, editor, totp: undefined });
  }
  await giveTotp(container, (await accountOf('own-factor')).user);
  const before = await Promise.all(names.map(accountOf));
  const records = names.map((name) => withFactor(name, second));
  const { summary } = await send(importOf(home.id, records, { update: true }));
  t.match(summary, { updated: 1, skipped: 2, failed: 0 });
  const after = await Promise.all(names.map(accountOf));
  t.same(after.slice(1), before.slice(1), 'what was changed here stays');
  t.ok((await typesOf('id-factor')).includes('user.human.mfa.otp.added'));
  const visitor = visit(app, container);
  const page = await visitor.fill(await visitor.get('/login'), {
    loginName: 'factor',
    password: goodPassword,
  });
  const code = totpCode(second, totpStep(container.clock.now()));
  t.match(await visitor.fill(await visitor.follow(page), { code }), { status: 303, location: /^\/account/ });
  t.match(await send(importOf(home.id, records, { update: true })), { summary: { updated: 0, skipped: 3 } });
  await send(importOf(home.id, [humanUser('late-factor')]));
  t.match(
    await sendUpdate(withFactor('late-factor', first)),
    { summary: { updated: 1 } },
    'it never had one',
  );
});

t.test('what is kept of a source hash stays beside the user', async (t) => {
  const { importedCredentials, user } = await accountOf('moved');
  t.match(importedCredentials?.passwordHash, /^[\w-]{1,16}:[\w-]{43}$/);
  const print = importedCredentials?.passwordHash ?? '';
  const body = { orgIds: [home.id], withPasswords: true, withOtp: true, responseOutput: true, timeout: '1m' };
  const exported = await call('POST /admin/v1/export', { as, body });
  t.equal(exported.status, 200);
  const scim = await call(`GET /scim/v2/${home.id}/Users/${user.id}`, { as });
  const list = await call(`GET /scim/v2/${home.id}/Users?sortBy=meta.created&count=100`, { as });
  const found = [await container.users.find(home.id, user.id)];
  const page = await container.users.page(home.id, {
    sort: { field: 'created', descending: false },
    skip: 0,
    limit: 9,
  } as never);
  t.notOk(JSON.stringify([scim.body, exported.body, list.body, found, page]).match(/importedCredentials/));
  t.notOk(JSON.stringify([scim.body, exported.body, list.body, found, page]).includes(print));
  for (const { name } of await container.mongo.db.listCollections().toArray()) {
    if (name === 'users') continue;
    const text = JSON.stringify(await container.mongo.db.collection(name).find().toArray());
    t.notOk(text.includes(print) || text.includes(newHash ?? '?') || text.includes(newPassword), name);
  }
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
    { loginName: name, password: 'x'.repeat(201) },
  ];
  const ask = (given: readonly object[], more: object = {}) =>
    call('POST /admin/v1/password-samples', { as, body: { samples: given, ...more } });
  const told = await ask(samples);
  t.same(told.body, { outcomes: ['confirmed', 'refused', 'noPassword', 'unknown', 'tooLong'] });
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
  t.match(body.events[0].payload, { confirmed: 1, refused: 1, noPassword: 1, unknown: 1, tooLong: 1 });
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

t.test('accents match in both forms: imported passwords, provisioned ones, and samples', async (t) => {
  const [composed, decomposed] = (['NFC', 'NFD'] as const).map((form) => 'Grün-Bühne-7'.normalize(form)) as [
    string,
    string,
  ];
  for (const [index, [set, typed]] of [
    [composed, decomposed],
    [decomposed, composed],
  ].entries()) {
    const [clear, hashed, provisioned] = ['clear', 'hashed', 'scim'].map(
      (name) => `accents-${name}-${index}`,
    );
    const { errors } = await send(
      importOf(home.id, [
        humanUser(clear ?? '', { hashedPassword: undefined, password: set }),
        humanUser(hashed ?? '', { hashedPassword: { value: bcrypt.hashSync(set ?? '', 4) } }),
      ]),
    );
    t.same(errors, undefined);
    const body = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: provisioned,
      password: set,
    };
    t.equal((await call(`POST /scim/v2/${home.id}/Users`, { as, body })).status, 201);
    const names = [clear, hashed, provisioned] as string[];
    const samples = names.map((loginName) => ({ loginName, password: typed }));
    const sampled = await call('POST /admin/v1/password-samples', { as, body: { samples } });
    t.same(sampled.body, { outcomes: ['confirmed', 'confirmed', 'confirmed'] });
    for (const name of names) t.equal(await signIn(name, typed ?? ''), 303, name);
  }
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

t.test('a sample that could not be compared does not count', async (t) => {
  await send(importOf(home.id, [withHash('saturated', oldHash)]));
  const caller = await makeCaller(container, home.id, ['IAM_OWNER']);
  const verify = async () => {
    throw new Error('Too many hashes wait');
  };
  const editor = { userId: caller.id, service: 'admin' } as const;
  const samples = [{ loginName: 'saturated', password: oldPassword }];
  const deps = { ...container, passwords: { verify } };
  await t.rejects(samplePasswords(deps, { samples, editor }), { message: 'Too many hashes wait' });
  const { loginAttempts } = container;
  t.equal((await loginAttempts.standing('samples-of:id-saturated', 5)).failures, 0);
  t.equal((await loginAttempts.standing(`samples-by:${caller.id}`, 1_000)).failures, 0);
  const { body } = await call('POST /admin/v1/events/_search', {
    as,
    body: { eventTypes: ['passwords.sampled'], editorUserId: caller.id },
  });
  t.same(body.events, [], 'and has no event');
});
