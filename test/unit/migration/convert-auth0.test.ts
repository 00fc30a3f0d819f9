import { createHash, createHmac, pbkdf2Sync, scryptSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { type Auth0Input, convertAuth0 } from '#src/migration/convert/auth0/convert-auth0.js';

const hash = (fill: string, cost = '10') => `$2b$${cost}$${fill.repeat(53)}`;

type Lines = readonly (object | string)[];

/** Converts these lines and returns the result. */
async function conversion(
  t: Test,
  lines: { users: Lines; passwords: Lines },
  options: Partial<Auth0Input> & { multiline?: boolean } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const write = (name: string, content: Lines) => {
    const path = join(folder, name);
    const texts = content.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    writeFileSync(path, texts.join('\n'));
    return path;
  };
  const input = {
    ...{ users: write('users', lines.users), passwords: write('passwords', lines.passwords) },
    ...{ emailVerified: false, skipInvalid: false },
    ...options,
  };
  const path = join(folder, 'out.json');
  const { problems, ...report } = await convertAuth0(input, {
    path,
    orgId: 'org1',
    timeout: '30m',
    multiline: options.multiline ?? false,
  });
  const text = report.written ? readFileSync(path, 'utf8') : '';
  const left = readdirSync(folder).filter((name) => !['users', 'passwords', 'out.json'].includes(name));
  t.same(left, [], 'nothing else is left in the folder');
  const told = problems.list().map(({ severity, file, line, message }) => {
    return `${file.slice(folder.length + 1)}:${line} ${severity} ${message}`;
  });
  const { dataOrgs, dataOrgsv1 } = text === '' ? {} : JSON.parse(text);
  const users = (dataOrgs ?? dataOrgsv1)?.orgs[0].humanUsers ?? [];
  return { ...report, count: report.users, path, text, users, told };
}

t.test('neither input is replaced by the output', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const [users, passwords] = [join(folder, 'users'), join(folder, 'passwords')];
  for (const path of [users, passwords]) writeFileSync(path, '');
  const input = { users, passwords, emailVerified: false, skipInvalid: false };
  for (const path of [users, join(folder, '.', 'passwords')]) {
    const output = { path, orgId: 'org1', timeout: '30m', multiline: false };
    await t.rejects(convertAuth0(input, output), { message: /is an input/ });
  }
  t.same(readdirSync(folder).sort(), ['passwords', 'users']);
});

t.test('groups and roles of a user are told and left out', async (t) => {
  const user = (n: number, more: object) => ({
    user_id: `auth0|${n}`,
    email: `u${n}@example.com`,
    email_verified: true,
    ...more,
  });
  const { count, losses } = await conversion(t, {
    users: [
      user(1, { app_metadata: { authorization: { groups: ['a'], roles: ['b'], permissions: [] } } }),
      user(2, { roles: ['c'], organizations: [{ id: 'org' }], app_metadata: {} }),
      user(3, { groups: [] }),
    ],
    passwords: [],
  });
  t.equal(count, 3);
  t.same(
    losses?.map(({ path, records, line }) => `${path} ${records} ${line}`),
    [
      'app_metadata.authorization.groups[] 1 1',
      'app_metadata.authorization.roles[] 1 1',
      'organizations[].id 1 2',
      'roles[] 1 2',
    ],
  );
});

t.test('a user and the hash of the same identifier become one user of the import', async (t) => {
  const { text, path, ...came } = await conversion(t, {
    users: [
      {
        user_id: 'auth0|5f01',
        email: 'Anna@Example.com',
        email_verified: true,
        given_name: 'Anna',
        family_name: 'Lind',
        nickname: 'anna',
        name: 'Anna K. Lind',
      },
    ],
    passwords: [{ _id: { $oid: '5f01' }, email: 'anna@example.com', passwordHash: hash('a'), tenant: 'x' }],
  });
  t.equal(
    text,
    `{"timeout":"30m","dataOrgs":{"orgs":[{"orgId":"org1","humanUsers":[{"userId":"auth0|5f01","user":{"userName":"Anna@Example.com","profile":{"firstName":"Anna","lastName":"Lind","nickName":"anna","displayName":"Anna K. Lind"},"email":{"email":"Anna@Example.com","isEmailVerified":true},"hashedPassword":{"value":"${hash('a')}"}}}]}]},"statedAttributes":["profile.firstName","profile.lastName","profile.displayName","profile.nickName","email","phone"]}\n`,
  );
  t.match(came, { told: [], count: 1, withPassword: 1, written: true });
  t.equal(statSync(path).mode & 0o777, 0o600, 'only its owner may read the hashes');
});

