import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { conversion, convertFile, folderOf } from '../../support/migration/convert-file.js';
import { firebaseParameters } from '../../support/migration/exports.js';
import { processorTime } from '../../support/processor-time.js';

const hash = '$2b$10$aXpKsOzIYnHUbwNkzn6LP.rBVBe2rLi7fbNjl/rTs7SJQ5hMvmKCa';

t.test('columns with the names of targets need no mapping', async (t) => {
  const { org, told, lost, groups, memberships } = await conversion(
    t,
    '\uFEFFuserName,name.givenName,name.familyName,email,emailVerified,phone,department,group,passwordHash,active,shoes\r\n' +
      `mona,Mona,"Lind, PhD",mona@csv.example,yes,+46 70 1,Research,engineers;lab,${hash},yes,42\r\n` +
      'omar,Omar,"O""Neil",omar@csv.example,1,=2+5+cmd|\' /C calc\'!A0,"A\nB",Engineers,,no,\r\n',
  );
  t.same(told, []);
  t.same(lost, ['shoes 1']);
  t.same([groups, memberships], [2, 3]);
  t.match(org.humanUsers, [
    {
      userId: /^[0-9a-f]{32}$/,
      user: {
        userName: 'mona',
        profile: { firstName: 'Mona', lastName: 'Lind, PhD' },
        email: { email: 'mona@csv.example', isEmailVerified: true },
        phone: { phone: '+46 70 1' },
        hashedPassword: { value: hash },
        scim: { active: true, department: 'Research' },
      },
    },
    {
      user: {
        profile: { lastName: 'O"Neil' },
        phone: { phone: "=2+5+cmd|' /C calc'!A0" },
        scim: { active: false, department: 'A\nB' },
      },
    },
  ]);
  t.same(
    org.groups.map(({ group }: { group: object }) => group),
    [{ displayName: 'engineers' }, { displayName: 'lab' }],
  );
  t.equal(org.groupMembers[2].groupId, org.groups[0].groupId, 'letter case makes no other group');
});

t.test('hostile tables are refused, and their cells are never told', async (t) => {
  const refusals: [string | Buffer, RegExp][] = [
    ['userName,userName\na,b\n', /has the column "userName" twice/],
    ['userName,,email\na,b,c\n', /column 2 has no name/],
    [',,\na,b,c\n', /column 1 has no name/],
    ['userName,email\nsecret-cell,"open\n', /quotation mark/],
    ['userName,email\na,"b"secret-cell\n', /in\.csv:2: a quotation mark/],
    [Buffer.from('userName\nJos\xe9\n', 'latin1'), /not UTF-8/],
    [`${Array.from({ length: 1_001 }, (_, n) => `c${n}`).join(',')}\n`, /more than 1000 columns/],
    ['userName\n', /no users/],
    ['', /no users|cannot/],
  ];
  for (const [given, message] of refusals) {
    const told = await conversion(t, given).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
    t.match(told, message);
    t.notMatch(told, 'secret-cell');
  }
  const uneven = await conversion(t, `userName,passwordHash\na,${hash}\nb\nc,${hash},x\n`, {
    skipInvalid: true,
  });
  t.same(uneven.told, ['3 error 1 cells, and the header has 2', '4 error 3 cells, and the header has 2']);
  t.equal(uneven.users, 1);
});

t.test('quotes, names and line ends that are made to confuse are what they are', async (t) => {
  const quotes = `"${'""'.repeat(250_000)}"`;
  const began = processorTime();
  const { org, lost } = await conversion(t, `userName,passwordHash,other\na,${hash},${quotes}\n`);
  t.ok(processorTime() - began < 2_000, 'half a million quotation marks take little time');
  t.equal(org.humanUsers[0].user.userName, 'a');
  t.same(lost, ['other 1']);

  const names = [
    'userName',
    'passwordHash',
    '__proto__',
    'constructor',
    'toString',
    'user.userName',
    '=cmd()',
  ];
  const odd = await conversion(
    t,
    `${names.join()}\nmona,${hash},admin,admin,admin,admin,"=HYPERLINK(""x"")"\n`,
  );
  t.equal(odd.org.humanUsers[0].user.userName, 'mona');
  t.equal(odd.lost.length, 5, 'every other column is lost, whatever its name is');
  t.equal(({} as { admin?: unknown }).admin, undefined);

  const cells: [string, string][] = [
    ['a\rb', 'a carriage return within a name'],
    ['"a\nb"', 'a line feed within a name'],
    ['a\0b', 'a NUL byte'],
    ['a\u202eb', 'a text that turns around'],
  ];
  for (const [cell, what] of cells) {
    const told = await conversion(t, `userName,passwordHash\n${cell},${hash}\nlast,${hash}\n`, {
      skipInvalid: true,
    }).then(
      ({ org, told }) => [
        ...told,
        ...org.humanUsers.map(({ user }: { user: { userName: string } }) => user.userName),
      ],
      (error: Error) => [error.message],
    );
    t.notMatch(JSON.stringify(told), /"a[^"]*b"/, `${what} becomes no user name`);
  }
  await t.rejects(conversion(t, Buffer.from(`userName,passwordHash\nJosé,${hash}\n`, 'latin1')));
});

