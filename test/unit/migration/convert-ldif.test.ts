import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { hashExamples } from '../../support/keys/hash-examples.js';
import { convertFile, conversion as convertText, folderOf } from '../../support/migration/convert-file.js';
import { processorTime } from '../../support/processor-time.js';

const ssha = '{SSHA}pYJm8SCcXEo6Xb7u8wtGTyOQ6BlhbGljZQ==';
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');

const conversion: typeof convertText = (t, given, options = {}) =>
  convertText(t, given, { system: 'ldif', ...options });

/** An entry of a person with a name, and more lines. */
const person = (uid: string, ...lines: string[]) =>
  [
    `dn: uid=${uid},ou=people,dc=example,dc=com`,
    'objectClass: inetOrgPerson',
    `uid: ${uid}`,
    `userPassword:: ${base64(ssha)}`,
    ...lines,
    '',
    '',
  ].join('\n');

const summary = (users: { user: object }[]) => users.map(({ user }) => user);

t.test('OpenLDAP: people, hashes, languages, groups by name, by identifier and by login name', async (t) => {
  const text = `\uFEFFversion: 1

# a comment
  that continues
dn: dc=example,dc=com
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: cn=staff,ou=groups,dc=example,dc=com
changetype: add
objectClass: groupOfNames
cn: staff
entryUUID: 11111111-aaaa-4aaa-8aaa-111111111111
member: UID=mona, OU=people,dc=Example,dc=com
member: cn=Lind\\2C Omar,ou=people,dc=example,dc=com
member: cn=gone,ou=people,dc=example,dc=com
member: cn=posix,ou=groups,dc=example,dc=com

dn: uid=mona,ou=people,dc=example,dc=com
objectClass: top
objectClass: inetOrgPerson
objectClass: posixAccount
uid: mona
cn: Mona Lind
sn:: ${base64('Lind ✓')}
givenName;lang-de: Mona
mail: mona@ldap.example
mail: m.lind@ldap.example
telephoneNumber: +46 70
  123
preferredLanguage: sv-SE, en;q=0.8
departmentNumber: Research
uidNumber: 1001
entryUUID: 22222222-aaaa-4aaa-8aaa-222222222222
createTimestamp: 20200101000000Z
modifyTimestamp: 20210203040506Z
jpegPhoto:: ${base64(Buffer.from([0xff, 0xd8, 0x00]))}
userPassword:: ${base64(ssha)}
memberOf: cn=staff,ou=groups,dc=example,dc=com

dn: cn=Lind\\, Omar,ou=people,dc=example,dc=com
objectClass: person
objectClass: organizationalPerson
objectClass: inetOrgPerson
objectClass: posixAccount
cn: Lind, Omar
sn: Lind
uid: omar
mail: omar@ldap.example
userPassword: {CRYPT}$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1
pwdAccountLockedTime: 000001010000Z
memberOf: cn=elsewhere,dc=example,dc=com

dn: cn=posix,ou=groups,dc=example,dc=com
objectClass: posixGroup
cn: posix
gidNumber: 5
description: Old group
memberUid: OMAR
memberUid: mona
`;
  for (const given of [text, text.replaceAll('\n', '\r\n')]) {
    const { org, told, lost, written, groups, memberships, withPassword } = await conversion(t, given);
    t.same(told, [
      '11 note the member "cn=gone,ou=people,dc=example,dc=com" is no person of the output',
      '11 note the member "cn=posix,ou=groups,dc=example,dc=com" is a group, and groups are in no group',
    ]);
    t.same([written, groups, memberships, withPassword], [true, 2, 4, 2]);
    t.same(lost, [
      'description 1',
      'gidnumber 1',
      'jpegphoto.bytes 1',
      'member 1',
      'memberof 1',
      'preferredlanguage 1',
      'uidnumber 1',
    ]);
    const [mona, omar] = org.humanUsers;
    t.same(mona, {
      userId: '22222222-aaaa-4aaa-8aaa-222222222222',
      user: {
        userName: 'mona',
        created: '2020-01-01T00:00:00.000Z',
        lastModified: '2021-02-03T04:05:06.000Z',
        profile: {
          firstName: 'Mona',
          lastName: 'Lind ✓',
          displayName: 'Mona Lind',
          preferredLanguage: 'sv-SE',
        },
        email: { email: 'mona@ldap.example', isEmailVerified: false },
        phone: { phone: '+46 70 123', isPhoneVerified: false },
        hashedPassword: { value: mona.user.hashedPassword.value },
        passwordChangeRequired: false,
        scim: {
          active: true,
          department: 'Research',
          emails: [
            { value: 'mona@ldap.example', primary: true, verified: false },
            { value: 'm.lind@ldap.example', primary: false, verified: false },
          ],
        },
      },
    });
    t.match(mona.user.hashedPassword.value, /^\$sha1\$pf=/);
    t.match(omar.userId, /^[0-9a-f]{32}$/, 'a person without an identifier gets one of the name');
    t.match(omar.user, { hashedPassword: { value: /^\$6\$/ }, scim: { active: false } });
    const [staff, posix] = org.groups;
    t.match(staff, { groupId: '11111111-aaaa-4aaa-8aaa-111111111111', group: { displayName: 'staff' } });
    const inGroup = (groupId: string) =>
      org.groupMembers
        .filter((one: { groupId: string }) => one.groupId === groupId)
        .map(({ userId }: { userId: string }) => (userId === omar.userId ? 'omar' : userId.slice(0, 3)))
        .sort();
    t.same(
      [inGroup(staff.groupId), inGroup(posix.groupId)],
      [
        ['222', 'omar'],
        ['222', 'omar'],
      ],
    );
  }
  const strict = await conversion(t, text, { strict: true });
  t.equal(strict.written, false);
});