t.test('the names of the columns are those of the export that was not asked for any', async (t) => {
  const { users } = await conversion(
    t,
    {
      users: [
        {
          Id: 'auth0|1',
          Email: 'a@example.com',
          'Email Verified': false,
          'Given Name': 'A',
          Name: 'a@example.com',
        },
      ],
      passwords: [],
    },
    { emailVerified: true },
  );
  t.same(users, [
    {
      userId: 'auth0|1',
      user: {
        userName: 'a@example.com',
        profile: { firstName: 'A' },
        email: { email: 'a@example.com', isEmailVerified: true },
      },
    },
  ]);
});

t.test('one user a line, and the same body', async (t) => {
  const lines = {
    users: [1, 2, 3].map((n) => ({
      user_id: `auth0|${n}`,
      email: `u${n}@example.com`,
      email_verified: true,
    })),
    passwords: [],
  };
  const one = await conversion(t, lines);
  const many = await conversion(t, lines, { multiline: true });
  t.same(JSON.parse(many.text), JSON.parse(one.text));
  t.equal(one.text.split('\n').length, 2);
  t.equal(many.text.split('\n').filter((line) => line.includes('"userId"')).length, 3);
  await t.rejects(conversion(t, { users: [], passwords: [] }), { message: /has no users of Auth0/ });
});

t.test('links to outside identity providers come along', async (t) => {
  const identities = [
    { provider: 'auth0', connection: 'customers', user_id: 'a', isSocial: false },
    { provider: 'google-oauth2', connection: 'google-oauth2', user_id: '10769', isSocial: true },
  ];
  const user = { user_id: 'auth0|a', email: 'a@example.com', email_verified: true, identities };
  for (const passwords of [[], [{ _id: { $oid: 'a' }, email: 'a@example.com', passwordHash: hash('h') }]]) {
    const { text } = await conversion(t, { users: [user], passwords });
    const [{ humanUsers, identityLinks }] = JSON.parse(text).dataOrgs.orgs;
    t.equal(humanUsers[0].user.hashedPassword?.value, passwords[0]?.passwordHash);
    t.same(identityLinks, [{ userId: 'auth0|a', links: [{ provider: 'google-oauth2', subject: '10769' }] }]);
  }
});

t.test('an address joins only within one database', async (t) => {
  const address = { email: 'a@example.com', email_verified: true };
  const passwords = [{ _id: { $oid: 'x' }, ...address, passwordHash: hash('a'), connection: 'customers' }];
  for (const [where, isJoined] of [
    [{ Connection: 'customers' }, true],
    [{ identities: [{ provider: 'auth0', connection: 'customers', user_id: 'b' }] }, true],
    [{ identities: [{ provider: 'auth0', connection: 'staff', user_id: 'b' }] }, false],
    [{ connection: 'staff' }, false],
    [{}, false],
  ] as const) {
    const { withPassword, told } = await conversion(t, {
      users: [{ user_id: 'auth0|b', ...address, ...where }],
      passwords,
    });
    t.equal(withPassword, isJoined ? 1 : 0, JSON.stringify(where));
    t.match(
      told,
      isJoined
        ? [/^users:1 note the password hash is that of the same address/]
        : [/no user has/, /no password/],
    );
  }
});

