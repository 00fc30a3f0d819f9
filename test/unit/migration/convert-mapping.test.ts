import t from 'tap';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import type { ConversionLoss } from '#src/migration/convert/losses.js';
import { isAcceptable } from '#src/migration/convert/mapping/accepted-losses.js';
import { targetNames } from '#src/migration/convert/mapping/targets.js';
import { conversion } from '../../support/migration/convert-file.js';
import { oktaExport } from '../../support/migration/exports.js';
import { mappedPerson, mappedTable, mappedTargets } from '../../support/migration/mapped-people.js';
import { processorTime } from '../../support/processor-time.js';

const hash = '$2b$10$aXpKsOzIYnHUbwNkzn6LP.rBVBe2rLi7fbNjl/rTs7SJQ5hMvmKCa';

t.test('a mapping: words, groups, roles, metadata and rules', async (t) => {
  const map = {
    $schema: 'https://example.com/mapping.schema.json',
    attributes: [
      { from: 'login', to: 'userName' },
      { from: 'a.b', to: 'email' },
      { from: 'team', to: 'group', separator: '|', values: { x: 'Excellence', none: '' } },
      { from: 'rights', to: 'roles', separator: ' ' },
      { from: 'badge', to: 'metadata:badge' },
      { from: 'pw', to: 'password' },
      { from: 'typo', to: 'title' },
    ],
    rules: { userName: 'email', unverifiedEmail: 'trust', clearPasswords: 'exempt' },
  };
  const table =
    'login;a.b;team;rights;badge;pw\nmona;mona@csv.example;x|lab|none;admin admin user;ü-1;weak\n';
  const options = { map: JSON.stringify(map), delimiter: ';' };
  const { body, org, told, lost } = await conversion(t, table, options);
  t.same(told, ['1 note the mapping names "typo", which no record has']);
  t.same(lost, []);
  t.ok('dataOrgsv1' in body, 'only the form of an instance has metadata');
  const [{ userId, user }] = org.humanUsers;
  t.match(user, {
    userName: 'mona@csv.example',
    email: { email: 'mona@csv.example', isEmailVerified: true },
    hashedPassword: { value: /^\$scrypt\$ln=14,r=8,p=1\$/ },
    scim: { roles: [{ value: 'admin' }, { value: 'user' }] },
  });
  t.notOk('password' in user);
  t.same(org.userMetadata, [{ userId, key: 'badge', value: Buffer.from('ü-1').toString('base64') }]);
  t.same(
    org.groups.map(({ group }: { group: object }) => group),
    [{ displayName: 'Excellence' }, { displayName: 'lab' }],
  );
  const again = await conversion(t, table, options);
  t.equal(again.org.humanUsers[0].userId, userId, 'another conversion gives the same identifier');
});

t.test('every target has its place in the record', async (t) => {
  t.same([...mappedTargets].sort(), [...targetNames].sort(), 'the table has every target');
  const { text, ...options } = mappedTable;
  const { org, told, lost } = await conversion(t, text, options);
  t.same([told, lost], [[], []]);
  t.same(org.humanUsers[0], mappedPerson);
  t.match(org.humanUsers[1].user, {
    profile: { preferredLanguage: 'en' },
    email: { email: 'lou@csv.example', isEmailVerified: false },
    password: 'Correct-Horse-8',
    scim: { preferredLanguageGiven: true },
  });
  t.match(org.groups, [{ group: { displayName: 'staff' } }]);
  t.same(org.groupMembers, [{ groupId: org.groups[0].groupId, userId: 'person-7' }]);
});