t.test('Active Directory: identifiers, disabled and expired accounts, computers and contacts', async (t) => {
  const guid = Buffer.from('33221100554477668899aabbccddeeff', 'hex');
  const user = (name: string, ...lines: string[]) =>
    `dn: CN=${name},CN=Users,DC=corp,DC=example\nobjectClass: top\nobjectClass: person\nobjectClass: user\ncn: ${name}\n` +
    `sAMAccountName: ${name}\nuserPrincipalName: ${name}@corp.example\nmail: ${name}@corp.example\n${lines.join('\n')}\n\n`;
  const { org, told, lost } = await conversion(
    t,
    `${user('ada', 'userAccountControl: 512', `objectGUID:: ${base64(guid)}`, 'displayName: Ada Ek', 'company: ACME')}` +
      user('off', 'userAccountControl: 514', 'objectSid:: AQUAAAAAAAUVAAAA') +
      user('old', 'userAccountControl: 66048', 'accountExpires: 132223104000000000') +
      user('yet', 'userAccountControl: 512', 'accountExpires: 9200000000000000000', 'shadowExpire: -1') +
      'dn: CN=PC1,DC=corp,DC=example\nobjectClass: user\nobjectClass: computer\nsAMAccountName: PC1$\n\n' +
      'dn: CN=Bo,DC=corp,DC=example\nobjectClass: person\nobjectClass: contact\ncn: Bo\n\n' +
      'dn: CN=Team,DC=corp,DC=example\nobjectClass: top\nobjectClass: group\ncn: Team\nsAMAccountName: Team\n' +
      'member: CN=ada,CN=Users,DC=corp,DC=example\nmember;range=0-*: CN=off,CN=Users,DC=corp,DC=example\n\n' +
      'dn: OU=Unit,DC=corp,DC=example\nobjectClass: top\nobjectClass: organizationalUnit\nou: Unit\n\n' +
      '# search result\nsearch: 2\nresult: 0 Success\n\n# numResponses: 8\n',
    { emailVerified: true },
  );
  t.same(told, []);
  t.equal(org.humanUsers[0].userId, '00112233-4455-6677-8899-aabbccddeeff');
  t.match(org.humanUsers[0].user, { profile: { displayName: 'Ada Ek' }, scim: { organization: 'ACME' } });
  t.same(
    summary(org.humanUsers).map((user) => [
      (user as { userName: string }).userName,
      (user as { scim?: { active?: boolean } }).scim?.active,
    ]),
    [
      ['ada', true],
      ['off', false],
      ['old', false],
      ['yet', true],
    ],
  );
  t.equal(org.groupMembers.length, 2);
  t.same(lost, ['(entry) computer 1', '(entry) contact 1', 'accountexpires 1', 'objectsid.bytes 1']);
});

