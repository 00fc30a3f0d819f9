import { readFile } from 'node:fs/promises';
import t from 'tap';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { makeCaller, makeOrganization, makeTenant } from '../../support/app/make.js';
import { goodPassword } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { bcryptHash, humanUser, humanUsers, importOf } from '../../support/migration/imports.js';
import { visit } from '../../support/oidc/visitor.js';
import { namesOfCommands } from '../../support/stores/mongo-commands.js';

const { container, app, call } = await buildTestApp(t, { workers: true, loginFailureMilliseconds: 0 });
const home = await makeOrganization(container);
const other = await makeTenant(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);

const send = (body: unknown, headers: Record<string, string> = {}) =>
  call('POST /admin/v1/import', { as, body, headers });

/** Imports users into the home organization. */
const importUsers = async (users: readonly unknown[], more: Record<string, unknown> = {}) =>
  (await send(importOf(home.id, users, more))).body;

async function userOf(id: string) {
  const account = await container.accounts.find(home.id, id);
  if (account === undefined) throw new Error(`There is no user ${id}`);
  return account;
}

const eventsOf = (aggregateId: string) =>
  container.events.search({ aggregateId, limit: 100, ascending: true });

t.test('users are imported once, each with one event', async (t) => {
  const body = importOf(home.id, humanUsers('first', 1100));
  const { status, headers, body: answer } = await send(body);
  t.equal(status, 200);
  t.equal(headers['content-type'], 'application/json; charset=utf-8');
  t.same(Object.keys(answer), ['success', 'summary', 'jobId'], 'errors are absent when nothing failed');
  t.same(answer.summary, { created: 1100, skipped: 0, failed: 0, total: 1100 });
  const [organization, ...others] = answer.success.orgs;
  t.same(others, []);
  const { orgId, humanUserIds, ...empty } = organization;
  t.equal(orgId, home.id);
  t.same(
    humanUserIds,
    body.dataOrgs.orgs[0]?.humanUsers.map((user) => (user as { userId: string }).userId),
  );
  t.same(empty, {
    machineUserIds: [],
    projectIds: [],
    oidcAppIds: [],
    apiAppIds: [],
    connectionIds: [],
    groupIds: [],
    groupMembers: [],
    orgMembers: [],
    userMetadata: [],
    identityLinks: [],
    webauthnCredentials: [],
    domains: [],
  });
  const again = await send(body);
  t.same(again.body.summary, { created: 0, skipped: 1100, failed: 0, total: 1100 }, 'sent again');
  for (const id of ['id-first-0', 'id-first-1099']) {
    const events = await eventsOf(id);
    t.match(events, [
      {
        type: 'user.human.added',
        editor: { userId: as.id, service: 'import' },
        aggregate: { type: 'user', resourceOwner: home.id },
        payload: { userName: id.slice(3), email: `${id.slice(3)}@example.com` },
      },
    ]);
    t.equal(events.length, 1);
  }
  const [completed, ...more] = await eventsOf(answer.jobId);
  t.same(more, []);
  t.match(completed, {
    type: 'import.completed',
    editor: { userId: as.id, service: 'import' },
    payload: { state: 'completed', form: 'external', created: 1100, failed: 0, total: 1100 },
  });
});

t.test('every field is kept, in either spelling', async (t) => {
  const record = {
    user_id: 'id-whole',
    user: {
      user_name: 'Whole',
      profile: {
        first_name: 'Anna',
        last_name: 'Lind',
        nick_name: 'An',
        display_name: 'Anna L.',
        preferred_language: 'de',
        gender: 'GENDER_FEMALE',
      },
      email: { email: 'whole@example.com', is_email_verified: true },
      phone: { phone: '+41 (71) 123-45.67', is_phone_verified: true },
      hashed_password: { value: bcryptHash },
      password_change_required: true,
      otp_code: 'JBSW Y3DP EHPK 3PXP',
    },
  };
  const body = { timeout: '1m', data_orgs: { orgs: [{ org_id: home.id, human_users: [record] }] } };
  const { body: answer } = await send(body);
  t.same(answer.summary, { created: 1, skipped: 0, failed: 0, total: 1 });
  const { user, password, totp } = await userOf('id-whole');
  t.match(user, {
    userName: 'Whole',
    active: true,
    name: { givenName: 'Anna', familyName: 'Lind' },
    nickName: 'An',
    gender: 'female',
    displayName: 'Anna L.',
    preferredLanguage: 'de',
    emails: [{ value: 'whole@example.com', primary: true, verified: true }],
    phoneNumbers: [{ value: '+41711234567', primary: true, verified: true }],
    version: 1,
  });
  t.match(password, { hash: bcryptHash, changeRequired: true });
  t.ok(totp);
  t.notMatch(JSON.stringify(totp), /JBSW/);
  t.equal((await send(body)).body.summary.skipped, 1);
});