t.test('dates by a mapping', async (t) => {
  const names = ['userName', 'email', 'created', 'lastModified'];
  const map = JSON.stringify({
    attributes: names.map((name) => ({ from: name, to: name })),
    rules: { unverifiedEmail: 'trust' },
  });
  const convert = (dates: string) =>
    conversion(t, `${names.join()}\nmona,mona@csv.example,${dates}\n`, { map });
  const { org, told } = await convert('2017-07-14T04:40:00+02:00,1600000000');
  t.same(told, []);
  t.match(org.humanUsers[0].user, {
    created: '2017-07-14T02:40:00.000Z',
    lastModified: '2020-09-13T12:26:40.000Z',
  });
  const odd = await convert('yesterday,');
  t.same(odd.told, ['2 note created is no date from 1970 until today; left out']);
  t.same([odd.users, odd.lost], [1, ['created 1']], 'nobody is lost for a date');
  // As PostgreSQL and MySQL write dates into a table.
  const databases = await convert('2023-05-01 10:00:00.123456+00,2023-05-02 10:00:00');
  t.match(databases.org.humanUsers[0].user, {
    created: '2023-05-01T10:00:00.123Z',
    lastModified: '2023-05-02T10:00:00.000Z',
  });
  t.same((await convert('0000-00-00 00:00:00,2024-02-29')).told, []);
});

t.test('rules refuse people', async (t) => {
  const row = 'userName,email,name.givenName,password\nmona,,Mona,secret-text\n';
  const attributes = ['userName', 'email', 'name.givenName', 'password'].map((name) => ({
    from: name,
    to: name,
  }));
  const toldBy = async (rules: object) =>
    (await conversion(t, row, { map: JSON.stringify({ attributes, rules }) })).told.join('\n');
  t.match(await toldBy({ clearPasswords: 'refuse' }), '2 error a password in plain text');
  t.match(await toldBy({ missingEmail: 'refuse' }), 'no e-mail address');
  t.match(await toldBy({ missingName: 'refuse' }), 'no first or no last name');
  for (const map of [JSON.stringify({ attributes }), undefined]) {
    t.match(
      (await conversion(t, row, { map })).org.humanUsers,
      [{ user: { userName: 'mona', password: 'secret-text', hashedPassword: undefined } }],
      'the import checks passwords in plain text, with and without a mapping',
    );
  }
  const address = 'userName,email,passwordHash\nmona,m@csv.example,';
  const hashed = [...attributes.slice(0, 2), { from: 'passwordHash', to: 'passwordHash' }];
  const byRule = async (unverifiedEmail: string, mapped = hashed) => {
    const map = JSON.stringify({ attributes: mapped, rules: { unverifiedEmail } });
    const { told, org } = await conversion(t, `${address}${hash}\n`, { map });
    return { told: told.join(), user: org?.humanUsers[0].user };
  };
  const email = 'm@csv.example';
  t.same((await byRule('keep')).user.email, { email, isEmailVerified: false });
  t.same((await byRule('trust')).user.email, { email, isEmailVerified: true });
  const dropped = await byRule('drop');
  t.match(dropped, { told: '', user: { userName: 'mona', hashedPassword: { value: hash } } });
  t.notOk('email' in dropped.user, 'the address is left out, and the person is not');
  t.match((await byRule('drop', attributes.slice(0, 2))).told, 'HASH-MISSING');
});

t.test('the converter hashes a password in plain text in NFC', async (t) => {
  const map = JSON.stringify({
    attributes: ['userName', 'password'].map((name) => ({ from: name, to: name })),
    rules: { clearPasswords: 'exempt' },
  });
  const { org } = await conversion(t, `userName,password\nmona,${'Grün'.normalize('NFD')}\n`, { map });
  const reading = readPasswordHash(org.humanUsers[0].user.hashedPassword.value);
  t.equal(typeof reading === 'object' && reading.matches?.('Grün'.normalize('NFC')), true);
});

t.test('a person has a password in plain text or a hash, not both', async (t) => {
  const names = ['userName', 'password', 'passwordHash'];
  for (const clearPasswords of ['check', 'exempt']) {
    const map = JSON.stringify({
      attributes: names.map((name) => ({ from: name, to: name })),
      rules: { clearPasswords },
    });
    const { told } = await conversion(t, `${names.join()}\nmona,secret-text,${hash}\n`, { map });
    t.ok(told.includes('2 error both a password and a hash'), clearPasswords);
  }
});

