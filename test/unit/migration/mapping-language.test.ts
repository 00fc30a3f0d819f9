import t, { type Test } from 'tap';
import type { PeopleInput } from '#src/migration/convert/convert-people.js';
import { applyMapping } from '#src/migration/convert/mapping/apply-mapping.js';
import { SourceRecord } from '#src/migration/convert/reading/source-record.js';
import { conversion } from '../../support/migration/convert-file.js';
import { oktaExport } from '../../support/migration/exports.js';
import { bcryptHash } from '../../support/migration/imports.js';
import { processorTime } from '../../support/processor-time.js';

type Attribute = Record<string, unknown>;

/** Converts a table with these attributes. The user name and the hash come from the columns of these names. */
async function mapped(t: Test, table: string, attributes: Attribute[], options: Partial<PeopleInput> = {}) {
  const own = [
    { from: 'login', to: 'userName' },
    { from: 'hash', to: 'passwordHash' },
  ];
  const map = JSON.stringify({ attributes: [...own, ...attributes] });
  const result = await conversion(t, table, { map, ...options });
  return { ...result, user: result.org?.humanUsers[0]?.user };
}

/** A table with one person. */
const tableOf = (cells: Readonly<Record<string, string>>) =>
  `login,hash,${Object.keys(cells).join()}\nmona,${bcryptHash},${Object.values(cells).join()}\n`;

t.test('a second address and number, a postal address, a picture and entitlements', async (t) => {
  const cells = {
    ...{
      mail: 'mona@csv.example',
      confirmed: '2024-01-02',
      home: 'm@home.example',
      cell: '+3161',
      desk: '+3120',
    },
    ...{
      street: '1 Museum Road',
      city: 'Amsterdam',
      hcity: 'Utrecht',
      pic: 'https://p.example/m.jpg',
      rights: 'a b a',
    },
  };
  const { user, told, lost } = await mapped(t, tableOf(cells), [
    { from: 'mail', to: 'email', verified: { from: 'confirmed' } },
    { from: 'home', to: 'emails', type: 'home', verified: true },
    { from: 'cell', to: 'phone' },
    { from: 'desk', to: 'phoneNumbers', type: 'work' },
    { from: 'street', to: 'addresses.streetAddress', type: 'work' },
    { from: 'city', to: 'addresses.locality', type: 'work' },
    { from: 'hcity', to: 'addresses.locality', type: 'home' },
    { from: 'pic', to: 'photos', type: 'photo' },
    { from: 'rights', to: 'entitlements', separator: ' ' },
  ]);
  t.same([told, lost], [[], []]);
  t.same(user.email, { email: 'mona@csv.example', isEmailVerified: true });
  t.same(user.scim, {
    entitlements: [{ value: 'a' }, { value: 'b' }],
    photos: [{ value: 'https://p.example/m.jpg', type: 'photo', primary: true }],
    emails: [
      { value: 'mona@csv.example', verified: true, primary: true },
      { value: 'm@home.example', type: 'home', verified: true, primary: false },
    ],
    phoneNumbers: [
      { value: '+3161', verified: false, primary: true },
      { value: '+3120', type: 'work', verified: false, primary: false },
    ],
    addresses: [
      { streetAddress: '1 Museum Road', locality: 'Amsterdam', type: 'work', primary: true },
      { locality: 'Utrecht', type: 'home' },
    ],
  });
});