t.test('what databases and Excel write where there is nothing is empty', async (t) => {
  const rows = ['\\N', 'NULL'].map((none, place) => `m${place},m${place}@n.example,${none},${none}\n`);
  const table = `username,email,deleted_at,phone\n${rows.join('')}omar,o@n.example,2024-01-01 00:00:00,\n`;
  const { org, told, lost } = await conversion(t, table, { emailVerified: true });
  t.same(told, ['2 note 4 cells say NULL or \\N, as databases write it. They count as empty']);
  t.same(lost, []);
  t.same(
    org.humanUsers.map(({ user }: { user: { phone?: object; scim: object } }) => [user.scim, user.phone]),
    [
      [{ active: true }, undefined],
      [{ active: true }, undefined],
      [{ active: false }, undefined],
    ],
    'whoever was deleted stays so',
  );
  const excel = await conversion(
    t,
    'userName,email,employeeNumber,,\nmona,mona@x.example,"=""0123""",,\nomar,omar@x.example,7,,\npia,pia@x.example,8,,x\n',
    { emailVerified: true, skipInvalid: true },
  );
  t.same(
    excel.org.humanUsers.map(({ user }: { user: { scim: object } }) => user.scim),
    [{ employeeNumber: '0123' }, { employeeNumber: '7' }],
  );
  t.same(excel.told, ['4 error 5 cells, and the header has 3']);
  const spaced = await conversion(t, 'userName,email,\n,,\nmona,mona@x.example,\n,,,,\n""\n', {
    emailVerified: true,
  });
  t.same([spaced.org.humanUsers.length, spaced.told], [1, []], 'rows of nothing are nothing');
});

t.test('a line that never ends is refused before it fills the memory', async (t) => {
  const path = join(folderOf(t), 'long.csv');
  const file = openSync(path, 'w');
  writeSync(file, 'userName\n"');
  const block = 'x'.repeat(1024 * 1024);
  for (let n = 0; n < 8; n++) writeSync(file, block);
  closeSync(file);
  await t.rejects(convertFile(path), { message: /long\.csv:2: a row is longer than 1048576 characters/ });
});

t.test('Firebase as CSV, in the columns of firebase-tools', async (t) => {
  const provider = ',,,';
  const { org, told, lost } = await conversion(
    t,
    'fb-1,maria@example.com,true,lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==,42xEC+ixf3L2lw==,' +
      `Maria "Mia" Berg,,1,m@g.example,,,${provider},${provider},${provider},1500000000000,1600000000000,+41446681800,false,"{""admin"":true}",\n` +
      `fb-2,off@example.com,true,,,"Off, Otto",,${provider},${provider},${provider},${provider},1500000000000,,,true,,\n`,
    { system: 'firebase', hashParameters: firebaseParameters },
  );
  t.same(told, []);
  t.match(org.humanUsers, [
    {
      userId: 'fb-1',
      user: {
        profile: { displayName: 'Maria "Mia" Berg' },
        phone: { phone: '+41446681800' },
        hashedPassword: { value: /^\$firescrypt/ },
      },
    },
    { userId: 'fb-2', user: { profile: { displayName: 'Off, Otto' }, scim: { active: false } } },
  ]);
  t.same(lost, ['customAttributes 1', 'lastSignedInAt 1']);
});

t.test('Cognito as CSV, with the header of a pool', async (t) => {
  const { org, told, lost } = await conversion(
    t,
    'name,given_name,family_name,email,email_verified,phone_number,phone_number_verified,updated_at,cognito:mfa_enabled,cognito:username\n' +
      'Ada Lind,Ada,Lind,ada@example.com,true,+4670,false,1600000000,false,ada\n',
    { system: 'cognito' },
  );
  t.same(told, []);
  t.match(org.humanUsers, [
    {
      user: {
        userName: 'ada',
        lastModified: '2020-09-13T12:26:40.000Z',
        email: { email: 'ada@example.com', isEmailVerified: true },
        phone: { phone: '+4670' },
      },
    },
  ]);
  t.same(lost, []);
});
