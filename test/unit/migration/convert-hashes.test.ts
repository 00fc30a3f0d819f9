import { createHash, createHmac } from 'node:crypto';
import t from 'tap';
import { hashOfParts } from '#src/keys/password-hashes/hash-of-parts.js';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { hashExamples } from '../../support/keys/hash-examples.js';
import { conversion } from '../../support/migration/convert-file.js';

/** Hashes whose parts stand in several columns, and passwords in plain text where a hash belongs. */

/** Whether the password has the hash that was put together. */
function matches(text: string | undefined, password: string): boolean {
  const reading = readPasswordHash(text ?? '');
  return typeof reading === 'object' && reading.matches?.(password) === true;
}

/** The parts of an example, and its password. */
const starts = ['$symfony-sha512', 'pbkdf2:sha256', '{pbkdf2@', 'bcrypt_sha256$'];
const [symfony, werkzeug, spring, sha256Bcrypt] = starts.map((start) => {
  const found = hashExamples.find(({ hash }) => hash.startsWith(start));
  if (found === undefined) throw new Error(`No example of ${start}`);
  return found;
});

t.test('the parts of a hash are put together', (t) => {
  const [, , , salt = '', tag = ''] = symfony?.hash.split('$') ?? [];
  const plainSalt = Buffer.from(salt, 'base64').toString();
  const cases: [string | undefined, string][] = [
    // FOSUserBundle: the columns password and salt of fos_user. Symfony's default is 5,000 rounds.
    [hashOfParts({ algorithm: 'symfony-sha512', hash: tag, salt: plainSalt }), symfony?.password ?? ''],
    [
      hashOfParts({
        algorithm: 'PBKDF2-SHA-256',
        hash: (werkzeug?.hash ?? '').split('$')[2] ?? '',
        salt: 'IcWsw8Qglz6TZCyp',
        iterations: 1_000,
      }),
      werkzeug?.password ?? '',
    ],
    [
      hashOfParts({
        algorithm: 'pbkdf2-sha256',
        hash: (spring?.hash ?? '').slice(-64),
        hashEncoding: 'hex',
        salt: (spring?.hash ?? '').slice(-96, -64),
        saltEncoding: 'hex',
        iterations: 310_000,
      }),
      'password',
    ],
    // Ory Kratos, hash/hasher_test.go: the salt before the password.
    [
      hashOfParts({
        algorithm: 'sha256',
        hash: '0gfRVLCvtBCk20udLDEY5vNhujWx7RGjwRIS1ebMsLY=',
        salt: 'NW9wbWtnejAzcg==',
        saltEncoding: 'base64',
      }),
      'test',
    ],
    // The {SSHA} of Ory Kratos: the salt after it.
    [
      hashOfParts({
        algorithm: 'SHA-1',
        hash: 'JFZFs0oHzxbMwkSJmYVeI8MnTDw=',
        salt: 'v9u+mg==',
        saltEncoding: 'base64',
        order: 'after',
      }),
      'test123',
    ],
    // RFC 1321 and RFC 4231.
    [hashOfParts({ algorithm: 'md5', hash: '900150983cd24fb0d6963f7d28e17f72' }), 'abc'],
    [
      hashOfParts({
        algorithm: 'hmac-sha256',
        hash: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
        key: 'Jefe',
      }),
      'what do ya want for nothing?',
    ],
    // FusionAuth: many rounds.
    [
      hashOfParts({
        algorithm: 'sha256',
        hash: 'NF+m8S+f16RR3RhYkz90y2heRjC6SwFoVT9pFNby6/E=',
        salt: 'MmE5M2Y2NzQtYjQ0ZS00Yzk5LWIxZDQtMjA4MTE3ZGQwMTM0',
        saltEncoding: 'base64',
        order: 'after',
        iterations: 20_000,
      }),
      'q',
    ],
    // RFC 7914 section 12.
    [
      hashOfParts({
        algorithm: 'scrypt',
        hash: '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
        salt: 'SodiumChloride',
        memory: 16_384,
      }),
      'pleaseletmein',
    ],
    [
      hashOfParts({
        algorithm: 'bcrypt',
        hash: '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a',
      }),
      'U*U*U',
    ],
    // Meteor and Django: passlib, tests/test_ext_django.py.
    [
      hashOfParts({
        algorithm: 'bcrypt-sha256-hex',
        hash: sha256Bcrypt?.hash.split('$').slice(1).join('$') ?? '',
      }),
      sha256Bcrypt?.password ?? '',
    ],
  ];
  for (const [text, password] of cases) {
    t.equal(matches(text, password), true, `${text}`);
    t.equal(matches(text, `${password}x`), false, `${text}`);
  }
  t.equal(
    hashOfParts({
      algorithm: 'argon2id',
      hash: 'MNzk5BtR2vUhrp6qQEjRNw',
      salt: 'roxbtU9ncg1sqQ8m',
      memory: 32,
      iterations: 2,
      parallelism: 4,
    }),
    '$argon2id$v=19$m=32,t=2,p=4$cm94YnRVOW5jZzFzcVE4bQ$MNzk5BtR2vUhrp6qQEjRNw',
  );
  t.end();
});

