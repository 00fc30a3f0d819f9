import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { tellConversion } from '#src/cli/convert/tell-conversion.js';
import { convertAuth0 } from '#src/migration/convert/auth0/convert-auth0.js';
import { createLosses } from '#src/migration/convert/losses.js';
import { scimFormat } from '#src/migration/convert/people/scim.js';
import { createProblems } from '#src/migration/convert/reading/problems.js';
import { SourceRecord } from '#src/migration/convert/reading/source-record.js';
import { createScimClient } from '#src/migration/convert/scim/scim-client.js';
import { conversion } from '../../support/migration/convert-file.js';
import { fusionauthExport, kratosExport } from '../../support/migration/exports.js';
import { bcryptHash } from '../../support/migration/imports.js';

t.test('Auth0: no note that a hash is missing, if the mapping brings one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-notes-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const [users, passwords] = [join(folder, 'users'), join(folder, 'passwords')];
  const user = (id: string, more: object) => ({
    ...{ user_id: `auth0|${id}`, email: `${id}@a0.example`, email_verified: true },
    ...{ identities: [{ provider: 'auth0', user_id: id, connection: 'Users', isSocial: false }], ...more },
  });
  const lines = [user('1', { legacy: bcryptHash }), user('2', { clear: 'Correct-Horse-8' }), user('3', {})];
  writeFileSync(users, lines.map((one) => JSON.stringify(one)).join('\n'));
  writeFileSync(passwords, '');
  const map = JSON.stringify({
    attributes: [
      { from: 'legacy', to: 'passwordHash' },
      { from: 'clear', to: 'password' },
    ],
  });
  const input = { users, passwords, map, emailVerified: false, skipInvalid: false, strict: false };
  const body = { path: join(folder, 'out'), orgId: 'o', timeout: '30m', multiline: false };
  const report = await convertAuth0(input, body);
  const told = report.problems.list().map(({ line, message }) => `${line} ${message}`);
  t.same(told, ['3 no password hash; the user sets a password at the first login']);
  t.equal(report.withPassword, 2);
});

t.test('FusionAuth: a password in plain text is called what it is, and follows the rule', async (t) => {
  const users = [{ id: 'f1', username: 'mona', password: 'Correct-Horse-8', email: 'mona@fa.example' }];
  const convert = (map?: object) =>
    conversion(t, JSON.stringify({ users }), {
      system: 'fusionauth',
      ...(map && { map: JSON.stringify(map) }),
    });
  const checked = await convert();
  t.same(checked.told, []);
  t.equal(checked.org.humanUsers[0].user.password, 'Correct-Horse-8');
  const exempt = await convert({ rules: { clearPasswords: 'exempt' } });
  t.match(exempt.org.humanUsers[0].user.hashedPassword.value, /^\$scrypt\$/);
  const refused = await convert({ rules: { clearPasswords: 'refuse' } });
  t.match(refused.told, [/^1 error a password in plain text/]);
  t.notMatch(refused.told.join(), /Correct|unknown/);
});

t.test('FusionAuth: members that a database or a tool added are lost, and refuse nobody', async (t) => {
  const user = { id: 'f-1', username: 'ada', email: 'ada@f.example', verified: true, insertInstant: 1 };
  for (const more of [{ _id: 'm' }, { __v: 3 }, { _links: { self: '/' } }]) {
    const { org, lost } = await conversion(t, JSON.stringify({ users: [{ ...user, ...more }] }), {
      system: 'fusionauth',
    });
    t.equal(org.humanUsers.length, 1, Object.keys(more).join());
    t.ok(
      lost.some((path) => path.startsWith('_')),
      'and told',
    );
  }
  const other = { users: [{ username: 'ada', email: 'ada@f.example', _id: 'm' }] };
  const refused = await conversion(t, JSON.stringify(other), {
    system: 'fusionauth',
    skipInvalid: true,
  }).catch(String);
  t.match(String(refused), 'of another system', 'without a member of its own it is of any system');
});

t.test('FusionAuth: users of another system are refused', async (t) => {
  const others: Readonly<Record<string, object>> = {
    auth0: { user_id: 'auth0|1', email: 'a@x.example', email_verified: true },
    supabase: { id: '1', email: 'a@x.example', encrypted_password: bcryptHash },
    'Auth.js': { id: '1', name: 'A', email: 'a@x.example', emailVerified: null, image: null },
    'Better Auth': {
      id: '1',
      name: 'A',
      email: 'a@x.example',
      emailVerified: true,
      createdAt: '2024-05-01T10:00:00Z',
    },
    WorkOS: { object: 'user', id: '1', email: 'a@x.example', first_name: 'A' },
    authentik: { pk: 1, username: 'a', name: 'A', email: 'a@x.example', is_active: true },
  };
  for (const [name, other] of Object.entries(others)) {
    const { told } = await conversion(t, JSON.stringify([other]), {
      system: 'fusionauth',
      emailVerified: true,
    });
    t.match(told, [/^1 error not a user of FusionAuth: its members are of another system/], name);
  }
  for (const own of [
    fusionauthExport.users[0],
    { username: 'a', email: 'a@x.example' },
    { email: 'a@x.example', data: { b: 1 } },
  ]) {
    const { users } = await conversion(t, JSON.stringify([own]), {
      system: 'fusionauth',
      emailVerified: true,
    });
    t.equal(users, 1);
  }
});