t.test('the address joins where the identifier does not', async (t) => {
  const { users, told } = await conversion(t, {
    users: [
      { user_id: 'auth0|a', email: 'a@example.com' },
      { user_id: 'auth0|b', email: 'B@example.com' },
      { user_id: 'google-oauth2|c', email: 'c@example.com', email_verified: true },
      { user_id: 'auth0|d', email: 'd@example.com', email_verified: true },
      { user_id: 'auth0|e', email: 'e@example.com', email_verified: true },
    ],
    passwords: [
      { _id: { $oid: 'a' }, email: 'other@example.com', passwordHash: hash('a') },
      { _id: { $oid: 'x' }, email: 'b@example.com', passwordHash: hash('b') },
      { _id: { $oid: 'y' }, email: 'c@example.com', passwordHash: hash('c') },
      { _id: { $oid: 'd1' }, email: 'd@example.com', passwordHash: hash('d') },
      { _id: { $oid: 'd2' }, email: 'd@example.com', passwordHash: hash('e') },
    ],
  });
  t.same(
    users.map(({ user }: { user: { hashedPassword?: { value: string } } }) => user.hashedPassword?.value),
    [hash('a'), hash('b'), undefined, undefined, undefined],
  );
  t.same(told, [
    'passwords:3 note no user has this identifier, or one of the names in this connection',
    'passwords:4 note no user has this identifier, or one of the names in this connection',
    'passwords:5 note no user has this identifier, or one of the names in this connection',
    'users:2 note the password hash is that of the same address and connection',
    'users:4 note several users or password hashes have this address or name and connection; the user sets a password at the first login',
    'users:5 note no password hash; the user sets a password at the first login',
  ]);
});

t.test('a hash belongs to its identifier, then to its alt_id, then to one of its identifiers', async (t) => {
  const alt = (id: string, altId: string, more: object = {}) => ({
    _id: { $oid: id },
    alt_id: altId,
    ...more,
  });
  const identifiers = (type: string, value: string) => ({
    identifiers: [
      { type: 'other', value: 'x' },
      { type, value },
    ],
  });
  const customers = { connection: 'customers' };
  const { users, told } = await conversion(t, {
    users: [
      { user_id: 'auth0|a', email: 'a@example.com', email_verified: true },
      { user_id: 'auth0|b', email: 'b@example.com', email_verified: true },
      { user_id: 'auth0|c', username: 'Cleo', email: 'c@example.com', email_verified: true, ...customers },
      {
        user_id: 'auth0|d',
        phone_number: '+1 555 0100',
        email: 'd@example.com',
        email_verified: true,
        ...customers,
      },
      { user_id: 'auth0|e', email: 'e@example.com', email_verified: true, ...customers },
      { user_id: 'auth0|f', username: 'fay', email: 'f@example.com', email_verified: true, ...customers },
      { user_id: 'auth0|g', username: 'gus', email: 'g@example.com', email_verified: true, ...customers },
    ],
    passwords: [
      { ...alt('x1', 'a'), passwordHash: hash('x') },
      { _id: { $oid: 'a' }, passwordHash: hash('a') },
      { ...alt('x2', 'auth0|b'), email: 'c@example.com', passwordHash: hash('b') },
      { ...alt('x3', 'none'), ...identifiers('username', 'CLEO'), ...customers, passwordHash: hash('c') },
      {
        _id: { $oid: 'x4' },
        ...identifiers('phone_number', '+15550100'),
        ...customers,
        passwordHash: hash('d'),
      },
      {
        _id: { $oid: 'x5' },
        ...identifiers('email', 'E@example.com'),
        ...customers,
        passwordHash: hash('e'),
      },
      {
        _id: { $oid: 'x6' },
        ...identifiers('username', 'fay'),
        connection: 'staff',
        passwordHash: hash('f'),
      },
      { ...alt('x7', 'g'), passwordHash: hash('g') },
      { ...alt('x8', 'g'), passwordHash: hash('h') },
    ],
  });
  t.same(
    users.map(({ user }: { user: { hashedPassword?: { value: string } } }) => user.hashedPassword?.value),
    [hash('a'), hash('b'), hash('c'), hash('d'), hash('e'), undefined, undefined],
  );
  t.same(told, [
    ...[1, 7, 8, 9].map((line) => {
      return `passwords:${line} note no user has this identifier, or one of the names in this connection`;
    }),
    'users:3 note the password hash is that of the same user name and connection',
    'users:4 note the password hash is that of the same telephone number and connection',
    'users:5 note the password hash is that of the same address and connection',
    'users:6 note no password hash; the user sets a password at the first login',
    'users:7 note several users or password hashes have this address or name and connection; the user sets a password at the first login',
  ]);
});

t.test('a blocked user stays without access', async (t) => {
  const { users } = await conversion(t, {
    users: [{ user_id: 'auth0|1', email: 'a@example.com', blocked: true }],
    passwords: [{ _id: { $oid: '1' }, email: 'a@example.com', passwordHash: hash('a') }],
  });
  t.match(users, [{ user: { scim: { active: false }, hashedPassword: { value: hash('a') } } }]);
});