t.test('parts that make no hash', (t) => {
  const md5 = '900150983cd24fb0d6963f7d28e17f72';
  const wrong: Parameters<typeof hashOfParts>[0][] = [
    { algorithm: 'rot13', hash: md5 },
    { algorithm: 'sha256', hash: md5 },
    { algorithm: 'md5', hash: md5.slice(1) },
    { algorithm: 'md5', hash: 'not hexadecimal' },
    { algorithm: 'md5', hash: md5, salt: 'xyz', saltEncoding: 'hex' },
    { algorithm: 'md5', hash: md5, iterations: 5 },
    { algorithm: 'pbkdf2-sha256', hash: md5, salt: 'x' },
    { algorithm: 'scrypt', hash: md5, memory: 1_000 },
    { algorithm: 'md5', hash: 'a'.repeat(3_000) },
    { algorithm: 'md5', hash: md5, salt: 'a'.repeat(3_000) },
  ];
  for (const parts of wrong) t.equal(hashOfParts(parts), undefined, JSON.stringify(parts).slice(0, 80));
  const costly: Parameters<typeof hashOfParts>[0][] = [
    { algorithm: 'pbkdf2-sha256', hash: md5, salt: 'x', iterations: 999_999_999 },
    { algorithm: 'symfony-md5', hash: md5, iterations: 1e8 },
    { algorithm: 'scrypt', hash: md5, memory: 2 ** 30 },
  ];
  for (const parts of costly) t.equal(readPasswordHash(hashOfParts(parts) ?? ''), 'costOutOfBounds');
  for (const iterations of [Number.NaN, -1, 1.5, 1e21]) {
    const text = hashOfParts({ algorithm: 'pbkdf2-sha256', hash: md5, salt: 'x', iterations });
    t.not(typeof readPasswordHash(text ?? ''), 'object', `${iterations}`);
  }
  t.end();
});

t.test('a mapping names the columns of the parts', async (t) => {
  const [, , , salt = '', tag = ''] = symfony?.hash.split('$') ?? [];
  const rows = [
    'login,kind,digest,grain,rounds',
    `ada,f,${tag},${Buffer.from(salt, 'base64')},5000`,
    'bo,md5,900150983CD24FB0D6963F7D28E17F72,,',
    'cy,,$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a,,',
    'di,f,,,',
    'ed,rot13,900150983cd24fb0d6963f7d28e17f72,,',
    'fay,f,900150983cd24fb0d6963f7d28e17f72,x,5000',
    `gus,f,${tag},x,99999999`,
    'hal,,{noop}Correct-Horse-7,,',
  ];
  const map = {
    attributes: [{ from: 'login', to: 'userName' }],
    passwordHash: {
      algorithm: { from: 'kind', values: { f: 'symfony-sha512' } },
      hash: { from: 'digest' },
      salt: { from: 'grain' },
      iterations: { from: 'rounds' },
      memory: { from: 'nowhere' },
    },
    rules: { clearPasswords: 'check' },
  };
  const options = { map: JSON.stringify(map), skipInvalid: true, emailVerified: true };
  const { org, told, lost, explained } = await conversion(t, `${rows.join('\n')}\n`, options);
  const users = new Map<string, { hashedPassword?: { value: string }; password?: string }>(
    org.humanUsers.map(({ user }: { user: { userName: string } }) => [user.userName, user]),
  );
  t.equal(matches(users.get('ada')?.hashedPassword?.value, symfony?.password ?? ''), true);
  t.equal(matches(users.get('bo')?.hashedPassword?.value, 'abc'), true);
  t.equal(matches(users.get('cy')?.hashedPassword?.value, 'U*U*U'), true);
  t.equal(users.get('hal')?.password, 'Correct-Horse-7', 'in plain text, by the rule of such passwords');
  t.same(lost, []);
  t.match(told.join('\n'), /5 error HASH-MISSING/, 'di has neither a hash nor an address');
  t.match(told.join('\n'), /6 error HASH-UNREADABLE/);
  t.match(told.join('\n'), /7 error HASH-UNREADABLE/);
  t.match(told.join('\n'), /8 error HASH-COST/);
  t.match(told.join('\n'), 'the mapping names "nowhere", which no record has');
  t.notMatch(JSON.stringify(explained), /900150983|XXXXX|5000?\$/i, 'no explanation shows a part');
});

