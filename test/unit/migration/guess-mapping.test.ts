import t from 'tap';
import { guessMapping } from '#src/migration/convert/guess/guess-mapping.js';
import { showPeople } from '#src/migration/convert/guess/show-people.js';
import type { JsonObject } from '#src/platform/json/json-object.js';
import { conversion } from '../../support/migration/convert-file.js';
import { bcryptHash } from '../../support/migration/imports.js';
import { processorTime } from '../../support/processor-time.js';

/** The targets by the names of their columns. */
const targets = (records: readonly JsonObject[]) =>
  Object.fromEntries(
    guessMapping(records)
      .columns.filter(({ to }) => to !== undefined)
      .map(({ name, to }) => [name, to]),
  );

/** The names of the columns alone: what people write into the first line of a table, in eight languages. */
const headers: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'English',
    {
      'First Name': 'name.givenName',
      'Last Name': 'name.familyName',
      'E-Mail': 'email',
      'Job Title': 'title',
    },
  ],
  [
    'German',
    {
      Vorname: 'name.givenName',
      Nachname: 'name.familyName',
      'E-Mail-Adresse': 'email',
      Telefon: 'phone',
      Gruppen: 'group',
    },
  ],
  [
    'French',
    {
      Prénom: 'name.givenName',
      'Nom de famille': 'name.familyName',
      Courriel: 'email',
      'Mot de passe': 'passwordHash',
    },
  ],
  [
    'Spanish',
    {
      Nombre: 'name.givenName',
      Apellidos: 'name.familyName',
      'Correo electrónico': 'email',
      Activo: 'active',
    },
  ],
  [
    'Italian',
    {
      Nome: 'name.givenName',
      Cognome: 'name.familyName',
      'Indirizzo e-mail': 'email',
      Reparto: 'department',
    },
  ],
  ['Dutch', { Voornaam: 'name.givenName', Achternaam: 'name.familyName', Gebruikersnaam: 'userName' }],
  ['Portuguese', { Sobrenome: 'name.familyName', Celular: 'phone' }],
  ['Swedish', { Förnamn: 'name.givenName', Efternamn: 'name.familyName', 'E-post': 'email' }],
];

t.test('names of columns in eight languages', async (t) => {
  for (const [language, wanted] of headers) {
    const row = Object.fromEntries(Object.keys(wanted).map((name) => [name, '']));
    t.same(targets([row]), wanted, language);
  }
});

t.test('the first values decide what a column has', async (t) => {
  const rows = [
    {
      ...{
        id: '17',
        login: 'mona',
        contact: 'mona@csv.example',
        password: bcryptHash,
        Telefon: 'none',
        Status: 'ACTIVE',
      },
      ...{ blocked: 'false', 'Created at': 'yesterday', teams: 'lab|tours', __proto__x: 'y', shoes: '42' },
    },
    {
      ...{
        id: '18',
        login: 'omar',
        contact: 'omar@csv.example',
        password: '',
        Telefon: 'none',
        Status: 'SUSPENDED',
      },
      ...{ blocked: 'true', 'Created at': 'today', teams: 'lab', __proto__x: 'y', shoes: '43' },
    },
  ];
  t.same(targets(rows), {
    id: 'externalId',
    login: 'userName',
    contact: 'email',
    password: 'passwordHash',
    Status: 'active',
    blocked: 'active',
    teams: 'group',
  });
  const { attributes = [] } = guessMapping(rows).mapping;
  t.match(attributes.find(({ from }) => from === 'Status')?.values, {
    ACTIVE: 'yes',
    SUSPENDED: 'no',
    LOCKED: 'no',
  });
  t.equal(attributes.find(({ from }) => from === 'teams')?.separator, '|');

  const clear = guessMapping([{ mail: 'a@csv.example', password: 'correct horse' }]).mapping;
  t.same(clear, {
    attributes: [
      { from: 'mail', to: 'email' },
      { from: 'password', to: 'password' },
    ],
    rules: { userName: 'email', clearPasswords: 'check' },
  });
  const uuid = '6f2c1d0e-93c4-4b7e-9a57-0d4a6f1f2b11';
  t.same(targets([{ id: uuid, email: 'a@csv.example', blocked: 'yes' }]), {
    id: 'id',
    email: 'email',
    blocked: 'active',
  });
});