t.test('a user who is not blocked is active, and one without the flag is neither', async (t) => {
  const { users } = await conversion(t, {
    users: [
      { user_id: 'auth0|1', email: 'a@example.com', email_verified: true, blocked: false },
      { user_id: 'auth0|2', email: 'b@example.com', email_verified: true },
    ],
    passwords: [],
  });
  t.match(users, [{ user: { scim: { active: true } } }, { user: { scim: undefined } }]);
});

const broken = {
  users: [
    '\uFEFF{"user_id":"auth0|1","email":"a@example.com"}\r',
    '{"user_id":"auth0|2","email":',
    '',
    '[]',
    { email: 'x@example.com' },
    { user_id: 'auth0|4' },
    { user_id: 'auth0|5', email: 'nobody' },
    { user_id: 'auth0|6', username: 'A@EXAMPLE.COM', email: 'six@example.com', email_verified: true },
    { user_id: 'auth0|1', email: 'seven@example.com' },
    `{"user_id":"auth0|8","email":"eight@example.com","nickname":"${'x'.repeat(3 << 20)}"}`,
    { user_id: 'auth0|9', email: 'nine@example.com', given_name: 'x'.repeat(600) },
    { user_id: 'auth0|10', email: 'ten@example.com', email_verified: true },
    { user_id: 'auth0|11', email: 'eleven@example.com' },
    { user_id: 'apple|12', email: 'twelve@example.com' },
  ],
  passwords: [
    { _id: { $oid: '1' }, email: 'a@example.com', passwordHash: hash('a') },
    { _id: { $oid: '2' }, email: 'b@example.com' },
    { _id: { $oid: '3' }, email: 'c@example.com', passwordHash: '5f4dcc3b' },
    { _id: { $oid: '4' }, email: 'd@example.com', passwordHash: hash('d', '16') },
    { _id: { $oid: '1' }, email: 'a@example.com', passwordHash: hash('b') },
    { email: 'a@example.com', passwordHash: hash('b') },
  ],
};

t.test('every problem is told with its line, and nothing is written', async (t) => {
  const { told, written } = await conversion(t, broken);
  t.equal(written, false);
  t.same(told, [
    'passwords:2 error no passwordHash',
    'passwords:3 error HASH-UNREADABLE: The password hash is not in a form that is taken; /docs/password-hashes has them all',
    'passwords:4 error HASH-COST: The cost of the password hash is out of the bounds that /docs/password-hashes has for its form',
    'passwords:5 error another hash for the identifier of line 1',
    'passwords:6 error no identifier',
    'users:2 error not JSON',
    'users:4 error not a JSON object',
    'users:5 error no identifier',
    'users:6 error no username, e-mail address or telephone number',
    'users:7 error emails.value is not an e-mail address',
    'users:8 note no password hash; the user sets a password at the first login',
    'users:8 error the same userName as line 1',
    'users:9 error the same identifier as line 1',
    'users:10 error longer than 1048576 bytes',
    'users:11 error name.givenName has more than 500 characters',
    'users:12 note no password hash; the user sets a password at the first login',
    'users:13 error HASH-MISSING: The record has neither a password hash nor a verified e-mail address. The file of hashes has none of it. --email-verified says that the addresses are right',
    'users:14 error HASH-MISSING: The record has neither a password hash nor a verified e-mail address. If the address is right, say so with --email-verified: the person then sets a password by a link. Otherwise --without-credentials allow takes the person as it is',
  ]);
});

t.test('a user needs neither an address nor names', async (t) => {
  const { users, told } = await conversion(
    t,
    {
      users: [
        { user_id: 'auth0|1', username: 'ada' },
        { user_id: 'auth0|2', phone_number: '+1 555 0100' },
        { user_id: 'auth0|3', username: 'eve' },
        { user_id: 'sms|4', phone_number: '+1 555 0101' },
      ],
      passwords: [
        { _id: { $oid: '1' }, passwordHash: hash('a') },
        { _id: { $oid: '2' }, passwordHash: hash('b') },
      ],
    },
    { skipInvalid: true },
  );
  t.same(users, [
    { userId: 'auth0|1', user: { userName: 'ada', profile: {}, hashedPassword: { value: hash('a') } } },
    {
      userId: 'auth0|2',
      user: {
        userName: '+1 555 0100',
        profile: {},
        phone: { phone: '+1 555 0100', isPhoneVerified: false },
        hashedPassword: { value: hash('b') },
      },
    },
  ]);
  t.match(told, [/^users:3 error HASH-MISSING/, /^users:4 error HASH-MISSING/]);
});