t.test('a mapping names attributes in any letter case, and --explain masks what is secret', async (t) => {
  const map = {
    attributes: [
      { from: 'employeeType', to: 'group' },
      { from: 'LABELEDURI', to: 'website' },
      { from: 'cn;lang-de', to: 'displayName' },
      { from: 'uid', to: 'userName', values: { mona: 'mona.lind' } },
    ],
  };
  const text =
    person('mona', 'employeeType: Staff', 'labeledURI: https://mona.example', 'cn;lang-de: Mona von Lind') +
    'dn: cn=STAFF,dc=example\nobjectClass: groupOfUniqueNames\ncn: STAFF\nnsUniqueId: g-1\n' +
    "uniqueMember: uid=mona,ou=people,dc=example,dc=com#'0101'B\n";
  const { org, lost, told, groups, explained } = await conversion(t, text, { map: JSON.stringify(map) });
  t.same([told, lost, groups], [[], [], 1], 'one name is one group');
  t.match(org.humanUsers[0].user, {
    userName: 'mona.lind',
    profile: { displayName: 'Mona von Lind' },
    scim: { website: 'https://mona.example' },
  });
  t.same(
    new Set(org.groupMembers.map(({ userId }: { userId: string }) => userId)),
    new Set([org.humanUsers[0].userId]),
  );
  t.notMatch(JSON.stringify(explained), /SSHA|pYJm8/);
});