t.test('Kratos: the state of an address is read, and what it says beside is counted', async (t) => {
  const [first] = kratosExport;
  const value = 'ada@example.org';
  const cases: [address: object, isVerified: boolean, lost: string[]][] = [
    [{ verified: true, status: 'completed' }, true, []],
    [{ status: 'completed' }, true, []],
    [{ status: 'sent' }, false, []],
    [{ verified: 'true' }, true, []],
    [{ verified: 1 }, false, ['verified']],
    [{ verified: false, status: 'completed' }, false, ['status']],
    [{ verified: true, status: 'pending' }, true, ['status']],
    [{ status: 'half' }, false, ['status']],
  ];
  for (const [address, isVerified, lost] of cases) {
    const given = JSON.stringify([{ ...first, verifiable_addresses: [{ value, via: 'email', ...address }] }]);
    const result = await conversion(t, given, { system: 'kratos' });
    t.equal(result.org.humanUsers[0].user.email.isEmailVerified, isVerified, JSON.stringify(address));
    t.same(
      result.lost.filter((path) => path.startsWith('verifiable_addresses')),
      lost.map((part) => `verifiable_addresses[].${part} 1`),
    );
  }
});

t.test('SCIM: flags that a server writes as texts are read, and others are counted or refused', async (t) => {
  const client = createScimClient({ baseUrl: 'http://localhost:1', token: 'token', signal: undefined });
  const read = scimFormat(client).reader({ emailVerified: true });
  const personOf = (more: object) => {
    const source = new SourceRecord({ id: '1', userName: 'mona', ...more });
    const { record } = read(source);
    return { user: record.user, lost: [...source.lost()] };
  };
  for (const [first, second] of [
    ['true', 'false'],
    [true, false],
    ['True', undefined],
  ]) {
    const emails = [
      { value: 'old@scim.example', primary: second },
      { value: 'mona@scim.example', primary: first },
    ];
    const { user, lost } = personOf({ emails });
    t.equal(user.email?.email, 'mona@scim.example', `${first}`);
    t.match(user.scim?.emails, [{}, { primary: true }]);
    t.same(lost, []);
  }
  const odd = personOf({
    phoneNumbers: [
      { value: '+1', primary: 'first' },
      { value: '+2', primary: 1 },
    ],
  });
  t.same(odd.lost, ['phoneNumbers[].primary']);
  for (const [active, wanted] of [
    ['False', false],
    [false, false],
    ['TRUE', true],
    [null, undefined],
    ['', undefined],
  ]) {
    t.equal(personOf({ active }).user.scim?.active, wanted, `${active}`);
  }
  for (const active of [0, 1, 'off', []]) {
    if (Array.isArray(active)) continue;
    t.throws(() => personOf({ active }), { message: /active is neither true nor false/ }, `${active}`);
  }
});

t.test('losses of people come first, and those of a realm are one line', async (t) => {
  const losses = createLosses();
  const place = { file: 'realm.json', line: 1 };
  for (let n = 0; n < 90; n++) losses.add([`(realm) setting${n}`], place);
  for (let n = 0; n < 3; n++) losses.add(['attributes.badge[]'], place);
  losses.add(['realmRoles[]'], place);
  const list = losses.list();
  t.same(
    list.slice(0, 2).map(({ path }) => path),
    ['attributes.badge[]', 'realmRoles[]'],
  );
  const told: string[] = [];
  const results: { leftOut?: unknown[] }[] = [];
  const output = {
    note: (text: string) => told.push(text),
    result: (value: object) => results.push(value),
  } as unknown as Parameters<typeof tellConversion>[2];
  const counts = {
    users: 1,
    withPassword: 1,
    groups: 0,
    memberships: 0,
    identityLinks: 0,
    webauthnCredentials: 0,
    written: true,
  };
  const report = { ...counts, problems: createProblems(), losses: list };
  tellConversion(report, { path: 'out', isStrict: false }, output);
  const lines = told.join('\n').split('\n');
  t.match(lines[0], /^left out: attributes\.badge\[\] of 3 records/);
  t.equal(lines.filter((line) => line.startsWith('left out')).length, 3);
  t.match(lines[2], /^left out: 90 values beside the people, such as \(realm\) setting0,/);
  t.equal(results[0]?.leftOut?.length, 92, '--json has all of them');
});