t.test('three people before and after, without their secrets', async (t) => {
  const rows = ['mona', 'omar', 'pia', 'zoe'].map((name) => ({
    ...{
      Benutzername: name,
      'E-Mail': name === 'pia' ? '' : `${name}@csv.example`,
      Passwort: name === 'pia' ? '' : bcryptHash,
    },
    ...{ Vorname: name, Schuhe: '42' },
  }));
  const { mapping, lacksUserName } = guessMapping(rows);
  t.equal(lacksUserName, false);
  const people = showPeople(rows, { map: JSON.stringify(mapping), orgId: 'o' });
  t.equal(people.length, 3);
  t.match(people[0], {
    before: { Benutzername: 'mona', Passwort: '•••' },
    after: { user: { userName: 'mona', profile: { firstName: 'mona' }, hashedPassword: '•••' } },
    lost: ['Schuhe'],
  });
  t.match(people[2], { before: { Benutzername: 'pia' }, error: /HASH-MISSING/ });
  t.notMatch(JSON.stringify(people), /\$2b/);
});

t.test('JSON records have paths, and hostile ones take little time', async (t) => {
  const record = {
    profile: { email: 'a@json.example', 'given.name': 'A' },
    tags: [{ email: 'x@json.example' }],
    a: { b: { c: { d: { email: 1 } } } },
  };
  t.same(guessMapping([record]).mapping.attributes, [
    { from: 'profile.email', to: 'email' },
    { from: ['profile', 'given.name'], to: 'name.givenName' },
  ]);
  t.equal(guessMapping([{ shoes: '42' }]).lacksUserName, true);
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`c${n}`, 'x'.repeat(100)]));
  const odd = JSON.parse('{"__proto__":"a@x.example","constructor":"b","email (":"y@x.example","[[[[":"z"}');
  const began = processorTime();
  t.equal(guessMapping(Array(200).fill(wide)).columns.length, 1_000);
  t.ok(processorTime() - began < 2_000);
  t.equal(guessMapping([odd]).columns.length, 4);
  t.equal(guessMapping([{ ['('.repeat(100_000)]: 'x' }]).columns.length, 1);
});

t.test('whatever the names are, the guess is a mapping', async (t) => {
  const address = 'a@x.example';
  const many = Object.fromEntries(Array.from({ length: 990 }, (_, n) => [`p${n}`, { group: 'x' }]));
  const records: JsonObject[] = [
    { '': address },
    { ['m'.repeat(600)]: address },
    { [`${'m'.repeat(250)}.${'n'.repeat(300)}`]: address },
    { 'emails[0].x': address, '[]': address },
    { a: { '': address } },
    { login: 'mona', ...many },
  ];
  for (const record of records) {
    const { mapping } = guessMapping([record]);
    const people = showPeople([record], { map: JSON.stringify(mapping), orgId: 'o' });
    t.equal(people.length, 1, Object.keys(record).join().slice(0, 20));
  }
});