t.test('invalid users can be skipped', async (t) => {
  const { users, written } = await conversion(t, broken, { skipInvalid: true });
  t.equal(written, true);
  t.same(
    users.map(({ userId }: { userId: string }) => userId),
    ['auth0|1', 'auth0|10'],
  );
});

t.test('many users in many parts keep their order and their hashes', async (t) => {
  const count = 3_000;
  const numbers = Array.from({ length: count }, (_, n) => n);
  // The hashes come in another order. Every third matches its user only by the address.
  const lines = {
    users: numbers.map((n) => ({ user_id: `auth0|${n}`, email: `u${n}@example.com` })),
    passwords: numbers
      .map((n) => ({
        _id: { $oid: n % 3 === 0 ? `old${n}` : `${n}` },
        email: `u${n}@example.com`,
        passwordHash: `$2a$10$${String(n).padStart(53, '.')}`,
      }))
      .reverse(),
  };
  const { users, told } = await conversion(t, lines, { partitionBytes: 50_000 });
  t.equal(told.length, count / 3);
  t.ok(told.every((text) => text.includes('the password hash is that of the same address and connection')));
  const expected = numbers.map((n) => [`auth0|${n}`, `$2a$10$${String(n).padStart(53, '.')}`]);
  t.same(
    users.map((item: { userId: string; user: { hashedPassword: { value: string } } }) => [
      item.userId,
      item.user.hashedPassword.value,
    ]),
    expected,
  );
});

t.test('a file that is not there, and one that is broken off by a signal', async (t) => {
  await t.rejects(conversion(t, { users: [], passwords: [] }, { users: '/nowhere/users' }), {
    message: /^\/nowhere\/users cannot be read: ENOENT/,
  });
  const signal = AbortSignal.abort(new Error('Interrupted'));
  await t.rejects(conversion(t, { users: [], passwords: [] }, { signal }), { message: 'Interrupted' });
});

t.test('dates travel if the file has them', async (t) => {
  const user = (n: number, dates: object) => ({
    user_id: `auth0|${n}`,
    email: `u${n}@example.com`,
    email_verified: true,
    ...dates,
  });
  const { users, told, losses } = await conversion(t, {
    users: [
      user(1, { created_at: '2019-03-05T14:00:02.123Z', updated_at: '2020-01-01T00:00:00.000Z' }),
      user(2, { 'Created At': '2019-03-05T14:00:02+02:00' }),
      user(3, { created_at: { $date: '2018-01-02T03:04:05Z' }, updated_at: 'soon' }),
    ],
    passwords: [],
  });
  t.match(users, [
    { user: { created: '2019-03-05T14:00:02.123Z', lastModified: '2020-01-01T00:00:00.000Z' } },
    { user: { created: '2019-03-05T12:00:02.000Z' } },
    { user: { created: '2018-01-02T03:04:05.000Z' } },
  ]);
  t.notOk('lastModified' in users[2].user);
  t.match(losses, [{ path: 'updated_at', records: 1, line: 3 }]);
  t.match(
    told.filter((one) => one.includes('date')),
    ['users:3 note lastModified is no date from 1970 until today; left out'],
  );
});