t.test('a file of the interchange format goes in by both forms, with every record counted', async (t) => {
  const file = await readFile('test/support/migration/interchange.json', 'utf8');
  for (const [form, word] of [
    ['dataOrgs', 'interchange'],
    ['data_orgsv1', 'instance'],
  ] as const) {
    const { orgs } = JSON.parse(file.replaceAll('interchange-', `${word}-`));
    const total = orgs.flatMap(({ humanUsers }: { humanUsers: unknown[] }) => humanUsers).length;
    t.equal(total, 4);
    for (const { orgId } of orgs) await makeOrganization(container, { id: orgId });
    const { status, body: answer } = await send({ timeout: '5m', [form]: { orgs } });
    t.match(answer, { errors: undefined, warnings: undefined }, JSON.stringify(answer));
    t.equal(status, 200);
    // In the form of an instance, an organization is a record too. These exist.
    const skipped = form === 'dataOrgs' ? 0 : orgs.length;
    t.same(answer.summary, { created: total, skipped, failed: 0, total: total + skipped });
    t.same(
      answer.success.orgs.map(({ orgId, humanUserIds }: { orgId: string; humanUserIds: string[] }) => [
        orgId,
        humanUserIds,
      ]),
      orgs.map(({ orgId, humanUsers }: { orgId: string; humanUsers: { userId: string }[] }) => [
        orgId,
        humanUsers.map(({ userId }) => userId),
      ]),
    );
    for (const { orgId, humanUsers } of orgs) {
      for (const { userId, user } of humanUsers) {
        const account = await container.accounts.find(orgId, userId);
        t.match(account?.user, {
          userName: user.userName,
          name: { givenName: user.profile.firstName, familyName: user.profile.lastName },
          emails: [{ value: user.email.email, verified: user.email.isEmailVerified }],
        });
        t.equal(account?.password?.hash, user.hashedPassword?.value);
        if (user.hashedPassword === undefined) continue;
        const place = { purpose: 'other', orgId } as const;
        t.equal(await container.passwords.verify(user.hashedPassword.value, 'U*U*U', place), true);
      }
    }
    const again = await send({ timeout: '5m', [form]: { orgs } });
    t.match(again.body.summary, { created: 0, failed: 0, skipped: total + skipped });
  }
});

t.test('users of another provider bring metadata, such as their links to outside providers', async (t) => {
  const value = Buffer.from('{"provider":"github","subject":"42"}').toString('base64');
  const metadata = { userId: 'id-linked', key: 'identity:github', value };
  const lists = {
    userMetadata: [metadata, { ...metadata, userId: 'nobody' }],
    humanUsers: [humanUser('linked')],
  };
  const body = { timeout: '1m', dataOrgs: { orgs: [{ orgId: home.id, ...lists }] } };
  const { body: answer } = await send(body);
  t.match(answer.summary, { created: 2, failed: 1, total: 3 });
  t.match(answer.errors, [
    { type: 'user_metadata', id: 'nobody/identity:github', message: /^REFERENCE-UNKNOWN/ },
  ]);
  const named = { userId: 'id-linked', key: 'identity:github' };
  t.match(await container.userMetadata.find(home.id, named), { value });
  const file = (
    await call('POST /admin/v1/export', { as, body: { org_ids: [home.id], response_output: true } })
  ).body;
  t.same(file.orgs[0].userMetadata, [metadata], 'and an export has it');
});