t.test(
  'numbers are identifiers of their own system alone, and a mapping that keeps them is warned of',
  async (t) => {
    const table = 'id,login,email\n1,ada,ada@n.example\n2,bea,bea@n.example\n';
    const guessed = await Promise.all(
      ['north', 'south'].map((orgId) => conversion(t, table, { orgId, emailVerified: true })),
    );
    const [north, south] = guessed.map(({ org }) => org.humanUsers);
    t.match(north, [{ user: { scim: { externalId: '1' } } }, { user: { scim: { externalId: '2' } } }]);
    t.not(north[0].userId, south[0].userId, 'no organization takes the identifier of another');
    const map = JSON.stringify({
      attributes: ['id', 'userName', 'email'].map((to, at) => ({ from: ['id', 'login', 'email'][at], to })),
    });
    const kept = await conversion(t, table, { map, emailVerified: true });
    t.equal(kept.org.humanUsers[0].userId, '1', 'who says so keeps them');
    t.match(kept.told.join(), 'the identifiers of 2 people are numbers');
    const long = table.replace('\n1,', '\n175928847299117063,').replace('\n2,', '\n175928847299117064,');
    t.same(
      (await conversion(t, long, { map, emailVerified: true })).told,
      [],
      'a snowflake is of one system',
    );
  },
);

t.test('hashes that name their form are found under any heading, and other digests are not', async (t) => {
  const mail = 'a@x.example';
  const digest = '5f4dcc3b5aa765d61d8327deb882cf99';
  t.same(targets([{ mail, 'Kennwort-Hash': bcryptHash }]), {
    mail: 'email',
    'Kennwort-Hash': 'passwordHash',
  });
  t.same(targets([{ mail, geheim: bcryptHash }]), { mail: 'email', geheim: 'passwordHash' });
  t.same(targets([{ mail, sum: digest }]), { mail: 'email' }, 'of a picture, perhaps');
  t.same(targets([{ mail, password: digest, old: bcryptHash }]), { mail: 'email', password: 'passwordHash' });
  t.same(
    targets([
      { mail, a: bcryptHash },
      { mail: 'b@x.example', a: 'other' },
    ]),
    { mail: 'email' },
  );
  t.same(targets([{ mail, $5: '$5.00' }]), { mail: 'email' });
});

/** People whom something stops, beside one whom nothing does. */
const stopped: readonly (readonly [string, JsonObject, JsonObject])[] = [
  ['a second flag', { is_active: true, blocked: false }, { is_active: true, blocked: true }],
  ['words beside a flag', { active: 1, status: 'enabled' }, { active: 1, status: 'suspended' }],
  [
    'a moment of Devise',
    { confirmed: true, locked_at: null },
    { confirmed: true, locked_at: '2024-05-01 10:00:00' },
  ],
  [
    'a moment beside a flag',
    { enabled: true, deleted_at: null },
    { enabled: true, deleted_at: '2024-05-01T10:00:00Z' },
  ],
  ['seconds', { deleted_at: 0 }, { deleted_at: 1714557600 }],
  ['a ban that lasts', { lockout_end: null }, { lockout_end: '2099-01-01T00:00:00Z' }],
  ['a ban that is over', { lockout_end: '2024-01-01T00:00:00Z' }, { lockout_end: '2099-01-01T00:00:00Z' }],
  ['the end of an account', { account_expires: '2099-01-01' }, { account_expires: '2024-01-01' }],
  ['a flag of its own', { deleted: 'false' }, { deleted: 'true' }],
  ['the block of Joomla', { block: 0, sendEmail: 1 }, { block: 1, sendEmail: 1 }],
  [
    'the reason of phpBB',
    { user_type: 0, user_inactive_reason: 0, user_inactive_time: 0 },
    { user_type: 1, user_inactive_reason: 3, user_inactive_time: 1_700_000_000 },
  ],
  ['both ways', { disabled: 'no', archived_at: '' }, { disabled: 'yes', archived_at: '' }],
];

t.test('nobody becomes active whom one of several columns stops', async (t) => {
  for (const [name, free, held] of stopped) {
    const person = (login: string) => ({ login, email: `${login}@state.example` });
    const records = [
      { ...person('mona'), ...free },
      { ...person('omar'), ...held },
    ];
    const { org } = await conversion(t, JSON.stringify(records), { system: 'json', emailVerified: true });
    t.same(
      org.humanUsers.map(({ user }: { user: { scim: { active: boolean } } }) => user.scim.active),
      [true, false],
      name,
    );
  }
  const { mapping } = guessMapping([{ user_login: 'mona', user_status: '0' }]);
  t.notMatch(JSON.stringify(mapping), 'user_status', 'WordPress has 0 for everybody');
});