t.test('a mapping of parts is checked', async (t) => {
  const wrong = [
    {},
    { algorithm: 'md5' },
    { hash: [] },
    { hash: { from: '' } },
    { hash: { from: 'x', other: 1 } },
    { hash: { from: 'x' }, pepper: 'rot13' },
    { hash: { from: 'x' }, order: 'middle' },
  ];
  for (const passwordHash of wrong) {
    const options = { map: JSON.stringify({ attributes: [{ from: 'a', to: 'userName' }], passwordHash }) };
    await t.rejects(
      conversion(t, 'a,x\nada,b\n', options),
      /--map is no mapping/,
      JSON.stringify(passwordHash),
    );
  }
});

t.test('a pepper joins the hash of a mapping', async (t) => {
  const map = {
    attributes: [{ from: 'login', to: 'userName' }],
    passwordHash: { hash: { from: 'encrypted_password' }, pepper: 'suffix' },
  };
  const table =
    'login,encrypted_password\nada,$2a$05$MAXysZKV0LXi1b/bUy.D7e1hOzQjmOF.V/YVTbCT2Q99c6uuMu9wW\n';
  const { org } = await conversion(t, table, { map: JSON.stringify(map) });
  t.match(org.humanUsers[0].user.hashedPassword.value, /^\$pepper-suffix\$2a\$05\$/);
});

t.test('a password in plain text where a hash belongs follows the rule of such passwords', async (t) => {
  const table = 'userName,passwordHash\nada,{noop}Correct-Horse-7\n';
  const map = (rules: object) =>
    JSON.stringify({
      attributes: [
        { from: 'userName', to: 'userName' },
        { from: 'passwordHash', to: 'passwordHash' },
      ],
      rules,
    });
  const refused = await conversion(t, table, { map: map({ clearPasswords: 'refuse' }) });
  t.match(refused.told.join(), /2 error a password in plain text/);
  for (const scheme of ['{noop}', '{CLEAR}', '{cleartext}', '{PLAIN}']) {
    const checked = await conversion(t, table.replace('{noop}', scheme), {
      map: map({ clearPasswords: 'check' }),
    });
    t.equal(checked.org.humanUsers[0].user.password, 'Correct-Horse-7', scheme);
  }
  const exempt = await conversion(t, table, { map: map({ clearPasswords: 'exempt' }) });
  t.equal(matches(exempt.org.humanUsers[0].user.hashedPassword.value, 'Correct-Horse-7'), true);
  const empty = await conversion(t, 'userName,passwordHash\nada,{noop}\n', {
    map: map({ clearPasswords: 'check' }),
  });
  t.match(empty.told.join(), /HASH-UNREADABLE/);
});

t.test('no explanation shows a part of a hash, or a secret of a path into a list', async (t) => {
  const people = [
    {
      login: 'ada',
      mail: 'ada@json.example',
      logins: [
        { kind: 'code', word: 'Correct-Horse-7' },
        { kind: 'old', word: 'Correct-Horse-8' },
      ],
      number: 73_194_628,
      info: '{"grain":"Salt-of-Ada"}',
    },
  ];
  const attributes = [
    { from: 'login', to: 'userName' },
    { from: 'mail', to: 'email', verified: true },
  ];
  const options = { system: 'json', skipInvalid: true };
  const ofList = { attributes: [...attributes, { from: 'logins[kind=code].word', to: 'password' }] };
  const listed = await conversion(t, JSON.stringify(people), { ...options, map: JSON.stringify(ofList) });
  t.equal(listed.org.humanUsers[0].user.password, 'Correct-Horse-7');
  t.notMatch(JSON.stringify(listed.explained), /Correct-Horse/, 'also of the items that a filter leaves out');
  t.ok(listed.lost.includes('logins[].word 1'), listed.lost.join());
  const ofNumber = { attributes: [...attributes, { from: 'number', to: 'password' }] };
  const digits = await conversion(t, JSON.stringify(people), { ...options, map: JSON.stringify(ofNumber) });
  t.equal(digits.org.humanUsers[0].user.password, '73194628');
  t.notMatch(JSON.stringify(digits.explained), /73194628/);
  const ofParts = {
    attributes,
    passwordHash: {
      algorithm: 'md5',
      hash: { from: 'logins[0].word', values: { 'Correct-Horse-7': '900150983cd24fb0d6963f7d28e17f72' } },
      salt: { from: 'info.grain' },
    },
  };
  const parts = await conversion(t, JSON.stringify(people), { ...options, map: JSON.stringify(ofParts) });
  t.match(parts.org.humanUsers[0].user.hashedPassword.value, /^\$md5\$pf=/);
  t.notMatch(JSON.stringify(parts.explained), /Correct-Horse-7|Salt-of-Ada|900150983/);
});