t.test('a mapping of another system adds to what its converter takes', async (t) => {
  const map = { attributes: [{ from: 'profile.badge', to: 'employeeNumber' }] };
  const [first] = oktaExport as unknown as [{ profile: object }];
  const given = JSON.stringify([{ ...first, profile: { ...first.profile, badge: 7 } }]);
  const options = { system: 'okta', emailVerified: true };
  const before = await conversion(t, given, options);
  const after = await conversion(t, given, { ...options, map: JSON.stringify(map) });
  t.ok(before.lost.includes('profile.badge 1'));
  t.notOk(after.lost.includes('profile.badge 1'));
  t.equal(after.org.humanUsers[0].user.scim.employeeNumber, '7');
  t.equal(after.org.humanUsers[0].user.userName, before.org.humanUsers[0].user.userName);
});

t.test('what is no mapping is refused', async (t) => {
  const refusals: [unknown, RegExp][] = [
    ['{', /--map is not JSON/],
    [[], /--map is no mapping/],
    [{ regex: '(a+)+$' }, /--map is no mapping/],
    [{ attributes: [{ from: 'a', to: 'userNam' }] }, /--map is no mapping/],
    [{ attributes: [{ from: 'a', to: '__proto__' }] }, /--map is no mapping/],
    [{ attributes: [{ from: 'a', to: 'title', match: '.*' }] }, /--map is no mapping/],
    [
      {
        attributes: [
          { from: 'a', to: 'title' },
          { from: 'b', to: 'title' },
        ],
      },
      /two attributes have the target title/,
    ],
    [{ attributes: [{ from: 'a', to: 'title', separator: ',' }] }, /takes one value/],
    [{ attributes: Array(501).fill({ from: 'a', to: 'group' }) }, /--map is no mapping/],
    [' '.repeat(1_100_000), /--map is longer/],
  ];
  for (const [given, message] of refusals) {
    const map = typeof given === 'string' ? given : JSON.stringify(given);
    await t.rejects(conversion(t, 'userName\nx\n', { map }), { message });
  }
  const proto = { attributes: [{ from: '__proto__.constructor.name', to: 'title' }] };
  const { told } = await conversion(t, `userName,passwordHash\nx,${hash}\n`, { map: JSON.stringify(proto) });
  t.match(told.join(), 'which no record has');
});

t.test('a strict conversion takes the losses that the mapping accepts, and no others', async (t) => {
  const okta = JSON.stringify(oktaExport);
  const lost = (accepted: boolean, given: readonly ConversionLoss[] = []) =>
    given.filter((loss) => loss.accepted === accepted).map(({ path }) => path);
  const convert = (acceptedLosses: string[]) =>
    conversion(t, okta, { system: 'okta', strict: true, map: JSON.stringify({ acceptedLosses }) });

  const some = await convert(['_links.*.href', 'activated', 'profile.shoe*', 'typo', 'profile.*.x']);
  t.equal(some.written, false);
  t.same(lost(true, some.losses).sort(), ['_links.self.href', 'activated', 'profile.shoeSize']);
  t.same(lost(false, some.losses).sort(), [
    'credentials.provider.name',
    'credentials.provider.type',
    'type.id',
  ]);
  t.same(
    some.told,
    ['typo', 'profile.*.x'].map(
      (path) => `1 note the mapping accepts the loss of "${path}", and nothing was lost there`,
    ),
  );
  const all = await convert([...lost(true, some.losses), ...lost(false, some.losses)]);
  t.match(all, { written: true, told: [] });
  t.same(lost(false, all.losses), [], 'the paths are those that the report names');
  t.equal((await convert(['TYPE.id', 'a*'])).written, false, 'letter case counts');

  const person = `dn: uid=a,o=x\nobjectClass: person\nuid: a\nuidNumber: 7\nmail: a@x.example\n`;
  const map = JSON.stringify({ acceptedLosses: ['uidNumber'] });
  const ldif = await conversion(t, person, { system: 'ldif', strict: true, emailVerified: true, map });
  t.match(ldif, { written: true, losses: [{ path: 'uidnumber', accepted: true }] });
});