t.test(
  'passwords: every scheme of the import, and those in plain text by the rule of the mapping',
  async (t) => {
    const bare = (uid: string, password: string) =>
      `dn: uid=${uid},dc=example\nobjectClass: account\nobjectClass: posixAccount\nuid: ${uid}\nmail: ${uid}@x.example\n` +
      `userPassword: ${password}\n\n`;
    const schemes = [
      '{SHA}fEqNCco3Yq9h5ZUglD3CZJT4lBs=',
      '{MD5}4QrcOUm6Wau+VuBX8g+IPg==',
      '{CRYPT}$1$saltstri$YMyguxXMBpd2TEZ.vS/3q1',
      `{SSHA256}${base64(Buffer.alloc(40, 1))}`,
      `{SSHA512}${base64(Buffer.alloc(72, 1))}`,
      // Debian 12, 389 Directory Server, ForgeRock and Dovecot: test/support/keys/hash-examples-of-systems.ts.
      ...hashExamples
        .filter(({ hash }) => /^\{(CRYPT\}\$y|PBKDF2|SCRAM|PKCS5S2)/.test(hash))
        .map(({ hash }) => hash),
    ];
    t.ok(schemes.length > 12);
    const taken = await conversion(t, schemes.map((one, n) => bare(`u${n}`, one)).join(''));
    t.same([taken.told, taken.withPassword], [[], schemes.length]);

    const others = await conversion(
      t,
      bare('a', '{SASL}a@REALM') + bare('b', '{CRYPT}!') + bare('c', '{CRYPT}!$6$x$y'),
      { emailVerified: true },
    );
    t.same(others.told, [
      '1 note the password is on another server; the user sets one at the first login',
      '8 note the password is locked; the user sets one at the first login',
      '15 note the password is locked; the user sets one at the first login',
    ]);
    t.same(
      summary(others.org.humanUsers).map((user) => (user as { scim: { active: boolean } }).scim.active),
      [true, true, false],
      'a locked account stays disabled',
    );

    const schemed = bare('c', '{PLAIN}secret-text') + bare('d', '{noop}secret-text');
    const clear = bare('a', 'secret-text') + bare('b', '{CLEARTEXT}secret-text') + schemed;
    const checked = await conversion(t, clear, { emailVerified: true });
    t.same(
      summary(checked.org.humanUsers).map((user) => (user as { password: string }).password),
      Array.from({ length: 4 }, () => 'secret-text'),
    );
    const refused = await conversion(t, clear, { map: '{"rules":{"clearPasswords":"refuse"}}' });
    t.match(
      refused.told,
      [1, 8, 15, 22].map((line) => new RegExp(`^${line} error a password in plain text`)),
    );
    // RFC 4519 section 2.41: a text without a scheme is no hash, also if it looks like a digest.
    const digests = [
      '5f4dcc3b5aa765d61d8327deb882cf99',
      '5f4dcc3b5aa765d61d8327deb882cf99:salt',
      'CCX.K.MFy4Ois',
    ];
    for (const digest of digests) {
      const { org } = await conversion(t, bare('a', digest), { emailVerified: true });
      t.match(org.humanUsers, [{ user: { password: digest } }], digest);
    }
    t.notMatch(refused.told.join(), 'secret-text');
    const exempt = await conversion(t, clear, { map: '{"rules":{"clearPasswords":"exempt"}}' });
    t.same(
      summary(exempt.org.humanUsers).map((user) => 'hashedPassword' in user && !('password' in user)),
      [true, true, true, true],
    );
    t.notMatch(JSON.stringify(exempt.explained), 'secret-text');
    const unknown = await conversion(t, bare('a', '{X-NEW}secret-text'), { emailVerified: true });
    t.match(unknown.told, [/^1 error HASH-UNREADABLE/]);
  },
);

t.test('hostile entries are told with their line, and their values never', async (t) => {
  const good = person('good');
  const faults: [string, RegExp][] = [
    [
      'dn: uid=a\nobjectClass: person\nuserPassword:< file:///etc/passwd\n',
      /3 error userpassword has its value at a URL/,
    ],
    ['dn: uid=a\nchangetype: modify\nreplace: mail\nmail: secret-text\n-\n', /2 error changetype is not add/],
    ['dn: uid=a\nchangetype: delete\n', /2 error changetype is not add/],
    ['dn: uid=a\ncn:: secret-text!\n', /2 error cn is not base64/],
    ['dn: uid=a\ncn:: YWJj=\n', /2 error cn is not base64/],
    ['dn: uid=a\nsecret-text\n', /2 error not an attribute and a value/],
    ['dn: uid=a\n__proto__: x\n', /2 error not an attribute/],
    [' secret-text\n', /1 error a line continues nothing/],
    ['uid: a\ncn: b\n', /1 error an entry does not begin with dn/],
    ['dn: uid=a\ncn: b\ndn: uid=b\n', /3 error a second dn/],
    ['dn: cn=g\nobjectClass: group\nmember;range=0-1499: uid=a\n', /3 error member is cut \(range=0-1499\)/],
    ['dn: cn=g\nobjectClass: groupOfNames\nmember: uid=a\n', /1 error a group has no cn/],
    ['dn: uid=a\nobjectClass: person\nuid:: /w==\n', /1 error uid has a value that is no text/],
    ['result: 4 Size limit exceeded\n', /1 error the search did not end well/],
    [`dn: uid=a\n${'x: y\n'.repeat(10_001)}`, /10002 error more than 10000 values/],
    [`dn: uid=a\n${`x: ${'y'.repeat(500_000)}\n`.repeat(3)}`, /4 error longer than 1048576 bytes/],
    [
      `dn: uid=a\nx: ${`${'y'.repeat(1_000)}\n `.repeat(1_100)}\n`,
      /2 error a value is longer than 1048576 bytes/,
    ],
  ];
  for (const [given, message] of faults) {
    const { told, users, written } = await conversion(t, `${given}\n${good}`, { skipInvalid: true });
    t.match(told.join('\n'), message);
    t.equal(told.length, 1, `one fault for one entry: ${message}`);
    t.notMatch(told.join(), /secret-text|etc.passwd/);
    t.same([users, written], [1, true], 'the next entry is taken');
    t.equal((await conversion(t, `${given}\n${good}`)).written, false);
  }
});