t.test('a constant, a choice by value, and verified if another column says so', async (t) => {
  const attributes = [
    { value: 'external', to: 'userType', when: { from: 'kind', is: ['partner', 'guest'] } },
    { from: 'kind', to: 'userType', values: { emp: 'employee' }, otherwise: 'unknown' },
    { value: 'Acme', to: 'organization' },
    { from: 'mail', to: 'email' },
    { value: 'true', to: 'emailVerified', when: [{ from: 'state', isNot: ['', 'new'] }, { from: 'mail' }] },
    { from: 'alias', or: ['mail', 'login'], to: 'displayName' },
  ];
  const people = { partner: 'external', guest: 'external', emp: 'employee', other: 'unknown' };
  for (const [kind, userType] of Object.entries(people)) {
    const { user, lost } = await mapped(
      t,
      tableOf({ kind, mail: 'm@csv.example', state: 'ok', alias: '' }),
      attributes,
    );
    t.match(user.scim, { userType, organization: 'Acme' }, kind);
    t.match(user, { email: { isEmailVerified: true }, profile: { displayName: 'm@csv.example' } });
    t.same(lost, []);
  }
  for (const state of ['new', '']) {
    const { user } = await mapped(
      t,
      tableOf({ kind: '', mail: 'm@csv.example', state, alias: '' }),
      attributes,
    );
    t.match(user, { email: { isEmailVerified: false } });
  }
  for (const word of ['no', '0', 'FALSE', '0000-00-00 00:00:00', '']) {
    const { user } = await mapped(t, tableOf({ mail: 'm@csv.example', at: word }), [
      { from: 'mail', to: 'email', verified: { from: 'at' } },
    ]);
    t.equal(user.email.isEmailVerified, false, `${word} does not verify`);
  }
});

t.test('a constant counts until a moment, also if nobody can read the moment', async (t) => {
  const attributes = [
    { from: 'mail', to: 'email' },
    { value: 'no', to: 'active', when: { from: 'until', lasts: true } },
    { value: 'yes', to: 'active' },
  ];
  const activeWith = async (until: string) =>
    (await mapped(t, tableOf({ mail: 'm@csv.example', until }), attributes)).user.scim.active;
  for (const until of ['2024-06-01 00:00:00+00', '1717200000000', '']) t.ok(await activeWith(until), until);
  for (const until of ['2199-06-01T00:00:00Z', 'infinity', '7238563200000'])
    t.equal(await activeWith(until), false, until);
});

t.test('no letter case and no other word for true or false changes what a flag means', async (t) => {
  const activeWith = async (blocked: string, rule: Attribute) => {
    const usual = 'when' in rule ? [{ value: 'yes', to: 'active' }] : [];
    const attributes = [{ from: 'mail', to: 'email' }, rule, ...usual];
    return (await mapped(t, tableOf({ mail: 'm@csv.example', blocked }), attributes)).user.scim.active;
  };
  const reversed = { from: 'blocked', to: 'active', values: { True: 'no', false: 'yes' } };
  for (const word of ['true', 'TRUE', 'True', '1', 't', 'Y', 'yes'])
    t.equal(await activeWith(word, reversed), false, word);
  for (const word of ['false', 'FALSE', 'False', '0', 'F', 'n', 'No'])
    t.equal(await activeWith(word, reversed), true, word);
  // The letters of a system may mean something else. A word that is listed as it stands counts first.
  const letters = { from: 'blocked', to: 'active', values: { n: 'yes', f: 'no', y: 'no' } };
  t.same([await activeWith('n', letters), await activeWith('F', letters)], [true, false]);
  t.equal(await activeWith('0', letters), false, 'words that disagree say nothing about a third one');

  const condition = (words: object) => ({ value: 'no', to: 'active', when: { from: 'blocked', ...words } });
  for (const word of ['Blocked', 'blocked', 'BLOCKED'])
    t.equal(await activeWith(word, condition({ is: ['true', 'Blocked'] })), false, word);
  t.equal(await activeWith('open', condition({ is: ['true', 'Blocked'] })), true);
  t.equal(await activeWith('ENABLED', condition({ isNot: 'Enabled' })), true);
  t.equal(await activeWith('other', condition({ isNot: 'Enabled' })), false);

  const { user } = await mapped(t, tableOf({ mail: 'm@csv.example', state: 'VERIFIED' }), [
    { from: 'mail', to: 'email', verified: { from: 'state', is: 'verified' } },
  ]);
  t.equal(user.email.isEmailVerified, true);
});