t.test('a file that only accepts losses changes nothing else', async (t) => {
  const map = JSON.stringify({ acceptedLosses: ['shoes'] });
  const table = await conversion(t, `userName,passwordHash,shoes\nmona,${hash},42\n`, { strict: true, map });
  t.match(table.org.humanUsers, [{ user: { userName: 'mona' } }], 'columns with the names of targets');
});

t.test('paths that would accept anything are refused', async (t) => {
  for (const path of ['*', '*.id', '', '.id', 'a.**', 'a*b*', 'a'.repeat(201), `${'a.'.repeat(99)}**`]) {
    const map = JSON.stringify({ acceptedLosses: [path] });
    await t.rejects(conversion(t, 'userName\nx\n', { map }), { message: /--map is no mapping/ }, path);
    if (path.length <= 200) t.notOk(isAcceptable(path));
  }
  const map = JSON.stringify({ acceptedLosses: Array(1_001).fill('a') });
  await t.rejects(conversion(t, 'userName\nx\n', { map }), { message: /--map is no mapping/ });
  t.ok(isAcceptable('(realm) authenticatorConfig'));
  t.ok(isAcceptable('groups[].attributes.floor[]'));
});

t.test('more accepted paths than are told one by one stay accepted, and the others refused', async (t) => {
  const people = (name: string) =>
    JSON.stringify([
      {
        id: '1',
        profile: { login: 'a', email: 'a@example.com' },
        other: Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`${name}-${n}`, n])),
      },
    ]);
  const map = JSON.stringify({ acceptedLosses: ['other.known-*', '(further paths)'] });
  const options = { system: 'okta', strict: true, emailVerified: true, map } as const;
  const known = await conversion(t, people('known'), options);
  t.equal(known.written, true);
  t.equal(known.losses?.length, 1_001);
  t.match(
    known.losses?.filter(({ path }) => path.startsWith('(')),
    [{ path: '(further accepted paths)', accepted: true }],
  );
  const unknown = await conversion(t, people('unknown'), options);
  t.equal(unknown.written, false);
  t.match(
    unknown.losses?.filter(({ path }) => path.startsWith('(')),
    [{ path: '(further paths)', accepted: false }],
  );
});