t.test('long values end, however they are cut', async (t) => {
  const photo = base64(Buffer.alloc(700_000, 0xff));
  const lines = photo.replaceAll(/(.{76})/g, '$1\n ');
  const held = await conversion(t, person('mona', `jpegPhoto:: ${lines}`) + person('last'));
  t.same([held.written, held.users, held.told], [true, 2, []]);
  t.ok(held.lost.includes('jpegphoto.bytes 1'), 'a photo of a megabyte is lost, and not the person');

  const endless: [string, string][] = [
    [`jpegPhoto:: ${base64(Buffer.alloc(3 * 2 ** 20))}`, 'base64 of megabytes on one line'],
    [`jpegPhoto:: ${base64(Buffer.alloc(6 * 2 ** 20)).replaceAll(/(.{60})/g, '$1\n ')}`, 'and on many'],
    [`description: x${'\n y'.repeat(2 ** 21)}`, 'two million lines of one character'],
    [`description: x${'\n '.repeat(2 ** 20)}`, 'a million lines of none'],
  ];
  for (const [value, what] of endless) {
    const began = processorTime();
    const given = person('mona', value) + person('last');
    const { told, users } = await conversion(t, given, { skipInvalid: true });
    t.ok(processorTime() - began < 10_000, what);
    t.match(
      told.length === 0 ? 'two people' : told.join(),
      /^two people$|^\d+ error (?:longer than|a value is longer than) 1048576 bytes$/,
      what,
    );
    t.equal(users, told.length === 0 ? 2 : 1, 'the next entry is taken');
  }
});

t.test('files that are no LDIF are refused', async (t) => {
  const refusals: [string | Buffer, RegExp][] = [
    ['version: 2\n\ndn: uid=a\n', /in\.csv:1: LDIF has one version/],
    ['', /has no users: LDIF has entries/],
    ['dn: dc=example\nobjectClass: domain\n', /has no users: LDIF has entries/],
  ];
  for (const [given, message] of refusals) await t.rejects(conversion(t, given), { message });
  const latin = await conversion(t, Buffer.from(person('jose', 'cn: José'), 'latin1'));
  t.same(latin.told, ['5 error not UTF-8']);
});

t.test('a name cannot be made to look like that of another entry', async (t) => {
  const { org, told } = await conversion(
    t,
    person('admin', 'cn: admin') +
      'dn: cn=g,dc=example\nobjectClass: groupOfNames\ncn: g\n' +
      'member: uid=admin\\2Cou=people,dc=example,dc=com\nmember: uid=admin\\00ou=people,dc=example,dc=com\n' +
      'member: uid=admin\\+x=y,ou=people,dc=example,dc=com\n',
  );
  t.equal(told.length, 3);
  t.notOk('groupMembers' in org);
});