t.test('a constant counts from a moment on', async (t) => {
  const attributes = [
    { from: 'mail', to: 'email' },
    { value: 'yes', to: 'active', when: { from: 'until', lasts: false } },
    { value: 'no', to: 'active' },
  ];
  const activeWith = async (until: string) =>
    (await mapped(t, tableOf({ mail: 'm@csv.example', until }), attributes)).user.scim.active;
  for (const until of ['2024-06-01 00:00:00+00', '1717200000000']) t.ok(await activeWith(until), until);
  for (const until of ['2199-06-01T00:00:00Z', 'infinity', '1/1/2099 12:00', ''])
    t.equal(await activeWith(until), false, until);
});

t.test('paths into lists take what they name, and the rest of a list is lost', async (t) => {
  const person = {
    login: 'mona',
    primary_id: 'idn_2',
    mails: [
      { id: 'idn_1', address: 'old@json.example', status: 'verified' },
      { id: 'idn_2', address: 'mona@json.example', status: 'verified' },
      { id: 'idn_3', address: 'new@json.example', status: 'unverified' },
    ],
    phones: [{ number: '+311' }, { number: '+312' }],
    identities: [{ data: { 'a.b': 'x' } }, 7],
    teams: [{ name: 'lab' }, { name: 'tours' }],
  };
  const convert = async (attributes: Attribute[]) => {
    const map = JSON.stringify({ attributes: [{ from: 'login', to: 'userName' }, ...attributes] });
    const [first] = oktaExport as unknown as [{ profile: object }];
    const given = JSON.stringify([{ ...first, ...person, profile: { ...first.profile, email: undefined } }]);
    const { org, lost } = await conversion(t, given, { system: 'okta', map, emailVerified: true });
    return {
      org,
      user: org.humanUsers[0].user,
      lost: lost.filter((path) => /^(mails|phones|teams|primary)/.test(path)),
    };
  };
  const some = await convert([
    {
      from: 'mails[id=$primary_id].address',
      to: 'email',
      verified: { from: 'mails[id=$primary_id].status', is: 'verified' },
    },
    { from: 'mails[id!=$primary_id][status=verified].address', to: 'emails', verified: true },
    { from: 'phones[0].number', to: 'phone' },
    { from: 'teams[].name', to: 'group' },
  ]);
  t.match(some.user.email, { email: 'mona@json.example', isEmailVerified: true });
  t.match(some.user.scim.emails, [{ value: 'mona@json.example' }, { value: 'old@json.example' }]);
  t.equal(some.org.groupMembers.length, 2);
  t.same(some.lost, ['mails[].address 1', 'phones[].number 1'], 'the third address and the second number');
  const all = await convert([
    { from: 'mails[0].address', to: 'email' },
    { from: 'mails[].address', to: 'emails' },
    { from: 'phones[].number', to: 'phoneNumbers' },
    { from: 'teams[].name', to: 'group' },
  ]);
  t.equal(all.user.scim.emails.length, 3);
  t.same(all.lost, ['mails[].id 1', 'mails[].status 1', 'primary_id 1']);
});

t.test('a cell that is JSON is entered, and brackets of a name are a name', async (t) => {
  const table =
    'login,hash,First Name [Required],meta,broken\n' +
    `mona,${bcryptHash},Mona,"{""full_name"":""Mona Lind"",""tags"":[{""n"":""a""}],""shoe"":42}","{""x"":"\n`;
  const { user, lost, told } = await mapped(t, table, [
    { from: 'First Name [Required]', to: 'name.givenName' },
    { from: 'meta.full_name', to: 'displayName' },
    { from: 'meta.tags[].n', to: 'entitlements' },
    { from: 'broken.x', to: 'title' },
  ]);
  t.match(user, {
    profile: { firstName: 'Mona', displayName: 'Mona Lind' },
    scim: { entitlements: [{ value: 'a' }] },
  });
  t.same(lost.sort(), ['broken 1', 'meta.shoe 1']);
  t.same(told, ['1 note the mapping names "broken.x", which no record has']);
});