t.test('a mapping changes people before they are joined with their hashes', async (t) => {
  const lines = {
    users: [
      { user_id: 'auth0|1', email: 'a@example.com', app_metadata: { team: 'Lab', badge: 7 } },
      { user_id: 'auth0|2', email: 'b@example.com', app_metadata: { team: 'Gone' } },
      { user_id: 'auth0|3', email: 'c@example.com', user_metadata: { hash: hash('c', '04') } },
    ],
    passwords: [
      { _id: { $oid: '1' }, email: 'a@example.com', passwordHash: hash('a') },
      { _id: { $oid: '3' }, email: 'c@example.com', passwordHash: hash('b') },
    ],
  };
  const map = JSON.stringify({
    attributes: [
      { from: 'app_metadata.team', to: 'group' },
      { from: 'app_metadata.badge', to: 'metadata:badge' },
      { from: 'email', to: 'userName', values: { 'a@example.com': 'anna' } },
      { from: 'user_metadata.hash', to: 'passwordHash' },
      { from: 'user_metadata.none', to: 'title' },
    ],
  });
  const { text, told, losses, withPassword, groups, memberships } = await conversion(t, lines, {
    map,
    skipInvalid: true,
  });
  const [org] = JSON.parse(text).dataOrgsv1.orgs;
  t.match(org.humanUsers, [
    { userId: 'auth0|1', user: { userName: 'anna', hashedPassword: { value: hash('a') } } },
    { userId: 'auth0|3', user: { userName: 'c@example.com', hashedPassword: { value: hash('c', '04') } } },
  ]);
  t.equal(org.humanUsers.length, 2, 'a user without a hash and a verified address is left out');
  t.equal(text.split('hashedPassword').length, 3, 'the hash of the mapping takes the place of the other');
  t.match(org.groups, [{ group: { displayName: 'Lab' } }], 'and so is the group of the user alone');
  t.same(org.groupMembers, [{ groupId: org.groups[0].groupId, userId: 'auth0|1' }]);
  t.same(org.userMetadata, [{ userId: 'auth0|1', key: 'badge', value: Buffer.from('7').toString('base64') }]);
  t.same({ withPassword, groups, memberships }, { withPassword: 2, groups: 1, memberships: 1 });
  t.same(losses, [], 'what the mapping takes is not lost');
  t.match(told.join('\n'), 'users:1 note the mapping names "user_metadata.none", which no record has');

  const { explained, written } = await conversion(t, lines, { map, skipInvalid: true, isDryRun: true });
  t.equal(written, false);
  t.match(explained?.[0], { line: 1, after: { user: { userName: 'anna' } } });
  t.notMatch(JSON.stringify(explained), '$2b$');
});

