import { closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { PeopleInput } from '#src/migration/convert/convert-people.js';
import { createProblems, type InputProblem } from '#src/migration/convert/reading/problems.js';
import { conversion as convert, convertFile, folderOf } from '../../support/migration/convert-file.js';
import { bcryptHash } from '../../support/migration/imports.js';
import { processorTime } from '../../support/processor-time.js';

const conversion = (t: Test, given: unknown, options: Partial<PeopleInput> = {}) =>
  convert(t, typeof given === 'string' ? given : JSON.stringify(given), { system: 'json', ...options });

const person = (name: string, more: object = {}) => ({ login: name, hash: bcryptHash, ...more });
const mona = person('mona', { mail: 'mona@json.example', tags: [{ mail: 'x@json.example' }] });
const omar = person('omar');
const map = JSON.stringify({
  attributes: [
    { from: 'login', to: 'userName' },
    { from: 'hash', to: 'passwordHash' },
    { from: 'mail', to: 'email' },
  ],
});
const namesOf = ({ org }: Awaited<ReturnType<typeof conversion>>) =>
  org?.humanUsers.map(({ user }: { user: { userName: string } }) => user.userName);

/** The forms in which systems write a list of people. */
const forms: Readonly<Record<string, unknown>> = {
  'an array': [mona, omar],
  'an array on several lines': JSON.stringify([mona, omar], undefined, 2),
  'an object on each line': `${JSON.stringify(mona)}\n${JSON.stringify(omar)}\n`,
  'an object on each line, with the line ends of Windows': `${JSON.stringify(mona)}\r\n\r\n${JSON.stringify(omar)}`,
  'objects that follow each other': `${JSON.stringify(mona, undefined, 1)}\n${JSON.stringify(omar, undefined, 1)}`,
  'objects without a blank between them': `${JSON.stringify(mona)}${JSON.stringify(omar)}`,
  'an object of objects': { a1: mona, a2: omar },
  'an array under a key': { total: 2, users: [mona, omar], next: null },
  'an array under an unknown key': { total: 2, gente: [mona, omar] },
  'an array under two keys': { status: 'ok', data: { count: 2, users: [mona, omar] } },
  'an object of objects under a key': { users: { a1: mona, a2: omar } },
  'a longer list of something else': {
    roles: Array.from({ length: 50 }, (_, n) => ({ n })),
    users: [mona, omar],
  },
};

t.test('people in any form of JSON', async (t) => {
  for (const [form, given] of Object.entries(forms)) {
    const result = await conversion(t, given, { map });
    t.same(namesOf(result), ['mona', 'omar'], form);
    t.same(result.told, [], form);
    t.ok(result.lost.includes('tags[].mail 1'), form);
  }
  const one = await conversion(t, mona, { map });
  t.same(namesOf(one), ['mona'], 'one object with lists in it is a person');
  const beside = await conversion(t, { realm: 'x', empty: [], users: [mona], a: { users: [omar] } }, { map });
  t.same(namesOf(beside), ['mona'], 'only the list of this path');
  t.same(
    beside.lost.filter((path) => path.startsWith('(document)')),
    ['(document) a 1', '(document) realm 1'],
  );
});

t.test('--at names the place, and a wrong one is told', async (t) => {
  const given = { users: [{ no: 'person' }], export: { people: [mona, omar], 'k"ey': { a1: mona } } };
  t.same(namesOf(await conversion(t, given, { map, at: 'export.people' })), ['mona', 'omar']);
  t.same(namesOf(await conversion(t, given, { map, at: 'export.k"ey' })), ['mona']);
  const late = { pad: 'x'.repeat(2_000_000), users: [mona] };
  await t.rejects(conversion(t, late, { map }), { message: /begins without people. --at names their place/ });
  t.same(namesOf(await conversion(t, late, { map, at: 'users' })), ['mona']);
  for (const at of ['nowhere', 'export.nowhere', 'export.people.login', 'users.0']) {
    await t.rejects(
      conversion(t, given, { map, at }),
      { message: /no list or object of people at .*--at/ },
      at,
    );
  }
});

t.test('the key of an object of objects', async (t) => {
  const own = JSON.stringify({
    attributes: [
      { from: '$key', to: 'id' },
      { from: 'login', to: 'userName' },
      { from: 'hash', to: 'passwordHash' },
    ],
  });
  const { org } = await conversion(t, { 'uid-1': mona, __proto__x: omar }, { map: own });
  t.match(org.humanUsers, [{ userId: 'uid-1' }, { userId: '__proto__x' }]);
  const twice = await conversion(t, { a: { ...omar, $key: 'b' } }, { map: own });
  t.match(twice.told, [/^1 error a record has a member \$key/]);
});

t.test('hostile JSON costs its record, and never tells a value', async (t) => {
  const good = JSON.stringify(omar);
  const deep = (length: number) => `{"login":"deep","x":${'['.repeat(length)}${']'.repeat(length)}}`;
  const faults: [string, RegExp][] = [
    ['{"login":"a","hash":"secret-text","login":"b"}', /two members of one name/],
    ['{"login":"a","x":[{"y":{"a":1,"\\u0061":"secret-text"}}]}', /two members of one name/],
    ['{"login":"a" , "login" :"b"}', /two members of one name/],
    ['{"login":secret-text}', /not JSON/],
    ['"secret-text"', /not a JSON object/],
    ['null', /not a JSON object/],
    ['[]', /not a JSON object/],
    [`{"login":"${'x'.repeat(1_100_000)}"}`, /longer than 1048576 bytes/],
  ];
  for (const [fault, message] of faults) {
    const result = await conversion(t, `[${fault},\n${good}]`, { map, skipInvalid: true });
    t.match(result.told, [new RegExp(`^1 error .*${message.source}`)], fault.slice(0, 40));
    t.notMatch(result.told.join(), 'secret-text');
    t.same(namesOf(result), ['omar']);
  }
  const texts = `{"login":"mona","hash":${JSON.stringify(bcryptHash)},"t":"\\":","u":"a\\":b\\\\","v" : {"t":1}}`;
  t.same(
    namesOf(await conversion(t, `[${texts}]`, { map })),
    ['mona'],
    'texts that look like members are none',
  );
  for (const depth of [100, 100_000, 500_000]) {
    const result = await conversion(t, `[${deep(depth)},${good}]`, {
      map,
      skipInvalid: true,
      isDryRun: true,
    });
    t.equal(result.users + result.told.length > 0, true, `${depth} brackets end`);
  }
  for (const text of [
    '[{"a":1}',
    '[{"a":1]',
    '{"users":[{"a":1}}',
    '[}',
    '{"users":[{"login":"a"}],,}x',
    'x',
    '',
  ]) {
    await t.rejects(conversion(t, text, { map }), { message: /JSON|list or object|no users/ }, text);
  }
});

t.test('numbers beyond 2^53 keep their digits', async (t) => {
  const own = JSON.stringify({
    attributes: [
      { from: 'n', to: 'externalId' },
      { from: 'login', to: 'userName' },
      { from: 'hash', to: 'passwordHash' },
      { from: 'm', to: 'employeeNumber' },
      { from: 'f', to: 'costCenter' },
    ],
  });
  const [first, second] = ['9007199254740993', '9007199254740992'];
  const text = (n: string) =>
    `{"login":"u${n}","hash":${JSON.stringify(bcryptHash)},"n":${n},"m":-12345678901234567890,"f":1.12345678901234567,"t":"a 1234567890123456789 \\" 1"}`;
  for (const given of [`[${text(first)},${text(second)}]`, `${text(first)}\n${text(second)}\n`]) {
    const { org, told } = await conversion(t, given, { map: own });
    t.same(told, []);
    t.match(org.humanUsers, [
      {
        user: {
          scim: {
            externalId: first,
            employeeNumber: '-12345678901234567890',
            costCenter: '1.1234567890123457',
          },
        },
      },
      { user: { scim: { externalId: second } } },
    ]);
  }
  const endless = [text('1e400'), text('7').replace('-12345678901234567890', '-1E+999')];
  const { org, told } = await conversion(t, endless.join('\n'), { map: own });
  t.same(told, []);
  t.match(
    org.humanUsers.map(({ user }: { user: { scim: object } }) => user.scim),
    [{ externalId: '1e400' }, { employeeNumber: '-1E+999' }],
    'no number becomes infinity',
  );
});

t.test('a line that never ends, and a list that never ends, take no memory', async (t) => {
  const path = join(folderOf(t), 'long.json');
  const file = openSync(path, 'w');
  writeSync(file, `[${JSON.stringify(mona)},{"login":"`);
  const block = 'x'.repeat(1024 * 1024);
  for (let n = 0; n < 64; n++) writeSync(file, block);
  writeSync(file, `"},${JSON.stringify(omar)}]`);
  closeSync(file);
  const before = process.memoryUsage().rss;
  const { told, org } = await convertFile(path, { system: 'json', map, skipInvalid: true });
  t.match(told, [/^1 error longer than 1048576 bytes/]);
  t.equal(org.humanUsers.length, 2);
  t.ok(process.memoryUsage().rss - before < 200 * 1024 * 1024);
});

t.test('without a mapping the names and values decide, and the guess is told once', async (t) => {
  const given = [
    {
      ...{ id: 7, contact: { email: 'mona@json.example', email_confirmed_at: '2024-01-02 03:04:05+00' } },
      shoes: 42,
    },
    { ...{ id: 8, contact: { email: 'omar@json.example', email_confirmed_at: null } }, password: bcryptHash },
  ];
  const { org, guess, told, lost } = await conversion(t, given);
  t.same(told, []);
  t.same(lost, ['shoes 1']);
  t.match(org.humanUsers, [
    { user: { userName: 'mona@json.example', email: { isEmailVerified: true }, scim: { externalId: '7' } } },
    { user: { userName: 'omar@json.example', email: { isEmailVerified: false } } },
  ]);
  t.same(guess?.columns, [
    { name: 'id', to: 'externalId' },
    { name: 'contact.email', to: 'email' },
    { name: 'contact.email_confirmed_at', to: 'emailVerified' },
    { name: 'shoes', to: undefined },
    { name: 'password', to: 'passwordHash' },
  ]);
  const again = await conversion(t, given, { map: JSON.stringify(guess?.mapping) });
  t.same(again.body, (await conversion(t, given)).body, 'the guess is a mapping that does the same');

  const many = Array.from({ length: 20_000 }, (_, n) => ({ shoe: n, size: 'x' }));
  for (const skipInvalid of [true, false]) {
    const none = await conversion(t, many, { skipInvalid });
    t.match(none, { written: false, users: 0 });
    t.match(none.told, [/^1 error nothing here looks like a user name.*"shoe", "size"$/]);
  }
  const lists = await conversion(t, [
    { ...omar, emails: [{ address: 'o@json.example', is_primary: true }, { address: 'o2@json.example' }] },
  ]);
  t.match(lists.org.humanUsers[0].user, {
    email: { email: 'o@json.example' },
    scim: { emails: [{ value: 'o@json.example' }, { value: 'o2@json.example' }] },
  });
});

t.test('a guess of hostile records takes little time and shows no value', async (t) => {
  const wide = (n: number) =>
    Object.fromEntries(Array.from({ length: 5_000 }, (_, c) => [`c${c}`, `secret-text${n}`]));
  const began = processorTime();
  const { told } = await conversion(
    t,
    Array.from({ length: 100 }, (_, n) => wide(n)),
  );
  t.ok(processorTime() - began < 10_000);
  t.notMatch(told.join(), 'secret-text');
  const odd =
    '[{"__proto__":{"email":"a@x.example"},"constructor":"b","login":"mona","hash":' +
    `${JSON.stringify(bcryptHash)}}]`;
  const { org } = await conversion(t, odd);
  t.match(org.humanUsers, [{ user: { userName: 'mona' } }]);
  t.equal(({} as { email?: unknown }).email, undefined);
});

t.test('tables: the character between cells, line ends and a line of Excel are found', async (t) => {
  const rows = (end: string[], between: string) =>
    ['login', 'hash', 'mail'].join(between) +
    end[0] +
    ['mona', bcryptHash, 'm@csv.example'].join(between) +
    end[1] +
    ['omar', bcryptHash, ''].join(between) +
    end[2];
  for (const between of [',', ';', '\t', '|']) {
    const table = await convert(t, rows(['\n', '\n', '\n'], between));
    t.same(namesOf(table), ['mona', 'omar'], JSON.stringify(between));
    t.match(table.org.humanUsers, [{ user: { email: { email: 'm@csv.example' } } }, {}]);
  }
  for (const ends of [
    ['\r\n', '\n', ''],
    ['\n', '\r\n', '\r\n'],
    ['\r', '\r\n', '\n'],
    ['\n', '\r', ''],
  ]) {
    const mixed = await convert(t, rows(ends, ','));
    t.same(mixed.told, [], JSON.stringify(ends));
    t.same(namesOf(mixed), ['mona', 'omar']);
  }
  t.same(namesOf(await convert(t, `sep=;\r\n${rows(['\r\n', '\r\n', ''], ';')}`)), ['mona', 'omar']);
  const quoted = await convert(t, `"login, or, name, of";hash;mail\nmona;${bcryptHash};\n`, {
    map: JSON.stringify({
      attributes: [
        { from: 'login, or, name, of', to: 'userName' },
        { from: 'hash', to: 'passwordHash' },
      ],
    }),
  });
  t.same(namesOf(quoted), ['mona']);
  const active = await convert(t, `login,hash,active\nmona,${bcryptHash},perhaps\n`);
  t.match(active.told, [/active must be true/], 'nobody becomes active by a word that is not understood');
});

t.test('a file that changes while it is read is told', async (t) => {
  const path = join(folderOf(t), 'grows.ndjson');
  const line = `${JSON.stringify(mona)}\n`;
  const changes: (() => void)[] = [
    () => writeFileSync(path, line, { flag: 'a' }),
    () => truncateSync(path, line.length),
  ];
  for (const [system, content] of [
    ['json', line.repeat(40_000)],
    ['csv', `login,hash\n${`a,${bcryptHash}\n`.repeat(80_000)}`],
  ] as const) {
    for (const change of changes) {
      writeFileSync(path, content);
      const problems = createProblems();
      let seen = 0;
      // The first record comes when the file was opened, and long before it ends.
      const watched = {
        ...problems,
        add(one: InputProblem) {
          if (seen++ === 0) change();
          problems.add(one);
        },
      };
      const broken = JSON.stringify({ attributes: [{ from: 'nothing', to: 'userName' }] });
      const reading = convertFile(path, { system, map: broken, problems: watched });
      await t.rejects(reading, { message: /changed while it was read/ });
    }
  }
});