t.test('an imported person signs in with the old password, and with the second factor', async (t) => {
  const secret = Buffer.from('12345678901234567890');
  await importUsers([
    humanUser('login'),
    humanUser('second', { otpCode: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' }),
  ]);
  const visitor = visit(app, container, { address: '198.51.100.20' });
  const signed = await visitor.fill(await visitor.get('/login'), {
    loginName: 'login',
    password: goodPassword,
  });
  t.match(signed, { status: 303, location: /^\/account/ });
  t.match((await userOf('id-login')).password?.hash, /^\$argon2id\$/, 'hashed anew');
  const again = await importUsers([humanUser('login')]);
  t.equal(again.summary.skipped, 1, 'a hash that was made anew is no other content');

  const careful = visit(app, container, { address: '198.51.100.21' });
  const page = await careful.fill(await careful.get('/login'), {
    loginName: 'second',
    password: goodPassword,
  });
  const asked = await careful.follow(page);
  t.match(asked.text, /name="code"/);
  const code = totpCode(secret, totpStep(container.clock.now()));
  t.match(await careful.fill(asked, { code }), { status: 303, location: /^\/account/ });
});

t.test('passwords in clear follow the policy and are hashed', async (t) => {
  const given = { hashedPassword: undefined, password: goodPassword };
  const answer = await importUsers([
    humanUser('clear', given),
    humanUser('weak', { ...given, password: 'weak' }),
    humanUser('common', { ...given, password: 'Password1!' }),
    humanUser('twice', { password: goodPassword }),
  ]);
  t.same(answer.summary, { created: 1, skipped: 0, failed: 3, total: 4 });
  t.match(answer.errors, [
    { type: 'human_user', id: 'id-weak', message: /^PASSWORD-WEAK: / },
    { type: 'human_user', id: 'id-common', message: /^PASSWORD-WEAK: .*attackers try first/ },
    { type: 'human_user', id: 'id-twice', message: /^PASSWORD-TWICE: / },
  ]);
  const hash = (await userOf('id-clear')).password?.hash ?? '';
  t.equal(await container.passwords.verify(hash, goodPassword, { purpose: 'other', orgId: undefined }), true);
  t.equal((await importUsers([humanUser('clear', given)])).summary.skipped, 1);
  const other = await importUsers([humanUser('clear', { ...given, password: `${goodPassword}x` })]);
  t.match(other, { summary: { skipped: 1 }, errors: undefined }, 'nobody learns whether it is right');
  t.equal((await userOf('id-clear')).password?.hash, hash);
});

t.test('a person without a password has to set one, if the address is verified', async (t) => {
  const without = { hashedPassword: undefined };
  const answer = await importUsers([
    humanUser('none', without),
    humanUser('lost', { ...without, email: { email: 'lost@example.com', isEmailVerified: false } }),
    humanUser('empty', { hashedPassword: { value: '' } }),
    humanUser('gone', { hashedPassword: {} }),
  ]);
  t.match(answer.errors, [
    { id: 'id-lost', message: /^HASH-MISSING: / },
    { id: 'id-empty', message: /^HASH-MISSING: / },
    { id: 'id-gone', message: /^HASH-MISSING: / },
  ]);
  t.same(answer.summary, { created: 1, skipped: 0, failed: 3, total: 4 });
  t.equal((await userOf('id-none')).password, undefined);
});

t.test('a person needs only a userName, and a password where there is no verified address', async (t) => {
  const answer = await importUsers([
    { userId: 'id-bare', user: { userName: 'bare', hashedPassword: { value: bcryptHash } } },
    humanUser('no-address', {
      email: { email: '' },
      profile: { firstName: 'Ada' },
      phone: { phone: 'ext. 12' },
    }),
    humanUser('unreachable', { email: undefined, hashedPassword: undefined }),
  ]);
  t.match(answer.errors, [{ id: 'id-unreachable', message: /^HASH-MISSING: .*verified e-mail address/ }]);
  t.same(answer.summary, { created: 2, skipped: 0, failed: 1, total: 3 });
  t.match((await userOf('id-bare')).user, { name: {}, displayName: 'bare', emails: [] });
  t.match((await userOf('id-no-address')).user, {
    name: { givenName: 'Ada' },
    displayName: 'Ada',
    emails: [],
    phoneNumbers: [{ value: 'ext. 12', primary: true }],
  });
  const [added] = await eventsOf('id-bare');
  t.same(added?.payload, { userName: 'bare', displayName: 'bare', active: true }, 'no address');
});

t.test('users bring their employment, and are known again by it', async (t) => {
  const scim = {
    employeeNumber: 'E-1',
    costCenter: '4130',
    organization: 'Museums',
    division: 'Art',
    department: 'Tours',
    manager: 'someone-later',
  };
  const employed = humanUser('employed', { scim });
  const bad = humanUser('no-manager', { scim: { manager: 'x'.repeat(501) } });
  const answer = await importUsers([employed, bad]);
  t.match(answer.errors, [{ id: 'id-no-manager', message: /^VALUE-INVALID: manager/ }]);
  t.match((await userOf('id-employed')).user, scim);
  t.match((await importUsers([employed])).summary, { skipped: 1 });
  const moved = humanUser('employed', { scim: { ...scim, department: 'Sales' } });
  t.match((await importUsers([moved])).errors, [{ message: /^OTHER-CONTENT: .* differs in department$/ }]);
  const renamed = humanUser('employed', { scim, profile: { lastName: 'Secretly' }, otpCode: 'A'.repeat(32) });
  const [error] = (await importUsers([renamed])).errors ?? [];
  t.match(
    error?.message,
    /differs in displayName, name\.familyName, name\.givenName, otpCode$/,
    'in one line, without values',
  );
});

t.test('one bad record stops no other', async (t) => {
  const bad: [unknown, string, RegExp][] = [
    ['not an object', '', /^RECORD-INVALID: /],
    [null, '', /^RECORD-INVALID: /],
    [{}, '', /^RECORD-INVALID: .*\(humanUsers 5\)$/],
    [{ userId: 'no-user' }, 'no-user', /^RECORD-INVALID: /],
    [humanUser('bad-type', { userName: 7 }), 'id-bad-type', /^RECORD-INVALID: user\.userName/],
    [humanUser('bad-mail', { email: { email: 'nobody' } }), 'id-bad-mail', /^VALUE-INVALID: emails\.value/],
    [
      humanUser('bad-flag', { email: { email: 'a@b.ch', isEmailVerified: 'yes' } }),
      'id-bad-flag',
      /^RECORD-INV/,
    ],
    [humanUser('no-name', { userName: '' }), 'id-no-name', /^RECORD-INVALID: /],
    [humanUser('bad-phone', { phone: { phone: '5'.repeat(501) } }), 'id-bad-phone', /^VALUE-INVALID: phone/],
    [humanUser('x'.repeat(201), { userId: 'long' }), 'long', /^VALUE-INVALID: userName/],
    [humanUser('bad id', { userId: 'bad id' }), 'bad id', /^RECORD-INVALID: userId/],
    [humanUser('hash', { hashedPassword: { value: 'md5:abc' } }), 'id-hash', /^HASH-UNREADABLE: /],
    [
      humanUser('cost', { hashedPassword: { value: bcryptHash.replace('$04$', '$16$') } }),
      'id-cost',
      /^HASH-COST/,
    ],
    [
      humanUser('argon', { hashedPassword: { value: '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$x' } }),
      'id-argon',
      /^HASH-U/,
    ],
    [humanUser('as', { userId: as.id }), as.id, /^ID-TAKEN: /],
    [humanUser('again', { userId: 'id-good-0' }), 'id-good-0', /^OTHER-CONTENT: /],
    [humanUser('GOOD-1', { userId: 'another' }), 'another', /^NAME-TAKEN: /],
    [humanUser('deep', { profile: nested(40) }), 'id-deep', /^RECORD-TOO-DEEP: /],
    [humanUser('large', { more: 'x'.repeat(10_000_000) }), 'id-large', /^RECORD-TOO-LARGE: /],
    [humanUser('many', { more: Array(20_000).fill({}) }), 'id-many', /^RECORD-TOO-LARGE: /],
  ];
  const answer = await importUsers([
    ...humanUsers('good', 2),
    ...bad.map(([record]) => record),
    humanUser('last'),
  ]);
  t.same(answer.summary, { created: 3, skipped: 0, failed: bad.length, total: bad.length + 3 });
  for (const [index, [, id, message]] of bad.entries()) {
    t.match(answer.errors[index], { type: 'human_user', id, message }, `${id} ${message}`);
  }
  const otp = await importUsers([humanUser('otp', { otpCode: 'not base32!' })]);
  t.match(otp.errors, [{ type: 'human_user_otp', id: 'id-otp', message: /^OTP-UNREADABLE: / }]);
  t.equal(await container.users.find(home.id, 'id-otp'), undefined, 'not without the second factor');
});

function nested(depth: number): unknown {
  return depth === 0 ? {} : { deeper: nested(depth - 1) };
}

t.test('identifiers and names of others', async (t) => {
  await importUsers([humanUser('owned')]);
  const [theirs] = (await send(importOf(other.orgId, [humanUser('owned')]))).body.errors;
  t.match(theirs, { id: 'id-owned', message: /^ID-TAKEN: / }, 'of another organization');
  const free = (await send(importOf(other.orgId, [humanUser('owned', { userId: 'theirs' })]))).body;
  t.equal(free.summary.created, 1, 'names are those of an organization');
  const inside = await importUsers([
    humanUser('twin'),
    humanUser('twin'),
    humanUser('TWIN', { userId: 'other-twin' }),
    humanUser('nameless', { userId: '' }),
    humanUser('nameless', { userId: '' }),
  ]);
  t.same(inside.summary, { created: 2, skipped: 2, failed: 1, total: 5 });
  t.match(inside.errors, [{ id: 'other-twin', message: /^NAME-TAKEN: / }]);
});

t.test('malformed records, as they are', async (t) => {
  const users = [
    JSON.stringify(humanUser('raw-1')),
    '{"userId":"raw-bad","user":tru}',
    '{"userId":"raw-twice","user":{"userName":"a","userName":"b"}}',
    '{"userId":"raw-spellings","user":{"userName":"a","user_name":"b"}}',
    JSON.stringify(humanUser('raw-2')),
  ];
  const body = `{"timeout":"1m","dataOrgs":{"orgs":[{"humanUsers":[${users}],"orgId":"${home.id}"}]}}`;
  const answer = (await send(body)).body;
  t.same(answer.summary, { created: 2, skipped: 0, failed: 3, total: 5 });
  t.match(answer.errors, [
    { type: 'human_user', id: 'raw-bad', message: /^RECORD-MALFORMED: / },
    { type: 'human_user', id: 'raw-twice', message: /^RECORD-DUPLICATE-KEY: / },
    { type: 'human_user', id: 'raw-spellings', message: /^RECORD-DUPLICATE-KEY: / },
  ]);
});

t.test('an error says where its record is, and every identifier of it', async (t) => {
  const text = [
    '{"timeout":"1m","dataOrgs":{"orgs":[{"humanUsers":[',
    JSON.stringify(humanUser('placed-1')),
    ',{"userId":"placed-latin","user":{"userName":"J\xfcrg"}},',
    '  {"userId":"placed-weak",',
    '  "user":{"userName":"weak","password":"x","email":{"email":"weak@example.com"}}}',
    `],"orgId":"${home.id}"}]}}`,
  ].join('\n');
  const answer = await app.inject({
    method: 'POST',
    url: '/admin/v1/import',
    headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' },
    payload: Buffer.from(text, 'latin1'),
  });
  t.equal(answer.statusCode, 200);
  const body = answer.json();
  t.same(
    body.summary,
    { created: 1, skipped: 0, failed: 2, total: 3 },
    'one record that is not UTF-8 is one error',
  );
  const [latin, weak] = body.errors;
  t.match(latin, {
    id: 'placed-latin',
    message: /^RECORD-NOT-UTF8: /,
    line: 3,
    position: text.indexOf('{"userId":"placed-latin"'),
    identifiers: { userId: 'placed-latin' },
  });
  t.match(weak, {
    id: 'placed-weak',
    message: /^PASSWORD-WEAK: /,
    line: 4,
    position: text.indexOf('{"userId":"placed-weak"'),
  });
  t.same(weak.identifiers, { userId: 'placed-weak', userName: 'weak', email: 'weak@example.com' });
});

t.test('values that reach nothing are counted by their path, or errors of a strict import', async (t) => {
  const odd = (name: string, more: object) => {
    const { userId, user } = humanUser(name) as { userId: string; user: object };
    return {
      userId,
      ...more,
      user: { ...user, shoe_size: 44, nothing: null, phone: { phone: '', kind: 'old' } },
    };
  };
  const fileOf = (word: string) =>
    [
      '{"timeout":"1m","dataOrgs":{"version":3,"note":null,"orgs":[',
      `{"orgId":"${home.id}","org":{"name":"X"},"theme":{"colour":"red"},"empty":{},"humanUsers":[`,
      [humanUser(`${word}-1`), odd(`${word}-2`, {}), odd(`${word}-3`, { $kind: 'x', roles: ['a'] })]
        .map((user) => JSON.stringify(user))
        .join(',\n'),
      ']}]},"STRICT":null}',
    ].join('\n');
  const { body } = await send(fileOf('loss').replace(',"STRICT":null', ''));
  t.same(body.summary, { created: 3, skipped: 0, failed: 0, total: 3 });
  t.equal(body.errors, undefined);
  const found = Object.fromEntries(
    body.warnings.map(({ path, count, line }: { path: string; count: number; line: number }) => [
      path,
      [count, line],
    ]),
  );
  t.same(found, {
    'orgs[].org': [1, 2],
    version: [1, 2],
    'orgs[].theme': [1, 2],
    'orgs[].humanUsers[].user.shoeSize': [2, 4],
    'orgs[].humanUsers[].user.phone.kind': [2, 4],
    'orgs[].humanUsers[].$kind': [1, 5],
    'orgs[].humanUsers[].roles': [1, 5],
  });
  const text = fileOf('loss').replace(',"STRICT":null', '');
  const shoe = body.warnings.find(({ path }: { path: string }) => path.endsWith('shoeSize'));
  t.equal(shoe.position, text.indexOf('{"userId":"id-loss-2"'));
  const summary = (await call(`GET /admin/v1/jobs/${body.jobId}?result=summary`, { as })).body.result;
  t.same(summary.warnings, body.warnings, 'the job has them too');

  const strictText = fileOf('strict').replace('"STRICT":null', '"strict":true');
  const { body: refused } = await send(
    strictText.replace(',"org":{"name":"X"},"theme":{"colour":"red"}', '').replace('"version":3,', ''),
  );
  t.same(refused.summary, { created: 1, skipped: 0, failed: 2, total: 3 });
  t.match(refused.errors, [
    { type: 'human_user', id: 'id-strict-2', message: /^LOSS: .*user\.shoeSize/, line: 4 },
    { type: 'human_user', id: 'id-strict-3', message: /^LOSS: .*\$kind/, line: 5 },
  ]);
  const whole = await send(strictText.replaceAll('strict-', 'whole-'));
  t.match(whole.body.errors, [{ type: 'org', id: home.id, message: /^LOSS: .*orgs\[\]\.theme/ }]);
  t.equal(whole.body.summary.created, 0, 'an organization with losses is not imported');
  t.equal((await send(strictText.replace('"strict":true', '"strict":"yes"'))).status, 400);
});

t.test('the paths of warnings are bounded', async (t) => {
  const users = Array.from({ length: 30 }, (_, index) => {
    const more = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key-${index}-${at}`, 1]));
    return { ...(humanUser(`bounded-${index}`) as object), ...more };
  });
  const { warnings } = await importUsers(users);
  t.equal(warnings.length, 101);
  t.match(warnings.at(-1), { path: '...', count: 500 });
});

t.test('all lists that are not imported are named, as far as 16 KiB hold them', async (t) => {
  const named = async (keys: readonly string[]) => {
    const lists = Object.fromEntries(keys.map((key) => [key, [1]]));
    const { body } = await send({ timeout: '1m', dataOrgs: { orgs: [{ orgId: home.id, ...lists }] } });
    t.match(body.errors, [{ line: 1, position: 36 }]);
    return body.errors[0].message;
  };
  const some = Array.from({ length: 60 }, (_, index) => `list${index}`);
  t.ok((await named(some)).endsWith(some.join(', ')));
  const long = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(200, 'x'));
  t.match(await named(long), / and 19 more$/);
});

t.test('an organization that does not exist is one error, and none of its users is imported', async (t) => {
  const orgs = [
    { orgId: 'nowhere', humanUsers: humanUsers('nowhere', 3) },
    { humanUsers: humanUsers('nameless-org', 2) },
    { orgId: home.id, humanUsers: [humanUser('somewhere')] },
  ];
  const { body } = await send({ timeout: '1m', dataOrgs: { orgs } });
  t.match(body.errors, [
    { type: 'org', id: 'nowhere', message: /^ORG-NOT-FOUND: / },
    { type: 'org', id: '', message: /^RECORD-INVALID: / },
  ]);
  t.equal(body.errors.length, 2);
  t.same(body.summary, { created: 1, skipped: 0, failed: 5, total: 6 });
  t.same(
    body.success.orgs.map(({ orgId }: { orgId: string }) => orgId),
    [home.id],
  );
});

t.test(
  'lists that are not imported are named once for each organization, the rest is imported',
  async (t) => {
    const orgs = [
      {
        orgId: home.id,
        humanusers: humanUsers('misspelt', 2),
        human_users: [humanUser('well-spelt')],
        projects: [{ projectId: 'left-out', project: { name: 'P' } }],
        machineUsers: [],
        privacyPolicy: { links: [] },
      },
      { orgId: other.orgId, humanUsers: [humanUser('beside')] },
    ];
    const { body } = await send({ timeout: '1m', dataOrgs: { orgs } });
    t.match(body.errors, [{ type: 'org', id: home.id, message: /^LIST-UNKNOWN: .*: humanusers, projects$/ }]);
    t.equal(body.errors.length, 1);
    t.same(
      body.summary,
      { created: 2, skipped: 0, failed: 0, total: 2 },
      'counted are records that could be read',
    );
  },
);

t.test('a dry run says what would be, and writes nothing', async (t) => {
  const users = [...humanUsers('dry', 700), humanUser('dry-0', { userId: 'same-name' }), humanUser('DRY-1')];
  const answer = await importUsers([...users, humanUser('bad', { userName: '' })], { dryRun: true });
  t.same(answer.summary, { created: 700, skipped: 0, failed: 3, total: 703 });
  t.match(answer.errors, [
    { id: 'same-name', message: /^NAME-TAKEN: / },
    { id: 'id-DRY-1', message: /^NAME-TAKEN: / },
    { id: 'id-bad', message: /^RECORD-INVALID: / },
  ]);
  t.equal(await container.users.find(home.id, 'id-dry-0'), undefined);
  t.same(await eventsOf('id-dry-0'), []);
});
/** Sends users once more, in an import that updates. */
const updateUsers = (users: readonly unknown[], more: Record<string, unknown> = {}) =>
  importUsers(users, { update: true, ...more });

const nobody = { created: 0, updated: 0, skipped: 0, failed: 0, total: 1 };

t.test('an update takes over what the file mentions, attribute by attribute', async (t) => {
  const created = '2020-01-02T03:04:05.000Z';
  await importUsers([humanUser('delta', { created, lastModified: created, scim: { title: 'Engineer' } })]);
  const patch = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'add', value: { nickName: 'D', locale: 'de-CH' } }],
  };
  t.equal((await call(`PATCH /scim/v2/${home.id}/Users/id-delta`, { as, body: patch })).status, 204);
  const before = await userOf('id-delta');

  const record = humanUser('delta', {
    created: '2021-01-01T00:00:00.000Z',
    profile: { firstName: 'First', lastName: 'Changed' },
    email: { email: 'delta@new.example', isEmailVerified: true },
    scim: { title: null, userType: 'Employee' },
  });
  const { summary, errors } = await updateUsers([record]);
  t.equal(errors, undefined);
  t.same(summary, { ...nobody, updated: 1 });
  const { user, password, importedCredentials } = await userOf('id-delta');
  t.match(user, {
    id: 'id-delta',
    orgId: home.id,
    version: before.user.version + 1,
    name: { givenName: 'First', familyName: 'Changed' },
    displayName: 'First Changed',
    emails: [{ value: 'delta@new.example', primary: true, verified: true }],
    nickName: 'D',
    locale: 'de-CH',
    userType: 'Employee',
  });
  t.equal(user.title, undefined, 'the file has it as null');
  t.same(user.created, new Date(created), 'created never changes');
  t.same(user.imported, before.user.imported);
  t.ok(user.lastModified > before.user.lastModified, 'the record does not say when it changed');
  t.same(user.loginNamesSince?.email, user.lastModified, 'the new address is a new login name');
  t.same(user.loginNamesSince?.userName, before.user.loginNamesSince?.userName);
  t.same(password, before.password);
  t.same(importedCredentials, before.importedCredentials);

  const events = await eventsOf('id-delta');
  const { type, editor, sequence, payload } = events.at(-1) ?? {};
  t.same(
    { type, editor, sequence, payload },
    {
      type: 'user.human.changed',
      editor: { userId: as.id, service: 'import' },
      sequence: user.version,
      payload: {
        attributes: ['displayName', 'emails', 'name', 'title', 'userType'],
        changes: {
          displayName: { from: 'First delta', to: 'First Changed' },
          email: { from: 'delta@example.com', to: 'delta@new.example' },
        },
      },
    },
  );
  t.same(
    (await updateUsers([record])).summary,
    { ...nobody, skipped: 1 },
    'the same file changes nothing more',
  );
  t.same(await userOf('id-delta'), { user, password, importedCredentials });
  t.equal((await eventsOf('id-delta')).length, events.length);
  const [completed] = await container.events.search({
    eventTypes: ['import.completed'],
    limit: 1,
    ascending: false,
  });
  t.match(completed?.payload, { update: true, updated: 0, skipped: 1 });
});

t.test('an update takes the date of the record, if that is later than the last change here', async (t) => {
  const at = (lastModified: string, lastName: string) =>
    humanUser('dated', { created: '2019-01-01T00:00:00Z', lastModified, profile: { lastName } });
  await importUsers([at('2020-01-01T00:00:00Z', 'One')]);
  t.match(await updateUsers([at('2021-01-01T00:00:00Z', 'Two')]), { summary: { updated: 1 } });
  t.same((await userOf('id-dated')).user.lastModified, new Date('2021-01-01T00:00:00Z'));
  t.ok((await eventsOf('id-dated')).every(({ creationDate }) => creationDate > new Date('2022-01-01')));
  const begun = container.clock.now();
  t.match(await updateUsers([at('2020-06-01T00:00:00Z', 'Three')]), { summary: { updated: 1 } });
  t.ok((await userOf('id-dated')).user.lastModified >= begun, 'an older date does not turn the clock back');
  const same = await updateUsers([at('2024-01-01T00:00:00Z', 'Three')]);
  t.match(same, { summary: { skipped: 1 } }, 'a date alone is no difference');
});

t.test(
  'an update that deactivates ends the sign-ins, and a record that does not say so leaves it',
  async (t) => {
    await importUsers([humanUser('leaver')]);
    const visitor = visit(app, container, { address: '198.51.100.31' });
    await visitor.fill(await visitor.get('/login'), { loginName: 'leaver', password: goodPassword });
    t.equal((await visitor.get('/account')).status, 200);
    t.match(await updateUsers([humanUser('leaver', { scim: { active: false } })]), {
      summary: { updated: 1 },
    });
    t.equal((await userOf('id-leaver')).user.active, false);
    t.equal((await visitor.get('/account')).status, 303, 'signed out');
    t.equal((await eventsOf('id-leaver')).at(-1)?.type, 'user.deactivated');
    t.match(await updateUsers([humanUser('leaver')]), { summary: { skipped: 1 } });
    t.equal((await userOf('id-leaver')).user.active, false);
    t.match(await updateUsers([humanUser('leaver', { scim: { active: true } })]), {
      summary: { updated: 1 },
    });
    t.equal((await eventsOf('id-leaver')).at(-1)?.type, 'user.reactivated');
    t.equal((await visitor.get('/account')).status, 303, 'the old sign-in stays ended');
  },
);

t.test('an update counts what it adds, changes and leaves apart', async (t) => {
  await importUsers(humanUsers('mixed', 600));
  const users = humanUsers('mixed', 700).map((record, index) =>
    index % 100 === 0 ? humanUser(`mixed-${index}`, { profile: { lastName: 'New' } }) : record,
  );
  const changes = { created: 100, updated: 6, skipped: 594, failed: 0, total: 700 };
  const dry = await updateUsers(users, { dryRun: true });
  t.same(dry.summary, changes);
  t.equal((await userOf('id-mixed-0')).user.name.familyName, 'mixed-0', 'a dry run changes nothing');
  const { summary, success } = await updateUsers(users);
  t.same(summary, changes);
  t.equal(success.orgs[0].humanUserIds.length, 100, 'the report names what was created');
  t.same((await updateUsers(users)).summary, { ...changes, created: 0, updated: 0, skipped: 700 });
});

t.test('an update changes nobody else', async (t) => {
  await importUsers([humanUser('mine'), humanUser('yours')]);
  const foreign = humanUser('foreign');
  await send(importOf(other.orgId, [foreign]));
  const accounts = () =>
    Promise.all([
      ...['id-mine', 'id-yours'].map((id) => container.accounts.find(home.id, id)),
      container.accounts.find(other.orgId, 'id-foreign'),
    ]);
  const before = await accounts();
  const answer = await updateUsers([
    humanUser('stolen', { userId: 'id-foreign' }),
    humanUser('YOURS', { userId: 'id-mine' }),
    humanUser('robot', { userId: as.id }),
    humanUser('mine', { profile: { lastName: 'x'.repeat(1_500) } }),
    humanUser('mine', { scim: { timezone: 'Nowhere/Land' } }),
    humanUser('mine', { hashedPassword: { value: 'nonsense' } }),
    humanUser('mine', { hashedPassword: undefined, password: 'weak' }),
  ]);
  t.match(answer.errors, [
    { id: 'id-foreign', message: /^ID-TAKEN: / },
    { id: 'id-mine', message: /^NAME-TAKEN: / },
    { id: as.id, message: /^ID-TAKEN: / },
    { id: 'id-mine', message: /^VALUE-INVALID: / },
    { id: 'id-mine', message: /^VALUE-INVALID: / },
    { id: 'id-mine', message: /^HASH-UNREADABLE: / },
    { id: 'id-mine', message: /^PASSWORD-WEAK: / },
  ]);
  t.same(answer.summary, { created: 0, updated: 0, skipped: 0, failed: 7, total: 7 });
  t.same(await accounts(), before);
});

t.test('a record without an identifier is of the person with its userName', async (t) => {
  const unnamed = (changes: object) => humanUser('unnamed', { userId: '', ...changes });
  await importUsers([unnamed({})]);
  const change = { profile: { firstName: 'First', lastName: 'Found' } };
  t.match((await importUsers([unnamed(change)])).errors, [{ message: /^NAME-TAKEN: / }]);
  t.match(await updateUsers([unnamed(change)]), { summary: { updated: 1, created: 0 } });
  t.equal((await container.accounts.findByUserName(home.id, 'unnamed'))?.user.name.familyName, 'Found');
});

t.test(
  'a name that an update frees can be taken after it, and the first of two records counts',
  async (t) => {
    await importUsers([humanUser('front'), humanUser('back')]);
    const renamed = [humanUser('gone', { userId: 'id-front' }), humanUser('front', { userId: 'id-back' })];
    t.match(await updateUsers(renamed), { summary: { updated: 2, failed: 0 } });
    t.equal((await userOf('id-back')).user.userName, 'front');
    const [first, second] = ['One', 'Two'].map((lastName) =>
      humanUser('front', { userId: 'id-back', profile: { lastName } }),
    );
    const { summary, errors } = await updateUsers([first, second, first]);
    t.same(summary, { created: 0, updated: 1, skipped: 1, failed: 1, total: 3 });
    t.match(errors, [
      { id: 'id-back', message: /^OTHER-CONTENT: .* differs in displayName, name.familyName$/ },
    ]);
    t.equal((await userOf('id-back')).user.name.familyName, 'One');
  },
);

t.test('a record that does not say whether an address is verified leaves the flag', async (t) => {
  const user = (emails: readonly object[], phoneNumbers: readonly object[]) =>
    humanUser('flags', { email: undefined, scim: { emails, phoneNumbers } });
  const emails = [true, false].map((verified) => ({ value: `flag-${verified}@example.com`, verified }));
  const phones = [{ value: '+41711234567', verified: false }];
  await importUsers([user(emails, phones)]);
  const [bare, barePhones] = [emails, phones].map((list) => list.map(({ value }) => ({ value })));
  const same = await updateUsers([user(bare ?? [], barePhones ?? [])]);
  t.match(same, { summary: { skipped: 1 } });
  const added = [...(bare ?? []), { value: 'flag-new@example.com', verified: false }];
  t.match(await updateUsers([user(added, barePhones ?? [])]), { summary: { updated: 1 } });
  const after = (await userOf('id-flags')).user;
  const flags = [...after.emails, ...(after.phoneNumbers ?? [])].map(({ verified }) => verified);
  t.same(flags, [true, false, false, false]);
  const said = added.map((email) => ({ ...email, verified: true }));
  t.match(await updateUsers([user(said, phones)]), { summary: { updated: 1 } }, 'the file says so');
});

t.test('a record of an update may leave out what the person has', async (t) => {
  await importUsers([humanUser('brief')]);
  const brief = { userId: 'id-brief', user: { userName: 'brief', scim: { title: 'Chief' } } };
  t.match(await updateUsers([brief]), { summary: { updated: 1 } });
  t.match((await userOf('id-brief')).user, { title: 'Chief', name: { givenName: 'First' } });
  const unknown = { ...brief, userId: 'id-unknown', user: { userName: 'unknown' } };
  t.match((await updateUsers([unknown])).errors, [{ id: 'id-unknown', message: /^HASH-MISSING: / }]);
});

t.test('whoever lacks the rights of a person does not change how the person signs in', async (t) => {
  await importUsers([humanUser('actor')]);
  const orgMembers = [{ userId: 'id-actor', roles: ['IMPERSONATOR'] }];
  const org = { name: 'Home' };
  const given = await send({ timeout: '1m', dataOrgsv1: { orgs: [{ orgId: home.id, org, orgMembers }] } });
  t.equal(given.body.summary.failed, 0);
  const hashedPassword = { value: bcryptHash.replace(/.$/, '4') };
  const refused = [{ id: 'id-actor', type: 'human_user', message: /^USER-OUTRANKS: / }];
  t.match((await updateUsers([humanUser('actor', { hashedPassword })])).errors, refused);
  t.match((await updateUsers([humanUser('actor', { email: { email: 'x@example.com' } })])).errors, refused);
  t.match(await updateUsers([humanUser('actor', { scim: { title: 'Chief' } })]), { summary: { updated: 1 } });
  const same = await makeCaller(container, home.id, ['IAM_OWNER', 'IMPERSONATOR']);
  const body = importOf(home.id, [humanUser('actor', { hashedPassword })], { update: true });
  t.match((await call('POST /admin/v1/import', { as: same, body })).body, { summary: { updated: 1 } });
});

for (const [size, joint, most] of [
  [10, '', 12],
  [100, '', 12],
  // With a hyphen, the userNames can be written in several ways.
  [100, '-x', 12],
] as const) {
  const title = `an import of ${size} users takes at most ${most} commands of MongoDB, and one transaction`;
  t.test(title, async (t) => {
    const people = (word: string) =>
      Array.from({ length: size }, (_, index) => humanUser(`${word}${size}n${joint}${index}`));
    await importUsers(people('warm'));
    const tries: string[][] = [];
    for (const word of ['few', 'fewer', 'fewest']) {
      const work = async () => {
        const { summary } = await importUsers(people(word));
        t.match(summary, { created: size, failed: 0 });
      };
      tries.push(await namesOfCommands(work));
    }
    // Other work of the processes, such as the recovery of jobs, may fall into one of the imports.
    const [commands = []] = tries.sort((a, b) => a.length - b.length);
    t.comment(`${commands.length} commands: ${commands.join(', ')}`);
    t.ok(commands.length <= most, `${commands.length}: ${commands.join(', ')}`);
    t.equal(commands.filter((command) => command === 'commitTransaction').length, 1);
  });
}

t.test('two imports of the same users at once make no duplicate', async (t) => {
  const body = importOf(home.id, humanUsers('both', 1000));
  const answers = await Promise.all([send(body), send(body)]);
  const summaries = answers.map(({ body: { summary } }) => summary);
  t.equal(
    summaries.reduce((sum, { created }) => sum + created, 0),
    1000,
  );
  t.equal(
    summaries.reduce((sum, { skipped }) => sum + skipped, 0),
    1000,
  );
  for (const { failed } of summaries) t.equal(failed, 0);
  for (const index of [0, 499, 500, 999]) t.equal((await eventsOf(`id-both-${index}`)).length, 1);
});

t.test('a body that is no import is refused, and leaves nothing', async (t) => {
  const users = [humanUser('refused')];
  const good = JSON.stringify(importOf(home.id, users));
  const refused: [unknown, string][] = [
    ['', 'import.bodyMalformed'],
    ['[]', 'import.bodyMalformed'],
    [good.slice(0, -1), 'import.bodyMalformed'],
    [good.slice(0, -60), 'import.bodyMalformed'],
    [`${good}}`, 'import.bodyMalformed'],
    [good.replace('"timeout"', '"timeout":"5m","timeout"'), 'import.bodyMalformed'],
    [good.replace('First', 'First\\'), 'import.bodyMalformed'],
    [importOf(home.id, users, { timeout: undefined }), 'import.timeoutInvalid'],
    [importOf(home.id, users, { timeout: 300 }), 'import.timeoutInvalid'],
    [importOf(home.id, users, { timeout: 'soon' }), 'import.timeoutInvalid'],
    [importOf(home.id, users, { dry_run: 'yes' }), 'import.bodyMalformed'],
    [importOf(home.id, users, { update: 'yes' }), 'import.bodyMalformed'],
    [importOf(home.id, users, { surprise: true }), 'import.bodyMalformed'],
    [importOf(home.id, users, { dataOrgsv1: { orgs: [] } }), 'import.dataMissing'],
    [{ timeout: '5m' }, 'import.dataMissing'],
    [{ timeout: '5m', data_orgsv1_gcs: { path: 'a' } }, 'import.bodyMalformed'],
    [
      { timeout: '5m', data_orgsv1_gcs: { path: 'a', bucket: 'bucket', serviceaccount_json: 'x' } },
      'bucket.serviceAccountInvalid',
    ],
  ];
  for (const [body, id] of refused) {
    const answer = await send(body);
    t.match(answer, { status: 400, body: { status: 400, id } }, String(JSON.stringify(body)).slice(0, 100));
  }
  t.equal(await container.users.find(home.id, 'id-refused'), undefined);
  t.equal(await container.mongo.db.collection('stagedBlocks').countDocuments(), 0);
  const latin = Buffer.from(good.replace('{', '{"dryRun":"\xff",'), 'latin1');
  const raw = await app.inject({
    method: 'POST',
    url: '/admin/v1/import',
    headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' },
    payload: latin,
  });
  t.match(raw.json(), { status: 400, id: 'import.bodyMalformed' });
});

t.test('only owners of the instance import', async (t) => {
  const body = importOf(other.orgId, [humanUser('sneaky')]);
  t.equal((await call('POST /admin/v1/import', { as: other.owner, body })).status, 403);
  t.equal((await call('POST /admin/v1/import', { body })).status, 401);
  t.equal(
    (await call('POST /admin/v1/import', { as, body: 'x', headers: { 'content-type': 'text/csv' } })).status,
    400,
  );
});

t.test('nothing that was stored beside the users holds a hash or a password', async (t) => {
  const { db } = container.mongo;
  for (const { name } of await db.listCollections().toArray()) {
    if (name === 'users') continue;
    const text = JSON.stringify(await db.collection(name).find().toArray());
    t.notOk(text.includes(bcryptHash) || text.includes(goodPassword), name);
  }
});