/** The forms are those of auth0.com/docs, "Bulk User Import Database Schema and Examples"; the people are invented. */
const importedByAuth0 = [
  {
    user_id: 'u1',
    email: 'ada@example.com',
    email_verified: true,
    // The digest of "saltpassword"; computed by sha256sum.
    custom_password_hash: {
      algorithm: 'sha256',
      hash: { value: '13601bda4ea78e55a07b98866d2be6be0744e3866f13c00c811cab608a28f322', encoding: 'hex' },
      salt: { value: 'salt', encoding: 'utf8', position: 'prefix' },
    },
    mfa_factors: [{ totp: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' } }],
  },
  {
    user_id: 'u2',
    email: 'bob@example.com',
    password_hash: hash('p'),
    mfa_factors: [{ phone: { value: '+41446681800' } }],
  },
  {
    _ID: { $oid: '5dea9f9c82dd7c0e76e4ec93' },
    email: 'cyd@example.com',
    email_verified: true,
    custom_password_hash: {
      algorithm: 'whirlpool',
      hash: { value: '8a9d093f14f8701df17732b2bb182c74', encoding: 'hex' },
    },
  },
];

t.test('one array of users who have their hashes, without a file of hashes', async (t) => {
  for (const users of [[importedByAuth0], [{ users: importedByAuth0 }], importedByAuth0]) {
    const converted = await conversion(t, { users, passwords: [] }, { passwords: undefined });
    t.equal(converted.count, 3, converted.told.join('\n'));
    t.equal(converted.withPassword, 2);
    const [ada, bob, cyd] = converted.users;
    const found = readPasswordHash(ada.user.hashedPassword.value);
    t.ok(typeof found === 'object' && (await found.matches?.('password')), 'the password fits');
    t.notOk(typeof found === 'object' && (await found.matches?.('salt')));
    t.equal(ada.user.otpCode, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');
    t.equal(bob.user.hashedPassword.value, hash('p'));
    t.equal(cyd.userId, '5dea9f9c82dd7c0e76e4ec93');
    t.match(converted.told.filter((line) => line.includes('whirlpool')).length, 1);
    t.notMatch(converted.told.join(), /no password hash;.*ada/);
    const lost = converted.losses?.map(({ path }) => path) ?? [];
    t.ok(lost.includes('mfa_factors[].phone.value'), 'a factor by telephone is lost, and told');
    t.ok(lost.some((path) => path.startsWith('custom_password_hash')));
  }
});

t.test('an array of hashes, with _ID in capitals', async (t) => {
  const users = [{ user_id: 'auth0|5dea9f9c82dd7c0e76e4ec93', email: 'ada@example.com' }];
  const passwords = [[{ _ID: { $oid: '5dea9f9c82dd7c0e76e4ec93' }, passwordHash: hash('a') }]];
  const { users: found, told } = await conversion(t, { users, passwords });
  t.equal(found[0]?.user.hashedPassword?.value, hash('a'), told.join());
});

t.test('hashes of every algorithm that Auth0 imports', async (t) => {
  const bytes = (text: string) => ({ value: Buffer.from(text).toString('base64'), encoding: 'base64' });
  const digest = (name: string, text: string) => createHash(name).update(text).digest('base64url');
  const given: Record<string, object> = {
    md5: {
      hash: { value: digest('md5', 'secretsalt'), encoding: 'base64' },
      salt: { ...bytes('salt'), position: 'suffix' },
    },
    sha1: { hash: { value: digest('sha1', 'secret') } },
    sha512: {
      hash: { value: createHash('sha512').update('secret').digest('hex').toUpperCase(), encoding: 'hex' },
    },
    hmac: {
      hash: {
        value: createHmac('sha256', 'pepper').update('secret').digest('hex'),
        encoding: 'hex',
        digest: 'sha256',
        key: bytes('pepper'),
      },
    },
    scrypt: {
      hash: {
        value: scryptSync('secret', 'salt', 32).toString('hex'),
        encoding: 'hex',
        keylen: 32,
        cost: 16384,
      },
      salt: { value: 'salt' },
    },
    pbkdf2: {
      hash: {
        value: `$pbkdf2-sha512$i=1000,l=32$c2FsdA$${pbkdf2Sync('secret', 'salt', 1000, 32, 'sha512').toString('base64').replace('=', '')}`,
        encoding: 'utf8',
      },
    },
    // printf secret | openssl md4 -provider legacy; for Windows, of the password in UTF-16
    md4: { hash: { value: '67d3dafef63ff00603aeef3769cfbf0d', encoding: 'hex' } },
    MD4: { hash: { value: '878d8014606cda29677a44efa1353fc7' }, password: { encoding: 'utf16le' } },
    ldap: {
      hash: { value: `{SHA}${createHash('sha1').update('secret').digest('base64')}`, encoding: 'utf8' },
    },
  };
  const users = Object.entries(given).map(([algorithm, parts], place) => ({
    user_id: `of-${algorithm}`,
    email: `of-${algorithm}-${place}@example.com`,
    custom_password_hash: { algorithm, ...parts },
  }));
  const converted = await conversion(t, { users: [users], passwords: [] });
  t.equal(converted.withPassword, users.length, converted.told.join('\n'));
  for (const { userId, user } of converted.users) {
    const found = readPasswordHash(user.hashedPassword.value);
    t.ok(typeof found === 'object' && (await found.matches?.('secret')), userId);
    t.notOk(typeof found === 'object' && (await found.matches?.('Secret')), userId);
  }
});

t.test('hashes made to harm are refused, and never told', async (t) => {
  const secret = 'c0ffee'.repeat(10);
  const hostile = [
    { algorithm: 'scrypt', hash: { value: secret, encoding: 'hex', cost: 2 ** 40 }, salt: { value: 's' } },
    {
      algorithm: 'scrypt',
      hash: { value: secret, encoding: 'hex', cost: -1, keylen: 1e9 },
      salt: { value: 's' },
    },
    { algorithm: 'sha256', hash: { value: secret, encoding: 'rot13' } },
    { algorithm: 'sha256', hash: { value: { $ne: null } } },
    { algorithm: '__proto__', hash: { value: secret } },
    { algorithm: 'md5', hash: { value: secret }, password: { encoding: 'utf16le' } },
    { algorithm: 'hmac', hash: { value: secret, digest: 'constructor', key: { value: 'k' } } },
    { algorithm: 'sha256', hash: [secret] },
  ];
  const users = hostile.map((custom_password_hash, n) => ({
    ...{ user_id: `u${n}`, email: `u${n}@example.com`, email_verified: true, custom_password_hash },
  }));
  const { withPassword, told, written } = await conversion(
    t,
    { users, passwords: [] },
    { skipInvalid: true },
  );
  t.equal(written, true);
  t.equal(withPassword, 0);
  t.notMatch(told.join(), /c0ffee/);
});