t.test('many paths and a record of many members take little time', async (t) => {
  const acceptedLosses = Array.from({ length: 101 }, (_, n) => `other.${'a'.repeat(80)}*-${n}`);
  const other = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${'a'.repeat(80)}${n}`, 1]));
  const person = { id: '1', profile: { login: 'a', email: 'a@example.com' }, other };
  const mapOf = (given: string[]) => JSON.stringify({ acceptedLosses: given });
  const began = performance.now();
  await conversion(t, JSON.stringify([person]), {
    ...{ system: 'okta', emailVerified: true, map: mapOf(acceptedLosses.slice(1)) },
  });
  t.ok(performance.now() - began < 5_000, 'half a million comparisons');
  const refused = conversion(t, JSON.stringify([person]), { system: 'okta', map: mapOf(acceptedLosses) });
  await t.rejects(refused, { message: /at most 100 paths of acceptedLosses/ });
});

t.test('an explanation has three records, writes nothing and shows no secret', async (t) => {
  const rows = Array.from({ length: 5 }, (_, n) => `u${n},${hash},otp-secret,${hash}\n`).join('');
  const { explained = [], written } = await conversion(t, `userName,passwordHash,otp,other\n${rows}`, {
    isDryRun: true,
  });
  t.equal(written, false);
  t.same(
    explained.map(({ line }) => line),
    [2, 3, 4],
  );
  t.match(explained[0], {
    before: { userName: 'u0', passwordHash: '•••', otp: '•••', other: '•••' },
    after: { user: { userName: 'u0', hashedPassword: '•••' } },
  });
  t.notMatch(JSON.stringify(explained), /\$2b|otp-secret/);
});

t.test('a mapping has no loops, because each value is read from the source and replaced once', async (t) => {
  const crossed = {
    attributes: [
      { from: 'nickName', to: 'title' },
      { from: 'title', to: 'nickName', values: { Boss: 'Chief', Chief: 'Boss' } },
      { from: 'team', to: 'group', separator: ' ', values: { Lab: 'Lab', a: 'b', b: 'a' } },
      { from: 'group', to: 'metadata:group' },
      { from: 'metadata:group', to: 'userType' },
    ],
  };
  const table = `userName,nickName,title,team,passwordHash\nmona,Mo,Boss,Lab a b Lab,${hash}\n`;
  const attributes = [
    ...crossed.attributes,
    ...['userName', 'passwordHash'].map((name) => ({ from: name, to: name })),
  ];
  const { org, told } = await conversion(t, table, { map: JSON.stringify({ attributes }) });
  const [{ user }] = org.humanUsers;
  t.equal(user.scim.title, 'Mo', 'two attributes changed places');
  t.equal(user.profile.nickName, 'Chief');
  t.same(
    org.groups.map(({ group }: { group: { displayName: string } }) => group.displayName),
    ['Lab', 'b', 'a'],
    'a group that becomes itself is one group, and words that become each other change places',
  );
  t.equal(org.groupMembers.length, 3);
  t.same(
    told.map((one) => one.replace(/^\d+ note /, '')),
    ['group', 'metadata:group'].map((name) => `the mapping names "${name}", which no record has`),
    'no entry reads what another one made',
  );
});

t.test('groups in circles have people as members, and end', async (t) => {
  const group = (name: string, members: string[]) =>
    `dn: cn=${name},o=x\nobjectClass: groupOfNames\ncn: ${name}\n${members.map((one) => `member: ${one}\n`).join('')}\n`;
  const ldif =
    `dn: uid=mona,o=x\nobjectClass: inetOrgPerson\nuid: mona\nsn: M\nuserPassword: {CRYPT}${hash}\n\n` +
    group('self', ['cn=self,o=x', 'uid=mona,o=x']) +
    group('one', ['cn=two,o=x']) +
    group('two', ['cn=one,o=x', 'uid=mona,o=x']);
  const { org, told, lost } = await conversion(t, ldif, { system: 'ldif' });
  t.equal(org.groups.length, 3);
  t.equal(org.groupMembers.length, 2);
  t.equal(told.filter((one) => one.includes('is a group, and groups are in no group')).length, 3);
  t.same(lost, ['member 3']);
});

t.test('the longest mapping takes little time, and a longer one is refused', async (t) => {
  const values = Object.fromEntries(Array.from({ length: 999 }, (_, n) => [`v${n}`, `v${n + 1}`]));
  const attributes = [
    { from: 'userName', to: 'userName', values },
    { from: 'passwordHash', to: 'passwordHash' },
    ...Array.from({ length: 498 }, (_, n) => ({ from: 'team', to: 'group', values: { [`v${n}`]: `g${n}` } })),
  ];
  const rows = Array.from({ length: 200 }, (_, n) => `v${n},v${n},${hash}\n`).join('');
  const began = processorTime();
  const { org } = await conversion(t, `userName,team,passwordHash\n${rows}`, {
    map: JSON.stringify({ attributes }),
  });
  t.ok(processorTime() - began < 5_000, 'half a million words for 200 people');
  t.equal(org.humanUsers[7].user.userName, 'v8');
  const refused = (given: object, message: RegExp) =>
    t.rejects(conversion(t, 'userName\nx\n', { map: JSON.stringify(given) }), { message });
  await refused(
    { attributes: [...attributes, { from: 'a', to: 'group' }] },
    /--map is no mapping: .*attributes/,
  );
  const tooMany = { ...values, a: 'b', c: 'd' };
  await refused(
    { attributes: [{ from: 'a', to: 'title', values: tooMany }] },
    /--map is no mapping: .*values/,
  );
  await refused({ attributes: [{ from: Array(51).fill('a'), to: 'title' }] }, /--map is no mapping: .*from/);
});