t.test(
  'groups of one name are told apart, and entries without objectClass by their attributes',
  async (t) => {
    const { org, told, lost } = await conversion(
      t,
      `dn: uid=m,dc=x\nuid: m\nmail: m@x.example\n\ndn: ou=only,dc=x\nou: only\n\n` +
        `dn: cn=Lab,ou=a,dc=x\nobjectClass: groupOfNames\ncn: Lab\nmember: uid=m,dc=x\n\n` +
        `dn: cn=lab,ou=b,dc=x\ncn: lab\nmember: uid=m,dc=x\n`,
      { emailVerified: true },
    );
    t.same([told, lost], [[], ['(entry without objectClass) 1', 'ou 1'].slice(0, 1)]);
    t.same(
      org.groups.map(({ group }: { group: { displayName: string } }) => group.displayName),
      ['cn=Lab,ou=a,dc=x', 'cn=lab,ou=b,dc=x'],
    );
    t.equal(org.groupMembers.length, 2);
  },
);

t.test('a group with more members than fit into a record', async (t) => {
  const path = join(folderOf(t), 'large.ldif');
  const file = openSync(path, 'w');
  writeSync(file, 'dn: cn=all,dc=example\nobjectClass: groupOfNames\ncn: all\n');
  const unit = `ou=${'x'.repeat(500)}`;
  const numbers = Array.from({ length: 3_000 }, (_, n) => n);
  writeSync(file, numbers.map((n) => `member: uid=u${n},${unit},dc=example,dc=com\n`).join(''));
  writeSync(file, `\n${numbers.map((n) => person(`u${n}`).replace('ou=people', unit)).join('')}`);
  closeSync(file);
  const { users, memberships, told } = await convertFile(path, { system: 'ldif' });
  t.same([users, memberships, told], [3_000, 3_000, []]);
});

t.test('people and groups in files of their own', async (t) => {
  const folder = folderOf(t);
  const [people, groups] = [join(folder, 'people.ldif'), join(folder, 'groups.ldif')];
  writeFileSync(people, person('mona'));
  writeFileSync(groups, 'dn: cn=g,dc=x\nobjectClass: posixGroup\ncn: g\nmemberUid: mona\n');
  const { users, memberships } = await convertFile(groups, { system: 'ldif', users: [groups, people] });
  t.same([users, memberships], [1, 1]);
});

t.test('groups of several files stay apart', async (t) => {
  const folder = folderOf(t);
  const files = ['mona', 'otto'].map((uid) => {
    const path = join(folder, `${uid}.ldif`);
    const group = `dn: cn=of-${uid},dc=x\nobjectClass: posixGroup\ncn: of-${uid}\nmemberUid: ${uid}\n\n`;
    writeFileSync(path, `${group}${person(uid)}`);
    return path;
  });
  const { org: body } = await convertFile(files[0] ?? '', { system: 'ldif', users: files });
  t.same(body.groups.map(({ group }: { group: { displayName: string } }) => group.displayName).sort(), [
    'of-mona',
    'of-otto',
  ]);
  const idOf = (uid: string) =>
    body.humanUsers.find(({ user }: { user: { userName: string } }) => user.userName === uid).userId;
  const groupOf = (name: string) =>
    body.groups.find(({ group }: { group: { displayName: string } }) => group.displayName === name).groupId;
  t.same(
    body.groupMembers
      .map(({ groupId, userId }: { groupId: string; userId: string }) => [groupId, userId])
      .sort(),
    ['mona', 'otto'].map((uid) => [groupOf(`of-${uid}`), idOf(uid)]).sort(),
  );
});

t.test('a login name of several people makes none of them a member', async (t) => {
  const group = 'dn: cn=admins,dc=x\nobjectClass: posixGroup\ncn: admins\nmemberUid: alice\n\n';
  const { org, told } = await conversion(t, `${group}${person('alice')}${person('bob', 'uid: alice')}`);
  t.same(org.groupMembers ?? [], []);
  t.match(told.join(), /the member "alice" is the name of several people/);
});