t.test('a hash never becomes a password, and a digest beside its salt is left out', async (t) => {
  const record = { login: 'mona', email: 'mona@hash.example', confirmed: true };
  const unknown = { ...record, password_digest: 'v9$aRbx:81jskd7738sha' };
  const options = { system: 'json', emailVerified: true, skipInvalid: true };
  const refused = await conversion(t, JSON.stringify([unknown, { ...record, login: 'zoe' }]), options);
  t.match(refused.told, [/HASH-UNREADABLE/]);
  t.equal(refused.users, 1);
  t.notMatch(JSON.stringify(refused.body), 'jskd7738');

  const salted = { ...record, password: 'a'.repeat(64), password_salt: 'c0ffee' };
  const left = await conversion(t, JSON.stringify([salted]), options);
  t.match(left.told, [/"password" has hashes and "password_salt" their salts/]);
  t.equal(left.withPassword, 0);
  t.same(left.lost.sort(), ['password 1', 'password_salt 1']);
  t.match(targets([{ ...record, password: bcryptHash, salt: 'c0ffee' }]), { password: 'passwordHash' });
});

t.test('a column with one hash has no passwords in plain text, and a mask is none either', async (t) => {
  const rows = ['not cached', bcryptHash, 'unset', 'unset'].map((password, place) => ({
    ...{ username: `m${place}`, email: `m${place}@moodle.example`, password },
  }));
  t.match(targets(rows), { password: 'passwordHash' });
  const wiki =
    'login,mail,pass\nmona,mona@m.example,Correct-Horse-7\nomar,omar@m.example,**********\npia,pia@m.example,••••••••\n';
  const masked = await conversion(t, wiki, { emailVerified: true });
  t.same(
    masked.org.humanUsers.map(({ user }: { user: { password?: string } }) => user.password),
    ['Correct-Horse-7', undefined, undefined],
  );
  t.same(masked.lost, ['(password) 2']);
  // The guess sees the first people alone, and a mapping may be wrong.
  const map = JSON.stringify({
    attributes: ['userName', 'password', 'passwordHash'].map((name) => ({ from: name, to: name })),
    rules: { withoutCredentials: 'allow' },
  });
  const table = `userName,password,passwordHash\nmona,${bcryptHash},\nomar,,********\n`;
  const mapped = await conversion(t, table, { map });
  t.same(
    mapped.org.humanUsers.map(({ user }: { user: object }) => user),
    [{ userName: 'mona', hashedPassword: { value: bcryptHash } }, { userName: 'omar' }],
  );
  t.same(mapped.lost, ['(password hash) 1']);
});

t.test('documents of MongoDB and DynamoDB name the types of their values', async (t) => {
  const mongo = {
    _id: { $oid: '5f1d7f0e9c43b7e9a570d4a6' },
    email: 'mona@doc.example',
    createdAt: { $date: '2024-05-01T10:00:00Z' },
  };
  t.same(targets([mongo]), { '_id.$oid': 'id', email: 'email', 'createdAt.$date': 'created' });
  const item = { Item: { email: { S: 'mona@doc.example' }, enabled: { BOOL: true }, shoes: { N: '42' } } };
  t.same(targets([item]), { 'Item.email.S': 'email', 'Item.enabled.BOOL': 'active' });
});

t.test('a hash of Meteor is bcrypt of a digest', async (t) => {
  const person = { username: 'mona', services: { password: { bcrypt: bcryptHash } } };
  const { org } = await conversion(t, JSON.stringify([person]), { system: 'json' });
  t.equal(org.humanUsers[0].user.hashedPassword.value, `bcrypt_sha256$${bcryptHash}`);
});