t.test('a value that an import refuses costs the value, not the person', async (t) => {
  const cells = {
    tz: 'Mars/Base',
    site: 'javascript:alert(1)',
    pic: '/a.png',
    born: '31.12.1990',
    mail2: 'nobody',
    lang: 'x y',
  };
  const { users, told, lost, user } = await mapped(t, tableOf(cells), [
    { from: 'tz', to: 'timezone' },
    { from: 'site', to: 'website' },
    { from: 'pic', to: 'photos' },
    { from: 'born', to: 'birthdate' },
    { from: 'mail2', to: 'emails' },
    { from: 'lang', to: 'preferredLanguage' },
  ]);
  t.equal(users, 1);
  t.same(lost.length, 6);
  t.equal(told.filter((one) => one.endsWith('left out')).length, 6);
  t.same([user.scim, user.profile?.preferredLanguage], [undefined, undefined]);
  t.notMatch(told.join(), /alert|Mars/);
});

t.test('the list of a converter agrees with the address and the rules of a mapping', async (t) => {
  const address = 'new@okta.example';
  const convert = async (map: object) => {
    const [first] = oktaExport as unknown as [{ profile: object }];
    const given = [{ ...first, alt: address, profile: { ...first.profile, secondEmail: 'm@home.example' } }];
    const { org } = await conversion(t, JSON.stringify(given), { system: 'okta', map: JSON.stringify(map) });
    return org?.humanUsers[0]?.user;
  };
  const renamed = await convert({
    attributes: [{ from: 'alt', to: 'email', verified: true }],
  });
  t.equal(renamed.email.email, address);
  const { emails } = renamed.scim;
  t.equal(emails[0].value, address, 'an import takes the list, so it begins with the address of the mapping');
  t.equal(emails.filter(({ primary }: { primary: boolean }) => primary).length, 1);
});

t.test('a rule for addresses keeps the order and the primary address of a list', async (t) => {
  const emails = [
    { value: 'home@scim.example', type: 'home', primary: false, verified: false },
    { value: 'work@scim.example', type: 'work', primary: true, verified: true },
  ];
  const user = {
    userName: 'mona',
    email: { email: 'work@scim.example', isEmailVerified: true },
    scim: { emails },
  };
  const ruled = (unverifiedEmail: 'trust' | 'drop' | 'keep') =>
    applyMapping({ entries: [], rules: { unverifiedEmail } }, new SourceRecord({}), {
      found: { record: { user } },
      identify: (name) => name,
    }).record.user.scim?.emails;
  t.same(
    ruled('trust'),
    emails.map((one) => ({ ...one, verified: true })),
  );
  t.same(ruled('drop'), emails.slice(1));
  t.same(ruled('keep'), emails);
});