t.test('a hash that an administrator marked as locked is no password in clear text', async (t) => {
  const entry = person('locked').replace(`userPassword:: ${base64(ssha)}`, `userPassword: !${ssha}`);
  const { org } = await conversion(t, entry.replace('uid: locked', 'uid: locked\nmail: l@ldap.example'), {
    map: '{"rules":{"clearPasswords":"exempt"}}',
    emailVerified: true,
  });
  t.match(org.humanUsers, [
    { user: { password: undefined, hashedPassword: undefined, scim: { active: false } } },
  ]);
});

t.test('an entry says that a person is enabled, or says nothing of it', async (t) => {
  const entry = (uid: string, ...lines: string[]) =>
    `dn: uid=${uid},o=x\nobjectClass: inetOrgPerson\nuid: ${uid}\nsn: X\nmail: ${uid}@x.example\n${lines.join('\n')}\n\n`;
  const cases: [lines: string[], active: boolean | undefined, changeRequired?: boolean | undefined][] = [
    [[], undefined],
    [['entryUUID: 5c3b1d7e-8f0a-4b7e-9d55-0d3c7a1f0b33'], undefined],
    [['nsAccountLock: FALSE'], true],
    [['nsAccountLock: TRUE'], false],
    [['userAccountControl: 512'], true],
    [['shadowExpire: -1'], true],
    [['shadowExpire: 1'], false],
    ...[
      'pwdEndTime',
      'krbPrincipalExpiration',
      'ds-pwp-account-expiration-time',
      'loginExpirationTime',
    ].flatMap((name): [string[], boolean][] => [
      [[`${name}: 20200101000000Z`], false],
      [[`${name}: 20990101000000Z`], true],
    ]),
    // A server that was asked for its own attributes would have told a lock.
    [['createTimestamp: 20200101000000Z'], true],
    [['createTimestamp: 20200101000000Z', 'pwdAccountLockedTime: 000001010000Z'], false],
    [[`userPassword: ${ssha}`], true, undefined],
    [[`userPassword: ${ssha}`, 'pwdReset: TRUE'], true, true],
    [[`userPassword: ${ssha}`, 'pwdReset: FALSE'], true, false],
    [[`userPassword: ${ssha}`, 'modifyTimestamp: 20200101000000Z'], true, false],
  ];
  const text = cases.map(([lines], place) => entry(`p${place}`, ...lines)).join('');
  const { org } = await conversion(t, text, { emailVerified: true });
  for (const [place, [lines, active, changeRequired]] of cases.entries()) {
    const { user } = org.humanUsers[place];
    t.equal(user.scim?.active, active, lines.join());
    t.equal(user.passwordChangeRequired, changeRequired, lines.join());
  }
});

t.test('groups keep their dates, and a date that an import would refuse is left out', async (t) => {
  const group = (name: string, dates: string) =>
    `dn: cn=${name},o=x\nobjectClass: groupOfNames\ncn: ${name}\nmember: uid=mona,o=x\n${dates}\n`;
  const { org, told, lost } = await conversion(
    t,
    `dn: uid=mona,o=x\nobjectClass: inetOrgPerson\nuid: mona\nsn: M\nmail: m@x.example\n\n${group(
      'old',
      'createTimestamp: 20010203040506Z\nmodifyTimestamp: 20020203040506Z\n',
    )}${group('ad', 'whenCreated: 20030203040506.0Z\nwhenChanged: soon\n')}`,
    { emailVerified: true },
  );
  t.match(
    org.groups.map((one: { group: object }) => one.group),
    [
      { displayName: 'old', created: '2001-02-03T04:05:06.000Z', lastModified: '2002-02-03T04:05:06.000Z' },
      { displayName: 'ad', created: '2003-02-03T04:05:06.000Z' },
    ],
  );
  t.notOk('lastModified' in org.groups[1].group);
  t.same(told, ['14 note the group "cn=ad,o=x": lastModified is no date from 1970 until today; left out']);
  t.same(lost, ['whenchanged 1']);
});