t.test('a guess takes passwords in plain text out of a column of hashes', async (t) => {
  const table = 'userName,password\nada,{noop}Correct-Horse-7\nbea,{noop}Correct-Horse-8\n';
  const { org, guess } = await conversion(t, table);
  t.match(guess?.columns[1], { to: 'passwordHash' });
  t.same(
    org.humanUsers.map(({ user }: { user: { password: string } }) => user.password),
    ['Correct-Horse-7', 'Correct-Horse-8'],
  );
});

const ofParts = (rules: object, part: object = {}) =>
  JSON.stringify({
    attributes: [{ from: 'login', to: 'userName' }],
    passwordHash: {
      algorithm: 'sha256',
      hash: { from: 'digest' },
      salt: { from: 'salt' },
      order: 'before',
      ...part,
    },
    rules,
  });

t.test('a salt and a key keep the spaces and apostrophes at their ends', async (t) => {
  const digest = (salt: string) => createHash('sha256').update(`${salt}secret`).digest('hex');
  const salts = [' pepper and salt ', "'tis", "ends'", '0000-00-00', '\ttab\n'];
  const given = salts.map((salt, place) => ({ login: `p${place}`, digest: ` ${digest(salt)} `, salt }));
  for (const rules of [{}, { apostrophes: 'remove' }]) {
    const { org } = await conversion(t, JSON.stringify(given), { system: 'json', map: ofParts(rules) });
    for (const { user } of org.humanUsers)
      t.ok(matches(user.hashedPassword.value, 'secret'), `${user.userName} ${JSON.stringify(rules)}`);
  }
  // An export that puts an apostrophe before each text has one before the hash too.
  const marked = given.map(({ login, ...texts }) => ({
    login,
    digest: `'${texts.digest}`,
    salt: `'${texts.salt}`,
  }));
  const guarded = [{ login: 'g', digest: digest('=1'), salt: "'=1" }];
  const options = { system: 'json', map: ofParts({ apostrophes: 'remove' }) };
  const { org } = await conversion(t, JSON.stringify([...marked, ...guarded]), options);
  for (const { user } of org.humanUsers) t.ok(matches(user.hashedPassword.value, 'secret'), user.userName);
  const key = ' key ';
  const mac = createHmac('sha256', key).update('secret').digest('hex');
  const table = `login,digest,key\nada,${mac},${key}\n`;
  const map = ofParts({}, { algorithm: 'hmac-sha256', salt: '', key: { from: 'key' } });
  const hmac = await conversion(t, table, { map });
  t.ok(matches(hmac.org.humanUsers[0].user.hashedPassword.value, 'secret'), 'the key of an HMAC');
});

t.test('a password in plain text keeps the spaces at its ends', async (t) => {
  const password = ' Correct-Horse-7 ';
  const attributes = [{ from: 'login', to: 'userName' }];
  const maps = [
    { attributes: [...attributes, { from: 'word', to: 'password' }] },
    { attributes: [...attributes, { from: 'hash', to: 'passwordHash' }] },
    { attributes, passwordHash: { hash: { from: 'hash' } } },
  ];
  for (const map of maps) {
    const people = [{ login: 'ada', word: password, hash: ` {noop}${password}` }];
    const { org } = await conversion(t, JSON.stringify(people), { system: 'json', map: JSON.stringify(map) });
    t.equal(org.humanUsers[0].user.password, password);
  }
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  const entries = [password, `{CLEAR}${password}`].map(
    (text, place) =>
      `dn: uid=p${place},dc=e\nobjectClass: person\nuid: p${place}\nuserPassword:: ${encoded(text)}\n`,
  );
  const { org } = await conversion(t, entries.join('\n'), { system: 'ldif' });
  t.same(
    org.humanUsers.map(({ user }: { user: { password: string } }) => user.password),
    [password, password],
  );
});