t.test('mappings that name nothing, themselves or what does not go together', async (t) => {
  const refusals: [Attribute, RegExp][] = [
    [{ to: 'title' }, /title needs either from or value/],
    [{ from: 'a', value: 'b', to: 'title' }, /title needs either from or value/],
    [{ value: 'b', to: 'title', values: { b: 'c' } }, /title has a constant/],
    [{ from: 'a', to: 'title', separator: ',' }, /title takes one value/],
    [{ from: 'a', to: 'title', type: 'work' }, /title has no type/],
    [{ from: 'a', to: 'group', type: 'work' }, /group has no type/],
    [{ from: 'a', to: 'title', verified: true }, /title has no verified/],
    [{ from: 'a', to: 'title', when: [] }, /--map is no mapping/],
    [{ from: 'a', to: 'title', when: { is: 'x' } }, /--map is no mapping/],
    [{ from: 'a', to: 'title', or: [] }, /--map is no mapping/],
    [{ from: 'a'.repeat(501), to: 'title' }, /--map is no mapping/],
    [{ from: 'a.'.repeat(200), to: 'title' }, /at most 50 steps/],
    [{ from: 'a', to: 'addresses.planet' }, /--map is no mapping/],
  ];
  for (const [attribute, message] of refusals) {
    await t.rejects(mapped(t, tableOf({ a: 'x' }), [attribute]), { message }, JSON.stringify(attribute));
  }
  const twice = [
    { from: 'a', to: 'title' },
    { from: 'b', to: 'title', when: { from: 'a' } },
  ];
  await t.rejects(mapped(t, tableOf({ a: 'x', b: 'y' }), twice), {
    message: /two attributes have the target title/,
  });
  const own = await mapped(t, tableOf({ a: 'x' }), [
    { from: 'a[a=$a].a', or: ['a', 'a[].a'], to: 'title', when: { from: 'a', isNot: 'y' } },
    { from: '[=].x', to: 'department' },
    { from: '..', to: 'division' },
    { from: '__proto__.constructor', to: 'nickName' },
  ]);
  t.equal(own.user.scim.title, 'x', 'a path that names itself reads the record once');
  t.equal(own.told.length, 3);
});

t.test('what a mapping names is looked for in every record, also in those with an error', async (t) => {
  const { told } = await mapped(t, tableOf({ mail: 'no address', team: 'lab' }), [
    { from: 'mail', to: 'email' },
    { from: 'team', to: 'group' },
    { from: 'typo', to: 'title', when: { from: 'nowhere' } },
  ]);
  t.same(
    told.filter((one) => one.includes('which no record has')),
    ['typo', 'nowhere'].map((name) => `1 note the mapping names "${name}", which no record has`),
  );
  t.equal(told.length, 3);
});

t.test('long lists and many filters take little time', async (t) => {
  const items = Array.from({ length: 20_000 }, (_, n) => ({ id: String(n), v: 'x' }));
  const attributes = Array.from({ length: 400 }, (_, n) => ({
    from: `items[id=${n}][v=$a].v`,
    to: 'entitlements',
  }));
  const cell = JSON.stringify(items)
    .slice(0, 60_000)
    .replace(/,[^,]*,[^,]*$/, ']')
    .replaceAll('"', '""');
  const began = processorTime();
  const table = `login,hash,a,items\nmona,${bcryptHash},x,"${cell}"\n`;
  const { user } = await mapped(t, table, attributes);
  t.same(user.scim.entitlements, [{ value: 'x' }]);
  t.ok(processorTime() - began < 5_000, 'four hundred paths over a thousand items');
});

t.test('a body states what the paths of a mapping or of a guess bring', async (t) => {
  const map = (attributes: object[]) => JSON.stringify({ attributes });
  const people = [
    { login: 'ada', mail: 'ada@json.example', home: { town: 'Bern' } },
    { login: 'bea', mail: 'bea@json.example', boss: true },
  ];
  const attributes = [
    { from: 'login', to: 'userName' },
    { from: 'mail', to: 'email', verified: true },
    { from: 'home.town', to: 'addresses.locality' },
    { value: 'Lead', to: 'title', when: { from: 'boss' } },
    { value: 'Guest', to: 'userType', when: { from: 'visits' } },
    { from: 'tel', or: ['phone'], to: 'phoneNumbers' },
  ];
  const given = await conversion(t, JSON.stringify(people), { system: 'json', map: map(attributes) });
  t.same([...given.body.statedAttributes].sort(), ['email', 'scim.addresses', 'scim.title']);
  const guessed = await conversion(t, 'login,mail,department\nada,ada@csv.example,\n', {
    emailVerified: true,
  });
  t.same([...guessed.body.statedAttributes].sort(), ['email', 'scim.department']);
});
